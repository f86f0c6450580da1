import type { ShownSetting } from "@busbar/contract/system/system-config.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import type { Caller } from "#http/endpoints.ts";
import { silentLog } from "#lib/log.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { createSystemConfig } from "./system-config.service.ts";
import { createSystemConfigStore } from "./system-config.store.ts";

let server: TestApp;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("sys", ["systemAdministrator"]));
});
afterAll(() => server.stop());
beforeEach(() => server.database.pool.query("delete from system_config"));

const send = (method: "GET" | "PATCH", path = "", payload?: object, by = token) =>
  server.call({ method, url: `/api/system/config${path}`, token: by, ...(payload ? { payload } : {}) });
const settings = async () => (await send("GET")).json["data"] as Record<string, ShownSetting>;
const texts = async () => Object.fromEntries(Object.entries(await settings()).map(([name, { value }]) => [name, value]));
const said = ({ status, json }: { status: number; json: Record<string, unknown> }) => [status, json["errorMessage"]];

test("SEC-02 only a systemAdministrator sees and changes settings", async () => {
  for (const roles of [[], ["accountsAdministrator"]]) {
    const by = await server.login(await server.addAdministrator(`p${roles.length}`, roles));
    for (const answer of [await send("GET", "", undefined, by), await send("PATCH", "", {}, by), await send("PATCH", "/db", undefined, by)])
      expect(answer.status).toBe(403);
  }
});

test("SYS-05 every setting has a value, a type and a description, and can be sent back as it is", async () => {
  const all = await settings();
  expect(Object.keys(all)).toContain("Billing_deployedCentsPerYear");
  for (const [name, { value, description, isDefault }] of Object.entries(all)) {
    expect([name, value.trim() !== "", description.length > 10, isDefault]).toEqual([name, true, true, true]);
  }
  expect((await send("PATCH", "", await texts())).json["data"]).toEqual({ changed: [] });
  expect((await server.database.pool.query("select 1 from system_config")).rowCount).toBe(0);
});

test("SYS-05 changed settings are stored typed, used at once, and recorded with before and after", async () => {
  const change = { ...(await texts()), Billing_deployedCentsPerYear: " 190000 ", Billing_vendorCity: " Elmford " };
  expect((await send("PATCH", "", change)).json["data"]).toEqual({ changed: ["Billing_deployedCentsPerYear", "Billing_vendorCity"] });
  const { rows } = await server.database.pool.query("select key, value, updated_by from system_config order by key");
  expect(rows).toEqual([
    { key: "Billing_deployedCentsPerYear", value: 190_000, updated_by: "sys" },
    { key: "Billing_vendorCity", value: "Elmford", updated_by: "sys" },
  ]);
  const activity = await server.database.pool.query(
    "select actor, description, before, after from activity where action = 'PATCH_SYSTEM_CONFIG'",
  );
  expect(activity.rows).toEqual([
    {
      actor: "sys",
      description: "Changed Billing_deployedCentsPerYear, Billing_vendorCity",
      before: { Billing_deployedCentsPerYear: "180000", Billing_vendorCity: "Anytown" },
      after: { Billing_deployedCentsPerYear: "190000", Billing_vendorCity: "Elmford" },
    },
  ]);
  expect((await send("GET", "/Billing_deployedCentsPerYear")).json["data"]).toBe(190_000);
  expect((await settings())["Billing_vendorCity"]).toMatchObject({ value: "Elmford", isDefault: false });
});

