import { expect, test } from "vitest";
import { createTurns } from "./in-turn.ts";

test("so many run at a time, in the order in which they were asked for, also after one that failed", async () => {
  const inTurn = createTurns(2);
  const started: number[] = [];
  const ends: PromiseWithResolvers<number>[] = [];
  const works = [0, 1, 2, 3].map((index) => {
    ends.push(Promise.withResolvers());
    return inTurn(() => {
      started.push(index);
      return ends[index]!.promise;
    });
  });
  const settled = Promise.allSettled(works);
  await Promise.resolve();
  expect(started).toEqual([0, 1]);
  ends[1]!.reject(new Error("no"));
  await expect(works[1]).rejects.toThrow("no");
  await expect.poll(() => started).toEqual([0, 1, 2]);
  ends[0]!.resolve(10);
  expect(await works[0]).toBe(10);
  await expect.poll(() => started).toEqual([0, 1, 2, 3]);
  ends[2]!.resolve(12);
  ends[3]!.resolve(13);
  await settled;
  const again: number[] = [];
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const next = [first.promise, second.promise, Promise.resolve()].map((end, index) =>
    inTurn(() => {
      again.push(index);
      return end;
    }),
  );
  await Promise.resolve();
  expect(again).toEqual([0, 1]);
  first.resolve();
  second.resolve();
  await Promise.all(next);
  expect(again).toEqual([0, 1, 2]);
});
