import { api } from "@busbar/contract/api.ts";
import { userImportColumns } from "@busbar/contract/access/user-import.ts";
import { nodeImportColumns } from "@busbar/contract/directory/node-import.ts";
import { ImportPlan } from "@busbar/contract/values/import-plan.ts";
import { describe, expect, test } from "vitest";
import { sessionColumns } from "#features/access/account/sessions-section.tsx";
import { keyColumns } from "#features/access/users/key-table.tsx";
import { loginColumns } from "#features/access/users/login-history-dialog.tsx";
import { customerOf, facilityOf, locationOf, nodeOf } from "#features/directory/customers/customers.fixture.ts";
import { locationColumns } from "#features/directory/customers/export-customers.ts";
import { fileColumns } from "#features/files/node-files/file-columns.tsx";
import { billedColumns } from "#features/office/billing/billed-month.tsx";
import { leftOutColumns, lineColumns } from "#features/office/billing/bill-paper.tsx";
import { billColumns } from "#features/office/billing/bill-register.tsx";
import { activityColumns } from "#features/system/feeds/activity-table.tsx";
import { waitingColumns } from "#features/system/system-services/waiting-dialog.tsx";
import { rawColumns } from "#features/telemetry/metering/raw-dialog.tsx";
import { fleetColumns } from "#features/telemetry/node-dashboard/fleet-columns.tsx";
import { node } from "#features/telemetry/node-dashboard/fleet.fixture.ts";
import { recordsOf as userRecordsOf } from "#features/access/users/user-list.ts";
import { userColumns } from "#features/access/users/user-columns.tsx";
import { nodeColumns } from "#features/directory/nodes/node-list-columns.tsx";
import { eventColumns } from "#features/files/event-files/event-columns.tsx";
import { batchNodeColumns } from "#features/telemetry/config-batches/batch-nodes.tsx";
import { batchColumns } from "#features/telemetry/config-batches/batch-list.tsx";
import { coverageColumns } from "#features/telemetry/coverage/coverage-columns.tsx";
import { rowsOf } from "#features/telemetry/coverage/coverage-days.ts";
import { figureColumns } from "#features/telemetry/trends/figure-table.tsx";
import { networkConfigColumns } from "#features/telemetry/network-config-log/network-config-columns.tsx";
import { madeColumns, planColumns } from "#features/directory/node-credentials/credential-columns.tsx";
import { addedColumns, changedColumns, countColumns, errorColumns } from "#features/directory/imports/import-columns.tsx";
import { fileColumns as deploymentColumns } from "#features/directory/node-tasks/deployment-board.tsx";
import { taskColumns } from "#features/directory/node-tasks/task-columns.tsx";
import { recordsOf } from "#features/directory/nodes/node-list-view.ts";
import { fileColumns as changeFileColumns, fileLinesOf } from "#features/system/feeds/change-columns.tsx";
import { csvLines, searchTextOf, sortRows, sortKeysOf, type Column } from "#ui/column.ts";
import { inventAnswer } from "../testing/invented-answer.ts";

const at = Date.UTC(2026, 10, 21, 8, 5, 7) / 1000;

/** Each column with what it says of a row. */
const said = <Row, On>(columns: readonly Column<Row, On>[], row: Partial<Row>) =>
  columns.map(({ label, text }) => [label, text(row as Row)]);
/** The same of its file. */
function filed<Row, On>(columns: readonly Column<Row, On>[], row: Row) {
  const [heads = [], values = []] = csvLines(columns, [row]);
  return heads.map((head, index) => [head, values[index]]);
}

