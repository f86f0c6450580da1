import type { SeriesName, TrendSeries, Trends } from "@busbar/contract/telemetry/trends.ts";
import { mostTrendSeries, usualTrendPoints } from "@busbar/contract/telemetry/trends.ts";
import { Button, Group } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconDownload, IconPhoto, IconPlus, IconPrinter, IconTable } from "@tabler/icons-react";
import { lazy, useEffect, useMemo, useRef, useState } from "react";
import type { ReactNode } from "react";
import { failureMessage } from "#lib/api-error.ts";
import { useClock } from "#lib/clock.ts";
import { csvOf, downloadFile } from "#lib/download.ts";
import { formatDateTime, viewerTimezone } from "#lib/format-date.ts";
import { savePlotsAsPng } from "#lib/save-plots.ts";
import { serverClock } from "#lib/server-clock.ts";
import { ChoiceBar } from "#ui/choice-bar.tsx";
import { csvLines } from "#ui/column.ts";
import { EmptyState, FailureState } from "#ui/data-states.tsx";
import { LoadingPlot } from "#ui/loading.tsx";
import { NativeSelect } from "#ui/native-select.tsx";
import { Notice } from "#ui/notice.tsx";
import { DialogSlot, ProgramPart } from "#ui/program-part.tsx";
import { StaleNotice } from "#ui/stale-notice.tsx";
import { FigureTable } from "./figure-table.tsx";
import type { FigureRow } from "./figure-table.tsx";
import { createPlotView } from "./plot-view.ts";
import { pointColumns, pointRows } from "./point-table.ts";
import { RangeTools } from "./range-tools.tsx";
import { SeriesChips } from "./series-chips.tsx";
import { clocks, seriesKey } from "./trend-address.ts";
import type { Clock, TrendShow, TrendView } from "./trend-address.ts";
import { lineOf, panelsOf } from "./trend-lines.ts";
import type { TrendLine } from "./trend-lines.ts";
import {
  codeOfRange,
  comparisonLabels,
  comparisons,
  earlierSpan,
  liveStepSeconds,
  neighbour,
  rangeText,
  spanOf,
  within,
  zoomed,
} from "./trend-range.ts";
import type { Comparison, TrendRange } from "./trend-range.ts";
import {
  completenessWords,
  digitsOf,
  machineNames,
  quantityName,
  rangeOfWords,
  resolutionText,
  seriesLook,
  unitName,
  unknownNodeOf,
  unitOf,
} from "./trend-words.ts";
import { markLooks } from "./trend-marks.ts";
import { useTrendMarks, useTrends } from "./trends.queries.ts";
import { lettersIn } from "./zone-time.ts";
import type { TimeSpan } from "./zone-time.ts";
import "./trends.css";

const PlotArea = lazy(() => import("./plot-area.tsx").then((module) => ({ default: module.PlotArea })));
const MachineViews = lazy(() => import("./machine-views.tsx").then((module) => ({ default: module.MachineViews })));
const SeriesPicker = lazy(() => import("./series-picker.tsx").then((module) => ({ default: module.SeriesPicker })));

export interface TrendScreenProps {
  view: TrendView;
  onView: (view: TrendView) => void;
  /** The menu of saved views. */
  views: ReactNode;
  /** What the address asked for and was left out, in words. */
  dropped: readonly string[];
}

const showChoices: readonly { value: TrendShow; label: string }[] = [
  { value: "time", label: "Over time" },
  { value: "profile", label: "Load profile" },
  { value: "duration", label: "Duration curve" },
  { value: "scatter", label: "Scatter" },
  { value: "days", label: "Day by day" },
];
const clockLabels: Record<Clock, string> = { place: "the place", utc: "UTC", own: "my own" };
const clockChoices = clocks.map((value) => ({ value, label: `time of: ${clockLabels[value]}` }));
const compareChoices = [
  { value: "", label: "compare with: nothing" },
  ...comparisons.map((value) => ({ value, label: `compare with: ${comparisonLabels[value]}` })),
];
/** So that a window that is a little wider asks for nothing new. */
const pointsRound = 250;
const now = () => serverClock.nowSeconds();
const none: readonly string[] = [];
const probeSpan = { from: 1_600_000_000, to: 1_600_000_900 };

