import fastify from "fastify";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerError } from "#http/errors.ts";
import { createTestApp } from "#testing/test-app.ts";
import type { TestApp } from "#testing/test-app.ts";
import { healthRoutes } from "./health.routes.ts";

const metricsToken = "metrics-token-of-test";
let server: TestApp;
beforeAll(async () => {
  server = await createTestApp({ METRICS_TOKEN: metricsToken });
});
afterAll(() => server.stop());

test("a living process says so, a ready one too", async () => {
  expect((await server.call({ method: "GET", url: "/healthz" })).json).toEqual({ status: "ok" });
  expect((await server.call({ method: "GET", url: "/readyz" })).json).toEqual({ status: "ready" });
});

test("what is missing is named, and when to ask again", async () => {
  const app = fastify();
  const checks = [
    { name: "fleet", problem: () => "the fleet has not been read yet" },
    { name: "ingest", problem: () => Promise.resolve("the broker cannot be reached") },
    { name: "fine", problem: () => undefined },
  ];
  healthRoutes(app, { checks, registry: new Registry(), metricsToken: undefined });
  const answer = await app.inject({ method: "GET", url: "/readyz" });
  expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "2"]);
  expect(answer.json()).toEqual({
    status: "not ready",
    problems: { fleet: "the fleet has not been read yet", ingest: "the broker cannot be reached" },
  });
  await app.close();
});

test("metrics are for this machine and for the holder of the token", async () => {
  const ask = (remoteAddress: string, headers: Record<string, string> = {}) =>
    server.call({ method: "GET", url: "/metrics", remoteAddress, headers });
  for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1"]) expect((await ask(address)).status).toBe(200);
  expect((await ask("192.0.2.1")).json).toMatchObject({ errorCode: "FORBIDDEN" });
  expect((await ask("192.0.2.1", { authorization: "Bearer metrics-token-of-tesT" })).status).toBe(403);
  expect((await ask("192.0.2.1", { authorization: `Bearer ${metricsToken}` })).status).toBe(200);
  // A proxy on this machine says whom it speaks for; anybody else saying so is not believed.
  expect((await ask("127.0.0.1", { "x-forwarded-for": "192.0.2.1" })).status).toBe(403);
  expect((await ask("192.0.2.1", { "x-forwarded-for": "127.0.0.1" })).status).toBe(403);
});

test("without a token nobody else may read them", async () => {
  const app = fastify();
  app.setErrorHandler(answerError);
  healthRoutes(app, { checks: [], registry: new Registry(), metricsToken: undefined });
  for (const authorization of ["Bearer ", "Bearer undefined"]) {
    expect((await app.inject({ method: "GET", url: "/metrics", remoteAddress: "192.0.2.1", headers: { authorization } })).statusCode).toBe(
      403,
    );
  }
  await app.close();
});

test("requests are measured by route template", async () => {
  await server.call({ method: "GET", url: "/api/nodes/31337/realtime" });
  const { text } = await server.call({ method: "GET", url: "/metrics" });
  expect(text).toContain('busbar_http_request_seconds_count{method="GET",route="/api/nodes/:serial/realtime",status="401"} 1');
  expect(text).not.toContain("31337");
});
