import type { Migration } from "kysely/migration";
import * as core from "./migrations/0001-core.ts";
import * as services from "./migrations/0002-services.ts";
import * as nodeManagement from "./migrations/0003-node-management.ts";
import * as nodeCommands from "./migrations/0004-node-commands.ts";
import * as nodeTasks from "./migrations/0005-node-tasks.ts";
import * as metering from "./migrations/0006-metering.ts";
import * as directory from "./migrations/0007-directory.ts";
import * as locations from "./migrations/0008-locations.ts";
import * as users from "./migrations/0009-users.ts";
import * as billing from "./migrations/0010-billing.ts";
import * as system from "./migrations/0011-system.ts";
import * as dataFiles from "./migrations/0012-data-files.ts";
import * as alarms from "./migrations/0013-alarms.ts";
import * as fleetNotices from "./migrations/0014-fleet-notices.ts";
import * as eventFiles from "./migrations/0015-event-files.ts";
import * as faults from "./migrations/0016-faults.ts";
import * as notices from "./migrations/0017-notices.ts";
import * as retention from "./migrations/0018-retention.ts";
import * as placements from "./migrations/0021-placements.ts";
import * as systemRevision from "./migrations/0023-system.ts";
import * as billRegister from "./migrations/0024-bill-register.ts";
import * as configTypes from "./migrations/0025-config-types.ts";
import * as feedsByTime from "./migrations/0026-feeds-by-time.ts";
import * as access from "./migrations/0027-access.ts";
import * as setAside from "./migrations/0028-set-aside.ts";
import * as lastValues from "./migrations/0029-last-values.ts";
import * as messageSubjects from "./migrations/0030-message-subjects.ts";
import * as ingestPresence from "./migrations/0031-ingest-presence.ts";

/** In the order in which they run; a name never changes once it has landed. */
export const migrations: Record<string, Migration> = {
  "0001-core": core,
  "0002-services": services,
  "0003-node-management": nodeManagement,
  "0004-node-commands": nodeCommands,
  "0005-node-tasks": nodeTasks,
  "0006-metering": metering,
  "0007-directory": directory,
  "0008-locations": locations,
  "0009-users": users,
  "0010-billing": billing,
  "0011-system": system,
  "0012-data-files": dataFiles,
  "0013-alarms": alarms,
  "0014-fleet-notices": fleetNotices,
  "0015-event-files": eventFiles,
  "0016-faults": faults,
  "0017-notices": notices,
  "0018-retention": retention,
  "0021-placements": placements,
  "0023-system": systemRevision,
  "0024-bill-register": billRegister,
  "0025-config-types": configTypes,
  "0026-feeds-by-time": feedsByTime,
  "0027-access": access,
  "0028-set-aside": setAside,
  "0029-last-values": lastValues,
  "0030-message-subjects": messageSubjects,
  "0031-ingest-presence": ingestPresence,
};
