import fastify, { type FastifyInstance } from "fastify";
import { Gauge, Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerError } from "#http/errors.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, setLive } from "#testing/test-world.ts";
import { healthRoutes } from "./health.routes.ts";
import { registerPlatformMetrics } from "./platform-metrics.ts";

const metricsToken = "metrics-token-of-test";
let server: TestApp;
beforeAll(async () => {
  server = await createTestApp({ METRICS_TOKEN: metricsToken });
});
afterAll(() => server.stop());

test("a living process says so, a ready one too", async () => {
  expect((await server.call({ method: "GET", url: "/healthz" })).json).toEqual({ status: "ok" });
  expect((await server.call({ method: "GET", url: "/readyz" })).json).toEqual({ status: "ready" });
  for (const url of ["/healthz", "/readyz"]) expect((await server.call({ method: "HEAD", url })).status).toBe(200);
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

test("metrics are those of this thread and of the ones beside it", async () => {
  const app = fastify();
  const registry = new Registry();
  new Gauge({ name: "own_figure", help: "x", registers: [registry] }).set(1);
  healthRoutes(app, {
    checks: [],
    registry,
    threadMetrics: async () => ["ingest_figure 2", "", "services_figure 3"],
    metricsToken: undefined,
  });
  const { body, headers } = await app.inject({ method: "GET", url: "/metrics" });
  expect(body.split("\n").filter((line) => line !== "" && !line.startsWith("#"))).toEqual([
    "own_figure 1",
    "ingest_figure 2",
    "services_figure 3",
  ]);
  expect(headers["content-type"]).toContain("text/plain");
  await app.close();
});

test("metrics are for this machine and for the holder of the token", async () => {
  const ask = (remoteAddress: string, headers: Record<string, string> = {}) =>
    server.call({ method: "GET", url: "/metrics", remoteAddress, headers });
  for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1"]) expect((await ask(address)).status).toBe(200);
  expect((await ask("192.0.2.1")).json).toMatchObject({ errorCode: "FORBIDDEN" });
  expect((await ask("192.0.2.1", { authorization: "Bearer metrics-token-of-tesT" })).status).toBe(403);
  expect((await ask("192.0.2.1", { authorization: `Bearer ${metricsToken}` })).status).toBe(200);
  // A proxy on this machine says whom it speaks for; anyone else saying so is not believed.
  expect((await ask("127.0.0.1", { "x-forwarded-for": "192.0.2.1" })).status).toBe(403);
  expect((await ask("192.0.2.1", { "x-forwarded-for": "127.0.0.1" })).status).toBe(403);
});

test("A-40 a proxy elsewhere says whom it speaks for, and that it asks elsewhere, when it is trusted", async () => {
  const behind = await createTestApp({ TRUSTED_PROXIES: "10.1.0.0/16, ::1" });
  const headers = { "x-forwarded-for": "127.0.0.1", "x-asks-elsewhere": "reads" };
  const ask = async (remoteAddress: string) => (await behind.call({ method: "GET", url: "/metrics", remoteAddress, headers })).status;
  const hasProxies = async () => {
    await behind.app.leaveProxies();
    return behind.logText().includes("left the proxies");
  };
  expect([await ask("10.2.2.3"), await ask("127.0.0.1"), await hasProxies()]).toEqual([403, 200, false]);
  expect([await ask("10.1.2.3"), await hasProxies()]).toEqual([200, true]);
  await behind.stop();
});

test("without a token no one else may read them", async () => {
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

describe("metrics of the platform", () => {
  /** Values by name and labels, as a scraper reads them. */
  const read = async (app: FastifyInstance) => {
    const { statusCode, body } = await app.inject({ method: "GET", url: "/metrics" });
    expect(statusCode).toBe(200);
    const lines = body.split("\n").filter((line) => line.startsWith("busbar_"));
    return new Map(
      lines.map((line): [string, number] => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
    );
  };

  test("report services, mail, nodes and the disk", async () => {
    const { pool } = server.database;
    const now = server.clock.now() / 1000;
    await addNode(pool, 20001);
    await addNode(pool, 20002);
    await setLive(pool, 20001, { is_connected: true });
    await pool.query("update service set is_enabled = true");
    await pool.query(
      `insert into service (name, interval_seconds, next_run_at, is_enabled, failing_since) values
         ('Broken', 60, now(), true, to_timestamp($1)), ('Off', 60, now(), false, null),
         ('Forgotten', 60, to_timestamp($1), true, null)`,
      [now - 900],
    );
    await pool.query(
      `insert into notification (kind, subject, body, recipients_to, message_id, created_at, next_attempt_at)
       select 'TEST', '', '', '{}', n::text, to_timestamp($1), case when n < 3 then to_timestamp($1) end from generate_series(1, 5) n`,
      [now - 120],
    );
    const metrics = await read(server.app);
    expect(metrics.get('busbar_service_failing_seconds{service="Broken"}')).toBeCloseTo(900, 0);
    expect(metrics.get('busbar_service_failing_seconds{service="Forgotten"}')).toBeCloseTo(900, 0);
    expect(metrics.get('busbar_service_failing_seconds{service="Off"}')).toBe(0);
    expect([metrics.get('busbar_service_enabled{service="Broken"}'), metrics.get('busbar_service_enabled{service="Off"}')]).toEqual([1, 0]);
    expect([metrics.get("busbar_mail_waiting"), metrics.get("busbar_mail_oldest_waiting_seconds")]).toEqual([2, expect.closeTo(120, 0)]);
    expect([metrics.get("busbar_nodes"), metrics.get("busbar_nodes_connected"), metrics.get("busbar_database_up")]).toEqual([2, 1, 1]);
    expect(metrics.get("busbar_disk_free_ratio")).toBeGreaterThan(0);
  });

  test("say that the database is away, and nothing that is not known any more", async () => {
    const registry = new Registry();
    let isAway = false;
    registerPlatformMetrics({
      registry,
      readFigures: () =>
        isAway
          ? Promise.reject(new Error("away"))
          : Promise.resolve({ services: [], waitingMail: 7, oldestWaitingMailSeconds: 1, nodes: 2, connectedNodes: 1 }),
      readDisk: () => Promise.reject(new Error("EIO")),
    });
    const app = fastify();
    healthRoutes(app, { checks: [], registry, metricsToken: undefined });
    expect((await read(app)).get("busbar_mail_waiting")).toBe(7);
    isAway = true;
    expect([...(await read(app))]).toEqual([["busbar_database_up", 0]]);
    await app.close();
  });
});
