import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DashboardNode } from "@busbar/contract/telemetry/node-dashboard.ts";
import { parseDataFileName } from "@busbar/contract/files/data-file-name.ts";
import { createPool, type Pool } from "@busbar/server/db/pool.ts";
import { migrate } from "@busbar/server/db/migrate.ts";
import { bootPostgres } from "@busbar/server/db/embedded-postgres.ts";
import { inTransaction } from "@busbar/server/db/transaction.ts";
import { createDataFilesStore } from "@busbar/server/features/files/data-files/data-files.store.ts";
import { createFileExtractionStore } from "@busbar/server/features/files/file-extraction/file-extraction.store.ts";
import { createFileExtraction } from "@busbar/server/features/files/file-extraction/file-extraction.task.ts";
import { createEntry } from "@busbar/server/features/telemetry/node-dashboard/fleet-entry.ts";
import { createFleetReadModel } from "@busbar/server/features/telemetry/node-dashboard/fleet.read-model.ts";
import { createFolderFileStore } from "@busbar/server/lib/file-store.ts";
import { silentLog } from "@busbar/server/lib/log.ts";
import { makeDataFile } from "@busbar/simulator/files/data-file.ts";
import { makeFleet } from "@busbar/simulator/make-fleet.ts";
import type { Fault } from "@busbar/simulator/node-model/fault.ts";
import { createPlant } from "@busbar/simulator/node-model/plant.ts";
import { truthBetween } from "@busbar/simulator/scenarios/truth-log.ts";
import { afterAll, beforeAll, expect, test } from "vitest";

const seed = 11;
const firstSerial = 40_000;
const nodeCount = 12;
const faultScale = 40;
/** 18:07 UTC of a winter day: a day's files are there, the one that began at 17:45 not yet. */
const now = Date.UTC(2026, 0, 14, 18, 7) / 1000;
const dayStart = Date.UTC(2026, 0, 14) / 1000;
let folder: string;
let stop: () => Promise<void>;
let pool: Pool;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "busbar-truth-"));
  const postgres = await bootPostgres({ dataDir: join(folder, "postgres"), log: silentLog, settings: { fsync: "off" } });
  const admin = createPool(postgres.url, { max: 1 });
  await admin.query("create database truth");
  await admin.end();
  pool = createPool(postgres.databaseUrl("truth"), { max: 4 });
  await migrate(pool, silentLog);
  stop = async () => {
    await pool.end();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
});
afterAll(() => stop());

/** Two nodes lose their power: for three hours of the day, and from 17:00 on. */
const outages: Fault[] = [
  {
    kind: "reboot",
    start: dayStart + 6 * 3_600,
    durationSeconds: 3 * 3_600,
    facilityKey: undefined,
    serial: firstSerial + 3,
    params: {},
    source: "script",
  },
  {
    kind: "reboot",
    start: dayStart + 17 * 3_600,
    durationSeconds: 7 * 3_600,
    facilityKey: undefined,
    serial: firstSerial + 4,
    params: {},
    source: "script",
  },
];

test("DSH-08 DSH-09 missing files of the day and failed extractions agree with the simulator's truth log", async () => {
  const nodes = makeFleet({ seed, count: nodeCount, firstSerial }).map((node) => ({ ...node, timezone: "UTC" }));
  const plant = createPlant({ seed, nodes, faultScale, script: outages });
  await pool.query("insert into node (serial_number) select generate_series($1::int4, $2::int4)", [
    firstSerial,
    firstSerial + nodeCount - 1,
  ]);
  const fileStore = createFolderFileStore(join(folder, "files"), { isDurable: false });
  const store = createDataFilesStore(pool);

  // From the evening before, so that midnight is no beginning.
  for (const [serial, plantNode] of plant.nodes) {
    const files = [];
    for (let timestamp = dayStart - 3_600; timestamp + 900 <= now; timestamp += 900) {
      const file = makeDataFile({ seed, plantNode, kind: "D", timestamp, faultScale });
      const delay = file?.fault?.kind === "fileLate" ? file.fault.seconds : 0;
      if (file && timestamp + 900 + delay <= now) files.push(file);
    }
    const hashes = await fileStore.putAll(files.map(({ bytes }) => bytes));
    const rows = files.map(({ name, md5, bytes }, index) => ({
      name,
      parsed: parseDataFileName(name)!,
      hash: hashes[index]!,
      md5,
      storedBytes: bytes.length,
      isGzip: true,
      receivedAtMs: now * 1000,
      source: "node" as const,
    }));
    await inTransaction(pool, (client) => store.store(client, rows));
    expect(serial).toBeGreaterThanOrEqual(firstSerial);
  }
  const clock = { now: () => now * 1000, monotonic: () => 0 };
  await createFileExtraction({ pool, store: createFileExtractionStore(pool), fileStore, clock }).run(new AbortController().signal);

  // What the truth says: no file at all, or one that is still to come. A file is expected from half an interval after its end on.
  const truth = truthBetween(plant, seed, dayStart, now);
  const expected = new Map<number, number>();
  for (const { at, serial = 0, fault, params } of truth) {
    const isDue = at + 900 + 450 <= now;
    const isLate =
      fault === "fileLate" && (params as { file: string }).file === "D" && at + 900 + (params as { seconds: number }).seconds > now;
    if (isDue && (fault === "missingFile" || isLate)) expected.set(serial, (expected.get(serial) ?? 0) + 1);
  }
  const readModel = createFleetReadModel(pool);
  const live = new Map((await readModel.liveRows(0)).map((row) => [row.serialNumber, row]));
  const shown = new Map<number, number>();
  for (const row of await readModel.directory()) {
    const entry = JSON.parse(
      `{${createEntry(row, { live: live.get(Number(row.serialNumber))!, verdict: null }, now, 0, []).liveJson}}`,
    ) as DashboardNode;
    if (entry.missingDatafileCount > 0) shown.set(Number(row.serialNumber), entry.missingDatafileCount);
  }
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(expected));
  expect([shown.get(firstSerial + 3), shown.get(firstSerial + 4)]).toEqual([expect.any(Number), expect.any(Number)]);

  const spoiled = truth.filter(
    ({ at, fault, params }) =>
      at + 900 <= now && (params as { file?: string }).file === "D" && /fileTruncated|fileBadMd5|fileNotANumber/.test(fault),
  );
  const { rows } = await pool.query<{ at: number; serial: number; reason: string }>(
    `select extract(epoch from ts)::float8 as at, serial_number as serial, failed_reason as reason from data_file where not processed and ts >= to_timestamp($1) order by ts, serial_number`,
    [dayStart],
  );
  expect(spoiled.length).toBeGreaterThan(10);
  expect(rows.map(({ at, serial }) => `${serial} ${at}`)).toEqual(spoiled.map(({ at, serial }) => `${serial} ${at}`));
  const reasonOf: Record<string, RegExp> = {
    fileTruncated: /^Truncated: \d+ of 269 rows$/,
    fileBadMd5: /^Checksum mismatch$/,
    fileNotANumber: /^Not a number: \w+=NaN$/,
  };
  rows.forEach(({ reason }, index) => expect(reason).toMatch(reasonOf[spoiled[index]!.fault]!));
});
