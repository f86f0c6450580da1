import { counted } from "@busbar/contract/values/counted.ts";
import type { TrendMark } from "@busbar/contract/telemetry/trends.ts";
import { Popover } from "@mantine/core";
import { useCallback, useSyncExternalStore } from "react";
import { formatDateTime } from "#lib/format-date.ts";
import { visibleText } from "#lib/visible-text.ts";
import type { PlotView } from "./plot-view.ts";
import { clustersOf, hrefOfMark, markLooks, type MarkCluster } from "./trend-marks.ts";

export interface MarkStripProps {
  marks: readonly TrendMark[];
  view: PlotView;
  timezone: string;
  isNarrow: boolean;
}

/** Shares of the width that a mark takes. */
const [wideRoom, narrowRoom] = [0.016, 0.06];

/** What happened, over the plots; a press says what it was and where it is shown. */
export function MarkStrip({ marks, view, timezone, isNarrow }: MarkStripProps) {
  const span = useSyncExternalStore(
    view.subscribe,
    useCallback(() => view.get().span, [view]),
  );
  return (
    <div className="trend-marks no-print">
      {clustersOf(marks, span, isNarrow ? narrowRoom : wideRoom).map((cluster) => {
        const [first] = cluster.marks;
        return first && <Mark key={`${first.timestamp} ${first.kind} ${first.serialNumber}`} cluster={cluster} timezone={timezone} />;
      })}
    </div>
  );
}

function Mark({ cluster: { place, marks }, timezone }: { cluster: MarkCluster; timezone: string }) {
  const [first] = marks;
  if (first === undefined) return null;
  const { glyph, word } = markLooks[first.kind];
  const others = marks.length - 1;
  const time = formatDateTime(first.timestamp, timezone);
  return (
    <Popover position="bottom" trapFocus returnFocus withArrow transitionProps={{ duration: 0 }}>
      <Popover.Target>
        <button
          type="button"
          className={`plain-button trend-mark is-${first.kind}`}
          style={{ left: `${place * 100}%` }}
          aria-label={others > 0 ? `${counted(marks.length, "mark")}, the first: ${word} at ${time}` : `${word} at ${time}`}
          title={`${time}: ${visibleText(first.text)}${others > 0 ? ` and ${others} more` : ""}`}
        >
          {others > 0 ? marks.length : glyph}
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <ul className="trend-mark-list">
          {marks.map((mark) => (
            <li key={`${mark.timestamp} ${mark.kind} ${mark.text}`}>
              <MarkLine mark={mark} timezone={timezone} />
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}

function MarkLine({ mark, timezone }: { mark: TrendMark; timezone: string }) {
  const { kind, text, timestamp, endTimestamp, serialNumber } = mark;
  const { glyph, word } = markLooks[kind];
  return (
    <>
      <span aria-hidden="true">{glyph} </span>
      <a href={hrefOfMark(mark)}>{`${word}: ${visibleText(text)}`}</a>{" "}
      <span className="dim tabular">
        {formatDateTime(timestamp, timezone)}
        {endTimestamp !== null && ` to ${formatDateTime(endTimestamp, timezone)}`}
        {serialNumber !== null && `, node ${serialNumber}`}
      </span>
    </>
  );
}
