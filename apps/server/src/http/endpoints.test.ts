import { brotliDecompressSync } from "node:zlib";
import { api } from "@busbar/contract/api.ts";
import { endpoint, type Endpoint } from "@busbar/contract/endpoint.ts";
import { staffRoles } from "@busbar/contract/values/option-lists.ts";
import fastify from "fastify";
import * as z from "zod/mini";
import { toJSONSchema } from "zod/v4/core";
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import type { BodyGate } from "./body-gate.ts";
import {
  endpointUrl,
  registerEndpoint,
  type ApiClient,
  type Caller,
  type Handler,
  type Handlers,
  type PreparedAnswer,
} from "./endpoints.ts";
import { answerError } from "./errors.ts";

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.stop());
// Sign-ins of one address are limited by the minute, and every test here signs someone in.
beforeEach(() => server.clock.advance(60));

const everyCall = Object.entries<Endpoint>(api).flatMap(([name, call]) => call.versions.map((version) => ({ name, call, version })));

describe("who calls, as a handler's type has it", () => {
  type Called<Name extends keyof Handlers> = Parameters<Handlers[Name]>[1];

  test("is a person where a session is needed", () => {
    expectTypeOf<Called<"getNodes">["caller"]>().toEqualTypeOf<Caller>();
    expectTypeOf<Called<"getAccount">["caller"]>().toEqualTypeOf<Caller>();
    expectTypeOf<Called<"updateSystemConfig">["caller"]>().toEqualTypeOf<Caller>();
    expectTypeOf<Called<"getNodes">["apiClient"]>().toEqualTypeOf<undefined>();
  });

  test("is not given on an open call, nor where the access is not known", () => {
    expectTypeOf<Called<"createAdministratorSession">["caller"]>().toEqualTypeOf<undefined>();
    expectTypeOf<Called<"downloadAdmin">["caller"]>().toEqualTypeOf<undefined>();
    expectTypeOf<Parameters<Handler<Endpoint>>[1]["caller"]>().toEqualTypeOf<undefined>();
  });

  test("is a person or a program where a key is enough", () => {
    expectTypeOf<Called<"uploadNodeFile">["caller"]>().toEqualTypeOf<Caller | undefined>();
    expectTypeOf<Called<"uploadNodeFile">["apiClient"]>().toEqualTypeOf<ApiClient | undefined>();
    const nameOf = ({ caller, apiClient }: Called<"uploadNodeFile">): string => (apiClient ? apiClient.keyName : caller.username);
    expectTypeOf(nameOf).returns.toBeString();
  });
});

