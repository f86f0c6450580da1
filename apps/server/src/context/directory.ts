import type { Pool } from "pg";
import { recordActivity } from "#features/activities/activities.store.ts";
import { readChangesSince } from "#features/activities/recorded-changes.store.ts";
import { customerDataHandlers } from "#features/customer-data/customer-data.handlers.ts";
import { createCustomerDataReadModel } from "#features/customer-data/customer-data.read-model.ts";
import { customerNamesHandlers } from "#features/customer-names/customer-names.handlers.ts";
import { createCustomerNamesReadModel } from "#features/customer-names/customer-names.read-model.ts";
import { customerTreeHandlers } from "#features/customer-tree/customer-tree.handlers.ts";
import { createCustomerTreeReadModel } from "#features/customer-tree/customer-tree.read-model.ts";
import { createCustomerTree } from "#features/customer-tree/customer-tree.ts";
import { customersHandlers } from "#features/customers/customers.handlers.ts";
import { createCustomersService } from "#features/customers/customers.service.ts";
import { createDecommissionedNodesService } from "#features/customers/decommissioned-nodes.service.ts";
import { createFacilitiesService } from "#features/customers/facilities.service.ts";
import { locationNotesHandlers } from "#features/location-notes/location-notes.handlers.ts";
import { createLocationNotes } from "#features/location-notes/location-notes.service.ts";
import { createPlotNotesReadModel } from "#features/location-notes/plot-notes.read-model.ts";
import { locationsHandlers } from "#features/locations/locations.handlers.ts";
import { createLocationsReadModel } from "#features/locations/locations.read-model.ts";
import { createLocations } from "#features/locations/locations.service.ts";
import type { TwoFactor } from "#features/two-factor/two-factor.service.ts";
import type { Clock } from "#lib/clock.ts";
import type { SystemConfig } from "#features/system-config/system-config.service.ts";

export interface DirectoryDependencies {
  pool: Pool;
  clock: Clock;
  twoFactor: TwoFactor;
  systemConfig: SystemConfig;
}

/** Customers, facilities, locations and what is said about them. */
export function createDirectory({ pool, clock, twoFactor, systemConfig }: DirectoryDependencies) {
  const shared = { pool, twoFactor, recordActivity, readChangesSince };
  const locations = createLocations({ pool, clock, twoFactor, systemConfig, recordActivity, readChangesSince });
  const locationNotes = createLocationNotes({ pool, recordActivity, readChangesSince });
  return {
    handlers: {
      ...customerTreeHandlers(createCustomerTree(createCustomerTreeReadModel(pool))),
      ...customersHandlers({
        customers: createCustomersService(shared),
        facilities: createFacilitiesService(shared),
        decommissionedNodes: createDecommissionedNodesService(shared),
      }),
      ...customerNamesHandlers(createCustomerNamesReadModel(pool)),
      ...customerDataHandlers(createCustomerDataReadModel(pool)),
      ...locationsHandlers(locations, createLocationsReadModel(pool)),
      ...locationNotesHandlers(locationNotes, createPlotNotesReadModel(pool)),
    },
  };
}
