import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "@busbar/server/testing/free-port.ts";
import { openDatabase } from "@busbar/server/db/database.ts";
import { createPool, type Pool } from "@busbar/server/db/pool.ts";
import { ensureScalarPartitions } from "@busbar/server/db/scalar-partitions.ts";
import { silentLog } from "@busbar/server/lib/log.ts";
import { createUndoStack } from "@busbar/server/undo-stack.ts";
import { keeping, startMosquitto, type Mosquitto } from "../lib/mosquitto.ts";
import { fillMigrated } from "../lib/migrated-folder.ts";
import { startServerProcess, type ServerProcess } from "../lib/server-process.ts";
import { createDevice, type Device } from "./device.ts";

/** Several ingest workers on one database, at a broker of others. */
export interface Cluster {
  pool: Pool;
  broker: Mosquitto;
  devices: Device[];
  startWorker(): Promise<Worker>;
  /** Waits until every group has someone other than that one who listens, and returns after how many milliseconds. */
  untilListening(gone?: Worker): Promise<number>;
  /** Waits until as much is stored as was acknowledged, or nothing more comes, and compares. */
  compare(): Promise<Comparison>;
  stop(): Promise<void>;
}

interface Worker extends ServerProcess {
  /** Its name in the database. */
  id: string;
}

export interface Comparison {
  sent: number;
  acknowledged: number;
  stored: number;
  /** Acknowledged by the broker and not stored. */
  lost: number;
  /** Stored and sent by no one, or twice. */
  extra: number;
}

const deviceCount = 32;
const firstSerial = 20_000;
/** Serials of all remainders: both workers have as much to do. */
const serialStep = 3;
const patienceMs = 20_000;

export async function startCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), "busbar-cluster-"));
  const undo = createUndoStack();
  undo.add(() => rm(folder, { recursive: true, force: true }));
  await fillMigrated(join(folder, "data"));
  const database = await openDatabase({ databaseUrl: undefined, dataDir: join(folder, "data"), log: silentLog });
  undo.add(() => database.stop());
  const pool = createPool(database.url, { max: 4 });
  undo.add(() => pool.end());
  const now = Date.now() / 1_000;
  await ensureScalarPartitions(pool, now - 86_400, now + 86_400);
  const port = await freePort();
  const broker = await startMosquitto(join(folder, "broker"), port, keeping(join(folder, "broker")));
  undo.add(() => broker.stop());
  const devices = Array.from({ length: deviceCount }, (_, index) => createDevice(firstSerial + index * serialStep, "", port));
  await pool.query("insert into node (serial_number) select unnest($1::int4[])", [devices.map(({ serial }) => serial)]);
  undo.add(() => Promise.all(devices.map((device) => device.dropped())).then(() => undefined));

  const workerIds = async () => (await pool.query<{ id: string }>("select id from ingest_worker")).rows.map(({ id }) => id);
  const listening = async (gone?: Worker) => {
    const { rows } = await pool.query<{ count: number }>(
      "select count(*)::int4 as count from node_group where name <> 'host' and is_listening and expires_at > now() and worker is distinct from $1",
      [gone?.id],
    );
    return rows[0]?.count ?? 0;
  };
  const storedTimes = async () => {
    const { rows } = await pool.query<{ serial: number; ms: string }>(
      "select serial_number as serial, round(extract(epoch from ts) * 1000)::text as ms from scalar",
    );
    return rows;
  };

  return {
    pool,
    broker,
    devices,
    async startWorker() {
      const known = new Set(await workerIds());
      const env = { DATABASE_URL: database.url, MQTT_URL: broker.url };
      const started = await startServerProcess({ dataDir: join(folder, "data"), undo, roles: "ingest", env });
      for (;;) {
        const id = (await workerIds()).find((each) => !known.has(each));
        if (id !== undefined) return { ...started, id };
        await pause(50);
      }
    },
    async untilListening(gone) {
      const beganAt = performance.now();
      while ((await listening(gone)) < 64) await pause(50);
      return performance.now() - beganAt;
    },
    async compare() {
      const acknowledged = devices.reduce((sum, device) => sum + device.acknowledgedTimes().length, 0);
      let before = -1;
      for (let movedAt = performance.now(); performance.now() - movedAt < patienceMs; await pause(250)) {
        const { length } = await storedTimes();
        if (length >= acknowledged) break;
        if (length !== before) movedAt = performance.now();
        before = length;
      }
      const stored = await storedTimes();
      const present = new Set(stored.map(({ serial, ms }) => `${serial} ${ms}`));
      const sent = new Set(devices.flatMap((device) => device.sentTimes().map((time) => `${device.serial} ${time}`)));
      const missing = devices.flatMap((device) => device.acknowledgedTimes().filter((time) => !present.has(`${device.serial} ${time}`)));
      const extra = stored.filter(({ serial, ms }) => !sent.has(`${serial} ${ms}`)).length + (stored.length - present.size);
      return { sent: sent.size, acknowledged, stored: stored.length, lost: missing.length, extra };
    },
    stop: () => undo.run(),
  };
}

export const inWords = ({ sent, acknowledged, stored, lost, extra }: Comparison): string =>
  `sent ${sent}, acknowledged by the broker ${acknowledged}, of them lost ${lost}; stored ${stored}, twice or never sent ${extra}`;
