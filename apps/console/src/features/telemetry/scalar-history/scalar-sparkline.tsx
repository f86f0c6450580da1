import { counted } from "@busbar/contract/values/counted.ts";
import { useMemo } from "react";
import { failureMessage } from "#lib/api-error.ts";
import { describePanel, panelsOf, type PlotPanel } from "./history-series.ts";
import { useScalarHistory } from "./scalar-history.queries.ts";
import { sparkPath } from "./spark-path.ts";
import "./scalar-history.css";

const size = { width: 300, height: 44 };
const viewBox = `0 0 ${size.width} ${size.height}`;

export interface ScalarSparklineProps {
  serial: string;
  /** Currents up to it are none: the machine is stopped. */
  noise: number | undefined;
  onOpen: () => void;
}

/** Of the noise, so much is shown where nothing else is: it lies flat. */
const noiseShown = 10;

/** The course of the last scalars, currents and voltages; a press opens the history. */
export function ScalarSparkline({ serial, noise = 0, onOpen }: ScalarSparklineProps) {
  const { data, error } = useScalarHistory(serial);
  const { times, panels } = useMemo(() => panelsOf(data ?? []), [data]);
  if (!data && error) return <p className="panel-empty">The last scalars could not be loaded: {failureMessage(error)}</p>;
  if (data?.length === 0) return null;
  return (
    <button type="button" className="plain-button spark-button" onClick={onOpen}>
      <span className="visually-hidden">Recent scalar history: </span>
      {data ? (
        panels.slice(0, 2).map((panel) => <Spark key={panel.title} times={times} panel={panel} noise={panel.unit === "A" ? noise : 0} />)
      ) : (
        <span className="spark-place" />
      )}
    </button>
  );
}

function Spark({ times, panel, noise }: { times: readonly number[]; panel: PlotPanel; noise: number }) {
  const all = panel.series.flatMap(({ values }) => values).filter((value) => value !== null);
  if (all.length === 0) return null;
  const isIdle = noise > 0 && all.every((value) => Math.abs(value) <= noise);
  const range = isIdle ? { low: 0, high: noiseShown * noise } : { low: Math.min(...all), high: Math.max(...all) };
  const words = `${describePanel(panel)}, in the last ${spanOf(times)}${isIdle ? ", no load" : ""}`;
  return (
    <span className={isIdle ? "spark is-idle" : "spark"}>
      <span className="dim">
        {panel.title}, {panel.unit}
        {isIdle && ", no load"}
      </span>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing in the page is no <img> */}
      <svg role="img" viewBox={viewBox} preserveAspectRatio="none" aria-label={words}>
        {panel.series.map(({ label, color, values }) => (
          <path key={label} d={sparkPath(times, values, range, size)} stroke={color} />
        ))}
      </svg>
    </span>
  );
}

function spanOf(times: readonly number[]): string {
  const minutes = Math.round(((times.at(-1) ?? 0) - (times[0] ?? 0)) / 60);
  return minutes < 120 ? counted(minutes, "minute") : counted(Math.round(minutes / 60), "hour");
}
