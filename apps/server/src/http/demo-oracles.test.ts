import { api } from "@busbar/contract/api.ts";
import type { Endpoint } from "@busbar/contract/endpoint.ts";
import { staffRoles } from "@busbar/contract/values/option-lists.ts";
import type { ActivityPage } from "@busbar/contract/system/feeds.ts";
import type { NetworkConfigEntry } from "@busbar/contract/telemetry/network-config-log.ts";
import type { User } from "@busbar/contract/access/users.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conflict, notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addOrganization } from "#testing/test-bills.ts";
import { createDemoRedaction } from "./demo-redaction.ts";
import { endpointUrl } from "./endpoints.ts";

// What a demo user could find out without reading it: by what is refused, by what is found, by what comes first.

// Part of every name. In the order in which they are made the names are not sorted.
const canary = "zircon";
const letters = ["d", "b", "f", "a", "e", "c"];
const realTexts = [canary, "zirc", "zircon.d", "zircon.a", "Zircon Mills d", "Zircon Works d", "Zircon Pump d", "who.d@zircon.example"];
/** As long, and nowhere in the world. */
const inventedTexts = realTexts.map((text) => text.replaceAll(/zirc/gi, "qxjv").replaceAll(/mills|works|pump/gi, "qxjvk"));

let server: TestApp;
let real: string;
let demo: string;
let plainStaff: string;
const keys = { real: "", demo: "" };
const ids: Record<"customer" | "facility" | "location" | "user" | "organization", number[]> = {
  customer: [],
  facility: [],
  location: [],
  user: [],
  organization: [],
};

async function ask(method: Endpoint["method"], url: string, token: string, payload?: object) {
  return await server.call({ method, url, token, ...(payload ? { payload } : {}) });
}
async function make(path: string, payload: object): Promise<number> {
  const { status, json, text } = await ask("POST", `/api${path}`, real, payload);
  expect([path, status, status === 200 ? "" : text]).toEqual([path, 200, ""]);
  return (json["data"] as { id: number }).id;
}

beforeAll(async () => {
  server = await createTestApp({ ANALYTICS_URL: "https://analytics.example" });
  const { pool } = server.database;
  for (const name of ["real", "show", "plain.show"]) await server.addAdministrator(name, name === "plain.show" ? [] : [...staffRoles]);
  [real, demo, plainStaff] = [await server.login("real"), await server.login("show"), await server.login("plain.show")];
  const location = (name: string) => ({ name, equipmentType: "InductionMotor", timezone: "America/Chicago" });
  const site = { siteName: "Zircon" };
  for (const letter of letters) ids.customer.push(await make("/customers", { code: `${canary}${letter}`, name: `Zircon Mills ${letter}` }));
  const facilities = `/customers/${ids.customer[0]}/facilities`;
  for (const letter of letters) ids.facility.push(await make(facilities, { ...site, name: `Zircon Works ${letter}` }));
  for (const [index, letter] of letters.entries()) {
    const serialNumber = String(10001 + index);
    await make("/nodes", { serialNumber, container: "Zircon box", newDeploymentStatus: "Unassigned" });
    const place = { ...location(`Zircon Pump ${letter}`), nodeSerialNumber: serialNumber };
    ids.location.push(await make(`${facilities}/${ids.facility[0]}/locations`, place));
    await make(`/customers/${ids.customer[index]}/facilities`, { ...site, name: `Zircon Yard ${letter}` });
    const userId = await server.addUser(`zircon.${letter}`, ids.customer[0]!, {
      first_name: "Zircon",
      last_name: `Zircon ${letter}`,
      email: `who.${letter}@zircon.example`,
      auto_subscribe_all_facilities: true,
      access_analytics: index > 3,
      active_status: index === 3 ? "SUSPENDED" : "ACTIVE",
    });
    ids.user.push(userId);
    ids.organization.push(await addOrganization(pool, `Zircon Holding ${letter}`, [ids.customer[index]!]));
  }
  await pool.query("update billing_organization_customer set organization_id = $1", [ids.organization[0]]);
  await pool.query("update node set current_deployment_status = 'Deployed', current_deployment_status_updated_at = '2026-03-02T05:00:00Z'");
  await pool.query(
    `insert into audit_log (ts, username, serial_number, location_id, location_name, timezone, key, old_value, new_value, result, detail)
     values (now(), 'zircon.d', 10001, $1, 'Zircon Pump d', 'America/Chicago', 'np_voltage', '460', '480', 'confirmed', '')`,
    [ids.location[0]],
  );
  await pool.query(
    `insert into activity (actor_type, actor, action, object, description) values
     ('User', 'zircon.d', 'PATCH_FACILITY', 'Zircon Works', 'Changed'), ('ApiKey', '10001', 'POST_CUSTOMER_GP_EVENT', 'file', 'Uploaded')`,
  );
  await server.login("real");
  for (const [who, userId] of [["real", ids.user[0]!] as const, ["demo", ids.user[1]!] as const]) {
    const body = { scopes: ["read", "upload"], expiresInDays: 30 };
    const { json } = await ask("POST", `/api/users/${userId}/apikeys/program`, real, body);
    keys[who] = (json["data"] as { key: string }).key;
  }
  await pool.query("update app_user set demo_user = true where username in ('show', 'plain.show') or id = $1", [ids.user[1]]);
  server.clock.advance(2);
  await server.context.fleet.runTick();
});
afterAll(() => server.stop());

