import { csvText } from "@busbar/contract/values/csv.ts";
import type { ImportCounts, ImportPlan } from "@busbar/contract/values/import-plan.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace } from "#testing/test-world.ts";

let server: TestApp;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  await server.addAdministrator("ann");
  token = await server.login("ann");
});
afterAll(() => server.stop());
beforeEach(() =>
  server.database.pool.query("delete from activity; delete from node; delete from location; delete from facility; delete from customer"),
);

const send = (path: string, file: string | Buffer) =>
  server.call({
    method: "POST",
    url: `/api/place-import/${path}`,
    token,
    payload: file,
    headers: { "content-type": "application/octet-stream" },
  });
const planOf = async (file: string | Buffer) => {
  const { status, text } = await send("plan", file);
  expect([status, status === 200 ? "" : text]).toEqual([200, ""]);
  return (JSON.parse(text.trim().split("\n").at(-1)!) as { plan: ImportPlan }).plan;
};
const run = async (digest: string, file: string) => {
  const { status, text, json } = await send(digest, file);
  return status === 200
    ? text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    : [status, json["errorMessage"]];
};
const errorsOf = ({ errors }: ImportPlan) => errors.map(({ line, column, message }) => `${line} ${column}: ${message}`);
const heading = ["Customer code", "Customer", "Facility", "Site", "Facility location", "Location", "Equipment type", "Time zone"];
const file = (...rows: string[][]) => csvText([heading, ...rows]);
const alder = (location: string, fields: Partial<Record<"facility" | "site" | "type" | "zone" | "name", string>> = {}) => [
  "alder",
  fields.name ?? "Alder Pumping",
  fields.facility ?? "North Works",
  fields.site ?? "North",
  "",
  location,
  fields.type ?? "InductionMotor",
  fields.zone ?? "America/Chicago",
];
const none = { added: 0, changed: 0, left: 0 };
const countsOf = (...[customer, facility, location]: Partial<ImportCounts>[]) => [
  { noun: "customer", ...none, ...customer },
  { noun: "facility", ...none, ...facility },
  { noun: "location", ...none, ...location },
];
const tree = async () =>
  (
    await server.database.pool.query<{ place: string }>(
      `select concat_ws('/', c.code, f.name, l.name, l.equipment_type, l.timezone) as place from customer c left join facility f on f.customer_id = c.id
       left join location l on l.facility_id = f.id order by 1`,
    )
  ).rows.map(({ place }) => place);

test("a file adds customers, facilities and locations in one step with one activity; read again it changes nothing", async () => {
  const text = file(
    alder("Pump 1"),
    alder("Pump 2"),
    ["birch", "Birch Board", "Mill", "Mill Site", "-33.25,151.5", "Fan 1", "InductionMotor", "America/Denver"],
    ["birch", "Birch Board", "Yard", "Yard Site", "", "", "", ""],
  );
  const plan = await planOf(text);
  expect(plan).toMatchObject({
    lines: 4,
    errors: [],
    counts: countsOf({ added: 2 }, { added: 3 }, { added: 3 }),
  });
  expect(plan.records.slice(0, 3)).toMatchObject([
    { line: 2, noun: "customer", name: "alder", isNew: true, changes: [{ column: "Customer", before: "", after: "Alder Pumping" }] },
    { line: 2, noun: "facility", name: "North Works", changes: [{ column: "Site", after: "North" }] },
    { line: 2, noun: "location", name: "Pump 1", changes: [{ after: "InductionMotor" }, { after: "America/Chicago" }] },
  ]);
  expect(await tree()).toEqual([]);
  const steps = await run(plan.digest, text);
  expect(steps).toEqual([{ done: 0, total: 3 }, { done: 3, total: 3 }, { imported: plan.counts }]);
  expect(await tree()).toEqual([
    "alder/North Works/Pump 1/InductionMotor/America/Chicago",
    "alder/North Works/Pump 2/InductionMotor/America/Chicago",
    "birch/Mill/Fan 1/InductionMotor/America/Denver",
    "birch/Yard",
  ]);
  // Made in the order of the file.
  const { rows: inOrder } = await server.database.pool.query<{ name: string }>(
    `select name from (select 1 as kind, id, name from customer union all select 2, id, name from facility
     union all select 3, id, name from location) place order by kind, id`,
  );
  expect(inOrder.map(({ name }) => name)).toEqual([
    "Alder Pumping",
    "Birch Board",
    "North Works",
    "Mill",
    "Yard",
    "Pump 1",
    "Pump 2",
    "Fan 1",
  ]);
  const { rows } = await server.database.pool.query("select actor, action, description from activity");
  expect(rows).toEqual([
    { actor: "ann", action: "IMPORT_PLACES", description: "Imported 2 customers, 3 facilities and 3 locations; 0 places changed" },
  ]);
  // As the form makes one, and as it may be edited.
  const { rows: made } = await server.database.pool.query(
    "select channels, notify_missed_data, harmonic_signatures, revision from location where name = 'Pump 1'",
  );
  expect(made).toEqual([{ channels: null, notify_missed_data: true, harmonic_signatures: [], revision: 1 }]);
  for (const again of [text, `\u{feff}${text.replaceAll(",", ";").replace(`"'-33.25;151.5"`, "'-33.25,151.5").replaceAll("\r\n", "\n")}`])
    expect(await planOf(again)).toMatchObject({
      counts: countsOf({ left: 2 }, { left: 3 }, { left: 3 }),
      records: [],
      errors: [],
    });
  expect(await run(plan.digest, text)).toEqual([
    409,
    "This is not what was shown: the file is another one, or someone changed a place meanwhile. Look at it again",
  ]);
});

