import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@busbar/server/testing/free-port.ts";
import { createPool, type Pool } from "@busbar/server/db/pool.ts";
import { secretOf, seedFleet, serialOf } from "../lib/seed-fleet.ts";
import { createDevice, type Device } from "./device.ts";
import { startServerProcess } from "./server-process.ts";

const deviceCount = 20;
const messagesPerSecond = 100;
/** Beyond those that are asked for, until one met a message in flight. */
const mostKillsMore = 5;

/**
 * R1: kills the server (SIGKILL) again and again while nodes publish at QoS 1, and compares what was acknowledged with what is
 * stored. Nodes send again, as historical, what was not acknowledged. Returns whether nothing is missing and nothing double.
 */
export async function killServer(kills: number): Promise<boolean> {
  const dataDir = await mkdtemp(join(tmpdir(), "busbar-kill-"));
  const mqttPort = await freePort();
  const env = { DATA_DIR: dataDir, PORT: String(await freePort()), V2_PORT: "0", MQTT_PORT: String(mqttPort), LOG_LEVEL: "warn" };
  const devices = Array.from({ length: deviceCount }, (_, index) => createDevice(serialOf(index), secretOf(serialOf(index)), mqttPort));
  await seedFleet({ dataDir, nodes: deviceCount, connected: deviceCount });

  let slowestReadyMs = 0;
  let lostInFlight = 0;
  let killed = 0;
  // A kill that met no message in flight proves nothing.
  for (; killed < kills || (lostInFlight === 0 && killed < kills + mostKillsMore); killed++) {
    const startedAt = performance.now();
    const server = await startServerProcess(env);
    slowestReadyMs = Math.max(slowestReadyMs, performance.now() - startedAt);
    await Promise.all(devices.map((device) => device.connect()));
    const sending = setInterval(() => {
      for (const device of devices) device.publish();
    }, 1000 / messagesPerSecond);
    // A random moment of the load, never the same twice: the kill must hit receipt, write and acknowledgement alike.
    await new Promise((done) => setTimeout(done, 200 + Math.random() * 600));
    await server.kill();
    clearInterval(sending);
    lostInFlight += devices.reduce((sum, device) => sum + device.unacknowledged(), 0);
    await Promise.all(devices.map((device) => device.dropped()));
  }

  const last = await startServerProcess(env);
  await Promise.all(devices.map((device) => device.connect()));
  await Promise.all(devices.map((device) => device.settled()));
  const pool = createPool(last.databaseUrl, { max: 1 });
  const { missing, stored, acknowledged } = await compare(pool, devices);
  await pool.end();
  await Promise.all(devices.map((device) => device.end()));
  await last.stop();
  await rm(dataDir, { recursive: true, force: true });

  const sent = devices.reduce((sum, device) => sum + device.sentTimes().length, 0);
  const extra = stored - sent;
  console.log(`kill-server: ${killed} kills under ${deviceCount * messagesPerSecond} msg/s (QoS 1)`);
  console.log(
    `  acknowledged ${acknowledged}, of them missing ${missing}; stored ${stored}, not from these nodes or double ${Math.max(0, extra)}`,
  );
  console.log(`  in flight at the kills, sent again ${lostInFlight}; slowest start to ready ${Math.round(slowestReadyMs)} ms`);
  const isProof = lostInFlight > 0 && acknowledged > 0;
  if (!isProof) console.error("  no message was in flight at any kill: the load is too low to prove anything");
  return missing === 0 && extra <= 0 && isProof;
}

async function compare(pool: Pool, devices: Device[]): Promise<{ missing: number; stored: number; acknowledged: number }> {
  let missing = 0;
  let stored = 0;
  let acknowledged = 0;
  for (const device of devices) {
    const { rows } = await pool.query<{ ms: string }>(
      "select (extract(epoch from ts) * 1000)::bigint::text as ms from scalar where serial_number = $1",
      [device.serial],
    );
    const present = new Set(rows.map(({ ms }) => Number(ms)));
    stored += rows.length;
    for (const time of device.acknowledgedTimes()) {
      acknowledged++;
      if (!present.has(time)) missing++;
    }
  }
  return { missing, stored, acknowledged };
}
