import { api } from "@busbar/contract/api.ts";
import { errorCodes } from "@busbar/contract/errors.ts";
import type { Endpoint } from "@busbar/contract/endpoint.ts";
import { staffRoles } from "@busbar/contract/values/option-lists.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AppError } from "#lib/errors.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode } from "#testing/test-world.ts";
import { createDemoRedaction } from "./demo-redaction.ts";
import { endpointUrl } from "./endpoints.ts";

// Part of every text of the world that a customer, its staff or ours wrote.
const canary = "zircon";
let server: TestApp;
let demo: string;
let plain: string;
let params: Record<string, string>;

beforeAll(async () => {
  server = await createTestApp();
  const { pool } = server.database;
  const id = async (text: string, values: unknown[] = []) =>
    Number((await pool.query<{ id: number }>(`${text} returning id`, values)).rows[0]?.id);
  const customerId = await id(`insert into customer (code, name) values ('${canary}', 'Zircon Mills')`);
  const facilityId = await id(
    "insert into facility (customer_id, name, site_name, facility_location) values ($1, 'Zircon Works', 'Zircon', '47.1,-122.3')",
    [customerId],
  );
  const locationId = await id("insert into location (facility_id, name, timezone) values ($1, 'Zircon Pump', 'America/Chicago')", [
    facilityId,
  ]);
  await addNode(pool, 10001, { customerId, facilityId, locationId }, { deployment_issue_details: "Zircon door", container: "Zircon box" });
  await addNode(pool, 10002, undefined, { unassigned_customer: "Zircon Mills", unassigned_facility: "Zircon Works" });
  await addNode(pool, 10003);
  await pool.query(
    "insert into decommissioned_node (serial_number, customer_id, facility_name, site_name) values (10003, $1, 'Zircon Works', 'Zircon')",
    [customerId],
  );
  await server.addUser(`${canary}.user`, customerId, {
    first_name: "Zirconia",
    email: "who@zircon.example",
    auto_subscribe_all_facilities: true,
  });
  await pool.query("insert into location_note (location_id, ts, note, details) values ($1, now(), 'Zircon belt', 'Zircon')", [locationId]);
  await pool.query(
    `insert into notification (kind, subject, body, recipients_to, recipients_bcc, message_id, sent_failed_reason)
     values ('RELAY_EVENT', 'Zircon Pump tripped', 'At Zircon Works', '{who@zircon.example}', '{bcc@zircon.example}', 'x', 'SMTP: zircon')`,
  );
  await pool.query(
    "insert into activity (actor_type, actor, action, object, description) values ('User', 'zircon.user', 'PATCH_FACILITY', 'Zircon Works', 'Changed Zircon Works')",
  );
  await pool.query("insert into billing_organization (name) values ('Zircon Holding')");
  await pool.query("insert into billing_organization_customer select $1, id from billing_organization", [customerId]);
  await server.addAdministrator("showcase", [...staffRoles]);
  plain = await server.login("showcase");
  await pool.query("update app_user set demo_user = true where username = 'showcase'");
  server.clock.advance(2);
  demo = plain;
  await server.addAdministrator("real", [...staffRoles]);
  plain = await server.login("real");
  await server.context.fleet.runTick();
  params = {
    id: String(locationId),
    serial: "10001",
    code: "000000",
    name: "Location_faultLibraryAlertDefault",
    type: "current",
    timestamp: "1",
    offset: "current",
  };
});
afterAll(() => server.stop());

const queries: Record<string, string> = {
  getBill: "?billDate=2027-12-31&paidThruDate=2026-12-31",
  requestHarmonics: "?startTimestamp=1577872200",
};
const reads = Object.entries<Endpoint>(api).filter(([, { method, access }]) => method === "GET" && access !== "public");
const urlOf = (name: string, { path, versions }: Endpoint) =>
  endpointUrl(versions[0], path).replaceAll(/:(\w+)/g, (_, param: string) => params[param] ?? "10001") + (queries[name] ?? "");

