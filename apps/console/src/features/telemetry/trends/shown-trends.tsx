import type { SeriesName, TrendSeries, Trends } from "@busbar/contract/telemetry/trends.ts";
import { Button, Group } from "@mantine/core";
import { IconPhoto, IconTable } from "@tabler/icons-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { failureMessage } from "#lib/api-error.ts";
import { savePlotsAsPng } from "#lib/save-plots.ts";
import { serverClock } from "#lib/server-clock.ts";
import { lazyPart } from "#lib/lazy-part.ts";
import { ChoiceBar } from "#ui/choice-bar.tsx";
import { PrintButton, SaveCsvButton } from "#ui/file-buttons.tsx";
import { LoadingPlot } from "#ui/loading.tsx";
import { Notice, NoticeButton } from "#ui/notice.tsx";
import { ProgramPart } from "#ui/program-part.tsx";
import { saveRows } from "#ui/save-rows.ts";
import { useIsNarrow } from "#ui/use-is-narrow.ts";
import { FigureTable, type FigureRow } from "./figure-table.tsx";
import { createPlotView } from "./plot-view.ts";
import { pointColumns, pointRows } from "./point-table.ts";
import { seriesKey, type TrendView } from "./trend-address.ts";
import { lineOf, panelsOf, type TrendLine } from "./trend-lines.ts";
import { comparisonLabels, rangeText, within, type Comparison } from "./trend-range.ts";
import { completenessWords, digitsOf, quantityName, rangeOfWords, resolutionText, seriesLook, unitName, unitOf } from "./trend-words.ts";
import { markLooks } from "./trend-marks.ts";
import { useTrendMarks } from "./trends.queries.ts";
import { lettersIn, type TimeSpan } from "./zone-time.ts";

const PlotArea = lazyPart(() => import("./plot-area.tsx"), "PlotArea");

export interface ShownTrendsProps {
  view: TrendView;
  /** Those of nodes that there are. */
  series: readonly SeriesName[];
  /** Machines by their nodes. */
  names: ReadonlyMap<string, string>;
  set: (part: Partial<TrendView>) => void;
  span: TimeSpan;
  timezone: string;
  data: Trends;
  /** Of the time that it is compared with. */
  earlier: Trends | undefined;
  /** That of this one cannot be had. */
  isOfOtherRange: boolean;
  /** A finer or later answer is on its way. */
  isOld: boolean;
  onSettle: (span: TimeSpan) => void;
  onReset: () => void;
}

