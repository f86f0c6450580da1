import { parseDataFileName } from "@busbar/contract/files/data-file-name.ts";
import type { SensorDataOffset } from "@busbar/contract/telemetry/sensor-data.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureSensorDataPartitions } from "#db/sensor-data-partitions.ts";
import { inTransaction } from "#db/transaction.ts";
import { createDataFilesStore } from "#features/files/data-files/data-files.store.ts";
import { nameOf } from "#testing/sample-files.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { addNode, addPlace } from "#testing/test-world.ts";
import { createSensorDataReadModel, type SensorDataReadModel } from "./sensor-data.read-model.ts";

const [serial, other] = [32_101, 32_102];
const start = 1_790_000_100;
const at = (quarter: number) => start + quarter * 900;
let database: TestDatabase;
let readModel: SensorDataReadModel;

// By quarter: 1 and 6 have a record only (1 beside a file of another kind), 2 its file too, 3 a file that failed, 4 one that waits; 5 has files of other kinds, as others do.
beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database;
  readModel = createSensorDataReadModel(pool);
  await addNode(pool, serial, await addPlace(pool, "America/Denver"));
  await addNode(pool, other);
  const names = [
    ...[1, 2, 5].map((quarter) => nameOf(serial, at(quarter), "S")),
    ...[4, 3, 2].map((quarter) => nameOf(serial, at(quarter), "D")),
    nameOf(serial, at(5), "E", "cev"),
    ...[0, 5, 7].map((quarter) => nameOf(other, at(quarter), "D")),
  ];
  await inTransaction(pool, (client) =>
    createDataFilesStore(pool).store(
      client,
      names.map((name) => ({
        parsed: parseDataFileName(name)!,
        hash: Buffer.alloc(32),
        md5: "0".repeat(32),
        storedBytes: 1,
        isGzip: false,
        receivedAtMs: 0,
        source: "node" as const,
      })),
    ),
  );
  await ensureSensorDataPartitions(pool, [start, at(7)]);
  await pool.query(
    `insert into sensor_data (serial_number, ts, interval_seconds, data)
     select s, to_timestamp($1::float8 + 900 * q), 900, jsonb_build_object('quarter', q)
     from unnest($2::int4[], $3::int4[]) as r (s, q)`,
    [start, [serial, serial, serial, serial, serial, other], [6, 4, 3, 2, 1, 5]],
  );
  await pool.query(
    `update data_file set processed = ts <> to_timestamp($2), failed_reason = case when ts = to_timestamp($2) then 'Torn' end
     where serial_number = $1 and kind = 'D' and ts < to_timestamp($3)`,
    [serial, at(3), at(4)],
  );
});
afterAll(() => database.stop());

async function found(offset: SensorDataOffset, quarter: number): Promise<(number | null)[] | undefined> {
  const record = await readModel.find(serial, offset, at(quarter));
  return (
    record &&
    [record.previousTimestamp, record.timestamp, record.nextTimestamp].map((time) => (time === null ? null : (time - start) / 900))
  );
}

test.each<[SensorDataOffset, number, (number | null)[] | undefined]>([
  ["current", 0.5, undefined],
  ["current", 1, [null, 1, 2]],
  ["current", 3.5, [2, 3, 4]],
  ["current", 5, [3, 4, 6]],
  ["current", 9, [4, 6, null]],
  ["previous", 1, undefined],
  ["previous", 2, [null, 1, 2]],
  ["previous", 6, [3, 4, 6]],
  ["next", 0, [null, 1, 2]],
  ["next", 2, [2, 3, 4]],
  ["next", 4, [4, 6, null]],
  ["next", 6, undefined],
])("A-63 the %s one of a time is the nearest of its node's files and records, with its neighbours", async (offset, quarter, nearest) => {
  expect(await found(offset, quarter)).toEqual(nearest);
});

test("A-63 values are shown of what was read, and of a file that is gone as what it was", async () => {
  const shown = async (quarter: number) => {
    const { sourceFile, isSourceFileKept, processed, failedReason, sensorData, location, timezone } = (await readModel.find(
      serial,
      "current",
      at(quarter),
    ))!;
    expect([sourceFile, location, timezone]).toEqual([nameOf(serial, at(quarter), "D"), "Feed Pump 1", "America/Denver"]);
    return [isSourceFileKept, processed, failedReason, sensorData];
  };
  expect(await shown(1)).toEqual([false, true, null, { quarter: 1 }]);
  expect(await shown(2)).toEqual([true, true, null, { quarter: 2 }]);
  expect(await shown(3)).toEqual([true, false, "Torn", {}]);
  expect(await shown(4)).toEqual([true, null, null, {}]);
});