describe("USR-11 a demo user among staff", () => {
  test.each(reads)("%s shows no word of a customer", async (name, call) => {
    server.clock.advance(1);
    const url = urlOf(name, call);
    const { text } = await server.call({ method: "GET", url, token: demo, headers: { "accept-encoding": "br" } });
    expect(text.match(new RegExp(`.{0,60}${canary}`, "gi"))).toBeNull();
  });

  test("the same calls of others do show them, so that there was something to hide", async () => {
    const leaking: string[] = [];
    for (const [name, call] of reads) {
      const { text } = await server.call({ method: "GET", url: urlOf(name, call), token: plain });
      if (text.toLowerCase().includes(canary)) leaking.push(name);
    }
    expect(leaking).toEqual(
      expect.arrayContaining([
        "getNodeDashboard",
        "getLocation",
        "getMoveTargets",
        "getCustomers",
        "getCustomerNames",
        "getNodes",
        "getNode",
        "getNodeOverview",
        "getUsers",
        "getNodeTasks",
        "getLocationNotes",
        "getBill",
        "getBillingOrganizations",
        "getCustomerSummary",
        "getSubscriptionReport",
        "getUserReport",
        "getActivities",
        "getLiveActivity",
        "getNotifications",
      ]),
    );
  });

  test("an object has the same other name everywhere; numbers, kinds and times stay", async () => {
    const read = async (url: string) => (await server.call({ method: "GET", url, token: demo })).json["data"];
    const [customer] = (await read("/api/customers")) as {
      name: string;
      code: string;
      type: string;
      facilities: { name: string; locations: { name: string }[] }[];
    }[];
    const { dashboardNodeMap } = (await read("/api/node-dashboard")) as { dashboardNodeMap: Record<string, object> };
    expect(customer).toMatchObject({
      name: expect.stringMatching(/^Customer [a-z]{6}$/),
      code: expect.stringMatching(/^demo[a-z]{6}$/),
      type: "Revenue",
    });
    expect(dashboardNodeMap["10001"]).toMatchObject({
      serialNumber: "10001",
      customerName: customer?.name,
      customerCode: customer?.code,
      facilityName: customer?.facilities[0]?.name,
      locationName: customer?.facilities[0]?.locations[0]?.name,
      currentDeploymentStatus: expect.stringMatching(/^[A-Z]/),
    });
  });

  test("changes and downloads nothing, but one's own account", async () => {
    // These change something or hand out a file.
    const gets = ["enableService", "disableService", "requestFilesDownload", "requestHarmonics", "getRawFile", "getUserReport"];
    for (const [name, call] of Object.entries<Endpoint>(api)) {
      const isOwn = call.path === "/sessions" || call.path.startsWith("/account");
      if (call.access === "public" || isOwn || (call.method === "GET" && !gets.includes(name))) continue;
      const { status, json } = await server.call({
        method: call.method,
        url: urlOf(name, call),
        token: demo,
        ...(call.body ? { payload: {} } : {}),
      });
      expect([name, status, json["errorMessage"]]).toEqual([
        name,
        403,
        "Your account is a demo user: it looks at data, and changes and downloads nothing",
      ]);
    }
    expect((await server.call({ method: "GET", url: "/api/account", token: demo })).json["data"]).toMatchObject({ username: "showcase" });
  });

  test("ceases to be one within a second; no one makes one of themselves, or of the last who can steer the system", async () => {
    const { rows } = await server.database.pool.query<{ id: number; username: string }>(
      "select id, username from app_user where is_administrator",
    );
    const patch = async (username: string, change: object) =>
      (
        await server.call({
          method: "PATCH",
          url: `/api/users/${rows.find((row) => row.username === username)?.id}`,
          token: plain,
          payload: change,
        })
      ).json["errorMessage"];
    expect(await patch("real", { demoUser: true })).toBe("You cannot make a demo user of yourself");
    expect(await patch("showcase", { demoUser: false })).toBeUndefined();
    server.clock.advance(1);
    expect((await server.call({ method: "GET", url: "/api/customers", token: demo })).text).toContain("Zircon Mills");
  });
});

test("a text under a name that no one thought of is hidden", () => {
  const redaction = createDemoRedaction(new Uint8Array(32));
  expect(redaction.answer({ nickname: "Zircon", count: 7, ready: true, level: "480.5", nothing: null, empty: "" }, "/items")).toEqual({
    nickname: "hidden from demo users",
    count: 7,
    ready: true,
    level: "480.5",
    nothing: null,
    empty: "",
  });
});

test.each([
  [errorCodes.invalid, "The request is not valid"],
  [errorCodes.unauthorized, "Please sign in"],
  [errorCodes.forbidden, "You are not permitted to do this"],
  [errorCodes.notFound, "What was requested was not found"],
  [errorCodes.conflict, "This is not possible in the present state"],
  [errorCodes.tooLarge, "The request is too large"],
  [errorCodes.tooManyRequests, "Too many requests at the moment. Please try again"],
  [errorCodes.unavailable, "This cannot be answered at the moment. Please try again"],
  [errorCodes.outOfSpace, "The server has no room for this"],
  [errorCodes.nodeRefused, "The request was refused"],
])("USR-11 a demo user reads of a refusal %s what kind it is, its status and field, and none of its own words", (errorCode, message) => {
  const redacted = createDemoRedaction(new Uint8Array(32)).error(
    new AppError(418, errorCode, "Zircon is in the way", { field: "name", retryAfterSeconds: 4 }),
  );
  expect(redacted).toMatchObject({ status: 418, errorCode, message, field: "name", retryAfterSeconds: 4 });
});