const calls = Object.entries<Endpoint>(api);
const isOwn = ({ path }: Endpoint) => path === "/sessions" || path.startsWith("/account");
const reads = calls.filter(([, call]) => call.method === "GET" && call.access !== "public" && !call.refusesDemoUsers && !isOwn(call));
const required: Record<string, string> = {
  getBill: "?billDate=2027-12-31&paidThruDate=2026-12-31",
};
const url = (name: string, { path, versions }: Endpoint, params: Record<string, string>, query = "") =>
  endpointUrl(versions[0], path).replaceAll(/:(\w+)/g, (_, param: string) => encodeURIComponent(params[param] ?? "10001")) +
  (query === "" ? (required[name] ?? "") : required[name] ? `${required[name]}&${query}` : `?${query}`);
const usual = (changes: Record<string, string> = {}) => ({
  id: String(ids.location[0]),
  code: "000000",
  type: "current",
  offset: "current",
  month: "2026-12",
  name: "Location_faultLibraryAlertDefault",
  ...changes,
});
const shapeOf = (schema: unknown) => Object.keys((schema as { shape?: object } | undefined)?.shape ?? {});
const readAs = async (who: "real" | "demo", call: Endpoint, address: string) =>
  call.apiKeyScope
    ? await server.call({ method: "GET", url: address, headers: { "x-api-key": keys[who] } })
    : await ask("GET", address, who === "real" ? real : demo);

