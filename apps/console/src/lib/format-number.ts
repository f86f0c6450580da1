const thousands = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const reading = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2, useGrouping: false, signDisplay: "negative" });

export const formatCount = (count: number): string => thousands.format(count);

/** COM-07: 0 to 2 decimals, and no minus before a zero; a value that was not measured is a dash. */
export const formatReading = (value: number | null): string => (value === null ? "–" : reading.format(value));
