import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "@busbar/server/testing/free-port.ts";
import { createUndoStack, type UndoStack } from "@busbar/server/undo-stack.ts";
import { openDatabase } from "@busbar/server/db/database.ts";
import { silentLog } from "@busbar/server/lib/log.ts";
import { startExampleProxy, whyNoExampleProxy, writeExampleProxy } from "../lib/example-proxy.ts";
import { seedFleet } from "../lib/seed-fleet.ts";
import { readServerMetric } from "../lib/server-metrics.ts";
import { startServerProcess, type LogLine, type ServerProcess } from "../lib/server-process.ts";
import { createStaffSessions } from "../lib/staff-sessions.ts";
import { createCallers } from "./proxy-callers.ts";
import { findProxyFaults } from "./proxy-passes.ts";

const nodeCount = 500;
const mostPollers = 200;
const writerCount = 5;

/**
 * what passes `deploy/nginx.conf` in front of two processes with the role api; then each of them is restarted in turn, as docs/operations.md
 * says, while people poll and write. Returns whether nothing is lost on the way, and no call failed.
 */
export async function restartBehindProxy(restarts: number): Promise<boolean> {
  const missing = whyNoExampleProxy();
  if (missing !== undefined) {
    console.log(`proxy: left out, because ${missing}`);
    return true;
  }
  const folder = await mkdtemp(join(tmpdir(), "busbar-proxy-"));
  const undo = createUndoStack();
  undo.add(() => rm(folder, { recursive: true, force: true }));
  try {
    return await restartInTurn(restarts, folder, undo);
  } finally {
    await undo.run();
  }
}

async function restartInTurn(restarts: number, folder: string, undo: UndoStack): Promise<boolean> {
  const dataDir = join(folder, "data");
  const pollerCount = Math.min(mostPollers, 20 * restarts);
  let tokens: string[] = [];
  await seedFleet({
    dataDir,
    nodes: nodeCount,
    connected: nodeCount,
    also: async (pool) => void (tokens = await createStaffSessions(pool, dataDir, pollerCount)),
  });
  const database = await openDatabase({ databaseUrl: undefined, dataDir, log: silentLog });
  undo.add(() => database.stop());
  const [http, https, mqtts, mqtt, first, second] = (await Promise.all(Array.from({ length: 6 }, freePort))) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const ports = { http, https, mqtts, api: [first, second], mqtt };
  // Before the others, which take any free port.
  const proxy = await startExampleProxy(writeExampleProxy(folder, ports), ports);
  undo.add(() => proxy.stop());
  const env = { DATABASE_URL: database.url, MQTT_PORT: String(mqtt), LOGIN_TWO_FACTOR: "off" };
  const heard: LogLine[] = [];
  await startServerProcess({ dataDir, undo, env, roles: "broker,ingest,services", hear: (entry) => heard.push(entry) });
  const ends: LogLine[] = [];
  const hear = (entry: LogLine) => void (entry.msg === "left the proxies" && ends.push(entry));
  const startApi = (port: number) => startServerProcess({ dataDir, undo, env: { ...env, PORT: String(port) }, roles: "api", hear });
  const processes: [port: number, running: ServerProcess][] = [];
  for (const port of [first, second]) processes.push([port, await startApi(port)]);

  const faults = await findProxyFaults({ ports, databaseUrl: database.url, dataDir, heard });
  for (const fault of faults) console.error(`  ${fault}`);

  const callers = createCallers({ port: https, tokens, writers: writerCount });
  let slowestMs = 0;
  for (let restart = 0; restart < restarts; restart++) {
    const turn = processes[restart % processes.length]!;
    const beganAt = performance.now();
    await turn[1].stop();
    turn[1] = await startApi(turn[0]);
    while (!(await fetch(`http://127.0.0.1:${turn[0]}/readyz`)).ok) await pause(50);
    slowestMs = Math.max(slowestMs, performance.now() - beganAt);
    // The proxy leaves it alone for a while yet.
    while ((await readServerMetric(`http://127.0.0.1:${turn[0]}`, "busbar_http_request_seconds_count")) === 0) await pause(50);
    await callers.allAnswered();
  }
  const { polls, writes, failures } = await callers.stop();
  console.log(`proxy: ${restarts} restarts of processes behind deploy/nginx.conf under ${pollerCount} people who poll`);
  console.log(`  ${polls} polls and ${writes} changes, of them failed ${failures.length}; slowest restart ${Math.round(slowestMs)} ms`);
  for (const failure of failures.slice(0, 5)) console.error(`  ${failure}`);
  const leftAlone = ends.filter(({ proxies, isQuiet }) => proxies === 1 && isQuiet === true).length;
  console.log(`  the proxy led elsewhere before ${leftAlone} of ${restarts} processes listened no more`);
  // None is cut where no one comes for a moment, as on a busy machine.
  return faults.length === 0 && failures.length === 0 && leftAlone * 2 >= restarts && polls > pollerCount && writes > 0;
}
