import UPlot from "uplot";
import { formatReading } from "#lib/format-number.ts";
import { plotAnnotations } from "#ui/plot-annotations.ts";
import { colorResolver } from "#ui/plot-colors.ts";
import { axisLook } from "#ui/use-plot.ts";
import type { TimeRange } from "./event-files.queries.ts";
import { formatMilliseconds, type Lane, type WaveformPanel } from "./waveform-series.ts";

export interface PlotContext {
  element: HTMLElement;
  /** Says what the line at the trigger is: one of the plots is enough. */
  namesTrigger: boolean;
  /** Left of the plots, the same for all: their times are one below the other. */
  nameWidth: number;
  /** As it is now. */
  shared: () => {
    range: TimeRange;
    onCursor: (index: number | undefined) => void;
    onZoom: (range: TimeRange) => void;
    onReset: () => void;
  };
}

const analogHeight = 190;
const laneHeight = 20;
const axisHeight = 44;
const narrowest = 4;
/** More states than these are read on their lanes and with the keyboard. */
const mostNamedBelow = 16;

const usualNameWidth = 76;
const characterWidth = 7.8;
const tickWidth = 20;

/** As wide as the longest name of a lane, within bounds that leave room for the plot. */
export function nameWidthFor(lanes: readonly Lane[], plotWidth: number): number {
  const longest = Math.max(0, ...lanes.map(({ name }) => name.length));
  return Math.round(Math.min(Math.max(usualNameWidth, plotWidth * 0.16), Math.max(usualNameWidth, longest * characterWidth + tickWidth)));
}

/** Names that are alike differ mostly at their ends. */
function shortName(name: string, width: number): string {
  const most = Math.floor((width - tickWidth) / characterWidth);
  if (name.length <= most) return name;
  const tail = Math.floor((most - 1) / 2);
  return `${name.slice(0, most - 1 - tail)}…${name.slice(name.length - tail)}`;
}

export function analogOptions({ series }: WaveformPanel, context: PlotContext): UPlot.Options {
  const resolve = colorResolver(context.element);
  const base = baseOptions(context, resolve);
  return {
    ...base,
    height: analogHeight,
    scales: { ...base.scales, y: { range: (_plot, min, max) => padded(min ?? 0, max ?? 0) } },
    axes: [timeAxis(context, resolve), { ...axisLook(context.element, resolve), size: context.nameWidth, space: 24 }],
    series: [
      timeSeries(context),
      ...series.map(({ label, color }) => ({
        label,
        value: (_plot: UPlot, value: number | null | undefined) => formatReading(value ?? null),
        stroke: resolve(color),
        width: 1.3,
        points: { show: false },
      })),
    ],
  };
}

/** A still value is in the middle, and no line touches the frame. */
function padded(min: number, max: number): [number, number] {
  const room = Math.max((max - min) * 0.06, Math.abs(max) / 100, 1e-6);
  return [min - room, max + room];
}

/** The first lane is on top; a state is drawn as a step within its lane. */
export function laneOptions(lanes: readonly Lane[], context: PlotContext): UPlot.Options {
  const resolve = colorResolver(context.element);
  const base = baseOptions(context, resolve);
  const stepped = UPlot.paths.stepped?.({ align: 1 });
  const baseOf = (place: number) => lanes.length - 1 - place;
  return {
    ...base,
    height: lanes.length * laneHeight + axisHeight,
    legend: { show: lanes.length <= mostNamedBelow, live: true },
    scales: { ...base.scales, y: { range: () => [0, lanes.length] } },
    axes: [
      timeAxis(context, resolve),
      {
        ...axisLook(context.element, resolve),
        size: context.nameWidth,
        grid: { show: false },
        splits: () => lanes.map((_, place) => baseOf(place) + laneMiddle),
        values: () => lanes.map(({ name }) => shortName(name, context.nameWidth)),
      },
    ],
    series: [
      timeSeries(context),
      ...lanes.map(({ name }, place) => ({
        label: name,
        value: (_plot: UPlot, value: number | null) => (value === null ? "–" : value - baseOf(place) > laneMiddle ? "1" : "0"),
        stroke: resolve("var(--wave-lane)"),
        fill: resolve("var(--wave-lane-fill)"),
        fillTo: () => baseOf(place) + laneLow,
        width: 1.3,
        points: { show: false },
        ...(stepped ? { paths: stepped } : {}),
      })),
    ],
  };
}

const laneLow = 0.15;
const laneHigh = 0.8;
const laneMiddle = 0.45;

export function laneData(times: number[], lanes: readonly Lane[]): UPlot.AlignedData {
  return [times, ...lanes.map(({ states }, place) => states.map((state) => lanes.length - 1 - place + (state === 1 ? laneHigh : laneLow)))];
}

function baseOptions({ element, namesTrigger, shared }: PlotContext, resolve: (color: string) => string) {
  const text = getComputedStyle(element).color;
  const trigger = [{ timestamp: 0, text: namesTrigger ? "Trigger" : "" }];
  return {
    width: element.clientWidth || 600,
    cursor: {
      sync: { key: "event-waveform" },
      drag: { x: true, y: false, setScale: false },
      bind: {
        dblclick: () => () => {
          shared().onReset();
          return null;
        },
      },
    },
    legend: { live: true },
    scales: {
      x: { time: false, range: (): [number, number] => [shared().range.from, shared().range.to] },
    },
    hooks: {
      setSelect: [
        (plot: UPlot) => {
          const { left, width } = plot.select;
          if (width < narrowest) return;
          const from = plot.posToVal(left, "x");
          const to = plot.posToVal(left + width, "x");
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          shared().onZoom({ from, to });
        },
      ],
      setLegend: [
        (plot: UPlot) => {
          // The legend's own place may be the trigger's.
          const { idx } = plot.cursor;
          shared().onCursor(idx ?? undefined);
          if (typeof idx !== "number") showTrigger(plot);
        },
      ],
    },
    plugins: [plotAnnotations(() => trigger, { line: resolve("var(--note-line)"), text, ground: resolve("var(--mantine-color-body)") })],
  } satisfies Partial<UPlot.Options>;
}

/** Without a pointer on the plot its legend reads the values at the trigger. */
function showTrigger(plot: UPlot): void {
  const times = plot.data[0];
  const idx = Math.max(
    0,
    times.findIndex((time) => time >= 0),
  );
  if (times.length > 0) plot.setLegend({ idx }, false);
}

function timeAxis(context: PlotContext, resolve: (color: string) => string): UPlot.Axis {
  return {
    ...axisLook(context.element, resolve),
    size: axisHeight,
    space: 56,
    values: (_plot, splits) => splits.map((seconds) => `${Number(formatMilliseconds(seconds, lengthOf(context)))} ms`),
  };
}

function timeSeries(context: PlotContext): UPlot.Series {
  return {
    label: "Time",
    value: (_plot, seconds) => (typeof seconds === "number" ? `${formatMilliseconds(seconds, lengthOf(context))} ms` : "–"),
  };
}

function lengthOf({ shared }: PlotContext): number {
  const { from, to } = shared().range;
  return to - from;
}
