import type { Metering } from "@busbar/contract/telemetry/metering.ts";

export interface BarMark {
  label: string;
  value: number;
}
export interface BarScale {
  /** Value at the end of the bar. */
  full: number;
  marks: BarMark[];
}

/** Room behind the last mark. */
const margin = 1.1;

/** From zero to beyond the nameplate, the limits and every value; without a nameplate to the greatest value. */
export function barScale(
  values: readonly (number | null)[],
  marks: readonly { label: string; value: number | null | undefined }[],
): BarScale {
  const known = marks.flatMap(({ label, value }) => (typeof value === "number" && value > 0 ? [{ label, value }] : []));
  const greatest = Math.max(0, ...values.map((value) => Math.abs(value ?? 0)));
  const last = Math.max(0, ...known.map(({ value }) => value));
  return { full: Math.max(greatest, last * margin), marks: known };
}

/** Of the bar, from 0 to 1. */
export const shareOf = (value: number | null, { full }: BarScale): number => (full > 0 ? Math.abs(value ?? 0) / full : 0);

export const currentMarks = ({ limits }: Metering) => [
  { label: "nameplate", value: limits?.currentNameplate },
  { label: "limit", value: limits?.currentOver },
];
export const voltageMarks = ({ limits }: Metering) => [
  { label: "lowest", value: limits?.voltageUnder },
  { label: "nameplate", value: limits?.voltageNameplate },
  { label: "highest", value: limits?.voltageOver },
];
export const powerMarks = ({ limits, showLineFrequency }: Metering) => [
  // Beside a total of three phases the nameplate of one would read as an overload.
  { label: showLineFrequency ? "nameplate of a phase" : "nameplate", value: limits?.powerNameplateKw },
];
/** A power factor is a share by itself. */
export const unityMarks = [{ label: "unity", value: 1 }];
