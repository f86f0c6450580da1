import type { DashboardNode, NodeDashboard } from "@busbar/contract/telemetry/node-dashboard.ts";

// Invented nodes for tests.

export function node(serial: number, part: Partial<DashboardNode> = {}): DashboardNode {
  return {
    serialNumber: String(serial),
    type: "Node",
    nodeConnected: true,
    hasConnected: true,
    notifyOnConnect: false,
    customerCode: "alder",
    customerName: "Alder Pumping",
    facilityName: "North Works",
    locationName: "Feed Pump",
    locationId: 1,
    timezone: "America/Chicago",
    currentDeploymentStatus: "Deployed",
    newDeploymentStatus: "Deployed",
    lastScalarTimestamp: 1000,
    lastScalarData: "",
    oldestValueTimestamp: null,
    missingScalarStreamCount: 0,
    platformMissedScalarCount: 0,
    voltaSensor: null,
    lastOneSecondFileTimestamp: null,
    lastDatafileTimestamp: null,
    missingDatafileCount: 0,
    lastExternalFileTimestamp: null,
    eventCount: 0,
    meterConnected: true,
    dataInterval: 900,
    scalarInterval: 10,
    verdict: null,
    ...part,
  };
}

export function answer(nodes: Record<string, Partial<DashboardNode>>, part: Partial<NodeDashboard> = {}): NodeDashboard {
  return {
    dashboardNodeMap: nodes,
    serverStartUpTime: 1,
    requestsServed: 2,
    revision: "5",
    isFull: false,
    removed: [],
    asOf: 3,
    isStale: false,
    ...part,
  };
}

export const fullFleet = (...nodes: DashboardNode[]) =>
  answer(Object.fromEntries(nodes.map((each) => [each.serialNumber, each])), { isFull: true });

/** As the server writes it: a line for each node. */
export function textOf({ dashboardNodeMap, ...facts }: NodeDashboard): string {
  const lines = Object.entries(dashboardNodeMap).map(([serial, part]) => `\n"${serial}":${JSON.stringify(part)}`);
  return `{"data":{"dashboardNodeMap":{${lines.join(",")}\n},${JSON.stringify(facts).slice(1)}}`;
}