test("what differs is shown with both values and changed with a history of its own; an empty cell changes nothing", async () => {
  const first = file(alder("Pump 1"), alder("Pump 2"));
  await run((await planOf(first)).digest, first);
  await server.database.pool.query("delete from activity");
  const second = file(alder("Pump 1", { zone: "America/Denver", site: "", name: "Alder Water" }), alder("Pump 2", { name: "Alder Water" }));
  const plan = await planOf(second);
  const changes = (column: string, before: string, after: string) => [{ column, before, after }];
  expect(plan.records).toEqual([
    { line: 2, noun: "customer", name: "alder", isNew: false, changes: changes("Customer", "Alder Pumping", "Alder Water") },
    { line: 2, noun: "location", name: "Pump 1", isNew: false, changes: changes("Time zone", "America/Chicago", "America/Denver") },
  ]);
  expect((await run(plan.digest, second)).at(-1)).toEqual({
    imported: countsOf({ changed: 1 }, { left: 1 }, { changed: 1, left: 1 }),
  });
  const { rows } = await server.database.pool.query("select action, before, after from activity order by id");
  expect(rows).toMatchObject([
    { action: "PATCH_CUSTOMER", before: { name: "Alder Pumping", revision: 1 }, after: { name: "Alder Water", revision: 2 } },
    { action: "PATCH_LOCATION", before: { timezone: "America/Chicago", revision: 1 }, after: { timezone: "America/Denver", revision: 2 } },
    { action: "IMPORT_PLACES" },
  ]);
  const { rows: stored } = await server.database.pool.query(
    `select c.name as customer, c.revision as changes, l.name, l.equipment_type, l.timezone, l.revision
     from customer c, location l order by l.name`,
  );
  expect(stored.map((row) => Object.values(row as object))).toEqual([
    ["Alder Water", 2, "Pump 1", "InductionMotor", "America/Denver", 2],
    ["Alder Water", 2, "Pump 2", "InductionMotor", "America/Chicago", 1],
  ]);
});

test("facilities, customers and locations change each for itself, beside others of the same names", async () => {
  const first = file(alder("Pump 1"), ["birch", "Birch Mills", "North Works", "North", "", "Pump 1", "InductionMotor", "America/Chicago"]);
  await run((await planOf(first)).digest, first);
  const second = csvText([
    [...heading.slice(0, 4), "Division", "Grounding type", ...heading.slice(4), "Customer type"],
    ["alder", "", "North Works", "Upper", "OSB", "Ungrounded", "47.1,-122.3", "Pump 1", "UtilityMain", "", "Internal"],
    ["cedar", "Cedar Oil", "Mill", "Lower", "Lumber", "Solid Ground", "48,-121", "Fan 1", "Rectifier", "America/Denver", "Internal"],
  ]);
  expect((await run((await planOf(second)).digest, second)).at(-1)).toEqual({
    imported: countsOf({ added: 1, changed: 1 }, { added: 1, changed: 1 }, { added: 1, changed: 1 }),
  });
  const { rows } = await server.database.pool.query(
    `select c.code, c.type, c.revision as customer_changes, f.site_name, f.division, f.grounding_type, f.facility_location, f.revision, l.equipment_type, l.timezone, l.revision as changes
     from customer c join facility f on f.customer_id = c.id join location l on l.facility_id = f.id order by 1`,
  );
  expect(rows.map((row) => Object.values(row as object))).toEqual([
    ["alder", "Internal", 2, "Upper", "OSB", "Ungrounded", "47.1,-122.3", 2, "UtilityMain", "America/Chicago", 2],
    ["birch", "Revenue", 1, "North", "", "", "", 1, "InductionMotor", "America/Chicago", 1],
    ["cedar", "Internal", 1, "Lower", "Lumber", "Solid Ground", "48,-121", 1, "Rectifier", "America/Denver", 1],
  ]);
});

