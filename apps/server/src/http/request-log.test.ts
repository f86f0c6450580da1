import fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, testPassword, type TestApp } from "#testing/test-app.ts";
import type { FinishedRequest } from "./request-counter.ts";
import { logRequests } from "./request-log.ts";

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.stop());

const canary = "C4N4RY913377";

/** From now on reading scalars fails as no code expects. */
const breakHistory = () => server.database.pool.query("alter table if exists scalar rename to scalar_elsewhere");

test("nothing that a caller sends is in the log: address, query, headers, body, whether it succeeds, is refused or crashes", async () => {
  await breakHistory();
  const token = await server.login(await server.addAdministrator("quietperson"));
  const headers = { authorization: `Bearer ${canary}`, cookie: `admin-token=${canary}`, "user-agent": canary };
  const statuses: number[] = [];
  const send = async (options: Parameters<TestApp["call"]>[0]) => statuses.push((await server.call({ headers, ...options })).status);
  await send({ method: "GET", url: `/api/auditlog/networkconfig?filter=${canary}`, token, headers: {} });
  await send({ method: "GET", url: `/api/node-dashboard?x=${canary}`, token, headers: {} });
  await send({ method: "GET", url: `/api/node-dashboard?since=${canary}`, headers: { token: canary } });
  await send({ method: "GET", url: `/api/nodes/${canary}/realtime`, token });
  await send({ method: "GET", url: `/api/2fa/${canary}/x` });
  await send({ method: "GET", url: `/api/${canary}%` });
  await send({ method: "PUT", url: `/api/nodes/${canary}/realtime` });
  await send({ method: "GET", url: "/api/nodes/10001/realtime?limit=50", token, headers: { "user-agent": canary } });
  await send({ method: "POST", url: "/api/sessions/administrator", payload: { username: "quietperson", password: canary } });
  await send({
    method: "POST",
    url: "/api/sessions/administrator",
    payload: `{"password":"${canary}"`,
    headers: { "content-type": "application/json" },
  });
  expect(statuses).toEqual([200, 400, 401, 400, 404, 400, 405, 500, 401, 400]);
  for (const secret of [canary, token, testPassword]) expect(server.logText()).not.toContain(secret);
  expect(server.logText()).toContain('"route":"/api/nodes/:serial/realtime","status":500');
});

test("an unexpected error is a plain sentence whose request id is in the log", async () => {
  await breakHistory();
  const token = await server.login(await server.addAdministrator("unluckyperson"));
  const { json } = await server.call({ method: "GET", url: "/api/nodes/10001/realtime", token });
  const id = /under request ([\w-]{36})$/.exec(String(json["errorMessage"]))?.[1];
  expect(json).toEqual({ errorCode: "INTERNAL", errorMessage: expect.any(String) });
  expect(id).toBeDefined();
  const line = server
    .logText()
    .split("\n")
    .find((text) => text.includes('relation \\"scalar\\" does not exist') && text.includes(String(id)));
  expect(line).toBeDefined();
});

test("DSH-01 only API requests count as served", async () => {
  const served = server.context.requests.served();
  await server.call({ method: "GET", url: "/healthz" });
  await server.call({ method: "GET", url: "/admin/" });
  expect(server.context.requests.served()).toBe(served);
  await server.call({ method: "GET", url: "/api/node-dashboard" });
  expect(server.context.requests.served()).toBe(served + 1);
});

test("a request is measured in seconds, from its first byte to its answer's last", async () => {
  const app = fastify();
  const finished: FinishedRequest[] = [];
  let elapsedMs = 0;
  logRequests(app, (request) => finished.push(request));
  app.addHook("onResponse", async (_request, reply) => void (elapsedMs = reply.elapsedTime));
  app.get("/api/x/:id", () => "answered");
  await app.inject({ method: "GET", url: "/api/x/7" });
  expect(finished).toEqual([{ method: "GET", route: "/api/x/:id", status: 200, seconds: elapsedMs / 1000 }]);
  await app.close();
});