/** Any quantity of any machine over any time. */
export function TrendScreen({ view, onView, views, dropped }: TrendScreenProps) {
  const { series, range, clock, compare } = view;
  const [points] = useState(() => Math.min(usualTrendPoints, Math.ceil(innerWidth / pointsRound) * pointsRound));
  const [isAdding, setAdding] = useState(false);
  // Where a zoom began, as long as what it led to is shown: a saved view, or the address, leads elsewhere.
  const [zoom, setZoom] = useState<{ home: TrendRange; to: string } | undefined>();
  const home = zoom?.to === codeOfRange(range) ? zoom.home : undefined;
  const step = "last" in range ? liveStepSeconds(range.last) : "calendar" in range ? 60 : Infinity;
  const nowSeconds = useClock((seconds) => (step === Infinity ? 0 : Math.floor(seconds / step) * step));

  // The server refuses a call for a node that it does not know: the others are asked for without it, until other ones are chosen.
  const asksFor = series.map(seriesKey).join();
  const [refusals, setRefusals] = useState<{ of: string; serials: readonly string[] }>({ of: asksFor, serials: [] });
  const unknown = refusals.of === asksFor ? refusals.serials : none;
  const there = useMemo(() => series.filter(({ serialNumber }) => !unknown.includes(serialNumber)), [series, unknown]);
  // A part of the calendar is that of the place, whatever clock the axis shows; an answer says where that is.
  const needsPlace = "calendar" in range;
  const probe = useTrends(there.slice(0, 1), needsPlace ? probeSpan : undefined, 1);
  const [known, setKnown] = useState<{ data: Trends; updatedAt: number } | undefined>();
  const answered = [known?.data, probe.data].flatMap((answer) => answer?.series ?? []);
  const placeZone = answered.find(({ serialNumber }) => serialNumber === there[0]?.serialNumber)?.timezone;
  const zone = (clock === "utc" ? "UTC" : clock === "own" ? viewerTimezone() : placeZone) ?? "UTC";
  const rangeZone = needsPlace && placeZone !== undefined ? placeZone : zone;
  const span = useMemo(
    () => (needsPlace && placeZone === undefined ? undefined : spanOf(range, rangeZone, nowSeconds)),
    [range, needsPlace, placeZone, rangeZone, nowSeconds],
  );
  const asked = useTrends(there, span, points);
  if (asked.data && !asked.isPlaceholderData && asked.data !== known?.data) setKnown({ data: asked.data, updatedAt: asked.dataUpdatedAt });
  const { error, refetch } = span ? asked : probe;
  const refused = unknownNodeOf(error);
  if (refused !== undefined && !unknown.includes(refused)) setRefusals({ of: asksFor, serials: [...unknown, refused] });
  // What is there stays when another range cannot be had.
  const latest = asked.data ?? (error ? known?.data : undefined);
  const data = latest?.series.some((each) => there.some((one) => seriesKey(one) === seriesKey(each))) ? latest : undefined;
  const before = compare && span && data ? earlierSpan(span, compare, rangeZone) : undefined;
  const earlier = useTrends(there, before, points);

  const set = (part: Partial<TrendView>) => onView({ ...view, ...part });
  const choose = (next: TrendRange) => {
    setZoom(undefined);
    set({ range: next });
  };
  const settle = ({ from, to }: TimeSpan) => {
    const next = { from: Math.round(from), to: Math.round(to) };
    setZoom({ home: home ?? range, to: codeOfRange(next) });
    set({ range: next });
  };
  const reset = home && (() => choose(home));
  usePlotKeys({ 0: () => reset?.(), t: () => set({ isTable: !view.isTable }) });

  const names = useMemo(() => {
    const all = [latest, known?.data, probe.data].flatMap((answer) => answer?.series ?? []);
    return machineNames(
      series.map(({ serialNumber }) => ({
        serialNumber,
        locationName: all.find((each) => each.serialNumber === serialNumber)?.locationName ?? "",
      })),
    );
  }, [series, latest, known, probe.data]);
  const machines = series.map((each) => ({ ...each, machine: names.get(each.serialNumber) ?? "" }));
  const lost = series.filter(({ serialNumber }) => unknown.includes(serialNumber)).map(({ serialNumber }) => serialNumber);
  return (
    <div className="trend-page">
      <div className="trend-head">
        <h1 className="page-title">Trends</h1>
        <div className="no-print">
          <ChoiceBar label="Show" size="compact-sm" choices={showChoices} value={view.show} onChoose={(show) => set({ show })} />
        </div>
        <div className="no-print">{views}</div>
      </div>
      {dropped.length > 0 && <Notice kind="warning">Left out of what the address asks for: {dropped.join("; ")}.</Notice>}
      {lost.length > 0 && (
        <Notice kind="warning">
          {lost.length === 1 ? `Node ${lost[0]} is not known` : `Nodes ${lost.join(", ")} are not known`}: nothing of it is shown.
        </Notice>
      )}
      <div className="trend-chips">
        <SeriesChips
          series={machines}
          hidden={view.hidden}
          onHidden={(hidden) => set({ hidden })}
          onRemove={(removed) => set({ series: series.filter((each) => seriesKey(each) !== removed) })}
        />
        <Button
          variant="default"
          size="compact-md"
          className="no-print"
          disabled={series.length >= mostTrendSeries}
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          Add series
        </Button>
      </div>
      {series.length === 0 ? (
        <EmptyState title="Choose what to look at: a machine, and what of it.">
          <Button onClick={() => setAdding(true)}>Add series</Button>
        </EmptyState>
      ) : (
        <>
          <div className="trend-tools no-print">
            <RangeTools
              range={range}
              timezone={zone}
              now={now}
              onRange={choose}
              onNeighbour={(direction) => span && choose(bounded(neighbour(span, direction, rangeZone)))}
              onZoom={(factor) => span && settle(bounded(zoomed(span, factor, (span.from + span.to) / 2)))}
              onReset={reset}
              onLive={() => span && choose("last" in range ? span : { last: Math.round(span.to - span.from) })}
            />
            {(view.show === "time" || view.show === "scatter") && (
              <NativeSelect
                aria-label="Time of"
                data={clockChoices}
                value={clock}
                onChange={({ currentTarget }) => set({ clock: currentTarget.value as Clock })}
              />
            )}
            {view.show === "time" && (
              <NativeSelect
                aria-label="Compare with"
                data={compareChoices}
                value={compare ?? ""}
                onChange={({ currentTarget }) => set({ compare: comparisons.find((each) => each === currentTarget.value) })}
              />
            )}
          </div>
          {span && (
            <p className="trend-printed">
              {formatDateTime(span.from, zone)} to {formatDateTime(span.to, zone)}, times in {zone}
            </p>
          )}
          {view.show !== "time" && span && (
            <ProgramPart loading={<LoadingPlot label="Loading the view" height={230} />}>
              <MachineViews
                show={view.show}
                series={machines.filter(({ serialNumber }) => !unknown.includes(serialNumber))}
                span={span}
                timezone={zone}
              />
            </ProgramPart>
          )}
          {view.show === "time" && there.length > 0 && (
            <>
              {error && data && (
                <StaleNotice
                  message={failureMessage(error)}
                  updatedAt={asked.data ? asked.dataUpdatedAt : (known?.updatedAt ?? 0)}
                  onRetry={() => void refetch()}
                />
              )}
              {error && !data && <FailureState message={failureMessage(error)} onRetry={() => void refetch()} />}
              {!data && !error && <LoadingPlot label="Loading the trends" height={420} />}
              {data && span && (
                <Shown
                  view={view}
                  series={there}
                  names={names}
                  set={set}
                  span={span}
                  timezone={zone}
                  data={data}
                  earlier={before && !earlier.isPlaceholderData ? earlier.data : undefined}
                  isOfOtherRange={asked.data === undefined}
                  isOld={asked.isFetching && (asked.isPlaceholderData || asked.data !== data)}
                  onSettle={settle}
                  onReset={() => reset?.()}
                />
              )}
            </>
          )}
        </>
      )}
      <DialogSlot onClose={() => setAdding(false)}>
        {isAdding && (
          <SeriesPicker
            shown={machines}
            quantity={series.at(-1)?.quantity ?? "current"}
            onAdd={(added) => {
              set({ series: [...series, added] });
              setAdding(false);
            }}
            onClose={() => setAdding(false)}
          />
        )}
      </DialogSlot>
    </div>
  );
}

