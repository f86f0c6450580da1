import type { PoolClient } from "pg";
import { expect, test } from "vitest";
import { lookBackSeconds, markDataPointTrends, markScalarTrends } from "./trend-marks.store.ts";

/** Of an array as the database reads it: so many after its head, each behind its length. */
const numbersOf = (array: Buffer) => Array.from({ length: array.readInt32BE(12) }, (_, index) => array.readInt32BE(24 + 8 * index));

/** What is handed to the database. */
async function marked(mark: (client: PoolClient) => Promise<void>): Promise<unknown[]> {
  const asked: unknown[] = [];
  const client = {
    query: ({ values: [kind, serials, times] }: { values: [string, Buffer, Buffer] }) => {
      asked.push(kind, numbersOf(serials), numbersOf(times));
      return Promise.resolve({ rows: [] });
    },
  };
  await mark(client as unknown as PoolClient);
  return asked;
}

test("a scalar marks its hour, and the next one where it may be looked back upon from there, each once", async () => {
  const hour = 3_600;
  const rows = [
    { serial: 1, at: 10 * hour },
    { serial: 1, at: 11 * hour - lookBackSeconds - 1 },
    { serial: 2, at: 11 * hour - lookBackSeconds },
    { serial: 1, at: 12 * hour },
  ];
  expect(await marked((client) => markScalarTrends(client, rows))).toEqual(["h", [1, 2, 2, 1], [10, 10, 11, 12]]);
});

test("a data point marks its day", async () => {
  const rows = [
    { serial: 1, at: 86_399 },
    { serial: 2, at: 86_400 },
  ];
  expect(await marked((client) => markDataPointTrends(client, rows))).toEqual(["d", [1, 2], [0, 1]]);
});
