import type { PlotNote } from "@busbar/contract/directory/location-notes.ts";
import { useEffect, useMemo, useRef } from "react";
import UPlot from "uplot";
import { formatDateTime } from "#lib/format-date.ts";
import { formatReading } from "#lib/format-number.ts";
import { colorResolver } from "#ui/plot-colors.ts";
import { plotAnnotations, type PlotAnnotation } from "#ui/plot-annotations.ts";
import { axisLook, showLatest, usePlot } from "#ui/use-plot.ts";
import { describePanel, notesOf, type PlotPanel } from "./history-series.ts";

export interface HistoryPlotProps {
  times: number[];
  panels: PlotPanel[];
  /** Those of the plotted time. */
  notes: readonly PlotNote[];
  timezone: string;
}

const panelHeight = 170;

/** One panel below the other over the same time; drawing is outside of React. */
export function HistoryPlot({ times, panels, notes, timezone }: HistoryPlotProps) {
  return (
    <div>
      {panels.map((panel) => (
        <Panel key={panel.title} times={times} panel={panel} notes={notes} timezone={timezone} />
      ))}
    </div>
  );
}

interface PanelProps {
  times: number[];
  panel: PlotPanel;
  notes: readonly PlotNote[];
  timezone: string;
}

function Panel({ times, panel, notes, timezone }: PanelProps) {
  const shown = useMemo(() => notesOf(panel, notes), [panel, notes]);
  const annotations = useRef<readonly PlotAnnotation[]>([]);
  const { frame, plot, key } = usePlot(`${timezone} ${panel.series.length}`, (element) => {
    const options = optionsFor(panel, timezone, element, () => annotations.current);
    return { made: new UPlot(options, [[], ...panel.series.map(() => [])], element) };
  });

  useEffect(() => {
    annotations.current = shown.map(({ timestamp, note }) => ({ timestamp, text: note }));
    plot.current?.setData([times, ...panel.series.map(({ values }) => values)]);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a plot that was made anew is filled again
  }, [plot, times, panel, shown, key]);

  return (
    <figure className="history-panel">
      <figcaption>
        {panel.title} ({panel.unit})
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a canvas in it is drawn later */}
      <div ref={frame} className="history-canvas" role="img" aria-label={describePanel(panel, shown)} />
    </figure>
  );
}

function optionsFor(panel: PlotPanel, timezone: string, element: HTMLElement, annotations: () => readonly PlotAnnotation[]): UPlot.Options {
  const resolve = colorResolver(element);
  const text = getComputedStyle(element).color;
  const axis = axisLook(element, resolve);
  return {
    width: element.clientWidth || 600,
    height: panelHeight,
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), timezone),
    cursor: { sync: { key: "scalar-history" }, drag: { x: true, y: false } },
    legend: { live: true },
    axes: [
      { ...axis, values: (_plot, splits) => splits.map((seconds, index) => axisTime(seconds, timezone, index === 0)) },
      { ...axis, size: 56, space: 24 },
    ],
    hooks: { setLegend: [showLatest] },
    plugins: [plotAnnotations(annotations, { line: resolve("var(--note-line)"), text, ground: resolve("var(--mantine-color-body)") })],
    series: [
      {
        label: "Time",
        value: (_plot, seconds) => (seconds === null ? "–" : formatDateTime(seconds, timezone).slice("yyyy-MM-dd ".length)),
      },
      ...panel.series.map(({ label, color }) => ({
        label,
        value: (_plot: UPlot, value: number | null) => formatReading(value),
        stroke: resolve(color),
        width: 1.4,
        spanGaps: false,
        points: { show: false },
      })),
    ],
  };
}

/** Hours and minutes as everywhere in the console; the first also says the day. */
function axisTime(seconds: number, timezone: string, isFirst: boolean): string {
  const [date = "", time = ""] = formatDateTime(seconds, timezone).split(" ");
  return isFirst ? `${time.slice(0, 5)}\n${date}` : time.slice(0, 5);
}