/** Trends that have come: their plots, what can be done with them, what happened meanwhile, and their figures. */
export function ShownTrends({
  view,
  series,
  names,
  set,
  span,
  timezone,
  data,
  earlier,
  isOfOtherRange,
  isOld,
  onSettle,
  onReset,
}: ShownTrendsProps) {
  const isNarrow = useIsNarrow();
  const plots = useRef<HTMLElement>(null);
  const [plotView] = useState(() => createPlotView(span));
  useEffect(() => {
    if (!plotView.get().isHeld) plotView.set({ span });
  }, [plotView, span]);
  const { hidden, compare } = view;
  const places = view.series;
  const rows = useMemo(() => rowsOf(places, names, data, earlier, compare), [places, names, data, earlier, compare]);
  const lines = useMemo(
    () => rows.filter(({ key }) => !hidden.includes(key.split(" ")[0] ?? "")).map((row) => lineOfRow(row, data, earlier)),
    [rows, hidden, data, earlier],
  );
  const panels = useMemo(() => panelsOf(lines), [lines]);
  const one = panels.find(({ unit }) => unitName(unit) === view.unit) ?? panels[0];
  const shown = isNarrow ? panels.filter((panel) => panel === one) : panels;
  const serials = useMemo(() => [...new Set(series.map(({ serialNumber }) => serialNumber))], [series]);
  const { data: happened, error: markError, refetch: askForMarks } = useTrendMarks(serials, span);
  const counts = useMemo(() => Map.groupBy(happened?.marks ?? [], ({ kind }) => kind), [happened]);
  const marks = useMemo(() => (happened?.marks ?? []).filter(({ kind }) => !view.unmarked.includes(kind)), [happened, view.unmarked]);
  const gestures = useMemo(
    () => ({ bound: (next: TimeSpan) => within(next, serverClock.nowSeconds()), onSettle, onReset }),
    [onSettle, onReset],
  );
  const name = `trends-${series.map(({ serialNumber }) => serialNumber).join("-")}`;
  const letters = lettersIn(span, timezone);
  const words = rangeText(view.range, timezone);
  return (
    <>
      {isNarrow && panels.length > 1 && (
        <ChoiceBar
          label="Plot"
          size="compact-sm"
          choices={panels.map(({ unit }) => ({ value: unitName(unit), label: unitName(unit) }))}
          value={unitName(one?.unit ?? "")}
          onChoose={(unit) => set({ unit })}
        />
      )}
      <ProgramPart loading={<LoadingPlot label="Loading the plot" height={420} />}>
        <PlotArea
          panels={shown}
          view={plotView}
          timezone={timezone}
          isNarrow={isNarrow ?? false}
          isTable={view.isTable}
          marks={marks}
          words={words}
          gestures={gestures}
          plots={plots}
        />
      </ProgramPart>
      <div className="trend-foot">
        <p className="dim" aria-busy={isOld}>
          {!isOfOtherRange &&
            `${rangeOfWords(rows.map(({ series: each }) => resolutionText(each)))} · ${completenessWords(rows.map(({ series: each }) => each.completeness))} · `}
          times in {timezone} ({letters.join(", then ")}){isOld && " · loading"}
        </p>
        <Group gap="xs" className="no-print">
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconTable size={14} aria-hidden />}
            aria-expanded={view.isTable}
            title="Key: T"
            onClick={() => set({ isTable: !view.isTable })}
          >
            Table
          </Button>
          <SaveCsvButton size="compact-sm" onClick={() => saveRows(`${name}.csv`, pointColumns(lines, timezone), pointRows(lines))} />
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPhoto size={14} aria-hidden />}
            onClick={() => plots.current && savePlotsAsPng(plots.current, `${name}.png`)}
          >
            Save plot
          </Button>
          <PrintButton size="compact-sm" />
        </Group>
      </div>
      {markError && (
        <Notice kind="warning" action={<NoticeButton onClick={() => void askForMarks()}>Try again</NoticeButton>}>
          What happened meanwhile is not known: {failureMessage(markError)}
        </Notice>
      )}
      {counts.size > 0 && (
        <fieldset className="trend-kinds no-print">
          <legend className="visually-hidden">Marks</legend>
          {[...counts].map(([kind, { length }]) => (
            <Button
              key={kind}
              variant={view.unmarked.includes(kind) ? "default" : "light"}
              size="compact-xs"
              aria-pressed={!view.unmarked.includes(kind)}
              onClick={() =>
                set({ unmarked: view.unmarked.includes(kind) ? view.unmarked.filter((each) => each !== kind) : [...view.unmarked, kind] })
              }
            >
              <span aria-hidden="true" className="trend-glyph">
                {markLooks[kind].glyph}
              </span>
              {markLooks[kind].words} {length}
            </Button>
          ))}
          {happened?.isCut && <span className="dim">The newest only: a shorter range shows all.</span>}
        </fieldset>
      )}
      {isOfOtherRange ? <p className="dim">Figures of this range are not known.</p> : <FigureTable rows={rows} isOld={isOld} />}
    </>
  );
}

const earlierDash = [3, 3];

/** What there is of each series, in the order in which they were added, each with that of the earlier time. */
function rowsOf(
  series: readonly SeriesName[],
  machines: ReadonlyMap<string, string>,
  data: Trends,
  earlier: Trends | undefined,
  compare: Comparison | undefined,
): FigureRow[] {
  const find = (answer: Trends | undefined, key: string): TrendSeries | undefined => answer?.series.find((each) => seriesKey(each) === key);
  return series.flatMap((each, place): FigureRow[] => {
    const key = seriesKey(each);
    const [now, before] = [find(data, key), find(earlier, key)];
    if (now === undefined) return [];
    const look = { name: `${machines.get(each.serialNumber)} · ${quantityName(each)}`, unit: unitOf(each), ...seriesLook(place) };
    return [
      { ...look, key, series: now },
      ...(before && compare
        ? [{ ...look, key: `${key} ${compare}`, name: `${look.name}, ${comparisonLabels[compare]}`, dash: earlierDash, series: before }]
        : []),
    ];
  });
}

function lineOfRow({ key, name, unit, color, dash, series }: FigureRow, data: Trends, earlier: Trends | undefined): TrendLine {
  const isEarlier = key.includes(" ");
  const answer = isEarlier && earlier ? earlier : data;
  const span = { from: answer.fromTimestamp, to: answer.toTimestamp };
  return lineOf(series, span, {
    key,
    name,
    unit,
    digits: digitsOf(series),
    color,
    dash,
    isEarlier,
    offset: data.fromTimestamp - answer.fromTimestamp,
  });
}