const bounded = (span: TimeSpan): TimeSpan => {
  const { from, to } = within(span, now());
  return { from: Math.round(from), to: Math.round(to) };
};

/** Keys of the page, but not in a field or below a dialog. */
function usePlotKeys(keys: Record<string, () => void>): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const act = current.current[event.key.toLowerCase()];
      if (!act || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("[role='dialog']") || isField(event.target))
        return;
      act();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName));

interface ShownProps {
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

function Shown({ view, series, names, set, span, timezone, data, earlier, isOfOtherRange, isOld, onSettle, onReset }: ShownProps) {
  const isNarrow = useMediaQuery("(max-width: 47.99em)", undefined, { getInitialValueInEffect: false });
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
  const gestures = useMemo(() => ({ bound: (next: TimeSpan) => within(next, now()), onSettle, onReset }), [onSettle, onReset]);
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
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconDownload size={14} aria-hidden />}
            onClick={() => downloadFile(`${name}.csv`, csvOf(csvLines(pointColumns(lines, timezone), pointRows(lines))))}
          >
            Save CSV
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPhoto size={14} aria-hidden />}
            onClick={() => plots.current && savePlotsAsPng(plots.current, `${name}.png`)}
          >
            Save plot
          </Button>
          <Button variant="default" size="compact-sm" leftSection={<IconPrinter size={14} aria-hidden />} onClick={() => window.print()}>
            Print
          </Button>
        </Group>
      </div>
      {markError && (
        <Notice
          kind="warning"
          action={
            <Button variant="default" size="compact-sm" onClick={() => void askForMarks()}>
              Try again
            </Button>
          }
        >
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
