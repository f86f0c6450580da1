import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestIngest, scalarMetrics, startTestNode, zoneAtDaytime, type TestIngest } from "#testing/test-ingest.ts";
import { addPlace } from "#testing/test-world.ts";

let ingest: TestIngest;
beforeAll(async () => {
  ingest = await createTestIngest();
});
afterAll(() => ingest.stop());

const count = 60;
const runs = 12;
const indexes = Array.from({ length: count }, (_, index) => index);
const orders = fc.sample(fc.tuple(fc.shuffledSubarray(indexes, { minLength: count }), fc.array(fc.nat(count - 1), { maxLength: 30 })), {
  numRuns: runs,
  seed: 15,
});

test("R15 the same messages in any order, some of them twice, end in the same state", async () => {
  const start = Date.now() - 1_800_000;
  const zone = zoneAtDaytime();
  const send = async (serial: number, order: readonly number[]) => {
    await ingest.addNode(serial, await addPlace(ingest.database.pool, zone));
    const node = await startTestNode(ingest, serial);
    await node.birth();
    // Ten scalars in a row are missing in the middle.
    const messages = indexes.map((index) =>
      node.edge.data(scalarMetrics(start + (index < 30 ? index : index + 10) * 10_000, index), start + index),
    );
    for (const index of order) await node.send(messages[index]!);
  };
  await Promise.all(orders.map(([shuffled, again], run) => send(60_000 + run, [...shuffled, ...again])));
  await send(61_000, indexes);

  const state = (serial: number) =>
    ingest.rows(
      `select last_scalar_at, last_scalar_data, missing_scalar_day, missing_scalar_count, is_connected,
         (select md5(string_agg(s::text, ';' order by ts)) from (select ts, version, flag, line_frequency, voltage3 from scalar where serial_number = $1) s) as scalars
       from node_live where serial_number = $1`,
      [serial],
    );
  const [expected] = await state(61_000);
  expect(expected).toMatchObject({ missing_scalar_count: 10 });
  for (let run = 0; run < runs; run++) await expect.poll(() => state(60_000 + run)).toEqual([expected]);
});
