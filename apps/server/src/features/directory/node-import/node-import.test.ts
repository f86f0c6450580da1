import { nodeImportColumns } from "@busbar/contract/directory/node-import.ts";
import { csvText } from "@busbar/contract/values/csv.ts";
import type { ImportPlan } from "@busbar/contract/values/import-plan.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addPlace } from "#testing/test-world.ts";

let server: TestApp;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("ann"));
});
afterAll(() => server.stop());
beforeEach(async () => {
  const { pool } = server.database;
  await pool.query("delete from activity; delete from node; delete from location; delete from facility; delete from customer");
  await addPlace(pool, "UTC", "Alder Pumping");
  await pool.query("update customer set code = 'alder'");
});

const send = (path: string, payload: string) =>
  server.call({
    method: "POST",
    url: `/api/node-import/${path}`,
    token,
    payload,
    headers: { "content-type": "application/octet-stream" },
  });
const planOf = async (file: string) =>
  (JSON.parse((await send("plan", file)).text.trim().split("\n").at(-1)!) as { plan: ImportPlan }).plan;
const countsOf = (added: number, changed: number, left: number) => [{ noun: "node", added, changed, left }];
/** The last line of the answer. */
const run = async (digest: string, file: string) => {
  const { status, text, json } = await send(digest, file);
  return status === 200 ? (JSON.parse(text.trim().split("\n").at(-1)!) as object) : json["errorMessage"];
};
const rows = async (text: string) => (await server.database.pool.query<Record<string, unknown>>(text)).rows;
const errorsOf = ({ errors }: ImportPlan) => errors.map(({ line, column, message }) => `${line} ${column}: ${message}`);

type Line = Partial<Record<keyof typeof nodeImportColumns, string>>;
/** As the list of nodes exports it, with a column that is no field. */
const fileOf = (...lines: Line[]) => {
  const columns = Object.keys(nodeImportColumns) as (keyof Line)[];
  return csvText([
    ["Awaiting", ...columns.map((column) => nodeImportColumns[column])],
    ...lines.map((line) => ["", ...columns.map((column) => line[column] ?? "")]),
  ]);
};
const atFeedPump = { customerCode: "alder", facilityName: "North Works", locationName: "Feed Pump 1" };
const nodes = () =>
  rows(`select n.serial_number as serial, n.container, n.current_deployment_status as status, n.data_point_interval_seconds as interval, l.name as place
        from node n left join node_assignment a using (serial_number) left join location l on l.id = a.location_id order by 1`);

test("NFM-03 a file adds nodes and places them, each with the activities of the single call; read again it changes nothing", async () => {
  const text = fileOf(
    { serialNumber: "10101", container: "Rack 4", dataPointInterval: "600", nameplateValid: "yes", ...atFeedPump },
    {
      serialNumber: "10102",
      container: "Rack 4",
      newDeploymentStatus: "Unassigned",
      deploymentTaskType: "RMA",
      voltageThdThreshold: "12.5",
    },
  );
  const plan = await planOf(text);
  expect(plan).toMatchObject({ lines: 2, counts: countsOf(2, 0, 0), errors: [], ignored: ["Awaiting"] });
  expect([await nodes(), await rows("select from activity")]).toEqual([[], []]);
  expect(await run(plan.digest, text)).toEqual({ imported: countsOf(2, 0, 0) });
  expect(await nodes()).toMatchObject([
    { serial: 10_101, container: "Rack 4", status: "Pre-Deployment", place: "Feed Pump 1" },
    { serial: 10_102, container: "Rack 4", status: "Unassigned", place: null },
  ]);
  expect(await rows("select actor, action, object from activity order by id")).toMatchObject([
    { actor: "ann", action: "POST_NODE", object: "node/10101" },
    { actor: "ann", action: "PATCH_LOCATION" },
    { actor: "ann", action: "POST_NODE", object: "node/10102" },
  ]);
  expect(await planOf(text.replaceAll(",", ";"))).toMatchObject({ counts: countsOf(0, 0, 2), records: [], errors: [] });
  expect(await rows("select from node_credential")).toEqual([]);
});