test("A-63 what is new needs all that it cannot be without, each by name", async () => {
  expect(errorsOf(await planOf(file(["cedar", "", "Mill", "", "", "Fan 1", "", ""]))).toSorted()).toEqual([
    "2 Customer: cedar is new and needs it",
    "2 Equipment type: Fan 1 is new and needs it",
    "2 Site: Mill is new and needs it",
    "2 Time zone: Fan 1 is new and needs it",
  ]);
});

test("A-63 what differs from what is there in its capital letters only is an error, also of the only line", async () => {
  const first = file(alder("Pump 1"));
  await run((await planOf(first)).digest, first);
  const alone = async (line: string[]) => errorsOf(await planOf(file(line)));
  const why = "is there already, and differs in its capital letters only";
  expect(await alone(alder("Pump 2", { facility: "North works" }))).toEqual([`2 Facility: North Works ${why}`]);
  expect(await alone(alder("pump 1"))).toEqual([`2 Location: Pump 1 ${why}`]);
  // Of before there was this rule.
  await server.database.pool.query(
    "insert into location (facility_id, name, equipment_type, timezone) select id, 'PUMP 1', 'InductionMotor', 'America/Chicago' from facility",
  );
  expect([await alone(alder("Pump 1")), await alone(alder("PUMP 1"))]).toEqual([[], []]);
});

test("a location with a secondary node keeps a type that has one", async () => {
  const { pool } = server.database;
  const { customerId, locationId } = await addPlace(pool, "UTC", "Alder Pumping");
  await pool.query("update customer set code = 'alder' where id = $1", [customerId]);
  await pool.query("update location set equipment_type = 'DCMotor' where id = $1", [locationId]);
  for (const [serial, slot] of [
    [17_001, 1],
    [17_002, 2],
  ]) {
    await addNode(pool, serial!);
    await pool.query("insert into node_assignment (serial_number, location_id, slot) values ($1, $2, $3)", [serial, locationId, slot]);
  }
  expect(errorsOf(await planOf(file(alder("Feed Pump 1", { type: "SynchronousMotor" }))))).toEqual([]);
  expect(errorsOf(await planOf(file(alder("Feed Pump 1"))))).toEqual([
    "2 Equipment type: Only DCMotor and SynchronousMotor have a secondary node: change this location in the console",
  ]);
});

