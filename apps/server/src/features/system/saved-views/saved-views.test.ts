import { mostOwnViews, type SavedView } from "@busbar/contract/system/saved-views.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

let server: TestApp;
let tokens: Record<"ann" | "bob" | "leaver" | "chief" | "demo", string>;
beforeAll(async () => {
  server = await createTestApp();
  for (const name of ["ann", "bob", "leaver", "demo"]) await server.addAdministrator(name, []);
  await server.addAdministrator("chief", ["systemAdministrator"]);
  await server.database.pool.query("update app_user set demo_user = true where username = 'demo'");
  tokens = {
    ann: await server.login("ann"),
    bob: await server.login("bob"),
    leaver: await server.login("leaver"),
    chief: await server.login("chief"),
    demo: await server.login("demo"),
  };
});
afterAll(() => server.stop());
beforeEach(() => server.database.pool.query("delete from saved_view"));

type Person = keyof typeof tokens;
const send = (by: Person, method: "GET" | "POST" | "PATCH" | "DELETE", path: string, payload?: object) =>
  server.call({ method, url: `/api/views${path}`, token: tokens[by], ...(payload ? { payload } : {}) });
const save = (by: Person, values: object = {}) =>
  send(by, "POST", "", { list: "nodes", name: "Night watch", isShared: false, query: "sort=status", ...values });
const saved = async (by: Person, values: object = {}) => (await save(by, values)).json["data"] as SavedView;
const views = async (by: Person, list = "nodes") => (await send(by, "GET", `?list=${list}`)).json["data"] as SavedView[];

test("a view is its owner's until it is shared; others open it and take it as their default, and change nothing of it", async () => {
  const { id, ...view } = await saved("ann");
  expect(view).toEqual({
    name: "Night watch",
    owner: "ann",
    isOwn: true,
    isShared: false,
    isDefault: false,
    mayDelete: true,
    query: "sort=status",
    revision: 1,
  });
  expect([await views("bob"), await views("ann", "changes")]).toEqual([[], []]);
  for (const values of [{ isDefault: true }, { name: "Mine" }])
    expect([values, (await send("bob", "PATCH", `/${id}`, values)).status]).toEqual([values, 404]);

  expect(await send("ann", "PATCH", `/${id}`, { isShared: true, isDefault: true, revision: 1 })).toMatchObject({ status: 200 });
  expect(await views("bob")).toMatchObject([{ id, owner: "ann", isOwn: false, isDefault: false, mayDelete: false }]);
  expect(await send("bob", "PATCH", `/${id}`, { isDefault: true })).toMatchObject({ status: 200 });
  for (const values of [{ name: "Mine" }, { query: "" }, { isShared: false }])
    expect([values, (await send("bob", "PATCH", `/${id}`, values)).status]).toEqual([values, 403]);
  expect(await send("bob", "DELETE", `/${id}`)).toMatchObject({ status: 403 });

  // Another one in its place: there is one default.
  const other = await saved("bob", { name: "Other" });
  await send("bob", "PATCH", `/${other.id}`, { isDefault: true });
  expect((await views("bob")).map(({ name, isDefault }) => [name, isDefault])).toEqual([
    ["Other", true],
    ["Night watch", false],
  ]);
  await send("bob", "PATCH", `/${id}`, { isDefault: true });
  // One ends only one's own default.
  await send("bob", "PATCH", `/${id}`, { isDefault: false });
  const isDefaultOf = async (by: Person) => (await views(by)).find((each) => each.id === id)?.isDefault;
  expect([await isDefaultOf("ann"), await isDefaultOf("bob")]).toEqual([true, false]);
  await send("bob", "PATCH", `/${id}`, { isDefault: true });
  expect(await send("ann", "PATCH", `/${id}`, { isShared: false })).toMatchObject({ status: 200 });
  await send("ann", "PATCH", `/${id}`, { isShared: true });
  expect((await views("bob")).map(({ isDefault }) => isDefault)).toEqual([false, false]);
  expect((await views("ann")).map(({ isDefault }) => isDefault)).toEqual([true]);
});

test("of two saves at the same time one is refused: a name is taken once, an older state overwrites nothing", async () => {
  const answers = await Promise.all(["Days", "days", "DAYS"].map((name) => save("ann", { name })));
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["200", "409", "409"]);
  const { id, name } = (await views("ann"))[0]!;
  await saved("ann", { name: "Nights" });
  expect(await saved("bob", { name })).toMatchObject({ owner: "bob" });
  expect(await save("ann", { name, list: "users" })).toMatchObject({ status: 200 });
  expect(await send("ann", "PATCH", `/${id}`, { name: "nights" })).toMatchObject({ status: 409, json: { field: "name" } });
  const queries = ["sort=customer", "sort=serial"];
  const both = await Promise.all(queries.map((query) => send("ann", "PATCH", `/${id}`, { query, revision: 1 })));
  expect(both.map(({ status }) => String(status)).toSorted()).toEqual(["200", "409"]);
  expect((await views("ann")).find((view) => view.id === id)).toMatchObject({ revision: 2 });
});

test("a shared view outlives its owner, without a name; a system administrator clears it away", async () => {
  await saved("leaver", { name: "Kept", isShared: true });
  await saved("leaver", { name: "Gone" });
  const { pool } = server.database;
  const found = await pool.query<{ id: number }>("select id from app_user where username = 'leaver'");
  const url = `/api/users/${found.rows[0]?.id}/2fa/${await server.passcode("chief")}`;
  expect(await server.call({ method: "DELETE", url, token: tokens.chief })).toMatchObject({ status: 200 });
  const { rows } = await pool.query("select name from saved_view");
  expect(rows).toEqual([{ name: "Kept" }]);
  const [kept] = await views("bob");
  expect(kept).toMatchObject({ owner: "", isOwn: false, mayDelete: false });
  expect(await send("chief", "PATCH", `/${kept?.id}`, { name: "Mine" })).toMatchObject({ status: 403 });
  expect(await send("chief", "DELETE", `/${kept?.id}`)).toMatchObject({ status: 200 });
  expect(await send("chief", "DELETE", `/${kept?.id}`)).toMatchObject({ status: 404 });
});

test("what is not possible is refused; a demo user saves nothing and reads no word", async () => {
  const refused: [object, number][] = [
    [{ name: " " }, 400],
    [{ name: "x".repeat(61) }, 400],
    [{ name: "two\nlines" }, 400],
    [{ query: "x".repeat(2_001) }, 400],
    [{ list: "bills" }, 400],
    [{ columns: ["Status"] }, 400],
  ];
  for (const [values, status] of refused) expect([values, (await save("ann", values)).status]).toEqual([values, status]);
  expect(await save("demo")).toMatchObject({ status: 403 });
  await saved("ann", { name: "x".repeat(60), query: "filterText=Zircon", isShared: true });
  expect(await views("demo")).toMatchObject([{ name: "hidden from demo users", query: "hidden from demo users" }]);
  await server.database.pool.query(
    `insert into saved_view (owner_id, list, name, is_shared, query)
     select id, 'users', 'View ' || n, false, '' from app_user, generate_series(1, $1::int) n where username = 'ann'`,
    [mostOwnViews],
  );
  expect(await save("ann", { list: "users" })).toMatchObject({ status: 409 });
});
