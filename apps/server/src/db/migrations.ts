import { statements as core } from "./migrations/0001-core.ts";
import { statements as services } from "./migrations/0002-services.ts";
import { statements as nodeManagement } from "./migrations/0003-node-management.ts";
import { statements as nodeCommands } from "./migrations/0004-node-commands.ts";
import { statements as nodeTasks } from "./migrations/0005-node-tasks.ts";
import { statements as metering } from "./migrations/0006-metering.ts";
import { statements as directory } from "./migrations/0007-directory.ts";
import { statements as locations } from "./migrations/0008-locations.ts";
import { statements as users } from "./migrations/0009-users.ts";
import { statements as billing } from "./migrations/0010-billing.ts";
import { statements as system } from "./migrations/0011-system.ts";
import { statements as dataFiles } from "./migrations/0012-data-files.ts";
import { statements as alarms } from "./migrations/0013-alarms.ts";
import { statements as fleetNotices } from "./migrations/0014-fleet-notices.ts";
import { statements as eventFiles } from "./migrations/0015-event-files.ts";
import { statements as faults } from "./migrations/0016-faults.ts";
import { statements as notices } from "./migrations/0017-notices.ts";
import { statements as retention } from "./migrations/0018-retention.ts";
import { statements as placements } from "./migrations/0021-placements.ts";
import { statements as systemRevision } from "./migrations/0023-system.ts";
import { statements as billRegister } from "./migrations/0024-bill-register.ts";
import { statements as configTypes } from "./migrations/0025-config-types.ts";
import { statements as feedsByTime } from "./migrations/0026-feeds-by-time.ts";
import { statements as access } from "./migrations/0027-access.ts";
import { statements as setAside } from "./migrations/0028-set-aside.ts";
import { statements as lastValues } from "./migrations/0029-last-values.ts";
import { statements as messageSubjects } from "./migrations/0030-message-subjects.ts";
import { statements as ingestPresence } from "./migrations/0031-ingest-presence.ts";
import { statements as waitingWork } from "./migrations/0032-waiting-work.ts";
import { statements as nodeGroups } from "./migrations/0033-node-groups.ts";
import { statements as nodeWatch } from "./migrations/0034-node-watch.ts";
import { statements as mosquittoHash } from "./migrations/0035-mosquitto-hash.ts";
import { statements as activityObjects } from "./migrations/0036-activity-objects.ts";
import { statements as nodeHistory } from "./migrations/0037-node-history.ts";
import { statements as nodeVerdicts } from "./migrations/0038-node-verdicts.ts";
import { statements as objectHistory } from "./migrations/0039-object-history.ts";
import { statements as failedFiles } from "./migrations/0040-failed-files.ts";
import { statements as recordedEvents } from "./migrations/0041-recorded-events.ts";
import { statements as mutes } from "./migrations/0042-mutes.ts";
import { statements as coverage } from "./migrations/0043-coverage.ts";
import { statements as incidents } from "./migrations/0044-incidents.ts";
import { statements as eventPictures } from "./migrations/0045-event-pictures.ts";
import { statements as serviceRuns } from "./migrations/0046-service-runs.ts";
import { statements as messageLooks } from "./migrations/0047-message-looks.ts";
import { statements as savedViews } from "./migrations/0048-saved-views.ts";
import { statements as references } from "./migrations/0049-references.ts";
import { statements as placementCustomers } from "./migrations/0050-placement-customers.ts";
import { statements as trends } from "./migrations/0051-trends.ts";
import { statements as configBatches } from "./migrations/0052-config-batches.ts";
import { statements as nodeSwaps } from "./migrations/0053-node-swaps.ts";
import { statements as bulkChanges } from "./migrations/0055-bulk-changes.ts";
import { statements as swapBilling } from "./migrations/0054-swap-billing.ts";
import { statements as wiringEvidence } from "./migrations/0056-wiring-evidence.ts";
import { statements as taskPhotos } from "./migrations/0057-task-photos.ts";
import { statements as openDemand } from "./migrations/0058-open-demand.ts";
import { statements as settingsOfStays } from "./migrations/0059-settings-of-stays.ts";
import { statements as sessionChanges } from "./migrations/0060-session-changes.ts";

/** Statements by the name of their migration, in the order in which they run; neither changes once it has landed. */
export const migrations: Record<string, readonly string[]> = {
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
  "0032-waiting-work": waitingWork,
  "0033-node-groups": nodeGroups,
  "0034-node-watch": nodeWatch,
  "0035-mosquitto-hash": mosquittoHash,
  "0036-activity-objects": activityObjects,
  "0037-node-history": nodeHistory,
  "0038-node-verdicts": nodeVerdicts,
  "0039-object-history": objectHistory,
  "0040-failed-files": failedFiles,
  "0041-recorded-events": recordedEvents,
  "0042-mutes": mutes,
  "0043-coverage": coverage,
  "0044-incidents": incidents,
  "0045-event-pictures": eventPictures,
  "0046-service-runs": serviceRuns,
  "0047-message-looks": messageLooks,
  "0048-saved-views": savedViews,
  "0049-references": references,
  "0050-placement-customers": placementCustomers,
  "0051-trends": trends,
  "0052-config-batches": configBatches,
  "0053-node-swaps": nodeSwaps,
  "0054-swap-billing": swapBilling,
  "0055-bulk-changes": bulkChanges,
  "0056-wiring-evidence": wiringEvidence,
  "0057-task-photos": taskPhotos,
  "0058-open-demand": openDemand,
  "0059-settings-of-stays": settingsOfStays,
  "0060-session-changes": sessionChanges,
};
