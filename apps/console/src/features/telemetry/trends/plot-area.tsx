import type { TrendMark } from "@busbar/contract/telemetry/trends.ts";
import { useCallback, useSyncExternalStore, type KeyboardEvent, type RefObject } from "react";
import { announce } from "#lib/announcer.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { LongTable } from "#ui/long-table.tsx";
import { MarkStrip } from "./mark-strip.tsx";
import type { GestureHandlers } from "./plot-gestures.ts";
import type { PlotView } from "./plot-view.ts";
import { pointColumns, pointRows } from "./point-table.ts";
import { Swatch } from "./swatch.tsx";
import { describePanel, nextMoment, valuesAt, type TrendLine, type TrendPanel } from "./trend-lines.ts";
import { TrendPlot } from "./trend-plot.tsx";
import { panned, zoomed } from "./trend-range.ts";
import { figureText, unitName } from "./trend-words.ts";
import type { TimeSpan } from "./zone-time.ts";

export interface PlotAreaProps {
  panels: readonly TrendPanel[];
  view: PlotView;
  timezone: string;
  isNarrow: boolean;
  isTable: boolean;
  marks: readonly TrendMark[];
  /** The range in words. */
  words: string;
  gestures: GestureHandlers;
  /** Of what is saved as a picture. */
  plots: RefObject<HTMLElement | null>;
}

const keysLabel = "Plots. Left and right move the cursor, plus and minus zoom, Page Up and Page Down move, 0 resets, T shows the table";
const farPoints = 10;
const keyZoom = 0.5;

/** The plots one below the other, with what they show at the cursor. */
export function PlotArea({ panels, view, timezone, isNarrow, isTable, marks, words, gestures, plots }: PlotAreaProps) {
  const lines = panels.flatMap((panel) => panel.lines);
  const moveCursor = (direction: -1 | 1, points: number) => {
    const { span, cursor } = view.get();
    let time: number | undefined = cursor ?? span.to;
    for (let step = 0; step < points && time !== undefined; step++)
      time = nextMoment(lines, time, direction) ?? (step > 0 ? time : undefined);
    if (time === undefined || time < span.from || time > span.to) return;
    view.set({ cursor: time });
    announce(`${formatDateTime(time, timezone)}: ${lines.map((line) => `${line.name} ${valueText(line, time)}`).join(", ")}`);
  };
  const change = (next: (span: TimeSpan, around: number) => TimeSpan) => {
    const { span, cursor } = view.get();
    gestures.onSettle(gestures.bound(next(span, cursor ?? (span.from + span.to) / 2)));
  };
  const keys: Record<string, (event: KeyboardEvent) => void> = {
    ArrowRight: ({ shiftKey }) => moveCursor(1, shiftKey ? farPoints : 1),
    ArrowLeft: ({ shiftKey }) => moveCursor(-1, shiftKey ? farPoints : 1),
    PageUp: () => change((span) => panned(span, (span.from - span.to) / 2)),
    PageDown: () => change((span) => panned(span, (span.to - span.from) / 2)),
    "+": () => change((span, around) => zoomed(span, keyZoom, around)),
    "=": () => change((span, around) => zoomed(span, keyZoom, around)),
    "-": () => change((span, around) => zoomed(span, 1 / keyZoom, around)),
    Home: () => gestures.onReset(),
    Escape: () => view.set({ cursor: undefined }),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const act = event.ctrlKey || event.altKey || event.metaKey ? undefined : keys[event.key];
    if (!act || event.target !== event.currentTarget) return;
    event.preventDefault();
    act(event);
  };
  const height = isNarrow ? 320 : panels.length === 1 ? 420 : panels.length === 2 ? 270 : 210;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions -- the plots take keys together
    <section ref={plots} className="trend-plots" tabIndex={0} aria-label={keysLabel} onKeyDown={onKeyDown}>
      {panels.map((panel, place) => (
        <figure key={panel.unit} className="trend-panel">
          <Readouts panel={panel} view={view} timezone={timezone} hasTime={place === 0} />
          {place === 0 && <MarkStrip marks={marks} view={view} timezone={timezone} isNarrow={isNarrow} />}
          <TrendPlot
            panel={panel}
            description={describePanel(panel, words)}
            view={view}
            timezone={timezone}
            height={height}
            marks={marks}
            gestures={gestures}
          />
          {isTable && <PointTable panel={panel} timezone={timezone} />}
        </figure>
      ))}
    </section>
  );
}

function valueText(line: TrendLine, time: number): string {
  const values = valuesAt(line, time);
  if (values === undefined) return "–";
  const [low, mean, high] = [values.minimum, values.mean, values.maximum].map((value) => figureText(value, line.digits));
  return low === high ? `${mean}` : `${mean} (${low} to ${high})`;
}

interface ReadoutsProps {
  panel: TrendPanel;
  view: PlotView;
  timezone: string;
  hasTime: boolean;
}

/** What each line has at the cursor; without one, its latest values. */
function Readouts({ panel, view, timezone, hasTime }: ReadoutsProps) {
  const cursor = useSyncExternalStore(
    view.subscribe,
    useCallback(() => view.get().cursor, [view]),
  );
  const latest = Math.max(...panel.lines.filter(({ isEarlier }) => !isEarlier).map(({ times }) => times.at(-1) ?? -Infinity));
  const time = cursor ?? latest;
  return (
    <figcaption className="tabular">
      <strong>{unitName(panel.unit)}</strong>
      {panel.lines.map((line) => (
        <span key={line.key} className="trend-readout">
          <Swatch color={line.color} dash={line.dash} /> {line.name} <b>{valueText(line, time)}</b>
        </span>
      ))}
      {hasTime && Number.isFinite(time) && <span className="dim trend-time">{formatDateTime(time, timezone)}</span>}
    </figcaption>
  );
}

function PointTable({ panel, timezone }: { panel: TrendPanel; timezone: string }) {
  return (
    <LongTable
      className="trend-table mono"
      label={`Values, ${unitName(panel.unit)}`}
      columns={pointColumns(panel.lines, timezone)}
      rows={pointRows(panel.lines)}
      keyOf={(start) => start}
      rowHeight={26}
    />
  );
}
