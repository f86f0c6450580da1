import type { PlotNote } from "@busbar/contract/directory/location-notes.ts";
import type { ScalarHistoryRow } from "@busbar/contract/telemetry/scalar-history.ts";

export interface PlotSeries {
  label: string;
  color: string;
  values: (number | null)[];
}
export interface PlotPanel {
  title: string;
  /** Which notes of the location belong here; none without. */
  noteFlag?: "showInVoltagePlot" | "showInCurrentPlot" | "showInAccumulatedAmpHoursPlot";
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
      { title: "Current", unit: "A", noteFlag: "showInCurrentPlot", series: phase(currents, "I") },
      { title: "Voltage, line to line", unit: "V", noteFlag: "showInVoltagePlot", series: phase(voltages, "V") },
      {
        title: "Line frequency",
        unit: "Hz",
        series: [{ label: "LF", color: "var(--phase-lf)", values: ordered.map(({ row }) => row?.lineFrequency ?? null) }],
      },
      {
        title: "Accumulated amp hours",
        unit: "Ah",
        noteFlag: "showInAccumulatedAmpHoursPlot",
        series: currents.map((name, index) => ({
          label: `I${index + 1}`,
          color: phaseColors[index] ?? "gray",
          values: ampHours(ordered, name),
        })),
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

/** A line must not bridge what is missing: between samples that are further apart than usual there is an empty point. */
function withGaps(rows: readonly ScalarHistoryRow[]): PlotPoint[] {
  const steps = rows.slice(1).map(({ timestamp }, index) => timestamp - (rows[index]?.timestamp ?? timestamp));
  const usual = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  return rows.flatMap((row, index) => {
    const step = steps[index - 1] ?? 0;
    const point = { time: row.timestamp, row };
    return step > gapIntervals * usual ? [{ time: row.timestamp - step / 2 }, point] : [point];
  });
}

/** The charge that has passed since the first sample, in ampere-hours, by the trapezoid rule; nothing is counted where samples are missing. */
function ampHours(points: readonly PlotPoint[], name: (typeof currents)[number]): (number | null)[] {
  let sum = 0;
  let last: { time: number; amps: number } | undefined;
  return points.map(({ time, row }) => {
    const amps = row?.[name] ?? null;
    if (amps === null) {
      last = undefined;
      return null;
    }
    if (last) sum += ((last.amps + amps) / 2) * ((time - last.time) / 3_600);
    last = { time, amps };
    return sum;
  });
}

/** The notes that a panel shows. */
export function notesOf({ noteFlag }: PlotPanel, notes: readonly PlotNote[]): PlotNote[] {
  return noteFlag ? notes.filter((note) => note[noteFlag]) : [];
}

/** What the plot shows, in words. */
export function describePanel({ title, unit, series }: PlotPanel, notes: readonly PlotNote[] = []): string {
  const parts = series.map(({ label, values }) => {
    const known = values.filter((value) => value !== null);
    if (known.length === 0) return `${label} no values`;
    return `${label} ${Math.min(...known).toFixed(2)} to ${Math.max(...known).toFixed(2)} ${unit}`;
  });
  const noted = notes.map(({ note }) => `; note: ${note}`);
  return `${title}: ${parts.join(", ")}${noted.join("")}`;
}
