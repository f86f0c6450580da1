import type { PlotNote } from "@busbar/contract/directory/location-notes.ts";
import { useEffect, useMemo, useRef } from "react";
import UPlot from "uplot";
import { formatDateTime } from "#lib/format-date.ts";
import { formatReading } from "#lib/format-number.ts";
import { plotAnnotations, type PlotAnnotation } from "#ui/plot-annotations.ts";
import { colorResolver } from "#ui/plot-colors.ts";
import { axisLook, showLatest, usePlot } from "#ui/use-plot.ts";
import { describeTrend, notesOfTrend, trendRange, valueRange, type TrendPoint } from "./trend.ts";

export interface TrendPlotProps {
  trend: readonly TrendPoint[];
  unit: "A" | "kW";
  /** Currents to draw: 1 for a DC machine. */
  phaseCount?: number;
  /** What is at or below it is noise. */
  noise?: number;
  /** Of the location. */
  notes: readonly PlotNote[];
  timezone: string;
}

const plotHeight = 150;

/** One minute as it was measured; drawing is outside of React. */
export function TrendPlot({ trend, unit, phaseCount = 3, noise = 0, notes, timezone }: TrendPlotProps) {
  const shown = useMemo(() => notesOfTrend(trend, unit, notes), [trend, unit, notes]);
  const annotations = useRef<readonly PlotAnnotation[]>([]);
  const { frame, plot, key } = usePlot(`${unit} ${phaseCount} ${noise} ${timezone}`, (element) => {
    const lines = unit === "A" ? currentLines.slice(0, phaseCount) : [powerLine];
    const options = optionsFor(lines, noise, timezone, element, () => annotations.current);
    return { made: new UPlot(options, [[], ...lines.map(() => [])], element) };
  });

  useEffect(() => {
    const columns =
      unit === "A"
        ? [0, 1, 2].slice(0, phaseCount).map((phase) => trend.map(({ currents }) => currents[phase] ?? null))
        : [trend.map(({ kw }) => kw)];
    annotations.current = shown.map(({ timestamp, note }) => ({ timestamp, text: note }));
    plot.current?.setData([trend.map(({ at }) => at), ...columns]);
    if (plot.current) followLatest(plot.current);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a plot that was made anew is filled again
  }, [plot, trend, unit, phaseCount, shown, key]);

  return (
    <figure className="meter-trend">
      <figcaption>{unit === "A" ? "Current (A)" : "Power (kW)"}</figcaption>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a canvas in it is drawn later */}
      <div ref={frame} className="meter-canvas" role="img" aria-label={describeTrend(trend, unit, shown)} />
    </figure>
  );
}

interface TrendLine {
  label: string;
  color: string;
}
const currentLines: readonly TrendLine[] = [1, 2, 3].map((phase) => ({ label: `I${phase}`, color: `var(--phase-${phase})` }));
const powerLine: TrendLine = { label: "kW", color: "var(--mantine-color-text)" };

function optionsFor(
  lines: readonly TrendLine[],
  noise: number,
  timezone: string,
  element: HTMLElement,
  annotations: () => readonly PlotAnnotation[],
): UPlot.Options {
  const resolve = colorResolver(element);
  const text = getComputedStyle(element).color;
  const axis = axisLook(element, resolve);
  return {
    width: element.clientWidth || 400,
    height: plotHeight,
    cursor: { sync: { key: "metering" }, drag: { x: false, y: false } },
    legend: { live: true },
    // The last time on the axis is as wide as the others.
    padding: [null, 30, null, null],
    scales: {
      x: { range: ({ data }) => trendRange(data[0]) },
      y: { range: (_plot, min, max) => valueRange(min ?? 0, max ?? 0, noise) },
    },
    axes: [
      { ...axis, space: 70, values: (_plot, splits) => splits.map((seconds) => timeOf(seconds, timezone)) },
      { ...axis, size: 56, space: 24, values: (_plot, splits) => splits.map((value) => formatReading(value)) },
    ],
    hooks: { setLegend: [showLatest] },
    plugins: [plotAnnotations(annotations, { line: resolve("var(--note-line)"), text, ground: resolve("var(--mantine-color-body)") })],
    series: [
      { label: "Time", value: (_plot, seconds) => timeOf(seconds, timezone) },
      ...lines.map(({ label, color }) => ({
        label,
        value: (_plot: UPlot, value: number | null | undefined) => formatReading(value ?? null),
        stroke: resolve(color),
        width: 1.6,
        // A first value has nothing to be joined to.
        points: { show: (plot: UPlot) => plot.data[0].length === 1 },
      })),
    ],
  };
}

/** New values came: without a pointer the legend goes on with them. */
function followLatest(plot: UPlot): void {
  const last = plot.data[0].length - 1;
  if (last >= 0 && (plot.cursor.left ?? -1) < 0) plot.setLegend({ idx: last }, false);
}

/** A legend may still be on a place that emptied data no longer have. */
function timeOf(seconds: number | null | undefined, timezone: string): string {
  return typeof seconds === "number" && Number.isFinite(seconds) ? (formatDateTime(seconds, timezone).split(" ")[1] ?? "") : "–";
}