describe("A-17 errors", () => {
  /** With ids of everything, of nothing, and with names that are someone's. */
  const variants = () => [
    ...[...Object.values(ids).map(([first]) => first), ids.user[3]].map((id) =>
      usual({ id: String(id), facilityId: String(ids.facility[0]) }),
    ),
    usual({ id: "999999", serial: "99999", number: "999999", month: "2099-01" }),
    ...realTexts.slice(2, 5).map((text) => usual({ name: text, key: text, fileName: `10001-${text}.csv`, eventFileName: `${text}.txt` })),
  ];

  test.each(calls.filter(([, call]) => call.access !== "public" && !isOwn(call)))(
    "A-17 no error of %s shows a demo user a name, in body or headers",
    async (name, call) => {
      for (const token of [demo, plainStaff]) {
        for (const params of variants()) {
          const payload = call.method === "GET" ? undefined : { name: "Zircon Works d", username: "zircon.d", code: "zircond" };
          const { text, headers } = await ask(call.method, url(name, call, params), token, payload);
          expect(`${JSON.stringify(headers)} ${text}`.match(new RegExp(`.{0,60}${canary}`, "i"))).toBeNull();
        }
      }
    },
  );

  test("A-17 others read them, so that there was something to hide; the demo user reads a sentence that helps", async () => {
    const address = (id: number | undefined) => url("getUserAnalyticsUrl", api.getUserAnalyticsUrl, usual({ id: String(id) }));
    const message = async (id: number | undefined, token: string) => (await ask("GET", address(id), token)).json["errorMessage"];
    expect(await message(ids.user[0], real)).toBe("zircon.d has no access to analytics");
    expect(await message(ids.user[3], real)).toBe("zircon.a is suspended");
    const shown = (await ask("GET", "/api/users", demo)).json["data"] as User[];
    const nameOf = (id: number | undefined) => shown.find((user) => user.id === id)?.username;
    expect(nameOf(ids.user[0])).toMatch(/^person[a-z]{6}$/);
    expect(await message(ids.user[0], demo)).toBe(`${nameOf(ids.user[0])} has no access to analytics`);
    expect(await message(ids.user[3], demo)).toBe(`${nameOf(ids.user[3])} is suspended`);
    expect((await ask("GET", "/api/nodes/99999/details", demo)).json["errorMessage"]).toBe("Node 99999 was not found");
    expect((await ask("GET", "/api/locations/999999", demo)).json["errorMessage"]).toBe(
      "This location was not found: it may have been deleted",
    );
  });

  test("A-17 a program of a demo user reads no name where an upload is refused", async () => {
    for (const [serial, fileName] of [
      ["10002", "10002-Zircon.csv"],
      ["99999", "E9999920260101000000.txt"],
      ["10001", "Zircon Works d.txt"],
    ] as const) {
      const { status, text } = await server.call({
        method: "POST",
        url: `/api/nodes/${serial}/files/${encodeURIComponent(fileName)}`,
        headers: { "x-api-key": keys.demo, "content-type": "text/plain" },
        payload: "",
      });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text).not.toMatch(/zircon/i);
    }
  });

  test("A-17 of a message without known words nothing stays, and of inserted texts only what answers show", () => {
    const redaction = createDemoRedaction(new Uint8Array(32));
    const redacted = (error: Error) => (redaction.error(error) as Error).message;
    expect(redacted(conflict("Zircon Works is in use"))).toBe("This is not possible in the present state");
    expect(redacted(notFound("Zircon Works"))).toBe("What was requested was not found");
    expect(redacted(notFound(say`Facility ${"Zircon Works"} of ${{ customerName: "Zircon" }} on ${3}`))).toMatch(
      /^Facility … of Customer [a-z]{6} on 3 was not found$/,
    );
    expect(redacted(Object.assign(new Error("Zircon Works has nodes"), { code: "BB409" }))).toBe(
      "This is not possible in the present state",
    );
    expect(redaction.error(conflict(say`Taken`, "name"))).toMatchObject({ status: 409, errorCode: "CONFLICT", field: "name" });
  });
});

describe("A-17 filters", () => {
  test.each(reads)("A-17 %s finds the same by a name that is in use as by one that is not", async (name, call) => {
    for (const [index, text] of realTexts.entries()) {
      const other = inventedTexts[index]!;
      const answers = async (field: string, isParam: boolean) =>
        await Promise.all(
          [text, other].map(async (typed) => {
            const address = isParam
              ? url(name, call, usual({ [field]: typed }))
              : url(name, call, usual(), `${field}=${encodeURIComponent(typed)}`);
            const answer = await readAs("demo", call, address);
            return [answer.status, answer.text];
          }),
        );
      for (const field of shapeOf(call.query)) {
        const [found, none] = await answers(field, false);
        expect([field, found]).toEqual([field, none]);
      }
      for (const field of shapeOf(call.params)) {
        const [found, none] = await answers(field, true);
        expect([field, found]).toEqual([field, none]);
      }
    }
  });

  const activities = async (actor: string, token: string) =>
    (await ask("GET", `/api/activities?actor=${encodeURIComponent(actor)}`, token)).json["data"] as ActivityPage;
  const log = async (filter: string, token: string) =>
    (await ask("GET", `/api/auditlog/networkconfig?filter=${encodeURIComponent(filter)}`, token)).json["data"] as NetworkConfigEntry[];

  test("A-17 others find by the real names, a demo user by those that are shown, and by numbers", async () => {
    expect((await activities("zircon.d", real)).total).toBeGreaterThan(0);
    expect(await log("zircon pump", real)).toHaveLength(1);
    const [entry] = (await ask("GET", "/api/auditlog/networkconfig", demo)).json["data"] as NetworkConfigEntry[];
    const { username, locationName } = entry!;
    expect((await activities(username, demo)).activities).toMatchObject([{ actor: username, action: "PATCH_FACILITY" }]);
    expect((await activities("10001", demo)).activities).toMatchObject([{ actor: "10001", action: "POST_CUSTOMER_GP_EVENT" }]);
    expect(await log(`${locationName} ${username} np_VOLTAGE 480 10001`, demo)).toMatchObject([{ username, locationName }]);
    expect(await log(`${locationName} 481`, demo)).toEqual([]);
  });

  test("A-17 a demo user's search goes on behind the first thousand entries, and stops at the limit", async () => {
    await server.database.pool.query(
      `insert into audit_log (ts, username, serial_number, location_name, timezone, key, old_value, new_value, result, detail)
       select now(), 'zircon.b', 20000, 'Zircon Pump b', 'America/Chicago', 'np_voltage', '1', '2', 'confirmed', '' from generate_series(1, 1100)`,
    );
    expect(await log("10001", demo)).toHaveLength(1);
    expect(await log("20000", demo)).toHaveLength(1000);
    expect((await ask("GET", "/api/auditlog/networkconfig?filter=20000&limit=7", demo)).json["data"]).toHaveLength(7);
  });
});