test("SYS-05 what someone else changed meanwhile is not changed back", async () => {
  await server.addAdministrator("kim", ["systemAdministrator"]);
  const kim = await server.login("kim");
  const save = (revision: number, payload: object, by = token) => send("PATCH", `?revision=${revision}`, payload, by);
  const revisionOf = (all: Record<string, ShownSetting>) => Math.max(...Object.values(all).map(({ revision }) => revision));
  const [mine, revision] = [await texts(), revisionOf(await settings())];
  expect((await save(revision, { ...mine, motorEfficiency: "0.95" }, kim)).status).toBe(200);

  const refused = await save(revision, { ...mine, Billing_vendorCity: "Elmford" });
  expect(said(refused)).toEqual([409, "kim changed motorEfficiency meanwhile. Load the settings again and repeat your change"]);
  expect((await settings())["Billing_vendorCity"]?.isDefault).toBe(true);
  expect((await save(revision, { ...mine, motorEfficiency: "0.95", Billing_vendorCity: "Elmford" })).status).toBe(200);
  const seen = revisionOf(await settings());
  expect((await save(seen, { motorEfficiency: "0.9" })).json["data"]).toEqual({ changed: ["motorEfficiency"] });
  expect((await send("GET", "/motorEfficiency")).json["data"]).toBe(0.9);
  expect(said(await save(seen, { motorEfficiency: "0.91" }))).toEqual([409, expect.stringContaining("sys changed motorEfficiency")]);
  for (const wrong of ["-1", "x", "1.5"])
    expect(said(await send("PATCH", `?revision=${wrong}`, {}))).toEqual([400, "revision: revision is a whole number"]);

  const at = revisionOf(await settings());
  const saves = await Promise.all(["0.81", "0.82", "0.83"].map((motorEfficiency) => save(at, { motorEfficiency })));
  expect(saves.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
});

describe("SYS-05 a value that cannot be is refused by name and nothing is changed", () => {
  test.each([
    ["Billing_vendorCity", "", "Billing_vendorCity: Fields cannot be empty"],
    ["Billing_vendorCity", "  ", "Billing_vendorCity: Fields cannot be empty"],
    ["Billing_vendorCity", "a\nb", "Billing_vendorCity: is one line of text"],
    ["Billing_vendorCity", "a\ud800", "Billing_vendorCity holds half of a character"],
    [
      "Location_faultLibraryAlertDefault",
      String.raw`[{"name":"leak","display_name":"Leak","value":true,"notes":"\u0000","node_type":"all"}]`,
      "Location_faultLibraryAlertDefault.0.notes: is one line of text",
    ],
    [
      "Billing_deployedCentsPerYear",
      "1800,00",
      "Billing_deployedCentsPerYear: has a comma: a number has a point before its decimals, such as 12.5",
    ],
    ["Billing_deployedCentsPerYear", "1.5", "Billing_deployedCentsPerYear: is a whole number of cents"],
    ["Billing_deployedCentsPerYear", "-1", "Billing_deployedCentsPerYear: is at least 0"],
    [
      "Billing_deployedCentsPerYear",
      "NaN",
      "Billing_deployedCentsPerYear: is not a number: write digits, with a point before decimals, such as 12.5",
    ],
    ["Location_faultLibraryAlertDefault", "[", "Location_faultLibraryAlertDefault: is a list in JSON"],
    ["Notices_internalRecipients", "desk@busbar.example", "Notices_internalRecipients: is a list in JSON"],
    ["Notices_internalRecipients", '{"0":"desk@busbar.example"}', "Notices_internalRecipients: is a list in JSON"],
    ["Notices_internalRecipients", '["desk"]', "Notices_internalRecipients.0: Each recipient is an e-mail address"],
    ["Billing_noticeRecipients", '["a@b.example", 7]', "Billing_noticeRecipients.1: Each recipient is an e-mail address"],
    ["Billing_noticeDays", "366", "Billing_noticeDays: is at most 365"],
    ["Billing_noticeDays", "-1", "Billing_noticeDays: is at least 0"],
    ["Billing_noticeDays", "1.5", "Billing_noticeDays: is a whole number of days"],
    ["System_debugRecipients", "a@b", "System_debugRecipients: is e-mail addresses separated by commas, or the word caller"],
    ["DATABASE_URL", "postgres://evil", "DATABASE_URL: is no setting"],
    ["constructor", "x", "constructor: is no setting"],
  ])("%s = %j", async (name, value, message) => {
    expect(said(await send("PATCH", "", { Billing_vendorState: "QQ", [name]: value }))).toEqual([400, message]);
    expect((await settings())["Billing_vendorState"]?.isDefault).toBe(true);
  });
  test("values are texts", async () => {
    expect((await send("PATCH", "", { Billing_vendorCity: 5 })).status).toBe(400);
    expect((await send("PATCH", "", { Billing_vendorCity: ["x"] })).status).toBe(400);
  });
});

test("SYS-05 reload says what is stored and which of it cannot be used", async () => {
  await server.database.pool.query(
    "insert into system_config (key, value) values ('Billing_vendorCity', '\"Elmford\"'), ('Billing_deployedCentsPerYear', '\"many\"'), ('Gone', '1')",
  );
  expect((await send("PATCH", "/db")).json["data"]).toEqual({ loaded: 3, invalid: ["Billing_deployedCentsPerYear", "Gone"] });
  expect((await settings())["Billing_deployedCentsPerYear"]).toMatchObject({ value: "180000" });
});

test("SYS-05 a secret is masked everywhere, stays when its mask comes back, and is changed when another text comes", async () => {
  const config = createSystemConfig({
    pool: server.database.pool,
    store: createSystemConfigStore(server.database.pool),
    log: silentLog,
    entries: {
      Mail_password: {
        type: "text",
        title: "Password",
        area: "System",
        schema: z.string(),
        default: "first-canary",
        description: "Password",
        isSecret: true,
      },
    },
  });
  const caller: Caller = { sessionId: "", userId: 1, username: "secretkeeper", roles: ["systemAdministrator"] };
  expect((await config.showAll())["Mail_password"]?.value).toBe("••••••••");
  expect(await config.update(caller, { Mail_password: "••••••••" })).toEqual([]);
  expect(await config.update(caller, { Mail_password: "second-canary" })).toEqual(["Mail_password"]);
  expect(JSON.stringify(await config.showAll())).not.toContain("canary");
  const { rows } = await server.database.pool.query("select * from activity where actor = 'secretkeeper'");
  expect([rows.length, JSON.stringify(rows).includes("canary")]).toEqual([1, false]);
});

test("A-63 what is stored and cannot be used is put right by saving what is shown in its place", async () => {
  const name = "Billing_noticeDays";
  await server.database.pool.query("insert into system_config (key, value) values ($1, $2)", [name, JSON.stringify("soon")]);
  expect((await send("PATCH", "", { [name]: (await texts())[name] })).json["data"]).toEqual({ changed: [name] });
  expect((await send("PATCH", "", { [name]: (await texts())[name] })).json["data"]).toEqual({ changed: [] });
});
