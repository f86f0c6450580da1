import { setTimeout as wait } from "node:timers/promises";
import type { MeterRow, MeteringReadModel } from "./metering.read-model.ts";

export type ReadMeters = (serials: readonly number[]) => Promise<MeterRow[]>;

/**
 * Reads the meters of everyone who asks within a moment with one query: many people watch, each every second, and a tenth of a
 * second more is nothing to them.
 */
export function createMeterReader(readModel: Pick<MeteringReadModel, "meters">, windowMs = 100): ReadMeters {
  let open: { serials: Set<number>; rows: Promise<Map<number, MeterRow>> } | undefined;

  const collect = () => {
    const serials = new Set<number>();
    const read = async () => {
      await wait(windowMs);
      open = undefined;
      return new Map((await readModel.meters([...serials])).map((row) => [row.serial, row]));
    };
    return { serials, rows: read() };
  };

  return async (serials) => {
    if (serials.length === 0) return [];
    open ??= collect();
    const { serials: asked, rows } = open;
    for (const serial of serials) asked.add(serial);
    const found = await rows;
    return serials.flatMap((serial) => found.get(serial) ?? []);
  };
}
