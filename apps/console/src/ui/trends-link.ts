/** The trends of nodes; without a range those of the last seven days. `range` is a part of the address, such as `24h` or `{from}-{to}`. */
export function trendsOf(
  serials: readonly string[],
  { range = "", quantity = "current" }: { range?: string; quantity?: string } = {},
): string {
  const series = serials.map((serial) => `${serial}:${quantity}`).join(",");
  return `#/trends?series=${series}${range === "" ? "" : `&range=${range}`}`;
}

/** So many seconds around a moment, as a range of the address. */
export const rangeAround = (timestamp: number, seconds: number): string =>
  `${Math.floor(timestamp - seconds)}-${Math.floor(timestamp + seconds)}`;