test("each line's errors are named by its number, and then nothing is imported", async () => {
  const { customerId } = await addPlace(server.database.pool, "UTC", "Alder Pumping");
  await server.database.pool.query("update customer set code = 'alder', require_division_facility_location = true where id = $1", [
    customerId,
  ]);
  await server.database.pool.query("insert into location (facility_id, name, timezone) select id, 'Feed Pump 1', 'UTC' from facility");
  const text = file(
    alder("Pump 1"),
    alder("Pump 1"),
    alder("Pump 2", { zone: "Mars/Olympus" }),
    alder("Pump 3", { name: "Birch" }),
    alder("Pump 4", { type: "DCMotor" }),
    alder("Pump 5", { facility: "" }),
    alder("Feed Pump 1"),
    ["cedar", "", "Mill", "Mill", "", "", "", ""],
    ["", "x", "", "", "", "", "", ""],
    alder("Pump 6", { facility: "South Works" }),
    [...alder("Pump 7"), "too many"],
    alder("Pump 8").slice(0, 7),
    alder("feed pump 1"),
    alder("Pump 9", { facility: "north WORKS" }),
    alder("Pump 10", { facility: "East Works" }),
    alder("PUMP 10", { facility: "East Works" }),
  );
  const plan = await planOf(text);
  expect(errorsOf(plan)).toEqual([
    "3 Location: The same location is on line 2",
    "4 Time zone: Time zone is required: one of the list",
    "5 Customer: alder has another one on line 2",
    "6 Equipment type: A secondary node is required for DCMotor: add this location in the console",
    "7 Facility: A location is at a facility",
    "8 Location: North Works has several locations of this name: which one is meant cannot be known",
    "9 Customer: cedar is new and needs it",
    "10 Customer: Name starts with a letter, then has letters, digits, commas, periods and spaces, at least 3 characters",
    "10 Customer code: Every line has one",
    "11 Division: South Works is new, and its customer requires it",
    "11 Facility location: South Works is new, and its customer requires it",
    "12 : This line has 9 cells, the first one 8",
    "13 : This line has 7 cells, the first one 8",
    "14 Location: Feed Pump 1 is there already, and differs in its capital letters only",
    "15 Facility: North Works is there already, and differs in its capital letters only",
    "15 Division: north WORKS is new, and its customer requires it",
    "15 Facility location: north WORKS is new, and its customer requires it",
    "16 Division: East Works is new, and its customer requires it",
    "16 Facility location: East Works is new, and its customer requires it",
    "17 Location: Pump 10 is there already, and differs in its capital letters only",
  ]);
  expect(plan.errorCount).toBe(20);
  const before = await tree();
  expect(await run(plan.digest, text)).toEqual([400, "file: line 3: Location: The same location is on line 2"]);
  expect(await tree()).toEqual(before);
});

test("a file that is none is refused in a sentence", async () => {
  expect(errorsOf(await planOf("Name,Site\r\nx,y\r\n"))).toEqual([
    "1 Customer code: The first line names the columns, and this one is missing",
  ]);
  expect(errorsOf(await planOf('Customer code,Customer code,"x\r\n'))).toEqual(["1 : A quotation mark is not closed"]);
  expect(errorsOf(await planOf('Customer code,Location\r\nalder\r\nALDER,\r\nalder,"x\r\nalder,Pump 2\r\n'))).toEqual([
    "2 : This line has 1 cell, the first one 2",
    "3 Customer code: Code is at least 2 lowercase letters",
    "4 : A quotation mark is not closed",
  ]);
  expect(errorsOf(await planOf("Customer code,customer CODE\r\n"))).toEqual(["1 Customer code: This column is there twice"]);
  expect(errorsOf(await planOf(`Customer code\r\n${"alder\r\n".repeat(20_001)}`))).toEqual([
    "20002 : At most 20,001 lines with the heading",
  ]);
  const latin = await send("plan", Buffer.from("Customer code\r\nälder", "latin1"));
  expect([latin.status, latin.json["errorMessage"]]).toEqual([400, "file: is no text in UTF-8. Save it as CSV UTF-8"]);
  const large = await server.call({
    method: "POST",
    url: "/api/place-import/plan",
    token,
    payload: "x",
    headers: { "content-type": "application/octet-stream", "content-length": String(100 * 1024 * 1024) },
  });
  expect([large.status, large.json["errorMessage"]]).toEqual([413, expect.stringContaining("20")]);
});

test("a place that someone changes while the file is looked at is not overwritten, and two imports at once do not mix", async () => {
  const { facilityId } = await addPlace(server.database.pool, "UTC", "Alder Pumping");
  await server.database.pool.query("update customer set code = 'alder'");
  const text = file(alder("Feed Pump 1", { zone: "America/Denver" }), alder("Pump 2"));
  const { digest } = await planOf(text);
  await server.database.pool.query("update location set timezone = 'America/Chicago' where facility_id = $1", [facilityId]);
  expect(await run(digest, text)).toEqual([409, expect.stringContaining("someone changed a place meanwhile")]);
  const plan = await planOf(text);
  const answers = await Promise.all([run(plan.digest, text), run(plan.digest, text)]);
  expect(answers.map((answer) => (answer[0] === 409 ? "refused" : "done")).toSorted()).toEqual(["done", "refused"]);
  expect((await tree()).filter((place) => place.includes("Pump 2"))).toHaveLength(1);
});
