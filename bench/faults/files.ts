import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "@busbar/server/testing/free-port.ts";
import { dataFileName } from "@busbar/contract/files/data-file-name.ts";
import { createPool, type Pool } from "@busbar/server/db/pool.ts";
import { fillMigrated } from "../lib/migrated-folder.ts";
import { createStaffSessions } from "../lib/staff-sessions.ts";
import { startSwift, whyNoSwift, type Swift } from "../lib/swift.ts";
import { startServerProcess, type ServerProcess } from "./server-process.ts";

const serial = 20_000;
/** As many as one person may at a time. */
const lanes = 3;
/** From so many kills on the storage is away for a minute, else for a moment, and uploads follow each other at once. */
const killsForMinute = 5;
const largeEvery = 60;
const firstLarge = 5;
/** In runs of few kills: each upload takes a tenth of a second of a processor. */
const betweenUploadsMs = 300;

interface Uploads {
  /** Digest of what was acknowledged, by the file's name. */
  acknowledged: Map<string, string>;
  refused: { whileAway: number; cut: number; other: Set<string> };
  settle(): Promise<void>;
}

/**
 * Kills the server and OpenStack Swift (SIGKILL) so many times each while files are uploaded, stops Swift (SIGSTOP), the last time takes it away
 * for a minute, and compares what was acknowledged with what can be read, and rows with bytes. What is not acknowledged is sent again.
 */
export async function killFileStorage(kills: number): Promise<boolean> {
  const missing = whyNoSwift();
  if (missing !== undefined) {
    console.log(`files: left out, because ${missing}`);
    return true;
  }
  const folder = await mkdtemp(join(tmpdir(), "busbar-files-"));
  const swift = await startSwift(join(folder, "swift"), freePort);
  const port = await freePort();
  const env = {
    ...swift.env,
    DATA_DIR: join(folder, "data"),
    FILES_URL: swift.filesUrl,
    PORT: String(port),
    V2_PORT: "0",
    MQTT_PORT: String(await freePort()),
    LOG_LEVEL: "fatal",
  };
  await fillMigrated(env.DATA_DIR);
  let server = await startServerProcess(env);
  const pool = createPool(server.databaseUrl, { max: 2 });
  await pool.query("insert into node (serial_number, type) values ($1, 'Recorder')", [serial]);
  const [token = ""] = await createStaffSessions(pool, env.DATA_DIR, 1);
  const uploads = startUploads(`http://127.0.0.1:${port}`, token, kills >= killsForMinute ? 0 : betweenUploadsMs);

  for (let kill = 0; kill < kills; kill++) {
    await pause(500 + Math.random() * 1_000);
    await server.kill();
    server = await startServerProcess(env);
    await pause(500 + Math.random() * 1_000);
    swift.freeze();
    await pause(Math.random() * 2_000);
    swift.thaw();
    await pause(500 + Math.random() * 1_000);
    // From the last one it comes back later.
    if (kill === kills - 1) break;
    await swift.kill();
    await pause(Math.random() * 1_000);
    await swift.restart();
  }
  const awaySeconds = kills >= killsForMinute ? 60 : 3;
  const { sentence, returnMs } = await takeAway(swift, `http://127.0.0.1:${port}/readyz`, awaySeconds * 1_000);
  await uploads.settle();
  await untilExtracted(pool);

  const { acknowledged, refused } = uploads;
  const lost = await countLost(`http://127.0.0.1:${port}`, token, acknowledged);
  swift.update();
  const { rows, withoutBytes, withoutRow, failed } = await compareRows(pool, swift);
  console.log(
    `files: ${kills} kills of the server, ${kills} of OpenStack Swift and ${kills} stops of it under uploads in ${lanes} lanes, at last Swift away for ${awaySeconds} s`,
  );
  console.log(
    `  acknowledged ${acknowledged.size}, of them lost ${lost}; rows ${rows}, without bytes ${withoutBytes}, given up by extraction ${failed}; contents without a row ${withoutRow}`,
  );
  console.log(
    `  cut off and sent again ${refused.cut}, refused with 503 and sent again ${refused.whileAway}${[...refused.other].map((one) => `, ${one}`).join("")}`,
  );
  console.log(`  while it was away /readyz said "${sentence}"; ready again ${Math.round(returnMs)} ms after its return, without a restart`);
  await stop({ pool, server, swift, folder });
  const isProof = refused.cut > 0 && refused.whileAway > 0 && acknowledged.size > 0 && sentence.startsWith("The storage of files");
  return lost === 0 && withoutBytes === 0 && failed === 0 && refused.other.size === 0 && isProof;
}