describe("A-63 no column of a list is lost, each says what its head says", () => {
  test("the dashboard's file", () => {
    const placed = node(10_001, {
      type: "subNode",
      nodeConnected: false,
      currentDeploymentStatus: "Pre-Deployment",
      timezone: "UTC",
      lastScalarTimestamp: at,
      lastScalarData: "3,1",
      oldestValueTimestamp: at - 60,
      missingScalarStreamCount: 4,
      platformMissedScalarCount: 5,
      lastDatafileTimestamp: at - 900,
      eventCount: 6,
      verdict: { kind: "quiet", gravity: "note", sentence: "Pre-Deployment: it has never connected.", since: null },
    });
    expect(filed(fleetColumns, placed)).toEqual([
      ["Node", "10001"],
      ["Gravity", "note"],
      ["Verdict", "Pre-Deployment: it has never connected."],
      ["Type", "subNode"],
      ["Connected", "no"],
      ["Status", "Pre-Deployment"],
      ["Customer code", "alder"],
      ["Customer", "Alder Pumping"],
      ["Facility", "North Works"],
      ["Location", "Feed Pump"],
      ["Last known place", ""],
      ["Last scalar", "2026-11-21 08:05:07 UTC"],
      ["Last scalar data", "3,1"],
      ["Oldest value", "2026-11-21 08:04:07 UTC"],
      ["Skipped today", 4],
      ["Missed today while the platform was away", 5],
      ["Last datafile", "2026-11-21 07:50:07 UTC"],
      ["Events", 6],
      ["Meter connected", "yes"],
    ]);
    const nowhere = new Map(filed(fleetColumns, { ...placed, locationId: null }).map(([head, value]) => [head, value]));
    expect(["Customer", "Facility", "Location", "Last known place"].map((head) => nowhere.get(head))).toEqual([
      "",
      "",
      "",
      "Alder Pumping / North Works / Feed Pump",
    ]);
  });

  test("the customers' file", () => {
    const location = locationOf(100, "Feed Pump", [
      nodeOf("10101", { currentDeploymentStatus: "Pre-Deployment", newDeploymentStatus: "Deployed" }),
      nodeOf("10102", { currentDeploymentStatus: "Deployed", newDeploymentStatus: "Decommissioned" }),
    ]);
    const facility = {
      ...facilityOf(10, "North Works", [location]),
      siteName: "North",
      division: "Lumber" as const,
      groundingType: "Solid Ground" as const,
      facilityLocation: "45,-93",
    };
    const customer = customerOf(1, "alder", "Alder Pumping", [facility]);
    expect(filed(locationColumns, { kind: "location", customer, facility, location })).toEqual([
      ["Customer code", "alder"],
      ["Customer", "Alder Pumping"],
      ["Customer type", customer.type],
      ["Facility", "North Works"],
      ["Site", "North"],
      ["Division", "Lumber"],
      ["Grounding type", "Solid Ground"],
      ["Facility location", "45,-93"],
      ["Location", "Feed Pump"],
      ["Equipment type", "InductionMotor"],
      ["Time zone", "America/Chicago"],
      ["Node", "10101"],
      ["Status", "Pre-Deployment"],
      ["Next status", "Deployed"],
      ["Secondary node", "10102"],
      ["Secondary status", "Deployed"],
      ["Secondary next status", "Decommissioned"],
    ]);
  });

  test("a node's files", () => {
    const file = { timestamp: at, fileName: "f.txt", kind: "D", failedReason: "spoiled", size: 2_048, receivedTimestamp: at + 60 } as const;
    expect(said(fileColumns("UTC"), file)).toEqual([
      ["Time", "2026-11-21 08:05:07 UTC"],
      ["File", "f.txt"],
      ["Kind", "Data point"],
      ["Status", "spoiled"],
      ["Size", "2.0 kB"],
      ["Received", "2026-11-21 08:06:07 UTC"],
    ]);
  });

  test("raw metering, on the screen and in its file", () => {
    const metric = { name: "Meter/P1", value: 1.5, unit: "kW", timestamp: at };
    const rows = [
      ["Metric", "Meter/P1"],
      ["Value", "1.5"],
      ["Unit", "kW"],
    ];
    expect(said(rawColumns("UTC"), metric)).toEqual([...rows, ["Age", "2026-11-21 08:05:07 UTC"]]);
    expect(filed(rawColumns("UTC"), metric)).toEqual([...rows, ["Time", "2026-11-21 08:05:07 UTC"]]);
  });

  test("keys, sign-ins and sessions", () => {
    const details = { scopes: ["read", "upload"], lastUsedTimestamp: at } as never;
    expect(said(keyColumns, { key: "bbk_1", name: "plant", expiry: at, details })).toEqual([
      ["Key", "bbk_1"],
      ["Name", "plant"],
      ["Expiry", "2026-11-21 08:05:07 UTC"],
      ["Scope", "read, upload"],
      ["Last use", at],
      ["Revoke", ""],
    ]);
    expect(said(loginColumns, { timestamp: at, administrator: true })).toEqual([
      ["Time", "2026-11-21 8:05:07 AM UTC"],
      ["Administrator", "Yes"],
    ]);
    const session = { signedInTimestamp: at, lastUsedTimestamp: at + 60, remoteAddress: "192.0.2.1", userAgent: "curl", isCurrent: true };
    expect(said(sessionColumns, session)).toEqual([
      ["Signed in", "2026-11-21 08:05:07 UTC"],
      ["Last used", "2026-11-21 08:06:07 UTC"],
      ["From", "192.0.2.1 curl"],
      ["End", "This session"],
    ]);
  });

  test("what services have left, and activities", () => {
    expect(said(waitingColumns, { kind: "node", item: "10001", reason: "away", since: at, tries: 3, nextTry: at + 60 })).toEqual([
      ["Item", "node 10001"],
      ["Reason", "away"],
      ["Since", at],
      ["Tries", 3],
      ["Next Try", at + 60],
    ]);
    expect(said(activityColumns, { timestamp: at, actorType: "User", actor: "pat", action: "LOGIN", description: "Signed in" })).toEqual([
      ["Time", String(at)],
      ["By", "User pat"],
      ["Action", "LOGIN"],
      ["Description", "Signed in"],
    ]);
  });

  test("bills: their lines, what they leave out, the register and a month", () => {
    const place = { customerName: "Birch Paper", facilityName: "East Works", locationName: "Pump A" };
    const line = {
      ...place,
      serialNumber: "20001",
      deploymentStatus: "Deployed",
      deploymentDate: "2026-03-01",
      paidThruDate: "2026-12-31",
      billThruDate: "2027-12-31",
      yearsDue: 0.5,
      amountPerYear: 180_000,
      amountDue: 90_000,
    };
    expect(said(lineColumns, line)).toEqual([
      ["Location", "Pump A"],
      ["Node", "20001"],
      ["Status", "Deployed"],
      ["Deployment Date", "2026-03-01"],
      ["Paid Thru", "2026-12-31"],
      ["Bill Thru", "2027-12-31"],
      ["Years Due", 0.5],
      ["Amount Per Year", 1_800],
      ["Amount Due", 900],
    ]);
    expect(said(leftOutColumns, { ...place, serialNumber: null, reason: "No node" })).toEqual([
      ["Facility", "Birch Paper, East Works"],
      ["Location", "Pump A"],
      ["Node", "–"],
      ["Why", "No node"],
    ]);
    const bill = {
      number: 7,
      madeAt: at,
      madeBy: "pat",
      customerName: "Birch Holding",
      paidThruDate: "2026-12-31",
      billToDate: "2027-12-31",
      invoiceNumber: "R-1",
      locationCount: 3,
      amountTotal: 180_050,
      voidReason: "twice",
    };
    expect(said(billColumns, { bill } as never)).toEqual([
      ["Bill #", 7],
      ["Made", "2026-11-21 08:05:07 UTC"],
      ["By", "pat"],
      ["To", "Birch Holding"],
      ["Paid Thru", "2026-12-31"],
      ["Bill To", "2027-12-31"],
      ["Invoice #", "R-1"],
      ["Locations", 3],
      ["Amount", 1_800.5],
      ["State", "Void: twice"],
      ["Actions", ""],
    ]);
    expect(said(billedColumns, { ...place, status: "in part", bills: [7, 8] })).toEqual([
      ["Facility", "Birch Paper, East Works"],
      ["Location", "Pump A"],
      ["Billed", "in part"],
      ["Bill #", "7, 8"],
    ]);
  });
});

