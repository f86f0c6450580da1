import { counted } from "@busbar/contract/values/counted.ts";
import type { PlotNote } from "@busbar/contract/directory/location-notes.ts";
import type { Metering } from "@busbar/contract/telemetry/metering.ts";

export interface TrendPoint {
  /** Epoch seconds. */
  at: number;
  currents: (number | null)[];
  kw: number | null;
}

const trendSeconds = 60;

/** Adds the values when they are new, and drops what is older than a minute before them. */
export function addToTrend(trend: TrendPoint[], metering: Metering): TrendPoint[] {
  const { timestamp: at, current1, current2, current3, powerKw } = metering;
  const last = trend.at(-1);
  if (at === null || (last && at <= last.at)) return trend;
  const kept = trend.filter((point) => point.at > at - trendSeconds);
  return [...kept, { at, currents: [current1, current2, current3], kw: powerKw }];
}

/** The minute that a plot shows, up to its newest value: for a single value the plot itself would propose a whole day. */
export function trendRange(times: ArrayLike<number>): [number, number] {
  const end = times[times.length - 1] ?? Date.now() / 1000;
  return [end - trendSeconds, end];
}

/** A still value is in the middle, no line touches the frame, and noise is not drawn as a movement. */
export function valueRange(min: number, max: number, noise: number): [number, number] {
  const room = Math.max((max - min) / 10, Math.abs(max) / 100, 0.1, max <= noise ? noise : 0);
  return [min - room, max + room];
}

/** NOT-04: notes of the plotted minute; those of currents only, there is no flag for power. */
export function notesOfTrend(trend: readonly TrendPoint[], unit: "A" | "kW", notes: readonly PlotNote[]): PlotNote[] {
  const last = trend.at(-1)?.at;
  if (unit === "kW" || last === undefined) return [];
  return notes.filter(({ timestamp, showInCurrentPlot }) => showInCurrentPlot && timestamp >= last - trendSeconds && timestamp <= last);
}

/** What the plot shows, in words. */
export function describeTrend(trend: readonly TrendPoint[], unit: "A" | "kW", notes: readonly PlotNote[] = []): string {
  const values = trend.flatMap(({ currents, kw }) => (unit === "A" ? currents : [kw])).filter((value) => value !== null);
  const title = unit === "A" ? "Currents" : "Power";
  if (values.length === 0) return `${title} of the last minute: no values yet`;
  const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(1));
  return `${title} of the last minute: ${counted(trend.length, "value")} from ${low} to ${high} ${unit}${notes.map(({ note }) => `; note: ${note}`).join("")}`;
}
