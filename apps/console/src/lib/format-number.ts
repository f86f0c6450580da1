const thousands = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const reading = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2, useGrouping: false, signDisplay: "negative" });

export const formatCount = (count: number): string => thousands.format(count);

/** COM-07: 0 to 2 decimals, and no minus before a zero; a value that was not measured, in a waveform NaN, is a dash. */
export const formatReading = (value: number | null): string => (value === null || Number.isNaN(value) ? "–" : reading.format(value));

const sizeUnits = ["B", "kB", "MB", "GB"] as const;

/** Bytes in the largest unit that leaves a number of three digits at most, such as `16.2 kB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < sizeUnits.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${unit > 0 && value < 99.95 ? value.toFixed(1) : Math.round(value)} ${sizeUnits[unit]}`;
}
