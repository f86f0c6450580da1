import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "node:tls";
import { freePort } from "@busbar/server/testing/free-port.ts";
import { createPool } from "@busbar/server/db/pool.ts";
import { hashNodeSecret } from "@busbar/server/lib/node-secrets.ts";
import { startExampleProxy, whyNoExampleProxy, writeExampleProxy } from "../lib/example-proxy.ts";
import { fillMigrated } from "../lib/migrated-folder.ts";
import { startServerProcess } from "./server-process.ts";
import { startStormNode, type StormNode } from "./storm-node.ts";

const firstSerial = 20_000;
const strangersPerSecond = 60;
/** How long the last node may take; the point is that each comes in. */
const longestMs = 600_000;

/**
 * R6: nodes that come back all at once, over TLS through `deploy/nginx.conf`, each from its own address, while a stranger opens 60 TLS connections
 * a second and says nothing. Then the server is killed, and they come back again. Returns whether every node is in, both times.
 */
export async function storm(count: number): Promise<boolean> {
  const missing = whyNoExampleProxy();
  if (missing !== undefined) {
    console.log(`storm: left out, because ${missing}`);
    return true;
  }
  const folder = await mkdtemp(join(tmpdir(), "busbar-storm-"));
  const [http, https, mqtts, api, mqtt] = await Promise.all(Array.from({ length: 5 }, freePort));
  const ports = { http: http!, https: https!, mqtts: mqtts!, api: api!, mqtt: mqtt! };
  const env = { DATA_DIR: join(folder, "data"), PORT: String(api), V2_PORT: "0", MQTT_PORT: String(mqtt), LOG_LEVEL: "error" };
  await fillMigrated(env.DATA_DIR);
  const proxy = await startExampleProxy(writeExampleProxy(folder, ports), ports);
  let server = await startServerProcess(env);
  const secret = randomBytes(16).toString("hex");
  await addNodes(server.databaseUrl, count, secret);

  const flood = setInterval(() => {
    const stranger = connect({ host: "127.0.0.1", port: ports.mqtts, rejectUnauthorized: false });
    stranger.on("error", () => undefined);
  }, 1_000 / strangersPerSecond);
  console.log(`storm: ${count} nodes through deploy/nginx.conf, beside ${strangersPerSecond} silent TLS connections a second`);
  const nodes = Array.from({ length: count }, (_, index) => startStormNode(firstSerial + index, secret, ports.mqtts));
  const first = await allIn("at the start", nodes);
  await server.kill();
  while (nodes.some((node) => node.isIn())) await pause(50);
  server = await startServerProcess(env);
  const again = await allIn("after a kill of the server", nodes);

  clearInterval(flood);
  for (const node of nodes) node.end();
  await proxy.stop();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
  return first && again;
}

async function allIn(when: string, nodes: readonly StormNode[]): Promise<boolean> {
  const beganAt = performance.now();
  const triesBefore = nodes.reduce((sum, node) => sum + node.tries(), 0);
  let waiting = nodes.length;
  while (waiting > 0 && performance.now() - beganAt < longestMs) {
    await pause(100);
    waiting = nodes.filter((node) => !node.isIn()).length;
  }
  const tries = nodes.reduce((sum, node) => sum + node.tries(), 0) - triesBefore;
  const seconds = ((performance.now() - beganAt) / 1000).toFixed(1);
  console.log(`  ${when}: ${nodes.length - waiting} of ${nodes.length} in after ${seconds} s, ${tries} tries`);
  return waiting === 0;
}

async function addNodes(databaseUrl: string, count: number, secret: string): Promise<void> {
  const pool = createPool(databaseUrl, { max: 1 });
  const serials = Array.from({ length: count }, (_, index) => firstSerial + index);
  await pool.query("insert into node (serial_number) select unnest($1::int4[])", [serials]);
  await pool.query("insert into node_credential (serial_number, secret_hash) select s, $2 from unnest($1::int4[]) s", [
    serials,
    hashNodeSecret(secret),
  ]);
  await pool.end();
}
