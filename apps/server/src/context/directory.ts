import type { Pool } from "pg";
import { createBrokerAuth } from "#features/directory/broker-auth/broker-auth.service.ts";
import { createNodeCredentials } from "#features/directory/node-credentials/node-credentials.service.ts";
import { createNodeCredentialsStore } from "#features/directory/node-credentials/node-credentials.store.ts";
import { customerDataHandlers } from "#features/directory/customer-data/customer-data.handlers.ts";
import { createCustomerDataReadModel } from "#features/directory/customer-data/customer-data.read-model.ts";
import { customerNamesHandlers } from "#features/directory/customer-names/customer-names.handlers.ts";
import { createCustomerNamesReadModel } from "#features/directory/customer-names/customer-names.read-model.ts";
import { customerTreeHandlers } from "#features/directory/customer-tree/customer-tree.handlers.ts";
import { createCustomerTreeReadModel } from "#features/directory/customer-tree/customer-tree.read-model.ts";
import { createCustomerTree } from "#features/directory/customer-tree/customer-tree.ts";
import { customersHandlers } from "#features/directory/customers/customers.handlers.ts";
import { createCustomersService } from "#features/directory/customers/customers.service.ts";
import { createDecommissionedNodesService } from "#features/directory/customers/decommissioned-nodes.service.ts";
import { createFacilitiesService } from "#features/directory/customers/facilities.service.ts";
import { facilityOverviewHandlers } from "#features/directory/facility-overview/facility-overview.handlers.ts";
import { createFacilityOverviewReadModel } from "#features/directory/facility-overview/facility-overview.read-model.ts";
import { locationNotesHandlers } from "#features/directory/location-notes/location-notes.handlers.ts";
import { createLocationNotes } from "#features/directory/location-notes/location-notes.service.ts";
import { createPlotNotesReadModel } from "#features/directory/location-notes/plot-notes.read-model.ts";
import { locationsHandlers } from "#features/directory/locations/locations.handlers.ts";
import { createLocationsReadModel } from "#features/directory/locations/locations.read-model.ts";
import { createLocations } from "#features/directory/locations/locations.service.ts";
import { nodeOverviewHandlers } from "#features/directory/node-overview/node-overview.handlers.ts";
import { createNodeOverviewReadModel } from "#features/directory/node-overview/node-overview.read-model.ts";
import { nodeTasksHandlers } from "#features/directory/node-tasks/node-tasks.handlers.ts";
import { createNodeTasks } from "#features/directory/node-tasks/node-tasks.service.ts";
import { taskTemplates } from "#features/directory/node-tasks/task-order.ts";
import { createNodeListReadModel } from "#features/directory/nodes/node-list.read-model.ts";
import { createNodeList } from "#features/directory/nodes/node-list.ts";
import { nodesHandlers } from "#features/directory/nodes/nodes.handlers.ts";
import { createNodes } from "#features/directory/nodes/nodes.service.ts";
import type { TwoFactor } from "#features/access/two-factor/two-factor.service.ts";
import type { Clock } from "#lib/clock.ts";
import type { SystemConfig } from "#features/system/system-config/system-config.service.ts";

export interface DirectoryDependencies {
  pool: Pool;
  clock: Clock;
  twoFactor: TwoFactor;
  systemConfig: SystemConfig;
}

/** Customers, facilities, locations and nodes, what is said about them and what is to be done. */
export function createDirectory({ pool, clock, twoFactor, systemConfig }: DirectoryDependencies) {
  const locations = createLocations({ pool, clock, twoFactor, systemConfig });
  const locationNotes = createLocationNotes(pool);
  const nodes = createNodes({ pool, clock, taskCount: taskTemplates.length });
  const nodeTasks = createNodeTasks(pool);
  return {
    brokerAuth: createBrokerAuth(createNodeCredentials(createNodeCredentialsStore(pool), clock)),
    handlers: {
      ...customerTreeHandlers(createCustomerTree(createCustomerTreeReadModel(pool))),
      ...customersHandlers({
        customers: createCustomersService({ pool, twoFactor }),
        facilities: createFacilitiesService({ pool, twoFactor }),
        decommissionedNodes: createDecommissionedNodesService(pool),
      }),
      ...customerNamesHandlers(createCustomerNamesReadModel(pool)),
      ...customerDataHandlers(createCustomerDataReadModel(pool)),
      ...locationsHandlers(locations, createLocationsReadModel(pool)),
      ...locationNotesHandlers(locationNotes, createPlotNotesReadModel(pool)),
      ...nodesHandlers(nodes, createNodeList(createNodeListReadModel(pool))),
      ...nodeTasksHandlers(nodeTasks),
      ...facilityOverviewHandlers(createFacilityOverviewReadModel(pool)),
      ...nodeOverviewHandlers(createNodeOverviewReadModel(pool), nodeTasks),
    },
  };
}
