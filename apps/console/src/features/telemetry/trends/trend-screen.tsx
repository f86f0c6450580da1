import { mostTrendSeries, usualTrendPoints, type Trends } from "@busbar/contract/telemetry/trends.ts";
import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useMemo, useState, type ReactNode } from "react";
import { failureMessage } from "#lib/api-error.ts";
import { useClock } from "#lib/clock.ts";
import { formatDateTime, viewerTimezone } from "#lib/format-date.ts";
import { serverClock } from "#lib/server-clock.ts";
import { lazyPart } from "#lib/lazy-part.ts";
import { ChoiceBar } from "#ui/choice-bar.tsx";
import { EmptyState, FailureState } from "#ui/data-states.tsx";
import { LoadingPlot } from "#ui/loading.tsx";
import { NativeSelect } from "#ui/native-select.tsx";
import { Notice } from "#ui/notice.tsx";
import { DialogSlot, ProgramPart } from "#ui/program-part.tsx";
import { StaleNotice } from "#ui/stale-notice.tsx";
import { RangeTools } from "./range-tools.tsx";
import { SeriesChips } from "./series-chips.tsx";
import { clocks, seriesKey, type Clock, type TrendShow, type TrendView } from "./trend-address.ts";
import {
  codeOfRange,
  comparisonLabels,
  comparisons,
  earlierSpan,
  liveStepSeconds,
  neighbour,
  spanOf,
  within,
  zoomed,
  type TrendRange,
} from "./trend-range.ts";
import { machineNames, unknownNodeOf } from "./trend-words.ts";
import { useTrends } from "./trends.queries.ts";
import type { TimeSpan } from "./zone-time.ts";
import "./trends.css";
import { ShownTrends } from "./shown-trends.tsx";
import { usePageKeys } from "#ui/use-page-keys.ts";

const MachineViews = lazyPart(() => import("./machine-views.tsx"), "MachineViews");
const SeriesPicker = lazyPart(() => import("./series-picker.tsx"), "SeriesPicker");

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
  usePageKeys({ 0: reset, t: () => set({ isTable: !view.isTable }) });

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
                <ShownTrends
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
