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
  const ordered = rows.toReversed();
  const phase = (names: readonly (typeof currents)[number][] | readonly (typeof voltages)[number][], letter: string): PlotSeries[] =>
    names.map((name, index) => ({ label: `${letter}${index + 1}`, color: phaseColors[index] ?? "gray", values: ordered.map((row) => row[name]) }));
  return {
    times: ordered.map(({ timestamp }) => timestamp),
    panels: [
      { title: "Current", unit: "A", series: phase(currents, "I") },
      { title: "Voltage, line to line", unit: "V", series: phase(voltages, "V") },
      { title: "Line frequency", unit: "Hz", series: [{ label: "LF", color: "var(--phase-lf)", values: ordered.map(({ lineFrequency }) => lineFrequency) }] },
    ],
  };
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
