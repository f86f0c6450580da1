import type { ScalarHistoryRow } from "@busbar/contract/scalar-history.ts";

export interface PlotSeries {
  label: string;
  color: string;
  values: (number | null)[];
}
export interface PlotPanel {
  title: string;
  unit: string;
  series: PlotSeries[];
}

const phaseColors = ["var(--phase-1)", "var(--phase-2)", "var(--phase-3)"];
const currents = ["current1", "current2", "current3"] as const;
const voltages = ["voltage1", "voltage2", "voltage3"] as const;

/** Oldest first, as a plot reads: seconds, and the panels that share them. */
export function panelsOf(rows: readonly ScalarHistoryRow[]): { times: number[]; panels: PlotPanel[] } {
  const ordered = withGaps(rows.toReversed());
  const phase = (names: readonly (typeof currents)[number][] | readonly (typeof voltages)[number][], letter: string): PlotSeries[] =>
    names.map((name, index) => ({
      label: `${letter}${index + 1}`,
      color: phaseColors[index] ?? "gray",
      values: ordered.map(({ row }) => row?.[name] ?? null),
    }));
  return {
    times: ordered.map(({ time }) => time),
    panels: [
      { title: "Current", unit: "A", series: phase(currents, "I") },
      { title: "Voltage, line to line", unit: "V", series: phase(voltages, "V") },
      {
        title: "Line frequency",
        unit: "Hz",
        series: [{ label: "LF", color: "var(--phase-lf)", values: ordered.map(({ row }) => row?.lineFrequency ?? null) }],
      },
    ],
  };
}

interface PlotPoint {
  time: number;
  /** Absent where nothing was measured: the line breaks there. */
  row?: ScalarHistoryRow;
}

const gapIntervals = 1.5;

/** A line must not bridge what is missing: between samples that lie further apart than usual stands an empty point. */
function withGaps(rows: readonly ScalarHistoryRow[]): PlotPoint[] {
  const steps = rows.slice(1).map(({ timestamp }, index) => timestamp - (rows[index]?.timestamp ?? timestamp));
  const usual = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  return rows.flatMap((row, index) => {
    const step = steps[index - 1] ?? 0;
    const point = { time: row.timestamp, row };
    return step > gapIntervals * usual ? [{ time: row.timestamp - step / 2 }, point] : [point];
  });
}

/** What the plot shows, in words. */
export function describePanel({ title, unit, series }: PlotPanel): string {
  const parts = series.map(({ label, values }) => {
    const known = values.filter((value) => value !== null);
    if (known.length === 0) return `${label} no values`;
    return `${label} ${Math.min(...known).toFixed(2)} to ${Math.max(...known).toFixed(2)} ${unit}`;
  });
  return `${title}: ${parts.join(", ")}`;
}
