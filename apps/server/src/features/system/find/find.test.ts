import { wordsOfFound, type Found } from "@busbar/contract/system/find.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addNode } from "#testing/test-world.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

let server: TestApp;
const tokens: Record<"system" | "plain" | "demo", string> = { system: "", plain: "", demo: "" };
beforeAll(async () => {
  server = await createTestApp();
  const { pool } = server.database;
  for (const name of ["system", "plain", "demo"] as const) {
    const username = await server.addAdministrator(name, name === "system" ? ["systemAdministrator"] : []);
    tokens[name] = await server.login(username);
  }
  await pool.query("update app_user set demo_user = true where username = 'demo'");
  server.clock.advance(2);
  await pool.query(
    `with c as (insert into customer (code, name) values ('alder', 'Alderwyn Timber'), ('rowan', 'Rowan 50% Mills') returning id, code),
       f as (insert into facility (customer_id, name, site_name) select id, 'Fernhollow Works', 'Upper' from c where code = 'alder' returning id)
     insert into location (facility_id, name, timezone) select f.id, 'Kiln ' || n || ' Fan', 'UTC' from f, generate_series(1, 12) n`,
  );
  for (const serial of [10_604, 10_605, 21_060]) await addNode(pool, serial);
  await pool.query(
    "insert into node_assignment (serial_number, location_id, slot) select 10604, id, 1 from location where name = 'Kiln 2 Fan'",
  );
});
afterAll(() => server.stop());

const find = async (text: string, as: keyof typeof tokens = "plain") => {
  const { status, json } = await server.call({ method: "GET", url: `/api/find?text=${encodeURIComponent(text)}`, token: tokens[as] });
  expect(status).toBe(200);
  return json["data"] as Found[];
};
const namesOf = (found: readonly Found[]) => found.map((each) => `${each.kind} ${wordsOfFound(each).name}`);

test.each([
  ["10604", ["node 10604"]],
  ["1060", ["node 10604", "node 10605", "node 21060"]],
  ["KILN 2", ["location Kiln 2 Fan", "location Kiln 12 Fan", "node 10604"]],
  ["fan fern 11", ["location Kiln 11 Fan"]],
  ["alder", ["customer Alderwyn Timber", "facility Fernhollow Works"]],
  ["50%", ["customer Rowan 50% Mills"]],
  ["5_%", []],
  ["  ", []],
])("%s finds what holds these parts of words, the likeliest first", async (text, expected) => {
  const found = namesOf(await find(text));
  expect(found.filter((name) => expected.includes(name) || expected.length === 0)).toEqual(expected);
});

test("A-63 each kind is found by every word that it goes by", async () => {
  const { rows } = await server.database.pool.query<{ id: number }>(
    "insert into customer (code, name) values ('qxz', 'Silver Birch') returning id",
  );
  await server.addUser("zuser", rows[0]!.id, { first_name: "Xaver", last_name: "Ypsilon" });
  const kindsOf = async (text: string) => (await find(text)).map(({ kind }) => kind).toSorted();
  for (const text of ["zuser", "xaver", "ypsilon"]) expect([text, await kindsOf(text)]).toEqual([text, ["user"]]);
  expect([await kindsOf("qxz"), await kindsOf("silver")]).toEqual([["customer"], ["customer", "user"]]);
  for (const text of ["kiln 2 fan 10604", "fernhollow 10604", "alderwyn 10604"])
    expect([text, await kindsOf(text)]).toEqual([text, ["node"]]);
  expect(await kindsOf("alderwyn kiln 5")).toEqual(["location"]);
  expect(await kindsOf("alderwyn fernhollow works")).toContain("facility");
});

test("no kind hides another", async () => {
  const kinds = (await find("alder")).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === "location")).toHaveLength(6);
  expect(new Set(kinds)).toEqual(new Set(["customer", "facility", "location", "node"]));
});

test("A-63 of one name the first made comes first", async () => {
  const { rows } = await server.database.pool.query<{ id: string }>(
    `insert into customer (code, name) select 'twin' || n, 'Twin Mills' from generate_series(1, 3) n returning id::text as id`,
  );
  await server.database.pool.query("update customer set type = type where code = 'twin1'");
  const found = await find("twin");
  expect(found.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
});

test("services and settings are for system administrators", async () => {
  const name = "BillingRoll";
  await server.database.pool.query("insert into service (name, interval_seconds, next_run_at) values ($1, 60, now())", [name]);
  expect(namesOf(await find(name, "system"))).toContain(`service ${name}`);
  expect(namesOf(await find("System_", "system")).length).toBeGreaterThan(0);
  expect([await find(name), await find("System_")]).toEqual([[], []]);
});

test("USR-11 a demo user finds nothing by real names, and everything by those that they read", async () => {
  expect([await find("alderwyn", "demo"), await find("fernhollow", "demo"), await find("kiln", "demo")]).toEqual([[], [], []]);
  const [node] = await find("10604", "demo");
  expect(node?.locationName).not.toContain("Kiln");
  expect(namesOf(await find(node!.locationName, "demo"))).toContain(`location ${node!.locationName}`);
});

test("SEC-01 finding needs a session; a text that is too long, or of two lines, is refused", async () => {
  expect((await server.call({ method: "GET", url: "/api/find?text=a" })).status).toBe(401);
  for (const text of ["", "a", "x".repeat(65), "a\nb"])
    expect((await server.call({ method: "GET", url: `/api/find?text=${encodeURIComponent(text)}`, token: tokens.plain })).status).toBe(400);
});

test("a node's number finds its earlier places, each once, and not the one where it is", async () => {
  const { pool } = server.database;
  const locationOf = async (name: string) =>
    (await pool.query<{ id: number }>("select id from location where name = $1", [name])).rows[0]!.id;
  await pool.query("update location set name = 'Pump of 21060' where name = 'Kiln 7 Fan'");
  const [earlier, now] = [await locationOf("Pump of 21060"), await locationOf("Kiln 8 Fan")];
  await pool.query("insert into node_assignment (serial_number, location_id, slot) values (21060, $1, 1)", [earlier]);
  await pool.query("update node_assignment set location_id = $1 where serial_number = 21060", [now]);
  await pool.query("insert into node_assignment (serial_number, location_id, slot) values (10605, $1, 1)", [earlier]);
  const places = (await find("21060")).filter(({ kind }) => kind === "location");
  expect(places.map(({ id, serialNumber, formerSerialNumber }) => [id, serialNumber, formerSerialNumber])).toEqual([
    [String(earlier), "10605", "21060"],
  ]);
});
