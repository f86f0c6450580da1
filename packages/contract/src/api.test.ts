import type * as z from "zod/v4/core";
import { expect, test } from "vitest";
import { api } from "./api.ts";
import type { ApiVersion, Endpoint, Method } from "./endpoint.ts";

// Section 7 of both texts, in their order: version, verb, path, names in the query.
const calls: [ApiVersion, Method, string, ...string[]][] = [
  ["v1", "POST", "/sessions/administrator"],
  ["v1", "PATCH", "/sessions"],
  ["v1", "GET", "/nodes"],
  ["v1", "POST", "/nodes"],
  ["v1", "PATCH", "/nodes/{}"],
  ["v1", "GET", "/nodes/{}/metering/raw"],
  ["v1", "DELETE", "/nodes/{}/metering"],
  ["v1", "GET", "/locations/{}/metering", "string", "doLineToNeutral"],
  ["v1", "GET", "/nodes/{}/harmonics", "startTimestamp", "endTimestamp"],
  ["v1", "GET", "/nodes/{}/realtime"],
  ["v1", "GET", "/nodes/{}/config"],
  ["v1", "PATCH", "/nodes/{}/config/{}/{}/2fa/{}/previous/{}"],
  ["v2", "GET", "/nodes/{}/tasks"],
  ["v2", "PATCH", "/nodes/{}/tasks/tasktemplate/{}"],
  ["v1", "GET", "/node-dashboard"],
  ["v1", "GET", "/node-dashboard/{}/files", "before", "after", "limit"],
  ["v1", "GET", "/node-dashboard/files/{}"],
  ["v1", "GET", "/node-dashboard/{}/sensordata/{}", "offset"],
  ["v1", "GET", "/node-dashboard/nodes/{}/files/download", "since"],
  ["v1", "GET", "/auditlog/networkconfig"],
  ["v1", "GET", "/customers"],
  ["v1", "POST", "/customers"],
  ["v1", "PATCH", "/customers/{}"],
  ["v1", "DELETE", "/customers/{}/2fa/{}"],
  ["v1", "POST", "/customers/{}/facilities"],
  ["v1", "PATCH", "/customers/{}/facilities/{}"],
  ["v1", "DELETE", "/customers/{}/facilities/{}/2fa/{}"],
  ["v1", "PATCH", "/customers/{}/facilities/{}/managers"],
  ["v1", "PATCH", "/customers/{}/facilities/{}/customers/{}"],
  ["v1", "POST", "/customers/{}/facilities/{}/locations"],
  ["v1", "PATCH", "/customers/{}/facilities/{}/locations/{}"],
  ["v1", "DELETE", "/customers/{}/facilities/{}/locations/{}/2fa/{}"],
  ["v1", "PATCH", "/customers/{}/facilities/{}/locations/{}/customers/{}/facilities/{}"],
  ["v1", "POST", "/customers/{}/decommissionednodes"],
  ["v1", "DELETE", "/customers/{}/decommissionednodes/{}"],
  ["v1", "GET", "/system/config/{}"],
  ["v1", "GET", "/users"],
  ["v1", "POST", "/users"],
  ["v1", "PATCH", "/users/{}"],
  ["v1", "DELETE", "/users/{}/2fa/{}"],
  ["v1", "GET", "/users/{}/sessions"],
  ["v1", "PATCH", "/users/{}/admin/password"],
  ["v1", "POST", "/users/{}/accountnotification"],
  ["v1", "GET", "/users/{}/apikeys"],
  ["v1", "POST", "/users/{}/apikeys/{}"],
  ["v1", "POST", "/users/{}/accesskeys/{}"],
  ["v2", "GET", "/users/{}/url/analytics"],
  ["v2", "GET", "/locations/{}/notes", "include_archived"],
  ["v2", "POST", "/locations/{}/notes"],
  ["v2", "PATCH", "/locations/{}/notes/{}"],
  ["v2", "POST", "/locations/{}/notes/{}/archive"],
  ["v2", "DELETE", "/locations/{}/notes/{}/archive"],
  ["v2", "GET", "/billing/organizations"],
  [
    "v2",
    "GET",
    "/billing/organizations/{}/bill",
    "billDate",
    "paidThruDate",
    "voltaEnergy",
    "vendorId",
    "purchaseOrder",
    "terms",
    "invoiceNumber",
  ],
  ["v2", "POST", "/billing/pdf"],
  ["v1", "GET", "/customers/summary"],
  ["v1", "GET", "/reports/users", "customer_code", "include_internal_users", "include_inactive_users"],
  ["v1", "GET", "/subscriptions/report"],
  ["v1", "GET", "/system/config"],
  ["v1", "PATCH", "/system/config"],
  ["v1", "PATCH", "/system/config/db"],
  ["v1", "GET", "/system/activities"],
  ["v1", "GET", "/system/services"],
  ["v1", "GET", "/system/services/{}/enable"],
  ["v1", "GET", "/system/services/{}/disable"],
  ["v1", "PATCH", "/system/services/{}/run"],
  ["v1", "PATCH", "/system/services/enable"],
  ["v1", "PATCH", "/system/services/disable"],
  ["v1", "GET", "/system/errors"],
  ["v1", "POST", "/system/errors"],
  ["v1", "GET", "/system/warnings"],
  ["v1", "POST", "/system/warnings"],
  ["v1", "GET", "/system/debug"],
  ["v1", "POST", "/system/debug"],
  ["v1", "POST", "/system/debug/send"],
  ["v1", "GET", "/notifications", "from", "count"],
  ["v1", "GET", "/activities", "from", "count", "actor", "action"],
  ["v1", "GET", "/sessions/history/recent"],
  ["v1", "GET", "/activities/events/files/{}"],
];

