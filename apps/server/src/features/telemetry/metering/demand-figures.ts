import { dailyFigures, demandOfDay } from "@busbar/metering/demand.ts";
import { createExpiringCache } from "#lib/expiring-cache.ts";
import type { Clock } from "#lib/clock.ts";
import { localDay } from "#lib/local-day.ts";
import type { DemandFigures } from "./metering.view.ts";
import type { MeteringReadModel } from "./metering.read-model.ts";

// Written once a minute: asking every second would show the same.
const keptMs = 30_000;
const maxNodes = 1_000;

type ReadDemandFigures = (serial: number, timezone: string) => Promise<DemandFigures>;

/** Averages and peaks of today and of the last 30 complete days, in the location's days. */
export function createDemandFigures(readModel: Pick<MeteringReadModel, "blocksSince" | "daysBefore">, clock: Clock): ReadDemandFigures {
  const cache = createExpiringCache<DemandFigures>({ clock, keptMs, maxEntries: maxNodes });
  return (serial, timezone) =>
    cache.get(`${serial} ${timezone}`, async () => {
      const nowMs = clock.now();
      const today = localDay(timezone, nowMs / 1000);
      const [blocks, days] = await Promise.all([readModel.blocksSince(serial, today.start), readModel.daysBefore(serial, today.date)]);
      const ofToday = demandOfDay(blocks, nowMs);
      const daily = dailyFigures(days);
      return {
        at: nowMs / 1000,
        todayAverageKw: ofToday.averageKw,
        todayPeakKw: ofToday.peakKw,
        dailyAverageKw: daily.averageKw,
        dailyPeakKw: daily.peakKw,
      };
    });
}
