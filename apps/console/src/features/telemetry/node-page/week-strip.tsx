import { counted } from "@busbar/contract/values/counted.ts";
import type { NodeWeek, WeekLane } from "@busbar/contract/telemetry/node-week.ts";
import { useState, type KeyboardEvent } from "react";
import { formatDateTime } from "#lib/format-date.ts";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { Panel } from "#ui/panel.tsx";
import { useNodeWeek } from "./node-page.queries.ts";
import { drawnGaps, isDuring, laneText, lengthText, type DrawnGap, type Span } from "./week-gaps.ts";
import { weekDays } from "./week-days.ts";

export type GapOf = "connected" | "scalars" | "D" | "S";

export interface WeekStripProps {
  serial: string;
  timezone: string;
  /** Seconds between data files. */
  dataInterval: number;
  /** A gap was pressed. */
  onGap: (what: GapOf, gap: Span) => void;
}

/** In percent of the strip: the name of a day that began later ends beyond a narrow screen. */
const lastRoomyPlace = 86;

/** The last seven days: what came, and where it did not. */
export function WeekStrip({ serial, timezone, dataInterval, onGap }: WeekStripProps) {
  const asked = useNodeWeek(serial);
  const { data } = asked;
  return (
    <Panel title="Last 7 days" aside={data && `times in ${timezone}`}>
      <Loaded of={asked} loading={<LoadingRows label="Loading the last 7 days" rows={4} height={24} />} />
      {data && <Lanes week={data} timezone={timezone} dataInterval={dataInterval} onGap={onGap} />}
      {data?.dataFiles && (
        <p className="week-away no-print">
          <a href={`#/coverage?show=all&find=${serial}&node=${serial}`}>Coverage of 31 days</a>
        </p>
      )}
    </Panel>
  );
}

function Lanes({ week, timezone, dataInterval, onGap }: { week: NodeWeek } & Omit<WeekStripProps, "serial">) {
  const span = { from: week.fromTimestamp, to: week.toTimestamp };
  const lanes: { what: GapOf; label: string; lane: WeekLane | null; leadsTo: string }[] = [
    { what: "connected", label: "Connected", lane: week.connected, leadsTo: "scalars of that time" },
    { what: "scalars", label: "Scalars", lane: week.scalars, leadsTo: "scalars of that time" },
    { what: "D", label: `Data files, ${lengthText(dataInterval)}`, lane: week.dataFiles, leadsTo: "files of that time" },
    { what: "S", label: "1-second files", lane: week.oneSecondFiles, leadsTo: "files of that time" },
  ];
  const days = weekDays(span, timezone);
  return (
    <>
      <div className="week">
        {lanes.map(
          ({ what, label, lane, leadsTo }) =>
            lane && (
              <LaneRow
                key={what}
                label={label}
                lane={lane}
                week={week}
                span={span}
                timezone={timezone}
                leadsTo={leadsTo}
                onGap={(gap) => onGap(what, gap)}
              />
            ),
        )}
        <div className="week-days" aria-hidden="true">
          {days.map(({ at, name }) => (
            <span
              key={at}
              className={placeOf(at, span) > lastRoomyPlace ? "has-no-room" : undefined}
              style={{ left: `${placeOf(at, span)}%` }}
            >
              {name}
            </span>
          ))}
        </div>
      </div>
      <p className="week-away dim no-print">
        <span className="week-key is-known" aria-hidden="true" /> came <span className="week-key is-missing" aria-hidden="true" /> missing:
        press to see that time <span className="week-key is-unknown" aria-hidden="true" /> nothing known
      </p>
      {week.platformAway.length > 0 && (
        <p className="week-away dim">
          <span className="week-key is-away" aria-hidden="true" /> The platform was away:{" "}
          {week.platformAway
            .slice(-3)
            .map(({ fromTimestamp, toTimestamp }) => timesOf({ from: fromTimestamp, to: toTimestamp }, timezone))
            .join("; ")}
          .
        </p>
      )}
    </>
  );
}

interface LaneRowProps {
  label: string;
  lane: WeekLane;
  week: NodeWeek;
  span: Span;
  timezone: string;
  leadsTo: string;
  onGap: (gap: Span) => void;
}

function LaneRow({ label, lane, week, span, timezone, leadsTo, onGap }: LaneRowProps) {
  const gaps = drawnGaps(lane.gaps, span);
  // One of them is in the tab order; arrows walk the others. At first it is the newest.
  const [active, setActive] = useState<number | undefined>();
  const activeIndex = Math.min(active ?? gaps.length - 1, gaps.length - 1);
  const walk = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(gaps.length - 1, activeIndex + step));
    setActive(next);
    event.currentTarget.querySelectorAll("button")[next]?.focus();
  };
  const { knownFromTimestamp } = lane;
  const ownGaps = lane.gaps.filter(
    ({ fromTimestamp, toTimestamp }) => !isDuring({ from: fromTimestamp, to: toTimestamp }, week.platformAway),
  );
  const isShown = knownFromTimestamp !== null;
  return (
    <div className="week-lane">
      <span>{label}</span>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- its buttons take the keys */}
      <div className="week-track" onKeyDown={walk}>
        {isShown && <span className="week-known" style={boxOf({ from: knownFromTimestamp, to: span.to }, span)} />}
        {week.platformAway.map(({ fromTimestamp, toTimestamp }) => (
          <span key={fromTimestamp} className="week-key is-away" style={boxOf({ from: fromTimestamp, to: toTimestamp }, span)} />
        ))}
        {gaps.map((gap, index) => {
          const isOfPlatform = isDuring(gap, week.platformAway);
          const words = `${label}: ${gapText(gap, timezone)}${isOfPlatform ? ", while the platform was away" : ""}`;
          return (
            <button
              key={gap.from}
              type="button"
              className={`plain-button week-gap ${isOfPlatform ? "is-away" : gap.gaps > 1 ? "is-several" : ""}`}
              style={boxOf(gap, span)}
              tabIndex={index === activeIndex ? 0 : -1}
              aria-label={`${words}. Open ${leadsTo}`}
              title={words}
              onFocus={() => setActive(index)}
              onClick={() => onGap(gap)}
            />
          );
        })}
      </div>
      <span className={`week-sum ${ownGaps.length > 0 ? "" : "dim"}`}>{laneText({ ...lane, gaps: ownGaps }, span)}</span>
    </div>
  );
}

const placeOf = (at: number, { from, to }: Span): number => Math.max(0, Math.min(100, ((at - from) / (to - from)) * 100));

function boxOf({ from, to }: Span, week: Span) {
  const left = placeOf(from, week);
  // What is just over has room for a finger, too.
  return { left: `min(${left}%, 100% - 6px)`, width: `${placeOf(to, week) - left}%` };
}

const timesOf = ({ from, to }: Span, timezone: string): string => {
  const [one, other] = [formatDateTime(from, timezone), formatDateTime(to, timezone)];
  const [day = "", time = ""] = one.split(" ");
  const [lastDay = "", lastTime = ""] = other.split(" ");
  return `${day} ${time.slice(0, 5)} to ${day === lastDay ? "" : `${lastDay} `}${lastTime.slice(0, 5)}`;
};

function gapText(gap: DrawnGap, timezone: string): string {
  const { gaps, seconds, missing } = gap;
  const what = missing === null ? lengthText(seconds) : `${counted(missing, "file")} missing`;
  return `${what}${gaps > 1 ? ` in ${counted(gaps, "gap")}` : ""}, ${timesOf(gap, timezone)}`;
}