/** Files one after the other in each lane, each until it is acknowledged; most are small, some go in parts. */
function startUploads(origin: string, token: string, betweenMs: number): Uploads {
  const acknowledged: Uploads["acknowledged"] = new Map();
  const refused: Uploads["refused"] = { whileAway: 0, cut: 0, other: new Set() };
  const ending = new AbortController();
  let timestamp = Math.floor(Date.now() / 1_000) - 30 * 86_400;
  let count = 0;
  const send = async (name: string, content: Buffer): Promise<boolean> => {
    try {
      const answer = await fetch(`${origin}/api/nodes/${serial}/files/${name}`, {
        method: "POST",
        headers: { token, "content-type": "application/octet-stream" },
        body: content as Uint8Array<ArrayBuffer>,
      });
      const text = await answer.text();
      if (answer.status === 503) refused.whileAway++;
      else if (!answer.ok) refused.other.add(`${answer.status} ${text}`);
      return answer.ok;
    } catch {
      refused.cut++;
      return false;
    }
  };
  const lane = async () => {
    while (!ending.signal.aborted) {
      const name = dataFileName({ serial, timestamp: ++timestamp, kind: "X", interval: 900, extension: "dat" });
      const content = randomBytes(++count % largeEvery === firstLarge ? 9 * 1024 * 1024 : 200 + Math.floor(Math.random() * 20_000));
      while (!(await send(name, content))) await pause(100);
      acknowledged.set(name, digestOf(content));
      await pause(betweenMs);
    }
  };
  const running = Promise.all(Array.from({ length: lanes }, lane));
  return {
    acknowledged,
    refused,
    async settle() {
      ending.abort();
      await running;
    },
  };
}

/** What readiness said of it, and how long after its return all was ready. */
async function takeAway(swift: Swift, readyUrl: string, forMs: number): Promise<{ sentence: string; returnMs: number }> {
  const problem = async () => ((await (await fetch(readyUrl)).json()) as { problems?: { files?: string } }).problems?.files;
  await swift.kill();
  const wentAt = performance.now();
  let sentence: string | undefined;
  while (sentence === undefined || performance.now() - wentAt < forMs) {
    sentence = (await problem()) ?? sentence;
    await pause(100);
  }
  await swift.restart();
  const backAt = performance.now();
  while ((await problem()) !== undefined) await pause(100);
  return { sentence, returnMs: performance.now() - backAt };
}

async function untilExtracted(pool: Pool): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query("select from data_file where processed is null limit 1");
    if (rowCount === 0) return;
    await pause(200);
  }
}

/** Acknowledged files that do not come back with the same bytes. */
async function countLost(origin: string, token: string, acknowledged: ReadonlyMap<string, string>): Promise<number> {
  let lost = 0;
  const queue = acknowledged.entries();
  const lane = async () => {
    for (const [name, digest] of queue) {
      const answer = await fetch(`${origin}/api/node-dashboard/files/${name}/raw`, { headers: { token } });
      if (!answer.ok || digestOf(Buffer.from(await answer.arrayBuffer())) !== digest) lost++;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return lost;
}

async function compareRows(pool: Pool, swift: Swift) {
  const { rows } = await pool.query<{ hash: Buffer; hasFailed: boolean }>(
    `select content_hash as hash, failed_reason is not null as "hasFailed" from data_file`,
  );
  const stored = new Set((await swift.list()).flatMap((name) => /[0-9a-f]{64}/.exec(name) ?? []));
  const known = new Set(rows.map(({ hash }) => hash.toString("hex")));
  return {
    rows: rows.length,
    withoutBytes: [...known].filter((hash) => !stored.has(hash)).length,
    withoutRow: [...stored].filter((hash) => !known.has(hash)).length,
    failed: rows.filter(({ hasFailed }) => hasFailed).length,
  };
}

async function stop({ pool, server, swift, folder }: { pool: Pool; server: ServerProcess; swift: Swift; folder: string }): Promise<void> {
  await pool.end();
  await server.stop();
  await swift.stop();
  await rm(folder, { recursive: true, force: true });
}

const digestOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
