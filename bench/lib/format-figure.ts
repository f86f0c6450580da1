const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

export const formatCount = (value: number): string => grouped.format(value);

/** Milliseconds with the digits that a person can use. */
export function formatMs(value: number): string {
  if (!Number.isFinite(value)) return "-";
  return value < 10 ? value.toFixed(1) : formatCount(value);
}

export const formatPercent = (share: number): string => (Number.isFinite(share) ? `${(share * 100).toFixed(1)} %` : "-");

export const formatMegabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(0)} MB`;

export const formatKilobytes = (bytes: number): string => `${(bytes / 1_024).toFixed(1)} KB`;

/** How many times as much: `2.8x`. */
export const formatTimes = (ratio: number): string => (Number.isFinite(ratio) ? `${ratio.toFixed(ratio < 10 ? 1 : 0)}x` : "-");
