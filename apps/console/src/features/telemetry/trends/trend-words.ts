import { quantityOf, type Quantity } from "@busbar/contract/telemetry/quantities.ts";
import type { SeriesName, TrendSeries } from "@busbar/contract/telemetry/trends.ts";
import { isNotFound } from "#lib/api-error.ts";
import { visibleText } from "#lib/visible-text.ts";

const formats = new Map<number, Intl.NumberFormat>();

/** With as many decimals as are worth reading; a dash for what is not known. */
export function figureText(value: number | null | undefined, digits: number): string {
  if (value === null || value === undefined) return "–";
  let format = formats.get(digits);
  if (!format) {
    format = new Intl.NumberFormat("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: "negative" });
    formats.set(digits, format);
  }
  return format.format(value);
}

const quantityOfSeries = ({ quantity }: SeriesName): Quantity | undefined => quantityOf(quantity);
export const unitOf = (series: SeriesName): string => quantityOfSeries(series)?.unit ?? "";
export const digitsOf = (series: SeriesName): number => quantityOfSeries(series)?.digits ?? 2;
export const quantityName = (series: SeriesName): string => quantityOfSeries(series)?.name ?? series.quantity;

/** The machine, or its node where it is at no place. */
export const machineName = ({ serialNumber, locationName }: { serialNumber: string; locationName: string }): string =>
  locationName === "" ? `Node ${serialNumber}` : visibleText(locationName);

/** The machine of each node, by its serial number; with that number where two nodes are of machines that are called alike. */
export function machineNames(nodes: readonly { serialNumber: string; locationName: string }[]): Map<string, string> {
  const plain = new Map(nodes.map((node) => [node.serialNumber, machineName(node)]));
  const count = (name: string) => [...plain.values()].filter((other) => other === name).length;
  return new Map([...plain].map(([serial, name]) => [serial, count(name) > 1 ? `${name} (${serial})` : name]));
}

/** The serial number of a node that the server does not know, of its refusal. */
export const unknownNodeOf = (error: unknown): string | undefined =>
  isNotFound(error) ? /^Node (\d{5})\b/.exec(error.message)?.[1] : undefined;

/** How a series is drawn: its colour and its dashes in pixels. */
export interface SeriesLook {
  color: string;
  dash: readonly number[];
}

const colorCount = 6;
const secondDash = [8, 3];
/** Of the second half of the series, which has the colours again. */
export const seriesLook = (place: number): SeriesLook => ({
  color: `var(--trend-${(place % colorCount) + 1})`,
  dash: place < colorCount ? [] : secondDash,
});

/** What an axis is of: a unit, or what has none. */
export const unitName = (unit: string): string => (unit === "" ? "Number" : unit);

/** What a point is, such as `15-minute values`. */
export function resolutionText({ resolution, stepSeconds }: Pick<TrendSeries, "resolution" | "stepSeconds">): string {
  if (resolution === "raw") return "values as they came";
  const counted = (count: number, unit: string) => (count === 1 ? `${unit} values` : `${count}-${unit} values`);
  if (stepSeconds >= 86_400) return counted(Math.round(stepSeconds / 86_400), "day");
  if (stepSeconds >= 3_600 && stepSeconds % 3_600 === 0) return counted(stepSeconds / 3_600, "hour");
  return stepSeconds >= 60 ? counted(Math.round(stepSeconds / 60), "minute") : counted(Math.round(stepSeconds), "second");
}

/** `98.7 % complete`; never 100 % where something is missing, and never 0 % where something is there. */
export function completenessText(share: number): string {
  const percent = share * 100;
  if (share >= 1) return "100 % complete";
  if (share <= 0) return "no data";
  return `${Math.min(99.9, Math.max(0.1, percent)).toFixed(1)} % complete`;
}

/** Of the worst and the best, `97.8 to 99.7 % complete`. */
export function completenessWords(shares: readonly number[]): string {
  const [worst, best] = [completenessText(Math.min(...shares)), completenessText(Math.max(...shares))];
  return worst === best || worst === "no data"
    ? [...new Set([worst, best])].join(" to ")
    : `${worst.replace(" % complete", "")} to ${best}`;
}

/** Words that all series share are said once. */
export function rangeOfWords(words: readonly string[]): string {
  const distinct = [...new Set(words)];
  return distinct.length <= 2 ? distinct.join(" and ") : `${distinct[0]} to ${distinct.at(-1)}`;
}
