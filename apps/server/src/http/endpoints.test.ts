import { api } from "@busbar/contract/api.ts";
import { endpoint } from "@busbar/contract/endpoint.ts";
import type { Endpoint } from "@busbar/contract/endpoint.ts";
import fastify from "fastify";
import * as z from "zod/mini";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp } from "#testing/test-app.ts";
import type { TestApp } from "#testing/test-app.ts";
import { endpointUrl, registerEndpoint } from "./endpoints.ts";
import { answerError } from "./errors.ts";

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.stop());

const everyCall = Object.entries<Endpoint>(api).flatMap(([name, call]) => call.versions.map((version) => ({ name, call, version })));

describe("every endpoint of the contract", () => {
  const guarded = everyCall.filter(({ call }) => call.access !== "public");

  test.each(guarded)("SEC-01 $name ($version) refuses no token, a bad one and a revoked one", async ({ call, version }) => {
    const url = endpointUrl(version, call.path).replace(":serial", "10001");
    const ask = (token?: string) =>
      server.call({ method: call.method, url, ...(token === undefined ? {} : { token }), ...(call.body ? { payload: {} } : {}) });
    const username = await server.addAdministrator(`walker${Math.random().toString(36).slice(2)}`);
    const revoked = await server.login(username);
    await server.call({ method: "DELETE", url: "/api/sessions", token: revoked });
    for (const answer of [await ask(), await ask("bad"), await ask(revoked)]) {
      expect(answer.status).toBe(401);
      expect(answer.json).toEqual({ errorCode: "UNAUTHORIZED", errorMessage: expect.any(String) });
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
  const reboot = endpoint({
    versions: ["v1", "v2"],
    method: "POST",
    path: "/test/{name}",
    access: "systemAdministrator",
    summary: "A privileged call",
    params: z.object({ name: z.string() }),
    data: z.string(),
  });

  test("SEC-02 a role is needed on both bases; the session decides, not what the client says", async () => {
    const app = fastify();
    app.setErrorHandler(answerError);
    for (const version of reboot.versions)
      registerEndpoint(
        app,
        version,
        reboot,
        (input) => (input as { params: { name: string } }).params.name,
        server.context.sessions.authenticate,
      );
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
  test("unknown addresses are JSON errors too, without the query", async () => {
    const { status, json } = await server.call({ method: "GET", url: "/api/nothing?secret=1" });
    expect([status, json]).toEqual([404, { errorCode: "NOT_FOUND", errorMessage: "GET /api/nothing was not found" }]);
  });

  test("API-03 a body over 1 MB is refused", async () => {
    const { status, json } = await server.call({
      method: "POST",
      url: "/api/sessions/administrator",
      payload: { username: "x".repeat(1_100_000), password: "x" },
    });
    expect([status, json["errorCode"]]).toEqual([413, "TOO_LARGE"]);
  });

  test("every answer carries the security headers", async () => {
    for (const url of ["/healthz", "/api/nothing", "/docs", "/openapi.json", "/admin/"]) {
      const { headers } = await server.call({ method: "GET", url });
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "strict-transport-security": expect.stringContaining("max-age=31536000"),
        "content-security-policy": expect.stringContaining("default-src 'none'"),
      });
      expect(headers).not.toHaveProperty("server");
      expect(headers).not.toHaveProperty("x-powered-by");
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
});

describe("the OpenAPI document", () => {
  test("API-02 lists exactly the contract's endpoints, with their inputs", async () => {
    const { json } = await server.call({ method: "GET", url: "/openapi.json" });
    const paths = json["paths"] as Record<string, Record<string, { parameters: { name: string }[]; security: object[] }>>;
    const documented = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} /api${path}`),
    );
    const registered = everyCall.map(({ call, version }) => `${call.method} ${version === "v2" ? "/api/v2" : "/api"}${call.path}`);
    expect(documented.toSorted()).toEqual(registered.toSorted());
    expect(paths["/nodes/{serial}/realtime"]?.["get"]?.parameters.map(({ name }) => name)).toEqual(["serial", "limit"]);
    expect(paths["/sessions/administrator"]?.["post"]?.security).toEqual([]);
    expect(paths["/node-dashboard"]?.["get"]?.security).toEqual([{ token: [] }]);
  });

  test("API-02 has a readable page", async () => {
    const { status, text, headers } = await server.call({ method: "GET", url: "/docs" });
    expect(status).toBe(200);
    expect(headers["content-type"]).toContain("text/html");
    for (const { call } of everyCall) expect(text).toContain(call.path);
  });
});
