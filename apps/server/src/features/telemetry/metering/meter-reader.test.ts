import { expect, test, vi } from "vitest";
import { createMeterReader } from "./meter-reader.ts";
import type { MeterRow } from "./metering.read-model.ts";

const rowOf = (serial: number) => ({ serial }) as MeterRow;

test("who asks within a moment is answered by one query; the next moment has its own", async () => {
  const meters = vi.fn<(serials: readonly number[]) => Promise<MeterRow[]>>((serials) =>
    Promise.resolve(serials.filter((serial) => serial !== 9).map(rowOf)),
  );
  const read = createMeterReader({ meters }, 5);
  const answers = await Promise.all([read([1, 2]), read([2, 3]), read([9]), read([])]);
  expect(answers.map((rows) => rows.map(({ serial }) => serial))).toEqual([[1, 2], [2, 3], [], []]);
  expect(meters.mock.calls).toEqual([[[1, 2, 3, 9]]]);
  await read([1]);
  expect(meters).toHaveBeenCalledTimes(2);
});

test("a query that fails fails for all who wait for it, and the next one is tried again", async () => {
  const meters = vi.fn<() => Promise<MeterRow[]>>(() => Promise.resolve([rowOf(1)]));
  meters.mockRejectedValueOnce(new Error("away"));
  const read = createMeterReader({ meters }, 5);
  const outcomes = await Promise.allSettled([read([1]), read([1])]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await read([1])).toEqual([rowOf(1)]);
});
