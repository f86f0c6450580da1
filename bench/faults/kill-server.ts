import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@busbar/server/testing/free-port.ts";
import { readConfig } from "@busbar/server/config.ts";
import { createPool, type Pool } from "@busbar/server/db/pool.ts";
import { createLog } from "@busbar/server/lib/log.ts";
import { startServer } from "@busbar/server/server.ts";
import { createDevice, type Device } from "./device.ts";
import { startServerProcess } from "./server-process.ts";

const deviceCount = 20;
const firstSerial = 20_000;
const messagesPerSecond = 100;

/**
 * R1: kills the server (SIGKILL) again and again while nodes publish at QoS 1, and compares what was acknowledged with what is
 * stored. Nodes send again, as historical, what was not acknowledged. Returns whether nothing is missing and nothing double.
 */
export async function killServer(kills: number): Promise<boolean> {
  const dataDir = await mkdtemp(join(tmpdir(), "busbar-kill-"));
  const mqttPort = await freePort();
  const env = { DATA_DIR: dataDir, PORT: String(await freePort()), V2_PORT: "0", MQTT_PORT: String(mqttPort), LOG_LEVEL: "warn" };
  const devices = Array.from({ length: deviceCount }, (_, index) =>
    createDevice(firstSerial + index, randomBytes(16).toString("hex"), mqttPort),
  );
  await provision(env, devices);

  let slowestReadyMs = 0;
  let lostInFlight = 0;
  for (let kill = 1; kill <= kills; kill++) {
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
  console.log(`kill-server: ${kills} kills under ${deviceCount * messagesPerSecond} msg/s (QoS 1)`);
  console.log(
    `  acknowledged ${acknowledged}, of them missing ${missing}; stored ${stored}, not from these nodes or double ${Math.max(0, extra)}`,
  );
  console.log(`  in flight at the kills, sent again ${lostInFlight}; slowest start to ready ${Math.round(slowestReadyMs)} ms`);
  // If no kill ever hit a message in flight, the test proved nothing.
  const isProof = lostInFlight > 0 && acknowledged > 0;
  if (!isProof) console.error("  no message was in flight at any kill: the load is too low to prove anything");
  return missing === 0 && extra <= 0 && isProof;
}

async function provision(env: Record<string, string>, devices: Device[]): Promise<void> {
  const server = await startServer(readConfig(env), { log: createLog("warn"), roles: ["services"] });
  for (const { serial, secret } of devices) {
    await server.pool.query("insert into node (serial_number) values ($1)", [serial]);
    const hash = createHash("sha256").update(secret).digest();
    await server.pool.query("insert into node_credential (serial_number, secret_hash) values ($1, $2)", [serial, hash]);
  }
  await server.stop();
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
