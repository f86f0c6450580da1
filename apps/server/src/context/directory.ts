import type { Pool } from "pg";
import type { Config } from "../config.ts";
import { createBrokerAuth } from "#features/directory/broker-auth/broker-auth.service.ts";
import { bulkChangesHandlers } from "#features/directory/bulk-changes/bulk-changes.handlers.ts";
import { createBulkChanges } from "#features/directory/bulk-changes/bulk-changes.service.ts";
import { createBulkLocations } from "#features/directory/bulk-changes/bulk-locations.ts";
import { createBulkNodes } from "#features/directory/bulk-changes/bulk-nodes.ts";
import { createBulkSubscriptions } from "#features/directory/bulk-changes/bulk-subscriptions.ts";
import { createCredentialSheetMaker } from "#features/directory/node-credentials/credential-sheet-maker.ts";
import { createIssuedCredentials } from "#features/directory/node-credentials/issued-credentials.service.ts";
import { nodeCredentialsHandlers } from "#features/directory/node-credentials/node-credentials.handlers.ts";
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
import { retireNode } from "#features/directory/customers/decommissioned-nodes.store.ts";
import { createDecommissionedNodesService } from "#features/directory/customers/decommissioned-nodes.service.ts";
import { createFacilitiesService } from "#features/directory/customers/facilities.service.ts";
import { facilityOverviewHandlers } from "#features/directory/facility-overview/facility-overview.handlers.ts";
import { createFacilityOverviewReadModel } from "#features/directory/facility-overview/facility-overview.read-model.ts";
import { freePlacesHandlers } from "#features/directory/free-places/free-places.handlers.ts";
import { createDeploymentRequests } from "#features/directory/deployment-requests/deployment-requests.service.ts";
import { deploymentRequestsHandlers } from "#features/directory/deployment-requests/deployment-requests.handlers.ts";
import { createFreePlaces } from "#features/directory/free-places/free-places.service.ts";
import { locationNotesHandlers } from "#features/directory/location-notes/location-notes.handlers.ts";
import { createLocationNotes } from "#features/directory/location-notes/location-notes.service.ts";
import { createPlotNotesReadModel } from "#features/directory/location-notes/plot-notes.read-model.ts";
import { locationsHandlers } from "#features/directory/locations/locations.handlers.ts";
import { createLocationsReadModel } from "#features/directory/locations/locations.read-model.ts";
import { createLocations } from "#features/directory/locations/locations.service.ts";
import { nodeImportHandlers } from "#features/directory/node-import/node-import.handlers.ts";
import { createNodeImport } from "#features/directory/node-import/node-import.service.ts";
import { nodeOverviewHandlers } from "#features/directory/node-overview/node-overview.handlers.ts";
import { createNodeOverviewReadModel } from "#features/directory/node-overview/node-overview.read-model.ts";
import { nodeSwapsHandlers } from "#features/directory/node-swaps/node-swaps.handlers.ts";
import { createNodeSwaps } from "#features/directory/node-swaps/node-swaps.service.ts";
import { createSwapCopyStore } from "#features/directory/node-swaps/node-swaps.store.ts";
import { createSwapCopier } from "#features/directory/node-swaps/swap-copier.ts";
import { createDeploymentsReadModel } from "#features/directory/node-tasks/deployments.read-model.ts";
import { nodeTasksHandlers } from "#features/directory/node-tasks/node-tasks.handlers.ts";
import { createNodeTasks } from "#features/directory/node-tasks/node-tasks.service.ts";
import { taskTemplates } from "#features/directory/node-tasks/task-order.ts";
import { createTaskPhotos } from "#features/directory/node-tasks/task-photos.service.ts";
import { placeImportHandlers } from "#features/directory/place-import/place-import.handlers.ts";
import { createPlaceImport } from "#features/directory/place-import/place-import.service.ts";
import { createNodeListReadModel } from "#features/directory/nodes/node-list.read-model.ts";
import { createNodeList } from "#features/directory/nodes/node-list.ts";
import { nodesHandlers } from "#features/directory/nodes/nodes.handlers.ts";
import { createNodes } from "#features/directory/nodes/nodes.service.ts";
import type { Subscriptions } from "#features/alarms/subscriptions/subscriptions.service.ts";
import type { TwoFactor } from "#features/access/two-factor/two-factor.service.ts";
import type { Clock } from "#lib/clock.ts";
import type { Log } from "#lib/log.ts";
import type { MeteringService } from "#features/telemetry/metering/metering.service.ts";
import type { NodeConfig } from "#features/telemetry/node-config/node-config.service.ts";
import type { SystemConfig } from "#features/system/system-config/system-config.service.ts";

export interface DirectoryDependencies {
  pool: Pool;
  config: Config;
  log: Log;
  clock: Clock;
  twoFactor: TwoFactor;
  systemConfig: SystemConfig;
  nodeConfig: NodeConfig;
  judgeWiring: MeteringService["wiring"];
  subscriptions: Subscriptions;
}

/** Customers, facilities, locations and nodes, what is said about them and what is to be done. */
export function createDirectory({
  pool,
  config,
  log,
  clock,
  twoFactor,
  systemConfig,
  nodeConfig,
  judgeWiring,
  subscriptions,
}: DirectoryDependencies) {
  const locations = createLocations({ pool, clock, twoFactor, systemConfig });
  const locationNotes = createLocationNotes(pool);
  const nodes = createNodes({ pool, clock, taskCount: taskTemplates.length });
  const nodeTasks = createNodeTasks({ pool, clock, judgeWiring });
  const credentialsStore = createNodeCredentialsStore(pool);
  const issuedCredentials = createIssuedCredentials({
    pool,
    store: credentialsStore,
    twoFactor,
    clock,
    brokerUrl: config.nodeMqttUrl,
    makeSheet: createCredentialSheetMaker(),
  });
  const copier = createSwapCopier({ store: createSwapCopyStore(pool), nodeConfig, log, answerTimeoutMs: config.nodeAnswerMs });
  return {
    brokerAuth: createBrokerAuth(createNodeCredentials(credentialsStore, clock)),
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
      ...deploymentRequestsHandlers(createDeploymentRequests({ pool, nodes, locations })),
      ...freePlacesHandlers(createFreePlaces({ pool, nodes, locations })),
      ...locationNotesHandlers(locationNotes, createPlotNotesReadModel(pool)),
      ...nodesHandlers(nodes, createNodeList(createNodeListReadModel(pool))),
      ...nodeTasksHandlers(nodeTasks, createTaskPhotos(pool), createDeploymentsReadModel(pool, taskTemplates.length), clock),
      ...bulkChangesHandlers(
        createBulkChanges({
          pool,
          log,
          rules: {
            nodes: createBulkNodes(nodes),
            locations: createBulkLocations({ locations, systemConfig }),
            subscriptions: createBulkSubscriptions(subscriptions),
          },
        }),
      ),
      ...placeImportHandlers(createPlaceImport({ pool, clock }), log),
      ...nodeImportHandlers(createNodeImport({ pool, log, nodes, locations }), log),
      ...nodeCredentialsHandlers(issuedCredentials),
      ...nodeSwapsHandlers(createNodeSwaps({ pool, twoFactor, copier, nodeConfig, addNode: nodes.add, retire: retireNode })),
      ...facilityOverviewHandlers(createFacilityOverviewReadModel(pool)),
      ...nodeOverviewHandlers(createNodeOverviewReadModel(pool), nodeTasks),
    },
    stop: () => copier.stop(),
  };
}