const validBodies: Record<string, object> = {
  createAdministratorSession: { username: "someone", password: "x" },
  createLocation: { name: "Feed Pump", equipmentType: "InductionMotor", timezone: "America/Chicago" },
  createLocationNote: { timestamp: 1_790_000_000, note: "Belt replaced" },
  createNode: { serialNumber: "54321", container: "Box" },
  patchNodeTask: { status: "COMPLETED", notes: "" },
  createCustomer: { code: "someco", name: "Some Company" },
  createFacility: { name: "Some Works", siteName: "Some" },
  createNodeCredentials: { nodes: [{ serialNumber: "10001", version: "" }], code: "123456" },
  revokeNodeCredentials: { nodes: [{ serialNumber: "10001", version: "" }], code: "123456" },
  createCredentialSheet: { credentials: [{ serialNumber: "10001", password: "x".repeat(43) }] },
  createDecommissionedNode: { serialNumber: "10001", facilityName: "Some Works", siteName: "Some" },
  takeFreePlace: { locationId: 1 },
  swapNode: { newSerialNumber: "10002", isNew: false, oldNodeStatus: "Unassigned", reason: "Broken" },
  copySwapConfig: { code: "123456" },
  createBillPdf: {
    organizationId: 1,
    vendor: { name: "", addressLine1: "", city: "", state: "", zipCode: "" },
    paidThruDate: "2026-12-31",
    invoiceNumber: "",
    terms: "",
    vendorId: "",
    purchaseOrder: "",
    customerName: "Someone",
    billToDate: "2027-12-31",
    voltaEnergy: false,
    amountTotal: 0,
    billingFacilityItems: [],
    leftOut: [],
    number: null,
    billedAlready: [],
  },
  updateUserSubscriptions: { changes: [{ facilityId: 1, frequency: "Daily", previous: null }] },
  updateFacilitySubscriptions: { changes: [{ userId: 1, frequency: "Daily", previous: null }] },
  createMute: { kind: "node", objectId: 10001, reason: "Rewinding", untilTimestamp: 2_000_000_000 },
  planBulkChange: { nodes: { serialNumbers: ["10001"], values: { disableMonitoring: true } } },
  runBulkChange: { nodes: { serialNumbers: ["10001"], values: { disableMonitoring: true } }, digests: ["x".repeat(22)] },
  createBatch: { serialNumbers: ["10001"], values: [{ key: "v_noise", value: "6" }] },
  createNextBatch: { kind: "retry" },
  startBatch: { hash: "0".repeat(64), code: "123456", atOnce: 20, perMinute: null, firstWave: 3, stopPercent: 10, startLocal: "" },
  steerBatch: { order: "pause" },
  markMessagesSeen: { kind: "error", id: 1 },
  voidBill: { reason: "Wrong customer" },
  createUser: {
    username: "someone",
    firstName: "Some",
    lastName: "Body",
    email: "some@body.example",
    customerCode: "alder",
    password: "Some-Body-77",
  },
  setUserPassword: { newPassword: "Some-Body-77" },
  changeOwnPassword: { currentPassword: "x", newPassword: "Some-Body-77" },
  beginTwoFactor: { password: "x" },
  confirmTwoFactor: { code: "123456" },
  replaceRecoveryCodes: { code: "123456" },
  reportConsoleError: { id: "4F7A91C2", message: "x", screen: "/home", trace: "" },
  postError: { message: "x" },
  postWarning: { message: "x" },
  postDebug: { message: "x" },
  createView: { list: "nodes", name: "Mine", isShared: false, query: "" },
  askForFiles: { kind: "D", fromTimestamp: 1_790_000_000, toTimestamp: 1_790_000_900 },
};

const validQueries: Record<string, string> = {
  getNodeCredentials: "serials=10001&",
  getTrendMarks: "nodes=10001&from=1790000000&to=1790003600&",
  getTrendProfile: "series=10001:current&from=1790000000&to=1790003600&",
  getTrendDuration: "series=10001:current&from=1790000000&to=1790003600&",
  getTrendScatter: "x=10001:current&y=10001:voltage&from=1790000000&to=1790003600&",
  getTrendDays: "node=10001&from=1790000000&to=1790003600&",
  getTrends: "series=10001:current&from=1790000000&to=1790003600&",
  getViews: "list=nodes&",
  getBill: "billDate=2027-12-31&paidThruDate=2026-12-31&",
  requestHarmonics: "startTimestamp=1577872200&",
  getCoverage: "kind=D&from=2026-11-01&",
  getNodeCoverage: "kind=D&from=2026-11-01&",
};
const validParams: Record<string, Record<string, string>> = {
  getEventFile: { eventFileName: "10001_20260106T143000Z_E0001.cev" },
  getEvent: { eventName: "10001_20260106T143000Z_E0001" },
  getSensorData: { type: "current" },
  getBilledMonth: { month: "2026-12" },
  setNodeConfigValue: { key: "np_voltage", newValue: "480", code: "123456" },
};
const anyParam: Record<string, string> = {
  digest: "0".repeat(64),
  token: "x".repeat(43),
  sessionId: "00000000-0000-4000-8000-000000000000",
  fileName: "10001_20260106T143000Z_D0900.txt",
  code: "123456",
  name: "SessionReaper",
};
const paramOf = (name: string, param: string): string =>
  (name.endsWith("Download") && param === "id" ? anyParam["sessionId"] : (validParams[name]?.[param] ?? anyParam[param])) ?? "10001";
const completeQueries: Record<string, string> = {
  requestHarmonics: "startTimestamp=1577872200&endTimestamp=1577958600&",
  getSensorData: "offset=1577872200&",
  getCoverage: "kind=D&from=2026-11-01&to=2026-11-30&",
  getNodeCoverage: "kind=D&from=2026-11-01&to=2026-11-30&",
};
/** A list, bytes, and names that the server looks up itself. */
const bodiesOfOtherKinds = new Set([
  "setFacilityManagers",
  "uploadNodeFile",
  "addTaskPhoto",
  "planPlaceImport",
  "runPlaceImport",
  "planNodeImport",
  "runNodeImport",
  "planUserImport",
  "runUserImport",
  "updateSystemConfig",
]);
/** What a node had before may be any text. */
const anyText = new Set(["setNodeConfigValue oldValue"]);