test("A-63 each name of an object, a place or a person is replaced by one of its kind", () => {
  const { answer } = createDemoRedaction(Buffer.alloc(32, 7));
  const kinds: Record<string, string> = {
    demo: "customerCode code",
    "Customer ": "customerName customer retiredCustomer unassignedCustomer",
    "Facility ": "facilityName facility retiredFacility unassignedFacility",
    "Site ": "siteName",
    "Location ": "locationName location retiredLocation unassignedLocation",
    person: "username lastUpdatedUsername actor owner acknowledgedBy author madeBy askedBy voidedBy",
    "Person ": "firstName lastName lastUpdatedFullname addedBy",
  };
  for (const [kind, fields] of Object.entries(kinds))
    for (const field of fields.split(" ")) {
      const shown = answer({ [field]: "Zircon" }, "/api/x") as Record<string, string>;
      expect([field, shown[field]]).toEqual([field, expect.stringMatching(new RegExp(`^${kind}[a-z]{6}$`))]);
    }
});

test.each([
  ["customers", "name"],
  ["names", "name code"],
  ["customerList", "customerName"],
  ["facilities", "name"],
  ["locations", "customerName facilityName name"],
  ["locations", "customerName facilityName locationName"],
  ["movetargets", "customerName facilityName"],
  ["users", "username"],
  ["people", "actor"],
  ["people", "username"],
  ["report", "lastName firstName username"],
  ["subscribedFacilityList", "name"],
  ["organizations", "name"],
  ["billingFacilityItems", "customerName facilityName"],
  ["billingLocationItems", "locationName"],
  ["leftOut", "customerName facilityName locationName"],
])("A-63 %s, which are in the order of %s, are in that of the other names", (list, keys) => {
  const { answer } = createDemoRedaction(Buffer.alloc(32, 7));
  const fields = keys.split(" ");
  // Each first name with two of each of the others: they decide where it does not.
  const items = Array.from({ length: 32 }, (_, index) =>
    Object.fromEntries(fields.map((field, at) => [field, `zircon ${index >> (fields.length - 1 - at)}`])),
  );
  const within = (answer({ [list]: items }, "/api/x") as Record<string, Record<string, string>[]>)[list]!;
  const alone = answer(items, `/api/${list}/{id}`) as Record<string, string>[];
  for (const shown of [within, alone]) {
    const words = shown.map((item) => fields.map((field) => item[field]).join(" "));
    expect(words).toEqual(words.toSorted());
    expect(new Set(words).size).toBe(items.length);
  }
});

/** Each field of a schema whose texts are a fixed list, with one of them. */
function fixedTexts(schema: unknown, name = ""): [name: string, value: unknown][] {
  const def = (schema as { _zod?: { def: Record<string, unknown> } } | undefined)?._zod?.def;
  if (def === undefined) return [];
  const first = def["type"] === "enum" ? Object.values(def["entries"] as object)[0] : (def["values"] as unknown[] | undefined)?.[0];
  if (typeof first === "string") return [[name, first]];
  if (def["type"] === "object") return Object.entries(def["shape"] as object).flatMap(([field, part]) => fixedTexts(part, field));
  const parts = [
    def["innerType"],
    def["out"],
    def["valueType"],
    def["left"],
    def["right"],
    ...((def["options"] ?? def["items"] ?? []) as unknown[]),
  ];
  const ofList = fixedTexts(def["element"], name).map(([field, value]) => [field, field === name ? [value] : value] as [string, unknown]);
  return [...ofList, ...parts.flatMap((part) => fixedTexts(part, name))];
}

test("A-63 texts of a fixed list are the product's own words, and shown", () => {
  const { answer } = createDemoRedaction(new Uint8Array(32));
  const hidden = Object.values<Endpoint>(api).flatMap(({ data, path }) =>
    fixedTexts(data).flatMap(([name, value]) => {
      const shown = answer({ [name]: value }, path) as Record<string, unknown>;
      return name === "" || JSON.stringify(shown[name]) === JSON.stringify(value) ? [] : [`${path} ${name}`];
    }),
  );
  expect(hidden).toEqual([]);
});