test("what differs is shown with both values and changed like a single edit; an empty cell changes nothing", async () => {
  const first = fileOf({ serialNumber: "10101", container: "Rack 4", dataPointInterval: "600", notifyOnConnect: "yes", type: "Node" });
  await run((await planOf(first)).digest, first);
  const second = fileOf({
    serialNumber: "10101",
    dataPointInterval: "900",
    notifyOnConnect: "no",
    newDeploymentStatus: "Deployed",
    wiringReason: "The machine runs in spring",
    ...atFeedPump,
  });
  const plan = await planOf(second);
  expect(plan.records).toMatchObject([{ line: 2, noun: "node", name: "10101", isNew: false }]);
  expect(plan.records[0]!.changes.map(({ column, before, after }) => [column, before, after])).toEqual([
    ["Location", "", "Feed Pump 1"],
    ["Status", "Pre-Deployment", "Deployed"],
    ["Wiring reason", "", "The machine runs in spring"],
    ["Interval (s)", "600", "900"],
    ["On Connect", "yes", "no"],
  ]);
  await rows("update node set notify_on_connect = false");
  expect(await run(plan.digest, second)).toEqual({
    failure: expect.stringMatching(/someone changed a node meanwhile.*Nothing was changed$/),
  });
  expect(await run((await planOf(second)).digest, second)).toEqual({ imported: countsOf(0, 1, 0) });
  expect(await nodes()).toMatchObject([{ status: "Pre-Deployment", place: "Feed Pump 1" }]);
  expect(await rows("select action, before->>'dataPointInterval' as was from activity order by id desc limit 1")).toEqual([
    { action: "PATCH_NODE", was: "600" },
  ]);
  // The status that it has still asks for nothing, while another one is awaited.
  expect((await planOf(fileOf({ serialNumber: "10101", newDeploymentStatus: "Pre-Deployment" }))).records).toEqual([]);
});

test("NFM-07 a line that makes a node Deployed without a wiring verdict needs a reason, which its activity keeps", async () => {
  await rows("insert into location (facility_id, name, timezone) select id, 'Pump 2', 'UTC' from facility");
  const placed = fileOf({ serialNumber: "10101", container: "Rack 4", ...atFeedPump });
  await run((await planOf(placed)).digest, placed);
  const deployed = (wiringReason: string) =>
    fileOf(
      { serialNumber: "10101", newDeploymentStatus: "Deployed", wiringReason },
      { serialNumber: "10102", container: "Rack 4", newDeploymentStatus: "Deployed", wiringReason, ...atFeedPump, locationName: "Pump 2" },
      { serialNumber: "10103", container: "Rack 4", newDeploymentStatus: "Deployed" },
    );
  expect(errorsOf(await planOf(deployed("")))).toEqual([
    "2 Wiring reason: It has no wiring verdict: give a reason",
    "3 Wiring reason: It has no wiring verdict: give a reason",
  ]);
  expect(errorsOf(await planOf(deployed("x".repeat(501))))[0]).toBe("2 Wiring reason: Reason has at most 500 characters");
  const text = deployed("The machine runs in spring");
  expect(await run((await planOf(text)).digest, text)).toEqual({ imported: countsOf(2, 1, 0) });
  const [first, second, third] = (
    await rows("select description from activity where object like 'node/%' order by id desc limit 3")
  ).toReversed();
  expect(first?.["description"]).toMatch(/^Node 10101: status Deployed from .* without a wiring verdict: The machine runs in spring$/);
  expect(second).toEqual({ description: "Node 10102 was added: Deployed without a wiring verdict: The machine runs in spring" });
  expect(third).toEqual({ description: "Node 10103 was added: Deployed" });

  // Deployed on the shelf: the question comes with the place.
  await rows("insert into location (facility_id, name, timezone) select id, 'Pump 3', 'UTC' from facility");
  const comes = (wiringReason: string) => fileOf({ serialNumber: "10103", wiringReason, ...atFeedPump, locationName: "Pump 3" });
  expect(errorsOf(await planOf(comes("")))).toEqual(["2 Wiring reason: It has no wiring verdict: give a reason"]);
  await run((await planOf(comes("A trial"))).digest, comes("A trial"));
  const [last] = await rows("select description from activity where object like 'location/%' order by id desc limit 1");
  expect(last?.["description"]).toMatch(/ 10103 came; 10103 is Deployed without a wiring verdict: A trial$/);
});

