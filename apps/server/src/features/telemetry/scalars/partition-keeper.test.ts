import { expect, test } from "vitest";
import type { IngestPlan } from "./ingest-plan.ts";
import { createPartitionKeeper } from "./partition-keeper.ts";

const daySeconds = 86_400;
const planOf = (...daysOfNodes: number[][]) =>
  ({
    live: daysOfNodes.map((days) => ({ readings: days.map((day) => ({ reading: { atMs: (day + 0.999) * daySeconds * 1_000 } })) })),
  }) as unknown as IngestPlan;

test("A-63 each day of a batch is asked for once, also by several writers, again after a failure and once all is forgotten", async () => {
  const asked: number[] = [];
  let isAway = false;
  const keeper = createPartitionKeeper((dayStartSeconds) => {
    asked.push(dayStartSeconds / daySeconds);
    return isAway ? Promise.reject(new Error("away")) : Promise.resolve();
  });
  await Promise.all([keeper.prepare(planOf([7, 7, 8], [8])), keeper.prepare(planOf([], [8, 7]))]);
  await keeper.prepare(planOf([7]));
  expect(asked.splice(0)).toEqual([7, 8]);
  isAway = true;
  await expect(keeper.prepare(planOf([9]))).rejects.toThrow("away");
  isAway = false;
  await keeper.prepare(planOf([9, 7]));
  expect(asked.splice(0)).toEqual([9, 9]);
  keeper.forget();
  await keeper.prepare(planOf([7]));
  expect(asked).toEqual([7]);
});
