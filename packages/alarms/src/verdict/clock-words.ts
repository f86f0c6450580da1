export const tolerableSkewSeconds = 2;

/** How wrong a node's clock is, without a full stop; undefined for one that is right, or not known. */
export function wrongClockWords(aheadSeconds: number | undefined): string | undefined {
  if (aheadSeconds === undefined || Math.abs(aheadSeconds) <= tolerableSkewSeconds) return undefined;
  return `Its clock is about ${spanWords(Math.abs(aheadSeconds))} ${aheadSeconds > 0 ? "ahead" : "behind"}`;
}

const spans = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
] as const;

/** One unit and a whole number: it stays the same while a clock trembles. */
function spanWords(seconds: number): string {
  const [size, unit] = spans.find(([each]) => seconds >= each) ?? [1, "s"];
  return `${Math.round(seconds / size)} ${unit}`;
}
