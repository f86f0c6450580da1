import type { IngestPlan } from "./ingest-plan.ts";

/** Makes sure that the days of a batch have their partitions; asks the database once per day, also for several writers. */
export interface PartitionKeeper {
  prepare(plan: IngestPlan): Promise<void>;
  /** After a partition was missing: ask again. */
  forget(): void;
}

const dayMs = 86_400_000;

export function createPartitionKeeper(ensure: (dayStartSeconds: number) => Promise<void>): PartitionKeeper {
  const days = new Map<number, Promise<void>>();

  const ensureDay = async (day: number) => {
    const known = days.get(day);
    if (known) return known;
    const ensured = ensure((day * dayMs) / 1000);
    days.set(day, ensured);
    try {
      await ensured;
    } catch (error) {
      days.delete(day);
      throw error;
    }
  };

  return {
    async prepare({ live }) {
      const needed = new Set<number>();
      for (const { readings } of live) for (const { reading } of readings) needed.add(Math.floor(reading.atMs / dayMs));
      for (const day of needed) await ensureDay(day);
    },
    forget: () => days.clear(),
  };
}