test("each line's errors are named by its number, and then nothing is imported", async () => {
  const place = fileOf({ serialNumber: "10101", container: "Rack 4", ...atFeedPump });
  await run((await planOf(place)).digest, place);
  await rows("insert into location (facility_id, name, timezone) select id, 'Pump 2', 'UTC' from facility");
  const text = fileOf(
    { serialNumber: "10102", container: "Rack 4" },
    { serialNumber: "10102", container: "Rack 4" },
    { serialNumber: "1010", container: "Rack 4" },
    { container: "Rack 4" },
    { serialNumber: "10103" },
    { serialNumber: "10104", container: "Rack 4", dataPointInterval: "9 min", nameplateValid: "perhaps" },
    { serialNumber: "10105", container: "Rack 4", type: "Toaster" },
    { serialNumber: "10106", container: "Rack 4", ...atFeedPump },
    { serialNumber: "10107", container: "Rack 4", ...atFeedPump, locationName: "Pump 9" },
    { serialNumber: "10101", ...atFeedPump, locationName: "Pump 2" },
    { serialNumber: "10108", container: "Rack 4", customerCode: "alder", facilityName: "North Works" },
    { serialNumber: "10109", container: "rack 4" },
    { serialNumber: "10110", container: "Rack 4", ...atFeedPump, locationName: "pump 2" },
    { serialNumber: "10111", container: "Rack 4", ...atFeedPump, locationName: "Pump 2", newDeploymentStatus: "Unassigned" },
    { serialNumber: "10112", container: "Rack 4", facilityName: "North Works", locationName: "Pump 2" },
    { serialNumber: "10113", container: "Rack 4", customerCode: "alder", locationName: "Pump 2" },
    { serialNumber: "10114", container: "Shelf 1" },
    { serialNumber: "10115", container: "shelf 1" },
  );
  const plan = await planOf(text);
  expect(errorsOf(plan)).toEqual([
    "3 Serial Number: The same node is on line 2",
    "4 Serial Number: A serial number is 5 digits, the first not 0",
    "5 Serial Number: Every line has one",
    "6 Container: A new node needs one",
    "7 Interval (s): Interval (s) is a number, with a point before its decimals",
    "7 Name Plate Valid: Name Plate Valid is yes or no",
    "8 Type: Type is one of the list",
    "9 Location: Node 10101 is there already",
    "10 Location: There is no location Pump 9 at North Works of alder",
    expect.stringMatching(/^11 Location: It is at .*Feed Pump 1.*: swap it or take it away there first$/),
    "12 Location: A node is at a location of a facility, and this line names none",
    "13 Container: Rack 4 is there already, and differs in its capital letters only",
    "14 Location: There is no location pump 2 at North Works of alder. There is one of other capital letters: alder / North Works / Pump 2",
    "15 Status: A node that is placed at a location is not Unassigned",
    "16 Customer code: A location is found by customer code, facility and name",
    "17 Facility: A location is found by customer code, facility and name",
    "19 Container: Shelf 1 is there already, and differs in its capital letters only",
  ]);
  const before = await nodes();
  expect(await run(plan.digest, text)).toEqual({ failure: "file: line 3: Serial Number: The same node is on line 2. Nothing was changed" });
  expect(await nodes()).toEqual(before);
});

test("A-63 a container that differs from one of another node in its capital letters only is an error", async () => {
  const first = fileOf({ serialNumber: "10101", container: "Rack 4" });
  await run((await planOf(first)).digest, first);
  const second = fileOf({ serialNumber: "10102", container: "rack 4" }, { serialNumber: "10103", container: "Rack 4" });
  expect(errorsOf(await planOf(second))).toEqual(["2 Container: Rack 4 is there already, and differs in its capital letters only"]);
});

test("a row that the database refuses is an error of its line, and those after it are looked at", async () => {
  await rows("alter table node add constraint refused check (container <> 'Rack 13')");
  try {
    const text = fileOf(
      { serialNumber: "10101", container: "Rack 4" },
      { serialNumber: "10102", container: "Rack 13" },
      { serialNumber: "10103", container: "Rack 4" },
      { serialNumber: "10104" },
    );
    const plan = await planOf(text);
    expect(errorsOf(plan)).toEqual(["3 : The database refuses this line. The server's log says why", "5 Container: A new node needs one"]);
    expect(plan.counts).toEqual(countsOf(2, 0, 0));
    expect(await run(plan.digest, text)).toEqual({
      failure: "file: line 3: The database refuses this line. The server's log says why. Nothing was changed",
    });
  } finally {
    await rows("alter table node drop constraint refused");
  }
});