test("NOD-01 USR-01 the lists of nodes and users export every column that an import reads back", () => {
  const heads = <Row, On>(columns: readonly Column<Row, On>[]) => csvLines(columns, [])[0];
  const { wiringReason: _, ...listed } = nodeImportColumns;
  expect(heads(nodeColumns)).toEqual(expect.arrayContaining(Object.values(listed)));
  expect(heads(userColumns)).toEqual(expect.arrayContaining(Object.values(userImportColumns)));
});

const short = (line: string): string => line.replaceAll(/( of the long hall beside the river)+/g, " …");

/** Its file, what is searched in it, and its order by each column that sorts, of rows that come in the other order. */
function everythingOf<Row, On>(columns: readonly Column<Row, On>[], ordered: readonly Row[]) {
  const rows = ordered.toReversed();
  const order = (sort: string) => sortRows(columns, rows, { sort, isDescending: false }, () => 0).map((row) => rows.indexOf(row));
  return {
    file: csvLines(columns, rows).map((line) => short(line.join(" | "))),
    searched: rows.map((row) => short(searchTextOf(columns, row).replaceAll("\n", " | "))).filter(Boolean),
    orders: sortKeysOf(columns).map((key) => `${key}: ${order(key).join(" ")}`),
  };
}

const invent = <Data>(endpoint: { data: { _zod: { output: Data } } }): Data =>
  inventAnswer(endpoint as never, { first: 0, rows: 5 }) as Data;

