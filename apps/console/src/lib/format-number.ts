const thousands = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const reading = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2, useGrouping: false });

export const formatCount = (count: number): string => thousands.format(count);

/** 0 to 2 decimals; a value that was not measured is a dash. */
export const formatReading = (value: number | null): string => (value === null ? "–" : reading.format(value));
