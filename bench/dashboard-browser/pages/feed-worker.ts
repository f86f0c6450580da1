import type { DashboardNode, NodeDashboard } from "@busbar/contract/telemetry/node-dashboard.ts";

// Makes the texts that a server would send, away from the thread that is measured.

export type FeedRequest = { kind: "full"; rows: number } | { kind: "delta"; changedShare: number };

const customers = 60;
const facilities = ["Harbor Mill", "Stonebrook", "Lakeview", "Ridgeline", "Elm Hollow", "Copper Flats", "Northgate", "Sandbar"];
const machines = ["Refiner", "Vacuum Pump", "Chipper", "ID Fan", "Conveyor", "Debarker", "Fan Pump", "Press Roll", "Agitator", "Dryer"];
const timezones = ["America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"];

let nodes: DashboardNode[] = [];
let revision = 1;

// The same numbers at every run and for every page (mulberry32).
let state = 20_260_101;
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
}

const below = (limit: number): number => Math.floor(random() * limit);
const pick = (names: readonly string[]): string => names[below(names.length)] ?? "";

function scalarText(timestamp: number): string {
  const readings = Array.from({ length: 16 }, () => (random() * 480).toFixed(3));
  return `1,1,${timestamp * 1_000},${readings.join(",")}`;
}

function makeNode(index: number, now: number): DashboardNode {
  const customer = below(customers);
  const timestamp = now - below(20);
  return {
    serialNumber: String(10_000 + index),
    type: "Node",
    nodeConnected: random() > 0.1,
    hasConnected: true,
    notifyOnConnect: random() > 0.9,
    customerCode: `cust${customer}`,
    customerName: `Invented Works ${customer}`,
    facilityName: `${pick(facilities)} ${below(9)}`,
    locationName: `${pick(machines)} ${below(99)}`,
    locationId: index + 1,
    timezone: pick(timezones),
    currentDeploymentStatus: random() > 0.15 ? "Deployed" : "Pre-Deployment",
    newDeploymentStatus: "Deployed",
    lastScalarTimestamp: timestamp,
    lastScalarData: scalarText(timestamp),
    oldestValueTimestamp: timestamp,
    missingScalarStreamCount: below(5),
    platformMissedScalarCount: 0,
    voltaSensor: random() > 0.05,
    lastOneSecondFileTimestamp: timestamp - 30,
    lastDatafileTimestamp: timestamp - below(900),
    missingDatafileCount: 0,
    lastExternalFileTimestamp: null,
    eventCount: below(50),
    meterConnected: random() > 0.1,
    dataInterval: 900,
    scalarInterval: 10,
    verdict: { kind: "fine", gravity: "fine", sentence: "Nothing is wrong.", since: null },
  };
}

/** Only what telemetry moves, as the server sends it. */
function change(node: DashboardNode, now: number): Partial<DashboardNode> {
  const changed = {
    nodeConnected: random() > 0.02 ? node.nodeConnected : !node.nodeConnected,
    hasConnected: true,
    lastScalarTimestamp: now,
    lastScalarData: scalarText(now),
    oldestValueTimestamp: now,
    missingScalarStreamCount: node.missingScalarStreamCount,
    platformMissedScalarCount: node.platformMissedScalarCount,
    voltaSensor: node.voltaSensor,
    lastOneSecondFileTimestamp: now - 30,
    lastDatafileTimestamp: node.lastDatafileTimestamp,
    missingDatafileCount: node.missingDatafileCount,
    lastExternalFileTimestamp: null,
    eventCount: node.eventCount + (random() > 0.9 ? 1 : 0),
    meterConnected: node.meterConnected,
  };
  Object.assign(node, changed);
  return changed;
}

function answer(request: FeedRequest): string {
  const now = Math.floor(Date.now() / 1_000);
  const dashboardNodeMap: NodeDashboard["dashboardNodeMap"] = {};
  if (request.kind === "full") {
    nodes = Array.from({ length: request.rows }, (_, index) => makeNode(index, now));
    for (const node of nodes) dashboardNodeMap[node.serialNumber] = node;
  } else {
    for (const node of nodes) if (random() < request.changedShare) dashboardNodeMap[node.serialNumber] = change(node, now);
  }
  const isFull = request.kind === "full";
  const facts: Omit<NodeDashboard, "dashboardNodeMap"> = {
    serverStartUpTime: now - 3_600,
    requestsServed: revision * 3,
    revision: String(++revision),
    isFull,
    removed: [],
    asOf: now,
    isStale: false,
  };
  // A line for each node, as the server writes it.
  const lines = Object.entries(dashboardNodeMap).map(([serial, node]) => `"${serial}":${JSON.stringify(node)}`);
  return `{"data":{"dashboardNodeMap":{\n${lines.join(",\n")}\n},${JSON.stringify(facts).slice(1)}}`;
}

addEventListener("message", ({ data }: MessageEvent<FeedRequest>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's own has none to name
  (globalThis as unknown as { postMessage(text: string): void }).postMessage(answer(data));
});
