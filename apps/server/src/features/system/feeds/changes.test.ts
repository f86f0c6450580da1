import { actionsOf, changeKindNames, changeKinds, type Change } from "@busbar/contract/system/changes.ts";
import { staffRoles } from "@busbar/contract/values/option-lists.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordActivity } from "#shared/activities.store.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace } from "#testing/test-world.ts";

let server: TestApp;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("kim", [...staffRoles]));
});
afterAll(() => server.stop());

const call = async (method: "GET" | "POST" | "PATCH", path: string, payload?: object, as = token) => {
  const { status, json, text } = await server.call({ method, url: `/api${path}`, token: as, ...(payload ? { payload } : {}) });
  expect([path, status, status === 200 ? "" : text]).toEqual([path, 200, ""]);
  return json["data"];
};
const list = async (query = "", as = token) => (await call("GET", `/changes${query}`, undefined, as)) as Change[];

test("what a person changed is listed with the values that differ, and an object's own history by its name", async () => {
  const { id } = (await call("POST", "/customers", { code: "rowan", name: "Rowan Mill" })) as { id: number };
  const facility = (await call("POST", `/customers/${id}/facilities`, { name: "North", siteName: "Upper" })) as {
    id: number;
    revision: number;
  };
  const revised = { revision: facility.revision, name: "South" };
  await call("PATCH", `/customers/${id}/facilities/${facility.id}`, revised);

  const [changed, made] = await list(`?object=facility/${facility.id}`);
  expect(changed).toMatchObject({ actor: "kim", action: "PATCH_FACILITY", object: `facility/${facility.id}` });
  expect([changed?.before, changed?.after]).toEqual([{ name: "North" }, { name: "South" }]);
  expect([made?.action, made?.before, made?.after?.["siteName"]]).toEqual(["POST_FACILITY", null, "Upper"]);
  expect((await list("?kind=customers")).map(({ object }) => object)).toEqual([`customer/${id}`]);
  expect((await list("?actor=kim")).map(({ action }) => action)).toEqual(["PATCH_FACILITY", "POST_FACILITY", "POST_CUSTOMER"]);
  expect((await list("?action=POST_FACILITY")).map(({ action }) => action)).toEqual(["POST_FACILITY"]);
  expect(await list("?actor=robin")).toEqual([]);
  expect(await call("GET", "/changes/people")).toEqual([{ actor: "kim" }]);
});

test("sign-ins, connections and files are listed only when their kind is asked for", async () => {
  const unasked = (await list()).map(({ action }) => action);
  expect(unasked).not.toContain("LOGIN");
  expect((await list("?kind=signIns")).map(({ action }) => action)).toEqual(["LOGIN"]);
});

test("a change of a note names its place, and one of a deployment task the task", async () => {
  const { pool } = server.database;
  const { locationId } = await addPlace(pool);
  await addNode(pool, 23001);
  const { id } = (await call("POST", `/v2/locations/${locationId}/notes`, { timestamp: 1_790_000_000, note: "Belt" })) as { id: number };
  await call("PATCH", `/v2/locations/${locationId}/notes/${id}`, { note: "Belt replaced" });
  await call("PATCH", "/v2/nodes/23001/tasks/tasktemplate/101", { status: "COMPLETED", notes: "" });
  const found = await list("?actor=kim&limit=3");
  expect(found.map(({ action, object, within, before }) => [action, object, within, before])).toEqual([
    ["PATCH_TASK", "node/23001", "task/101", { status: "NOT_COMPLETED" }],
    ["PATCH_NOTE", `note/${id}`, `location/${locationId}`, expect.objectContaining({ note: "Belt" })],
    ["POST_NOTE", `note/${id}`, `location/${locationId}`, null],
  ]);
});

