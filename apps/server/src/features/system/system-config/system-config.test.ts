import { FaultLibraryFlag } from "@busbar/contract/alarms/fault-library.ts";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod/mini";
import type { Caller } from "#http/endpoints.ts";
import { silentLog } from "#lib/log.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { createSystemConfig } from "./system-config.service.ts";
import { createSystemConfigStore } from "./system-config.store.ts";

let server: TestApp;
let token: string;
let sysToken: string;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("plain", ["accountsAdministrator"]));
  sysToken = await server.login(await server.addAdministrator("system", ["systemAdministrator"]));
});
afterAll(() => server.stop());

const ask = (name: string, as = token) => server.call({ method: "GET", url: `/api/system/config/${name}`, token: as });
const store = (key: string, value: unknown) =>
  server.database.pool.query(
    "insert into system_config (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value",
    [key, JSON.stringify(value)],
  );

test("CUS-14 the fault-library defaults are a list of flags that any administrator may read; a stored list wins", async () => {
  const { status, json } = await ask("Location_faultLibraryAlertDefault");
  const flags = z.array(FaultLibraryFlag).parse(json["data"]);
  expect([status, flags.length]).toEqual([200, 22]);
  expect(flags.find(({ name }) => name === "relayTrip")).toEqual({
    name: "relayTrip",
    display_name: "Relay trip",
    value: true,
    notes: "",
    node_type: "SEL, GERelay",
  });
  expect(flags.filter(({ value }) => value).length).toBe(14);
  const own = [{ name: "leak", display_name: "Oil leak", value: true, notes: "", node_type: "all" }];
  await store("Location_faultLibraryAlertDefault", own);
  expect((await ask("Location_faultLibraryAlertDefault")).json["data"]).toEqual(own);
  // What is no list of flags is not handed on.
  await store("Location_faultLibraryAlertDefault", [{ name: "<b>" }]);
  expect((await ask("Location_faultLibraryAlertDefault")).json["data"]).toEqual(flags);
});

test("other names need systemAdministrator, to whom an unknown one is 404", async () => {
  for (const name of ["Nothing_here", "constructor", "__proto__", "Location_faultLibraryAlertDefault.x"]) {
    const refused = await ask(name);
    expect([refused.status, refused.json["errorMessage"]]).toEqual([403, "Settings need the role systemAdministrator"]);
    const unknown = await ask(name, sysToken);
    expect([unknown.status, unknown.json["errorMessage"]]).toEqual([404, `Setting ${name} was not found`]);
  }
  for (const name of ["a%20b", "~", "a%2Fb", "x".repeat(101)]) expect([name, (await ask(name, sysToken)).status]).toEqual([name, 400]);
});

test("a stored value that cannot be used is logged once, by name, and again when it changes", async () => {
  const lines: string[] = [];
  const config = createSystemConfig({
    pool: server.database.pool,
    store: createSystemConfigStore(server.database.pool),
    log: pino({ level: "warn" }, { write: (line: string) => void lines.push(line) }),
  });
  await store("motorEfficiency", "a lot");
  for (let count = 0; count < 5; count++) expect(await config.get("motorEfficiency")).toBe(0.93);
  expect(lines).toEqual([expect.stringContaining("stored setting motorEfficiency is not valid")]);
  await store("motorEfficiency", 7);
  await config.get("motorEfficiency");
  expect(lines).toHaveLength(2);
  await server.database.pool.query("delete from system_config where key = 'motorEfficiency'");
});

test("a secret is masked for everyone, whether it is set or not", async () => {
  const config = createSystemConfig({
    pool: server.database.pool,
    store: createSystemConfigStore(server.database.pool),
    log: silentLog,
    entries: {
      Mail_password: { type: "text", title: "Password", area: "System", schema: z.string(), default: "", description: "", isSecret: true },
    },
  });
  const caller: Caller = { sessionId: "", userId: 1, username: "system", roles: ["systemAdministrator"] };
  expect(await config.show(caller, "Mail_password")).toBe("••••••••");
  await store("Mail_password", "canary-7f3");
  expect(await config.show(caller, "Mail_password")).toBe("••••••••");
  await expect(config.show({ ...caller, roles: [] }, "Mail_password")).rejects.toMatchObject({ status: 403 });
});
