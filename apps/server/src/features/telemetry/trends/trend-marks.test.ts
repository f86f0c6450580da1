import type { Pool } from "pg";
import { expect, test } from "vitest";
import { createTrendMarksReadModel } from "./trend-marks.read-model.ts";

test("A-63 the platform's own absences are in a range that they touch at either end, whole", async () => {
  const periods = [
    [0, 1_000],
    [2_000, 3_000],
  ].map(([startedAt, aliveAt]) => ({ startedAt, aliveAt }));
  const marks = createTrendMarksReadModel({ query: async () => ({ rows: periods }) } as unknown as Pool);
  const seen = async (from: number, to: number) =>
    (await marks.absences({ from, to }, 3_000.9)).map(({ timestamp, endTimestamp, kind }) => [timestamp, endTimestamp, kind]);
  const [first] = await seen(0, 3_000);
  const [from, to] = [first![0] as number, first![1] as number];
  expect([from < 1_000, to > 2_000, first![2]]).toEqual([true, true, "outage"]);
  expect([await seen(to, 3_000), await seen(to + 1, 3_000)]).toEqual([[first], []]);
  expect([await seen(0, from + 1), await seen(0, from)]).toEqual([[first], []]);
});