test("connections of a node are in its history when they are asked for", async () => {
  await server.database.pool.query(
    `insert into activity (actor_type, actor, action, object, description) values ('Node', '23002', 'NODE_DEATH', '23002', 'Node 23002 disconnected'),
       ('Node', '23003', 'NODE_DEATH', '23003', 'Node 23003 disconnected')`,
  );
  const found = await list("?object=node/23002&kind=connections");
  expect(found.map(({ action, object }) => [action, object])).toEqual([["NODE_DEATH", "node/23002"]]);
  expect((await list("?object=node/23002&action=NODE_DEATH")).map(({ object }) => object)).toEqual(["node/23002"]);
  expect(await list("?object=node/23002&action=NODE_BIRTH")).toEqual([]);
  expect(await list("?object=node/23002")).toEqual([]);
});

test("every action is of one kind", () => {
  const all = changeKindNames.flatMap((kind) => actionsOf(kind));
  expect(new Set(all).size).toBe(all.length);
  expect(actionsOf(undefined)).not.toContain(changeKinds.connections.actions[0]);
});

test("a page ends where the next begins, also at equal times, and its bounds are times", async () => {
  const { pool } = server.database;
  await pool.query(
    `insert into activity (ts, actor_type, actor, action, object, description)
     select to_timestamp(1780000000 + n / 7 * 7), 'User', 'pat', case when n % 3 = 0 then 'PATCH_NOTE' else 'PATCH_TASK' end, 'node/10001', n::text
     from generate_series(1, 60) n`,
  );
  const { rows } = await pool.query<{ n: string }>("select description as n from activity where actor = 'pat' order by ts desc, id desc");
  for (const filter of ["actor=pat", "actor=pat&object=node/10001"]) {
    const read: string[] = [];
    for (let before = ""; ;) {
      const page = await list(`?${filter}&limit=11${before}`);
      read.push(...page.map(({ description }) => description));
      if (page.length < 11) break;
      before = `&before=${page.at(-1)!.id}`;
    }
    expect(read).toEqual(rows.map(({ n }) => n));
  }
  const times = (await list("?actor=pat&limit=1000&from=1780000007&to=1780000014")).map(({ timestamp }) => timestamp);
  expect(new Set(times)).toEqual(new Set([1_780_000_007]));
});

test("CFG-06 a change of a node's configuration is listed with the values of the audit log", async () => {
  const { pool } = server.database;
  const { rows } = await pool.query<{ id: number }>(
    `insert into audit_log (ts, username, serial_number, location_name, timezone, key, old_value, new_value, result, detail)
     values (now(), 'kim', 10001, '', 'UTC', 'i_noise', '16', '2', 'confirmed', '') returning id::float8`,
  );
  for (const auditId of [rows[0]!.id, 999_999])
    await recordActivity(pool, {
      actorType: "User",
      actor: "kim",
      action: "PATCH_NODE_CONFIG",
      object: "node/10001",
      description: "Changed",
      after: { auditId },
    });
  const found = await list("?kind=nodeConfig");
  expect(found.map(({ before, after }) => [before, after])).toEqual([
    [null, null],
    [{ i_noise: "16" }, { i_noise: "2" }],
  ]);
});

test("values that need a role are shown to no one else", async () => {
  const { pool } = server.database;
  const plain = await server.login(await server.addAdministrator("plain", []));
  const by = { actorType: "User", actor: "kim", description: "Changed" } as const;
  await recordActivity(pool, {
    ...by,
    action: "VOID_BILL",
    before: { number: 7, voidReason: null },
    after: { number: 7, voidReason: "twice" },
  });
  await recordActivity(pool, { ...by, action: "PATCH_SYSTEM_CONFIG", before: { Site_phone: "1" }, after: { Site_phone: "2" } });
  for (const kind of ["bills", "settings"]) {
    expect((await list(`?kind=${kind}`))[0]?.after).not.toBeNull();
    expect((await list(`?kind=${kind}`, plain)).map(({ before, after }) => [before, after])).toEqual([[null, null]]);
  }
});

test.each(["kind=x", "action=x", "object=rowan", "object=node/x", "from=-1", "before=0", "limit=0", "limit=1001", "actor="])(
  "%s is refused",
  async (query) => {
    expect((await server.call({ method: "GET", url: `/api/changes?${query}`, token })).status).toBe(400);
  },
);