function fieldsOf(schema: Endpoint["body"]): string[] {
  if (!schema) return [];
  return Object.keys((toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as { properties?: object }).properties ?? {});
}

describe("every endpoint of the contract", () => {
  const guarded = everyCall.filter(({ call }) => call.access !== "public");

  let revoked: string;
  beforeAll(async () => {
    revoked = await server.login(await server.addAdministrator("walker"));
    await server.call({ method: "DELETE", url: "/api/sessions", token: revoked });
  });

  let staff: { token: string; tests: number } | undefined;
  /** Of someone with every role. A session ends that was not used for half an hour; each test is a minute, and that one was used is written later. */
  const staffToken = async () => {
    if (!staff || staff.tests === 25)
      staff = {
        token: await server.login(await server.addAdministrator(`f${Math.random().toString(36).slice(2)}`, [...staffRoles])),
        tests: 0,
      };
    staff.tests++;
    return staff.token;
  };

  test.each(guarded)("SEC-01 $name ($version) refuses no token, a bad one and a revoked one", async ({ call, version }) => {
    const url = endpointUrl(version, call.path).replace(":serial", "10001");
    const ask = (token?: string) =>
      server.call({ method: call.method, url, ...(token === undefined ? {} : { token }), ...(call.body ? { payload: {} } : {}) });
    for (const answer of [await ask(), await ask("bad"), await ask(revoked)]) {
      expect(answer.status).toBe(401);
      expect(answer.json).toEqual({ errorCode: "UNAUTHORIZED", errorMessage: expect.any(String) });
    }
  });

  const everyField = everyCall
    .flatMap(({ name, call, version }) =>
      (["params", "query", "body"] as const).flatMap((part) => fieldsOf(call[part]).map((field) => ({ name, call, version, part, field }))),
    )
    .filter(({ name, field }) => !anyText.has(`${name} ${field}`));

  const typeOf = ({ takesBytes }: Endpoint): Record<string, string> =>
    takesBytes === undefined ? {} : { "content-type": "application/octet-stream" };

  test.each(everyField)(
    "API-03 $name ($version) refuses a bad $field in its $part by name",
    async ({ name, call, version, part, field }) => {
      const token = await staffToken();
      const path = endpointUrl(version, call.path).replaceAll(/:(\w+)/g, (_, param: string) =>
        param === field && part === "params" ? "~" : (validParams[name]?.[param] ?? "10001"),
      );
      const { status, json } = await server.call({
        method: call.method,
        url: part === "query" ? `${path}?${validQueries[name] ?? ""}${field}=~&${field}=~` : path,
        token,
        headers: typeOf(call),
        ...(call.body ? { payload: { ...validBodies[name], ...(part === "body" ? { [field]: { nested: true } } : {}) } } : {}),
      });
      expect([status, json["errorCode"]]).toEqual([400, "INVALID"]);
      expect(json["errorMessage"]).toMatch(new RegExp(`^${field}(\\.\\w+)*: (?!Invalid input$).{5,}`));
    },
  );

  test.each(everyCall)(
    "A-21 $name ($version) refuses an unknown field of its body and of its query by name",
    async ({ name, call, version }) => {
      const token = await staffToken();
      const ask = async (query: string, payload?: object) => {
        const url = endpointUrl(version, call.path).replaceAll(/:(\w+)/g, (_, param: string) => paramOf(name, param));
        const answer = await server.call({
          method: call.method,
          url: `${url}?${query}`,
          token,
          headers: typeOf(call),
          ...(payload ? { payload } : {}),
        });
        return [answer.status, answer.json["errorMessage"]];
      };
      const unknown = [400, "shoeSize: this call has no such field"];
      const query = completeQueries[name] ?? validQueries[name] ?? "";
      const body = validBodies[name] ?? {};
      const takesFields = call.method !== "GET" && !bodiesOfOtherKinds.has(name);
      const answers = [await ask(`${query}shoeSize=44`, call.body ? body : undefined)];
      if (takesFields) answers.push(await ask(query, { ...body, shoeSize: 44 }));
      expect(answers).toEqual(takesFields ? [unknown, unknown] : [unknown]);
    },
  );

  test("A-21 an unknown field deep within a body is named with its place", async () => {
    const token = await server.login(await server.addAdministrator("deepfields", [...staffRoles]));
    const bill = validBodies["createBillPdf"] as { vendor: object };
    const said = async (payload: object) =>
      (await server.call({ method: "POST", url: "/api/v2/billing/pdf", token, payload })).json["errorMessage"];
    expect(await said({ ...bill, vendor: { ...bill.vendor, iban: "x" } })).toBe("vendor.iban: this call has no such field");
    const facility = { facilityName: "", customerName: "", amountFacilityTotal: 0, billingLocationItems: [], extra: 1 };
    expect(await said({ ...bill, billingFacilityItems: [facility] })).toBe("billingFacilityItems.0.extra: this call has no such field");
  });

  test("API-03 a body of the wrong kind, and what is wrong within a list, is reported as such", async () => {
    const token = await server.login(await server.addAdministrator("kinds"));
    const said = async (url: string, payload: object) => (await server.call({ method: "PATCH", url, token, payload })).json["errorMessage"];
    expect(await said("/api/customers/1", [])).toBe("body: Invalid input: expected object, received array");
    expect(await said("/api/customers/1/facilities/1/managers", {})).toBe("body: managers is a list of user ids");
    expect(await said("/api/customers/1/facilities/1/managers", [1, "x"])).toBe("body.1: An id is a whole number");
  });

  const privileged = everyCall.filter(({ call }) => (staffRoles as readonly string[]).includes(call.access));

  test("SEC-02 the calls of the texts need their role, all others none", () => {
    const needed = (path: string) => {
      if (/^\/billing\/|^\/customers\/summary$|^\/subscriptions\/|^\/reports\//.test(path)) return "accountsAdministrator";
      // Everyone follows the live activity, and the form of a location needs one setting.
      if (/^\/system\/activities$|^\/system\/config\/\{name\}$/.test(path)) return undefined;
      return /^\/system\/|\/locations\/\{locationId\}\/customers\/|\/secondfactor\//.test(path) ? "systemAdministrator" : undefined;
    };
    expect(privileged.map(({ name, call }) => [name, call.access])).toEqual(
      everyCall.flatMap(({ name, call }) => (needed(call.path) === undefined ? [] : [[name, needed(call.path)]])),
    );
  });

  test.each(privileged)("SEC-02 $name ($version) is refused to plain staff and to the other role", async ({ call, version }) => {
    const url = endpointUrl(version, call.path);
    for (const roles of [[], staffRoles.filter((role) => role !== call.access)]) {
      const token = await server.login(await server.addAdministrator(`r${Math.random().toString(36).slice(2)}`, [...roles]));
      const { status, json } = await server.call({ method: call.method, url, token, ...(call.body ? { payload: {} } : {}) });
      expect([status, json["errorMessage"]]).toEqual([403, `This needs the role ${call.access}`]);
    }
  });

  test("LOG-07 the built-in initial credential opens no call at all", async () => {
    const headers = { authorization: "Bearer busbar-console", token: "busbar-console", "x-api-key": "busbar-console" };
    for (const { name, call, version } of guarded) {
      server.clock.advance(1);
      const { status } = await server.call({
        method: call.method,
        url: endpointUrl(version, call.path),
        headers,
        ...(call.body ? { payload: {} } : {}),
      });
      expect([name, status]).toEqual([name, 401]);
    }
  });

  test("SEC-01 v1 takes the token header only, v2 the bearer only", async () => {
    const token = await server.login(await server.addAdministrator("headerperson"));
    const ask = (url: string, headers: Record<string, string>) => server.call({ method: "PATCH", url, headers, payload: {} });
    expect((await ask("/api/sessions", { authorization: `Bearer ${token}` })).status).toBe(401);
    expect((await ask("/api/v2/sessions", { token })).status).toBe(401);
    expect((await ask("/api/v2/sessions", { authorization: `Bearer ${token}` })).status).toBe(200);
  });
});

describe("roles", () => {
  const reboot = endpoint("POST /api/test/{name}", {
    alsoV2: true,
    access: "systemAdministrator",
    summary: "A privileged call",
    params: z.object({ name: z.string() }),
    data: z.string(),
  });

  test("SEC-02 a role is needed on both bases; the session decides, not what the client says", async () => {
    const app = fastify();
    app.setErrorHandler(answerError);
    for (const version of reboot.versions)
      registerEndpoint(app, version, reboot, (input) => (input as { params: { name: string } }).params.name, server.context.authenticators);
    const statusFor = async (username: string, roles: string[]) => {
      const token = await server.login(await server.addAdministrator(username, roles));
      const headers = { token, authorization: `Bearer ${token}`, cookie: 'admin-roles=["systemAdministrator"]' };
      const answers = await Promise.all(["/api/test/x", "/api/v2/test/x"].map((url) => app.inject({ method: "POST", url, headers })));
      return answers.map((answer) => answer.statusCode);
    };
    expect(await statusFor("plainstaff", [])).toEqual([403, 403]);
    expect(await statusFor("onlyaccounts", ["accountsAdministrator"])).toEqual([403, 403]);
    expect(await statusFor("thesysadmin", ["systemAdministrator"])).toEqual([200, 200]);
    await app.close();
  });
});

describe("answers", () => {
  test("a large answer is compressed, a small one is not", async () => {
    const app = fastify();
    const long = endpoint("GET /api/long/{count}", {
      access: "public",
      summary: "Long",
      params: z.object({ count: z.string() }),
      data: z.string(),
    });
    registerEndpoint(
      app,
      "v1",
      long,
      (input) => "long ".repeat(Number((input as { params: { count: string } }).params.count)),
      server.context.authenticators,
    );
    const ask = (count: number, accepted: string) =>
      app.inject({ method: "GET", url: `/api/long/${count}`, headers: { "accept-encoding": accepted } });
    const large = await ask(10_000, "gzip, br");
    expect(large.headers).toMatchObject({ "content-encoding": "br", "content-type": "application/json; charset=utf-8" });
    expect(large.rawPayload.length).toBeLessThan(1_000);
    expect(JSON.parse(brotliDecompressSync(large.rawPayload).toString())).toEqual({ data: "long ".repeat(10_000) });
    expect((await ask(10_000, "identity")).json()).toEqual({ data: "long ".repeat(10_000) });
    expect((await ask(10, "br")).headers["content-encoding"]).toBeUndefined();
    await app.close();
  });

  test("unknown addresses are JSON errors too, without the query", async () => {
    const { status, json } = await server.call({ method: "GET", url: "/api/nothing?secret=1" });
    expect([status, json]).toEqual([404, { errorCode: "NOT_FOUND", errorMessage: "GET /api/nothing was not found" }]);
    const { status: ofNone, json: saysNone } = await server.call({ method: "GET", url: "//" });
    expect([ofNone, saysNone]).toEqual([404, { errorCode: "NOT_FOUND", errorMessage: "GET // was not found" }]);
  });

  test("API-03 a body over 1 MB is refused", async () => {
    const { status, json } = await server.call({
      method: "POST",
      url: "/api/sessions/administrator",
      payload: { username: "x".repeat(1_100_000), password: "x" },
    });
    expect([status, json["errorCode"]]).toEqual([413, "TOO_LARGE"]);
  });

  test("every answer carries the same security headers, an API answer these and no others", async () => {
    const { headers } = await server.call({ method: "GET", url: "/api/node-dashboard" });
    const { date, "content-length": length, ...rest } = headers;
    expect([typeof date, Number(length)]).toEqual(["string", expect.any(Number)]);
    expect(rest).toMatchInlineSnapshot(`
      {
        "cache-control": "no-store",
        "connection": "keep-alive",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
        "content-type": "application/json; charset=utf-8",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()",
        "referrer-policy": "no-referrer",
        "strict-transport-security": "max-age=31536000; includeSubDomains",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
      }
    `);
    const security = Object.keys(rest).filter((name) => !/^(cache-control|connection|content-type|content-security-policy)$/.test(name));
    for (const url of ["/healthz", "/readyz", "/metrics", "/api/nothing", "/api/%", "/docs", "/openapi.json", "/admin/", "/"]) {
      const other = (await server.call({ method: "GET", url })).headers;
      for (const name of security) expect([url, name, other[name]]).toEqual([url, name, rest[name]]);
      expect(other["content-security-policy"]).toMatch(/^default-src 'none'; .*frame-ancestors 'none'; base-uri 'none'/);
    }
  });

  test("an address that exists says which methods it has", async () => {
    for (const [method, url, allow] of [
      ["PUT", "/api/sessions", "DELETE, PATCH"],
      ["GET", "/api/v2/sessions/administrator", "POST"],
      ["DELETE", "/api/nodes/10001/realtime", "GET"],
    ] as const) {
      const { status, json, headers } = await server.call({ method, url });
      expect([status, headers["allow"]]).toEqual([405, allow]);
      expect(json).toEqual({ errorCode: "INVALID", errorMessage: `${method} is not possible here; possible: ${allow}` });
    }
  });

  test("A-04 a console that the setting names may call every call from elsewhere, and no other origin may", async () => {
    const console = "https://console.example:8443";
    const other = await createTestApp({ CONSOLE_ORIGINS: console });
    try {
      for (const { call, version } of everyCall) {
        const ask = (origin: string) =>
          other.call({
            method: "OPTIONS",
            url: endpointUrl(version, call.path).replaceAll(/:(\w+)/g, "10001"),
            headers: {
              host: "east.example",
              origin,
              "access-control-request-method": call.method,
              "access-control-request-headers": "authorization,content-type,if-none-match,token",
            },
          });
        const { status, headers } = await ask(console);
        expect([status, headers["access-control-allow-origin"], headers["access-control-allow-credentials"]]).toEqual([
          204,
          console,
          "true",
        ]);
        expect(headers["access-control-allow-methods"]).toContain(call.method);
        expect(headers["access-control-allow-headers"]).toBe("authorization, content-type, if-none-match, token");
      }
      const strangers = [
        "http://console.example:8443",
        "https://console.example",
        "https://console.example:8443.evil.example",
        "null",
        `${console}/`,
      ];
      for (const origin of [...strangers, "https://evilconsole.example:8443", "https://CONSOLE.example:8443"]) {
        const { headers } = await other.call({ method: "GET", url: "/api/node-dashboard", headers: { host: "east.example", origin } });
        expect([origin, headers["access-control-allow-origin"]]).toEqual([origin, undefined]);
      }
      const token = await other.login(await other.addAdministrator("guest", [...staffRoles]));
      const answer = await other.call({ method: "GET", url: "/api/users", token, headers: { host: "east.example", origin: console } });
      expect([answer.status, answer.headers["access-control-expose-headers"]]).toEqual([
        200,
        "content-disposition, date, etag, retry-after",
      ]);
      expect(String(answer.headers["vary"])).toContain("origin");
      const from = (origin: string) =>
        other.call({
          method: "GET",
          url: "/api/system/services/SessionReaper/enable",
          token,
          headers: { host: "east.example", origin, "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" },
        });
      expect([(await from(console)).status, (await from("https://evil.example")).status]).toEqual([404, 403]);
    } finally {
      await other.stop();
    }
  });

  test("ENV-02 the console's origin may call the v2 port, no other origin may", async () => {
    const preflight = (origin: string) =>
      server.call({
        method: "OPTIONS",
        url: "/api/v2/sessions",
        headers: { host: "localhost:5000", origin, "access-control-request-method": "PATCH" },
      });
    const allowed = await preflight("http://localhost:8080");
    expect([allowed.status, allowed.headers["access-control-allow-origin"]]).toEqual([204, "http://localhost:8080"]);
    for (const origin of ["http://evil.example:8080", "http://localhost:8081", "null", "http://localhost.evil.example:8080"]) {
      expect((await preflight(origin)).headers).not.toHaveProperty("access-control-allow-origin");
    }
  });

  test.each(everyCall.filter(({ call }) => call.answersBytes).map(({ name, version, call }) => [name, version, call] as const))(
    "A-46 %s in %s: a file is sandboxed, whatever its type",
    async (_name, version, call) => {
      for (const type of ["application/pdf", "text/html", "image/svg+xml", "application/octet-stream"]) {
        const app = fastify();
        const answer: PreparedAnswer = { status: 200, headers: { "content-type": type }, body: "x" };
        const open = {
          ...call,
          path: "/file",
          access: "public",
          isPrepared: true,
          params: undefined,
          query: undefined,
          body: undefined,
        } as const;
        registerEndpoint(app, version, open, () => answer, server.context.authenticators);
        const { headers } = await app.inject({ method: call.method, url: endpointUrl(version, open.path) });
        expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; .*; sandbox$/);
        await app.close();
      }
    },
  );

  test("a body that goes in parts comes whole with its length, and others as they are", async () => {
    const body = Buffer.alloc(40_000, "x");
    for (const [goesInParts, sentAs] of [
      [true, "past the framework"],
      [false, "Buffer"],
    ] as const) {
      const app = fastify();
      const sent: string[] = [];
      let answered = 0;
      app.addHook("onSend", async (_request, _reply, payload: object) => void sent.push(payload.constructor.name));
      app.addHook("onResponse", async () => void answered++);
      const answer: PreparedAnswer = { status: 200, headers: { "content-type": "application/json" }, body, goesInParts };
      const open = { ...api.getNodes, path: "/large", access: "public", isPrepared: true, query: undefined } as const;
      registerEndpoint(app, "v1", open, () => answer, server.context.authenticators);
      const { headers, rawPayload } = await app.inject({ method: "GET", url: endpointUrl("v1", open.path) });
      expect([headers["content-type"], headers["content-length"], rawPayload.equals(body)]).toEqual(["application/json", "40000", true]);
      await app.close();
      expect([sent.at(0) ?? "past the framework", answered]).toEqual([sentAs, 1]);
    }
  });

  test("calls that take as many bytes share their places, and one that says that it is longer is refused before it is read", async () => {
    const app = fastify();
    app.setErrorHandler(answerError);
    const gates = new Map<number, BodyGate>();
    for (const [path, takesBytes] of [
      ["/first", 10],
      ["/second", 10],
      ["/larger", 20],
    ] as const) {
      const call = { ...api.uploadNodeFile, path, takesBytes, access: "public", params: undefined, query: undefined } as const;
      registerEndpoint(
        app,
        "v1",
        call,
        (input) => String((input as { body: Uint8Array }).body.length),
        server.context.authenticators,
        gates,
      );
    }
    await app.ready();
    expect([...gates.keys()]).toEqual([10, 20]);
    const put = async (url: string, length: number) => {
      const headers = { "content-type": "application/octet-stream", "content-length": String(length) };
      const answer = await app.inject({ method: "POST", url: `/api${url}`, headers, payload: Buffer.alloc(Math.min(length, 10)) });
      return [answer.statusCode, answer.headers["connection"]];
    };
    expect([await put("/first", 10), await put("/second", 11), await put("/larger", 21)]).toEqual([
      [200, undefined],
      [413, "close"],
      [413, "close"],
    ]);
    await app.close();
  });

  test("304 says no length: an empty one would be that of the body which the caller has", async () => {
    const app = fastify();
    const open = { ...api.getNodes, path: "/kept", access: "public", isPrepared: true, query: undefined } as const;
    const answer: PreparedAnswer = { status: 304, headers: { "content-type": "application/json", etag: '"1"' }, body: "" };
    registerEndpoint(app, "v1", open, () => answer, server.context.authenticators);
    const { statusCode, headers, rawPayload } = await app.inject({ method: "GET", url: endpointUrl("v1", open.path) });
    expect([statusCode, headers["etag"], rawPayload.length]).toEqual([304, '"1"', 0]);
    expect(headers).not.toHaveProperty("content-length");
    expect(headers).not.toHaveProperty("transfer-encoding");
    await app.close();
  });

  test("A-46 a page of the other scheme is another origin, also behind a proxy that ends TLS", async () => {
    const allowedFor = async (origin: string, forwarded: Record<string, string> = {}) =>
      (await server.call({ method: "GET", url: "/api/v2/sessions", headers: { host: "localhost:5000", origin, ...forwarded } })).headers[
        "access-control-allow-origin"
      ];
    expect(await allowedFor("http://localhost:8080")).toBe("http://localhost:8080");
    expect(await allowedFor("https://localhost:8080")).toBeUndefined();
    expect(await allowedFor("ftp://localhost:8080")).toBeUndefined();
    const overTls = { "x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.7" };
    expect(await allowedFor("https://localhost:8080", overTls)).toBe("https://localhost:8080");
    expect(await allowedFor("http://localhost:8080", overTls)).toBeUndefined();
  });
});
