import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { groupOf, nodeTopic } from "@busbar/sparkplug/topic.ts";
import { createEdgeSession } from "@busbar/sparkplug/edge-session.ts";
import { createIngestContext } from "#src/ingest-context.ts";
import { bootPostgres, type EmbeddedPostgres } from "#db/embedded-postgres.ts";
import { migrate } from "#db/migrate.ts";
import { createPool } from "#db/pool.ts";
import { systemClock } from "#lib/clock.ts";
import { createDiskGuard } from "#lib/disk-guard.ts";
import { silentLog } from "#lib/log.ts";
import { hashNodeSecret } from "#lib/node-secrets.ts";
import { birthMetrics, connectNode, scalarMetrics, testSecret } from "#testing/test-ingest.ts";
import { addNode } from "#testing/test-world.ts";

const serial = 50_001;

async function createLonelyIngest() {
  const folder = await mkdtemp(join(tmpdir(), "busbar-ingest-away-"));
  const boot = (): Promise<EmbeddedPostgres> => bootPostgres({ dataDir: join(folder, "postgres"), log: silentLog });
  let postgres = await boot();
  const admin = createPool(postgres.url, { max: 2 });
  await migrate(admin, silentLog);
  await addNode(admin, serial);
  await admin.query("insert into node_credential (serial_number, secret_hash) values ($1, $2)", [serial, hashNodeSecret(testSecret)]);
  const pool = createPool(postgres.url, { max: 5, pipeline: true, statementTimeoutMs: 1_000 });
  const context = createIngestContext({
    pool,
    config: { host: "127.0.0.1", mqttPort: 0, mqttUrl: undefined, scalarRetentionDays: 3, dataDir: "unused", trustedProxies: [] },
    log: silentLog,
    clock: systemClock,
    registry: new Registry(),
    disk: createDiskGuard({ folder, clock: systemClock, log: silentLog }),
  });
  const { mqttUrl } = await context.start();
  return {
    context,
    mqttUrl,
    rows: async (text: string) => (await admin.query(text)).rows,
    stopDatabase: () => postgres.stop(),
    async startDatabase() {
      postgres = await boot();
    },
    /** The server does not answer, but its sockets stay open. */
    freezeDatabase: () => process.kill(postgres.pid, "SIGSTOP"),
    thawDatabase: () => process.kill(postgres.pid, "SIGCONT"),
    async stop() {
      await context.stop();
      await pool.end();
      await admin.end();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

let lonely: Awaited<ReturnType<typeof createLonelyIngest>>;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  lonely = await createLonelyIngest();
});
afterAll(async () => {
  vi.useRealTimers();
  await lonely.stop();
});

test("R5 without the database nothing is acknowledged; when it is back, all of it is, by itself", async () => {
  const client = await connectNode(lonely.mqttUrl, String(serial));
  const edge = createEdgeSession({ group: groupOf(serial), edge: String(serial) });
  edge.connect(Date.now());
  const topic = (kind: "NBIRTH" | "NDATA") => nodeTopic(kind, groupOf(serial), String(serial));
  await client.publishAsync(topic("NBIRTH"), Buffer.from(edge.birth(birthMetrics(), Date.now()).payload), { qos: 1 });
  expect(lonely.context.problem()).toBeUndefined();

  await lonely.stopDatabase();
  const now = Date.now();
  let acknowledged = 0;
  const sent = Array.from({ length: 50 }, async (_, index) => {
    const { payload } = edge.data(scalarMetrics(now - index * 1_000, index), now);
    await client.publishAsync(topic("NDATA"), Buffer.from(payload), { qos: 1 });
    acknowledged++;
  });
  await expect.poll(() => lonely.context.problem()).toContain("cannot be stored since");
  expect(acknowledged).toBe(0);

  await lonely.startDatabase();
  await Promise.all(sent);
  expect(await lonely.rows("select count(*)::int from scalar")).toEqual([{ count: 50 }]);
  await expect.poll(() => lonely.context.problem()).toBeUndefined();
  expect(client.connected).toBe(true);
  client.end(true);
});

test("a worker whose nodes send nothing is ready again once the database is back", async () => {
  const client = await connectNode(lonely.mqttUrl, String(serial));
  const edge = createEdgeSession({ group: groupOf(serial), edge: String(serial) });
  edge.connect(Date.now());
  const birth = Buffer.from(edge.birth(birthMetrics(), Date.now()).payload);
  await client.publishAsync(nodeTopic("NBIRTH", groupOf(serial), String(serial)), birth, { qos: 1 });
  expect(lonely.context.problem()).toBeUndefined();
  await lonely.stopDatabase();
  // Nodes are read again every minute.
  vi.advanceTimersByTime(60_000);
  await expect.poll(() => lonely.context.problem()).toContain("cannot be stored since");
  await lonely.startDatabase();
  await expect.poll(() => (vi.advanceTimersByTime(1_000), lonely.context.problem())).toBeUndefined();
  client.end(true);
});
