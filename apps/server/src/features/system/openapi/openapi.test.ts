import { api } from "@busbar/contract/api.ts";
import type { Endpoint } from "@busbar/contract/endpoint.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import type { OpenApiDocument } from "./openapi.view.ts";

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.stop());

const everyCall = Object.values<Endpoint>(api).flatMap((call) => call.versions.map((version) => ({ call, version })));

test("API-02 lists exactly the contract's endpoints, with their inputs", async () => {
  const { json } = await server.call({ method: "GET", url: "/openapi.json" });
  const paths = json["paths"] as Record<string, Record<string, { parameters: { name: string }[]; security: object[] }>>;
  const documented = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} /api${path}`),
  );
  const registered = everyCall.map(({ call, version }) => `${call.method} ${version === "v2" ? "/api/v2" : "/api"}${call.path}`);
  expect(documented.toSorted()).toEqual(registered.toSorted());
  expect(paths["/nodes/{serial}/realtime"]?.["get"]?.parameters.map(({ name }) => name)).toEqual(["serial", "limit", "before"]);
  expect(paths["/sessions/administrator"]?.["post"]?.security).toEqual([]);
  expect(paths["/node-dashboard"]?.["get"]?.security).toEqual([{ token: [] }]);
});

test("API-02 is sound: names are unique, parameters are in the path, references lead somewhere, bodies are described", async () => {
  const document = (await server.call({ method: "GET", url: "/openapi.json" })).json as unknown as OpenApiDocument;
  expect(document.openapi).toBe("3.1.0");
  const operations = Object.entries(document.paths).flatMap(([path, byMethod]) =>
    Object.values(byMethod).map((operation) => ({ path, operation })),
  );
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { path, operation } of operations) {
    const named = operation.parameters.filter((parameter) => parameter.in === "path").map(({ name }) => `{${name}}`);
    expect(named).toEqual(path.match(/\{\w+\}/g) ?? []);
    expect(operation.responses["200"]?.content["application/json"].schema).toMatchObject({ type: "object", required: ["data"] });
    for (const scheme of operation.security.flatMap(Object.keys)) expect(document.components.securitySchemes).toHaveProperty(scheme);
  }
  const references = JSON.stringify(document).match(/"\$ref":"[^"]+"/g) ?? [];
  expect(new Set(references)).toEqual(new Set(['"$ref":"#/components/schemas/ApiError"']));
  expect(document.components.schemas["ApiError"]).toMatchObject({ required: ["errorCode", "errorMessage"] });
  const login = document.paths["/sessions/administrator"]?.["post"]?.requestBody?.content["application/json"]?.schema;
  expect(login).toMatchObject({ required: ["password"], properties: { duration: { default: 86_400, minimum: 60 } } });
});

test("API-02 has a readable page", async () => {
  const { status, text, headers } = await server.call({ method: "GET", url: "/docs" });
  expect(status).toBe(200);
  expect(headers["content-type"]).toContain("text/html");
  for (const { call } of everyCall) expect(text).toContain(call.path);
});
