import { useEffect, useRef } from "react";
import UPlot from "uplot";
import { colorResolver } from "#ui/plot-colors.ts";
import { axisLook, usePlot } from "#ui/use-plot.ts";
import { attachGestures, type GestureHandlers } from "./plot-gestures.ts";
import type { PlotView } from "./plot-view.ts";
import { paintLetters, paintMarks, paintPanel, type PaintedMark } from "./trend-paint.ts";
import { valueRange, type TrendPanel } from "./trend-lines.ts";
import { lettersIn, timeTicks } from "./zone-time.ts";

export interface TrendPlotProps {
  panel: TrendPanel;
  /** What it shows, in words. */
  description: string;
  view: PlotView;
  timezone: string;
  height: number;
  /** Times at which something happened. */
  marks: readonly PaintedMark[];
  gestures: GestureHandlers;
}

const axisWidth = 58;
const tickRoom = 70;
/** Half of the words of a day at the very end. */
const rightRoom = 36;

/** One unit over the time that all plots of the page share; drawing is outside of React. */
export function TrendPlot({ panel, description, view, timezone, height, marks, gestures }: TrendPlotProps) {
  // The plot asks for these while it lives.
  const current = useRef({ panel, gestures, marks });
  const { frame, plot } = usePlot(`${timezone} ${height}`, (element) => {
    const made = new UPlot(optionsFor(element, timezone, height, view, current), noData, element);
    const detach = attachGestures(made.over, view, () => current.current.gestures);
    const forget = view.subscribe(() => follow(made, view));
    follow(made, view);
    return {
      made,
      end: () => {
        forget();
        detach();
      },
    };
  });
  useEffect(() => {
    current.current = { panel, gestures, marks };
    plot.current?.setScale("x", scaleOf(view));
  }, [plot, panel, gestures, marks, view]);

  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a canvas in it is drawn later
  return <div ref={frame} className="trend-canvas" role="img" aria-label={description} style={{ minHeight: height }} />;
}

// The lines are not uPlot's: each has points of its own, and values that are not there are no points.
const noData: UPlot.AlignedData = [
  [0, 1e11],
  [null, null],
];

const scaleOf = (view: PlotView) => {
  const { from, to } = view.get().span;
  return { min: from, max: to };
};

/** Shows the span, the cursor and what is being marked, as they are now. */
function follow(plot: UPlot, view: PlotView): void {
  const { span, cursor, selection } = view.get();
  const { min, max } = plot.scales["x"] ?? {};
  if (min !== span.from || max !== span.to) plot.setScale("x", scaleOf(view));
  const { width, height } = plot.over.getBoundingClientRect();
  const placeOf = (time: number) => ((time - span.from) / (span.to - span.from)) * width;
  const left = cursor === undefined ? -10 : placeOf(cursor);
  plot.setCursor({ left: left > width ? -10 : left, top: 10 }, false);
  const start = selection ? placeOf(selection.from) : 0;
  plot.setSelect({ left: start, top: 0, width: selection ? placeOf(selection.to) - start : 0, height: selection ? height : 0 }, false);
}

function optionsFor(
  element: HTMLElement,
  timezone: string,
  height: number,
  view: PlotView,
  current: { current: Pick<TrendPlotProps, "panel" | "marks"> },
): UPlot.Options {
  const resolve = colorResolver(element);
  const known = new Map<string, string>();
  const cached = (color: string) => {
    const found = known.get(color) ?? resolve(color);
    known.set(color, found);
    return found;
  };
  const text = getComputedStyle(element).color;
  const colors = {
    resolve: cached,
    text,
    ground: cached("var(--mantine-color-body)"),
    hatch: cached("var(--trend-hatch)"),
    mark: cached("var(--note-line)"),
  };
  const axis = axisLook(element, cached);
  const ignore = () => null;
  let ticks: ReturnType<typeof timeTicks> = [];
  return {
    width: element.clientWidth || 600,
    height,
    padding: [8, rightRoom, 0, 0],
    cursor: {
      y: false,
      drag: { x: false, y: false, setScale: false },
      points: { show: false },
      // Gestures are those of all plots together.
      bind: {
        mousedown: ignore,
        mouseup: ignore,
        mousemove: ignore,
        mouseleave: ignore,
        mouseenter: ignore,
        dblclick: ignore,
        click: ignore,
      },
    },
    legend: { show: false },
    scales: {
      x: { range: (): [number, number] => [view.get().span.from, view.get().span.to] },
      y: { auto: true, range: () => valueRange(current.current.panel.lines, view.get().span, current.current.panel.unit) },
    },
    axes: [
      {
        ...axis,
        size: 46,
        splits: (plot, _axis, from, to) => {
          ticks = timeTicks({ from, to }, timezone, plot.over.clientWidth / tickRoom);
          return ticks.map(({ at }) => at);
        },
        values: () => ticks.map(({ label }) => label),
      },
      { ...axis, size: axisWidth, space: 30, values: (_plot, splits) => splits.map(axisNumber) },
    ],
    hooks: {
      draw: [
        (plot) => {
          paintPanel(plot, current.current.panel, colors);
          paintMarks(plot, current.current.marks, colors);
          paintLetters(plot, lettersIn(view.get().span, timezone), colors);
        },
      ],
    },
    series: [{}, { auto: false, show: true, points: { show: false } }],
  };
}

const axisFormat = new Intl.NumberFormat("en-US", { maximumFractionDigits: 4 });
const axisNumber = (value: number): string => axisFormat.format(value);
