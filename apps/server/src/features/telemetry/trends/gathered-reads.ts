import type { PackedRow, TrendAggregatesStore } from "./trend-aggregates.store.ts";

type Read = TrendAggregatesStore["quarters"];

/** Reads that are asked for in one go and differ in their nodes only are one: each goes to the database and back. */
export function gatherReads<Store extends Pick<TrendAggregatesStore, "minutes" | "quarters">>(store: Store): Store {
  return { ...store, minutes: gathered(store.minutes), quarters: gathered(store.quarters) };
}

function gathered(read: Read): Read {
  const groups = new Map<string, { serials: number[]; rows: Promise<Map<number, PackedRow[]>> }>();
  return async (db, serials, quantities, from, to) => {
    const key = [from, to, ...quantities].join(" ");
    let group = groups.get(key);
    if (!group) {
      const asked: number[] = [];
      const readAll = async () => {
        // Until then those of this go have come.
        await Promise.resolve();
        groups.delete(key);
        return Map.groupBy(await read(db, asked, quantities, from, to), ({ serial }) => serial);
      };
      group = { serials: asked, rows: readAll() };
      groups.set(key, group);
    }
    group.serials.push(...serials);
    const rows = await group.rows;
    return serials.flatMap((serial) => rows.get(serial) ?? []);
  };
}
