import { quantityOf } from "@busbar/contract/telemetry/quantities.ts";
import {
  mostTrendSeries,
  readSeriesText,
  seriesText,
  trendMarkKinds,
  type SeriesName,
  type TrendMarkKind,
} from "@busbar/contract/telemetry/trends.ts";
import { serialNumberPattern } from "@busbar/contract/values/serial-number.ts";
import { visibleText } from "#lib/visible-text.ts";
import { codeOfRange, comparisons, rangeOfCode, weekRange, type Comparison, type TrendRange } from "./trend-range.ts";

/** Whose clocks the axis shows. */
export const clocks = ["place", "utc", "own"] as const;
export type Clock = (typeof clocks)[number];

/** Over time, or a view that explains a machine. */
export const trendShows = ["time", "profile", "duration", "scatter", "days"] as const;
export type TrendShow = (typeof trendShows)[number];

/** What the page shows, all of which is in its address. */
export interface TrendView {
  show: TrendShow;
  series: readonly SeriesName[];
  range: TrendRange;
  clock: Clock;
  compare: Comparison | undefined;
  isTable: boolean;
  /** Series that are not drawn for now. */
  hidden: readonly string[];
  /** On a narrow screen the one plot that is shown; empty for the first. */
  unit: string;
  /** Kinds of marks that are not drawn. */
  unmarked: readonly TrendMarkKind[];
}

export const seriesKey = ({ serialNumber, quantity }: SeriesName): string => `${serialNumber}:${quantity}`;

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const namedIn = (search: Record<string, unknown>): SeriesName[] => {
  const text = textOf(search["series"]);
  return text === "" ? [] : [...new Map(readSeriesText(text).map((each) => [seriesKey(each), each])).values()];
};
const isKnown = ({ serialNumber, quantity }: SeriesName): boolean =>
  serialNumberPattern.test(serialNumber) && quantityOf(quantity) !== undefined;

/** Whatever is in the address: what means nothing is left out, twice the same is once. */
export function viewOfSearch(search: Record<string, unknown>): TrendView {
  const series = namedIn(search).filter(isKnown).slice(0, mostTrendSeries);
  const keys = new Set(series.map(seriesKey));
  return {
    show: trendShows.find((show) => show === search["show"]) ?? "time",
    series,
    range: rangeOfCode(textOf(search["range"])) ?? weekRange,
    clock: clocks.find((clock) => clock === search["clock"]) ?? "place",
    compare: comparisons.find((comparison) => comparison === search["compare"]),
    isTable: search["table"] === "1",
    hidden: textOf(search["hidden"])
      .split(",")
      .filter((key) => keys.has(key)),
    unit: textOf(search["unit"]),
    unmarked: trendMarkKinds.filter((kind) => textOf(search["unmarked"]).split(",").includes(kind)),
  };
}

const longestDropped = 40;
const mostDropped = 4;

/** What series and range of an address mean nothing, and series beyond the last that fits, in words. */
export function droppedOf(search: Record<string, unknown>): string[] {
  const quoted = (text: string) => `“${visibleText(text.length > longestDropped ? `${text.slice(0, longestDropped)}…` : text)}”`;
  const named = namedIn(search);
  const range = textOf(search["range"]);
  const series = [
    ...named
      .filter((each) => !isKnown(each))
      .map((each) =>
        serialNumberPattern.test(each.serialNumber) && each.quantity !== ""
          ? `the quantity ${quoted(each.quantity)}, which there is not`
          : `the series ${quoted(seriesKey(each))}, which is none`,
      ),
    ...named
      .filter(isKnown)
      .slice(mostTrendSeries)
      .map((each) => `${seriesKey(each)}, as ${mostTrendSeries} series are the most`),
  ];
  return [
    ...series.slice(0, mostDropped),
    ...(series.length > mostDropped ? [`${series.length - mostDropped} more series`] : []),
    ...(range !== "" && rangeOfCode(range) === undefined ? [`the range ${quoted(range)}`] : []),
  ];
}

/** What is as it is at first is not written. */
export function searchOfView({ show, series, range, clock, compare, isTable, hidden, unit, unmarked }: TrendView): Record<string, string> {
  const code = codeOfRange(range);
  return {
    show: show === "time" ? "" : show,
    series: seriesText(series),
    range: code === codeOfRange(weekRange) ? "" : code,
    clock: clock === "place" ? "" : clock,
    compare: compare ?? "",
    table: isTable ? "1" : "",
    hidden: hidden.join(","),
    unit,
    unmarked: unmarked.join(","),
  };
}