const { tasks } = invent(api.getNodeTasks);
const plan = invent({ ...api.planPlaceImport, data: ImportPlan });
const lists: Record<string, () => ReturnType<typeof everythingOf>> = {
  users: () => everythingOf(userColumns, userRecordsOf(invent(api.getUsers), new Map([["customer-code-1", "Alder Pumping"]]))),
  nodes: () => everythingOf(nodeColumns, recordsOf(invent(api.getNodes))),
  tasks: () => everythingOf(taskColumns(tasks, "America/Denver"), tasks),
  deployments: () => everythingOf(deploymentColumns, invent(api.getDeployments).deployments),
  "an import's counts": () => everythingOf(countColumns, plan.counts),
  "an import's errors": () => everythingOf(errorColumns, plan.errors),
  "an import's additions": () => everythingOf(addedColumns, plan.records),
  "an import's changes": () => everythingOf(changedColumns, plan.records),
  "planned credentials": () =>
    everythingOf(planColumns, [
      ...invent(api.getNodeCredentials).map((node) => ({ serialNumber: node.serialNumber, node })),
      { serialNumber: "10009", node: undefined },
    ]),
  "made credentials": () => everythingOf(madeColumns, invent(api.createNodeCredentials)),
  batches: () => everythingOf(batchColumns, invent(api.getBatches)),
  "a batch's nodes": () => everythingOf(batchNodeColumns, invent(api.getBatchNodes)),
  coverage: () => everythingOf(coverageColumns(["2026-05-04", "2026-05-05"]), rowsOf(invent(api.getCoverage))),
  "figures of trends": () =>
    everythingOf(
      figureColumns,
      invent(api.getTrends).series.map((series) => ({ key: "1", name: "Fan", unit: "A", color: "red", dash: [], series })),
    ),
  "changes of configurations": () => everythingOf(networkConfigColumns, invent(api.getNetworkConfigLog)),
  "events of relays": () => everythingOf(eventColumns, invent(api.getEvents)),
  "who changed what": () => everythingOf(changeFileColumns, fileLinesOf(invent(api.getChanges))),
};

test.each(Object.entries(lists))("A-63 the list of %s, of invented rows", (_, list) => {
  expect(list()).toMatchSnapshot();
});