test("API-01 every call of both texts exists at its path, verb and query", () => {
  const endpoints = Object.values(api) as Endpoint[];
  const missing = calls.flatMap(([version, method, path, ...names]) => {
    const endpoint = endpoints.find(
      (each) => each.versions.includes(version) && each.method === method && each.path.replaceAll(/\{\w+\}/g, "{}") === path,
    );
    if (!endpoint) return [`${version} ${method} ${path}`];
    const query = Object.keys((endpoint.query?._zod.def as { shape?: object } | undefined)?.shape ?? {});
    return names.filter((name) => !query.includes(name)).map((name) => `${method} ${path}?${name}`);
  });
  expect(missing).toEqual([]);
});

test("what a call changes is what another call answers", () => {
  const endpoints = Object.values<Endpoint>(api);
  const answered = new Set(endpoints.filter(({ method }) => method === "GET").map(({ path }) => path));
  const unknown = endpoints.flatMap(({ changes = [] }) => (changes === "everything" ? [] : changes.filter((path) => !answered.has(path))));
  expect(unknown).toEqual([]);
  // What is only read changes nothing: such a line is at the wrong call.
  const reading = endpoints.filter(({ method, refusesDemoUsers, changes }) => method === "GET" && !refusesDemoUsers && changes);
  expect(reading.map(({ path }) => path)).toEqual([]);
});

test("whatever changes customers, facilities, locations or nodes has the tree and the list of nodes asked for again", () => {
  const changing = Object.values<Endpoint>(api).filter(
    ({ method, path }) => method !== "GET" && /^\/(customers|nodes)(\/\{id\}.*)?$/.test(path),
  );
  expect(changing.length).toBeGreaterThan(12);
  const silent = changing.filter(({ changes = [] }) => !["/customers", "/nodes"].every((path) => changes.includes(path)));
  expect(silent.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

/** Every object of a schema, with where it is. */
function objectsOf(schema: z.$ZodType, place: string): { place: string; isStrict: boolean }[] {
  const { def } = (schema as z.$ZodTypes)._zod;
  switch (def.type) {
    case "object": {
      const inner = Object.entries(def.shape).flatMap(([name, field]) => objectsOf(field, `${place}.${name}`));
      return [{ place, isStrict: (def.catchall as z.$ZodTypes | undefined)?._zod.def.type === "never" }, ...inner];
    }
    case "array":
      return objectsOf(def.element, `${place}[]`);
    case "tuple":
      return def.items.flatMap((item, index) => objectsOf(item, `${place}[${index}]`));
    case "union":
      return def.options.flatMap((option) => objectsOf(option, place));
    case "record":
      return objectsOf(def.valueType, `${place}{}`);
    case "optional":
    case "nullable":
    case "default":
      return objectsOf(def.innerType, place);
    case "pipe":
      return objectsOf(def.in, place);
    case "string":
    case "number":
    case "boolean":
    case "enum":
    case "literal":
    case "unknown":
    case "custom":
      return [];
    default:
      throw new Error(`${place}: a schema of the type ${def.type} may hide an object`);
  }
}

test("A-21 every object of every body and query refuses fields that it does not know", () => {
  const objects = Object.entries<Endpoint>(api).flatMap(([name, { body, query }]) => [
    ...(body ? objectsOf(body, `${name} body`) : []),
    ...(query ? objectsOf(query, `${name} query`) : []),
  ]);
  expect(objects.length).toBeGreaterThan(40);
  expect(objects.filter(({ isStrict }) => !isStrict).map(({ place }) => place)).toEqual([]);
});
