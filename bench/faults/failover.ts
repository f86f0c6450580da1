import { createHash, randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "@busbar/server/testing/free-port.ts";
import type { NodeDashboard } from "@busbar/contract/telemetry/node-dashboard.ts";
import { createPool, type Pool } from "@busbar/server/db/pool.ts";
import { createUndoStack, type UndoStack } from "@busbar/server/undo-stack.ts";
import { startPatroni, whyNoPatroni } from "../lib/patroni.ts";
import { startServerProcess } from "../lib/server-process.ts";
import { createStaffSessions } from "../lib/staff-sessions.ts";
import { createDevice, type Device } from "./device.ts";

const deviceCount = 20;
const firstSerial = 20_000;
const perDeviceAndSecond = 20;
const longestWithoutWritesMs = 30_000;
/** How long it takes is judged from so many kills on: a test of one kill shares its machine with others. */
const killsToJudge = 5;

/**
 * Kills the primary of a PostgreSQL under Patroni (SIGKILL, its Patroni too) so many times while nodes publish at QoS 1 and a console follows the
 * dashboard. Compares what was acknowledged with what is stored, and what the console was sent with the whole dashboard.
 */
export async function failOver(kills: number): Promise<boolean> {
  const missing = whyNoPatroni();
  if (missing !== undefined) {
    console.log(`failover: left out, because ${missing}`);
    return true;
  }
  const folder = await mkdtemp(join(tmpdir(), "busbar-failover-"));
  // PostgreSQL is another user's where this one is root.
  await chmod(folder, 0o711);
  const undo = createUndoStack();
  undo.add(() => rm(folder, { recursive: true, force: true }));
  try {
    return await killPrimaries(kills, folder, undo);
  } finally {
    await undo.run();
  }
}

async function killPrimaries(kills: number, folder: string, undo: UndoStack): Promise<boolean> {
  const cluster = await startPatroni(join(folder, "patroni"), freePort);
  undo.add(() => cluster.stop());
  const pool = createPool(cluster.url, { max: 2 });
  undo.add(() => pool.end());
  const mqttPort = await freePort();
  const dataDir = join(folder, "data");
  const env = { DATABASE_URL: cluster.url, MQTT_PORT: String(mqttPort), LOG_LEVEL: "info" };
  const server = await startServerProcess({ dataDir, undo, env });
  await startServerProcess({ dataDir, undo, roles: "services", env });
  const devices = Array.from({ length: deviceCount }, (_, index) =>
    createDevice(firstSerial + index, randomBytes(16).toString("hex"), mqttPort),
  );
  await provision(pool, devices);
  const [token = ""] = await createStaffSessions(pool, dataDir, 1);
  const screen = followDashboard(server.urls.console, token);
  await Promise.all(devices.map((device) => device.connect()));
  const sending = setInterval(() => {
    for (const device of devices) device.publish();
  }, 1_000 / perDeviceAndSecond);

  let slowestMs = 0;
  let inFlight = 0;
  for (let kill = 0; kill < kills; kill++) {
    const { primary } = await cluster.untilWhole();
    await pause(500 + Math.random() * 1_500);
    await primary.kill();
    // What was sent before may have been acknowledged by the old primary.
    const killedAt = Date.now();
    inFlight += devices.reduce((sum, device) => sum + device.unacknowledged(), 0);
    while (!devices.some((device) => (device.acknowledgedTimes().at(-1) ?? 0) > killedAt)) await pause(50);
    slowestMs = Math.max(slowestMs, Date.now() - killedAt);
    primary.restart();
    await untilServicesRun(pool);
  }
  clearInterval(sending);
  await Promise.all(devices.map((device) => device.settled()));
  const { lost, extra, acknowledged } = await compare(pool, devices);
  const { refused, differing } = await screen.stop();
  console.log(`failover: ${kills} kills of the primary (Patroni, etcd, HAProxy) under ${deviceCount * perDeviceAndSecond} msg/s (QoS 1)`);
  console.log(
    `  acknowledged ${acknowledged}, of them lost ${lost}; stored twice or never sent ${extra}; waiting at the kills ${inFlight}`,
  );
  console.log(
    `  slowest return of writes ${Math.round(slowestMs)} ms, without a restart; the console's session refused ${refused} times, nodes that it shows otherwise than they are ${differing}`,
  );
  const isSoon = kills < killsToJudge || slowestMs <= longestWithoutWritesMs;
  return lost === 0 && extra === 0 && refused === 0 && differing === 0 && acknowledged > 0 && isSoon;
}

async function provision(pool: Pool, devices: readonly Device[]): Promise<void> {
  for (const { serial, secret } of devices) {
    await pool.query("insert into node (serial_number) values ($1)", [serial]);
    const hash = createHash("sha256").update(secret).digest();
    await pool.query("insert into node_credential (serial_number, secret_hash) values ($1, $2)", [serial, hash]);
  }
}

/** Keeps the dashboard from its changes alone. */
function followDashboard(origin: string, token: string) {
  const shown = new Map<string, NodeDashboard["dashboardNodeMap"][string]>();
  const stopping = new AbortController();
  let refused = 0;
  const ask = async (since: string): Promise<NodeDashboard | undefined> => {
    const answer = await fetch(`${origin}/api/node-dashboard${since}`, { headers: { token } });
    if (answer.status === 401) refused++;
    return answer.ok ? ((await answer.json()) as { data: NodeDashboard }).data : undefined;
  };
  const run = async () => {
    let since = "";
    while (!stopping.signal.aborted) {
      const data = await ask(since);
      for (const [serial, node] of Object.entries(data?.dashboardNodeMap ?? {})) shown.set(serial, { ...shown.get(serial), ...node });
      if (data) since = `?since=${data.revision}`;
      await pause(200);
    }
    return since;
  };
  const running = run();
  return {
    async stop() {
      // The last changes are a tick away.
      await pause(2_000);
      stopping.abort();
      await running;
      const whole = (await ask(""))?.dashboardNodeMap ?? {};
      const differing = Object.entries(whole).filter(([serial, node]) => node.lastScalarData !== shown.get(serial)?.lastScalarData).length;
      return { refused, differing: Object.keys(whole).length === 0 ? Infinity : differing };
    },
  };
}

/** Some service has run again since now. */
async function untilServicesRun(pool: Pool): Promise<void> {
  const newest = () =>
    pool.query<{ at: Date | null }>("select max(last_finished_at) as at from service").then(
      ({ rows }) => rows[0]?.at?.getTime() ?? 0,
      () => undefined,
    );
  let before: number | undefined;
  while (before === undefined) before = await newest();
  while (((await newest()) ?? 0) <= before) await pause(200);
}

async function compare(pool: Pool, devices: readonly Device[]): Promise<{ lost: number; extra: number; acknowledged: number }> {
  const { rows } = await pool.query<{ serial: number; ms: string }>(
    "select serial_number as serial, round(extract(epoch from ts) * 1000)::text as ms from scalar",
  );
  const stored = new Set(rows.map(({ serial, ms }) => `${serial} ${ms}`));
  const timesOf = (times: (device: Device) => number[]) =>
    devices.flatMap((device) => times(device).map((time) => `${device.serial} ${time}`));
  const sent = new Set(timesOf((device) => device.sentTimes()));
  const acknowledged = timesOf((device) => device.acknowledgedTimes());
  return {
    lost: acknowledged.filter((one) => !stored.has(one)).length,
    // Births bring a scalar too.
    extra: rows.length - stored.size + Math.max(0, [...stored].filter((one) => !sent.has(one)).length - devices.length),
    acknowledged: acknowledged.length,
  };
}
