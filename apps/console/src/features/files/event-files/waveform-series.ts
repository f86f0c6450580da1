import type { EventWaveform } from "@busbar/contract/files/event-files.ts";
import { formatReading } from "#lib/format-number.ts";
import { visibleText } from "#lib/visible-text.ts";

export interface WaveformSeries {
  label: string;
  color: string;
  values: (number | null)[];
}

/** Channels of one unit. */
export interface WaveformPanel {
  title: string;
  unit: string;
  series: WaveformSeries[];
}

/** A digital channel: 0 or 1 at each time. */
export interface Lane {
  name: string;
  states: (0 | 1)[];
}

/** What a unit measures, whatever power of ten comes before it. */
const titles: Record<string, string> = { A: "Current", V: "Voltage", Hz: "Frequency", W: "Power", VA: "Power", var: "Power", "°": "Angle" };
const titleOf = (unit: string): string | undefined => titles[unit] ?? titles[unit.replace(/^[kMmµ]/, "")];
const phases = ["A", "B", "C"];
const otherColors = ["var(--wave-4)", "var(--wave-5)", "var(--wave-6)", "var(--wave-7)"];

/** Currents, voltages and the rest, each unit in a panel of its own, in the order of the file. */
export function panelsOf({ analogs }: EventWaveform): WaveformPanel[] {
  const panels = new Map<string, WaveformPanel>();
  for (const { name, phase, unit: writtenUnit, values } of analogs) {
    const unit = visibleText(writtenUnit);
    const panel = panels.get(unit) ?? { title: titleOf(unit) ?? (unit === "" ? "Without unit" : "Other"), unit, series: [] };
    panels.set(unit, panel);
    panel.series.push({ label: visibleText(name), color: colorOf(name, phase, panel.series.length), values });
  }
  return [...panels.values()];
}

/** Phases have the colours that they have in every plot. */
function colorOf(name: string, phase: string, place: number): string {
  const letter = /^[ABC]$/i.test(phase) ? phase.toUpperCase() : /^[IV]([ABC])(?:B|C|A|W)?\d?$/i.exec(name)?.[1]?.toUpperCase();
  const index = letter === undefined ? -1 : phases.indexOf(letter);
  return index >= 0 ? `var(--phase-${index + 1})` : otherColors[place % otherColors.length]!;
}

export function lanesOf({ digitals, times }: EventWaveform): Lane[] {
  return digitals.map(({ name, first, turns }) => {
    const turning = new Set(turns);
    let state = first;
    return {
      name: visibleText(name),
      states: times.map((_, index) => {
        if (turning.has(index)) state = state === 1 ? 0 : 1;
        return state;
      }),
    };
  });
}

/** Seconds as milliseconds with as many decimals as the range needs. */
export function formatMilliseconds(seconds: number, rangeSeconds: number): string {
  const decimals = rangeSeconds > 2 ? 0 : rangeSeconds > 0.2 ? 1 : rangeSeconds > 0.02 ? 2 : 3;
  const text = (seconds * 1000).toFixed(decimals);
  return Number(text) === 0 ? text.replace("-", "") : text;
}

/** What a panel shows, in words. */
export function describeAnalogs({ title, unit, series }: WaveformPanel): string {
  const parts = series.map(({ label, values }) => {
    let [low, high] = [Infinity, -Infinity];
    for (const value of values) {
      if (value === null) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return low > high ? `${label} no values` : `${label} ${formatReading(low)} to ${formatReading(high)} ${unit}`.trim();
  });
  return `${title}: ${parts.join(", ")}`;
}

export function describeLanes(lanes: readonly Lane[], times: readonly number[]): string {
  const parts = lanes.map(({ name, states }) => {
    const on = states.findIndex((state, index) => state === 1 && states[index - 1] !== 1);
    if (on < 0) return `${name} off`;
    const since = on === 0 ? "from the start" : `from ${formatMilliseconds(times[on]!, 1)} ms`;
    return `${name} on ${since}`;
  });
  return `Digital channels: ${parts.join(", ")}`;
}

export interface ReadAt {
  name: string;
  text: string;
}

/** The values at one place of the time axis. */
export function readAt(panels: readonly WaveformPanel[], lanes: readonly Lane[], index: number): ReadAt[] {
  return [
    ...panels.flatMap(({ unit, series }) =>
      series.map(({ label, values }) => ({ name: label, text: `${formatReading(values[index] ?? null)} ${unit}`.trim() })),
    ),
    ...lanes.map(({ name, states }) => ({ name, text: String(states[index] ?? "–") })),
  ];
}