describe("A-17 orders", () => {
  // One of the users is suspended and in no report.
  const fewest = letters.length - 1;
  type Row = Record<string, unknown>;
  /** Every list of objects in an answer with nearly as many items as there are names, by where it is. */
  function listsOf(value: unknown, path = ""): [string, Row[]][] {
    if (typeof value !== "object" || value === null) return [];
    if (!Array.isArray(value)) return Object.entries(value).flatMap(([name, inner]) => listsOf(inner, `${path}.${name}`));
    const own: [string, Row[]][] = value.length >= fewest && typeof value[0] === "object" ? [[path, value as Row[]]] : [];
    return [...own, ...value.flatMap((item: unknown) => listsOf(item, `${path}[]`))];
  }
  const isSorted = (texts: string[]) => texts.every((text, index) => index === 0 || texts[index - 1]! <= text);
  const named = (rows: Row[], field: string) => rows.map((row) => row[field]).filter((text): text is string => typeof text === "string");
  /** Fields with names, by which the list is ordered. */
  const namesInOrder = (rows: Row[]) =>
    Object.keys(rows[0]!).filter((field) => {
      const texts = named(rows, field).map((text) => text.toLowerCase());
      return new Set(texts).size >= fewest && texts.some((text) => text.includes(canary)) && isSorted(texts);
    });

  test("A-17 what is in the order of names is for a demo user in that of the shown ones", async () => {
    const ordered: string[] = [];
    for (const [name, call] of reads) {
      const params = usual(call.path.startsWith("/billing/") ? { id: String(ids.organization[0]) } : {});
      const [plain, shown] = [await readAs("real", call, url(name, call, params)), await readAs("demo", call, url(name, call, params))];
      const shownLists = listsOf(shown.json["data"]);
      for (const [path, rows] of listsOf(plain.json["data"])) {
        const fields = namesInOrder(rows);
        if (fields.length === 0) continue;
        ordered.push(`${name}${path}`);
        const lists = shownLists.filter(([where, list]) => where === path && list.length === rows.length);
        expect([name, path, lists.length > 0]).toEqual([name, path, true]);
        for (const [, list] of lists)
          expect([name, path, fields.some((field) => isSorted(named(list, field)))]).toEqual([name, path, true]);
      }
    }
    expect(ordered).toEqual(
      expect.arrayContaining([
        "getCustomers",
        "getCustomers[].facilities",
        "getCustomers[].facilities[].locations",
        "getCustomerNames",
        "getMoveTargets",
        "getUsers",
        "getSubscriptionReport",
        "getSubscriptionReport[].subscribedFacilityList",
        "getCustomerSummary.customerList",
        "getBillingOrganizations",
        "getCustomerLocations",
      ]),
    );
  });
});
