const secondsPerQuarterHour = 900;
const cacheLimit = 4096;
const lookups = new Map<string, (epochSeconds: number) => number>();

/**
 * Seconds east of UTC in a time zone at an instant. Offsets change on quarter hours only, so one answer serves 15 minutes.
 * An unknown zone counts as UTC, as for a node without a location.
 */
export function zoneOffsetLookup(timezone: string): (epochSeconds: number) => number {
  let lookup = lookups.get(timezone);
  if (!lookup) {
    lookup = createLookup(timezone);
    if (lookups.size < cacheLimit) lookups.set(timezone, lookup);
  }
  return lookup;
}

function createLookup(timezone: string): (epochSeconds: number) => number {
  const format = formatOf(timezone);
  if (!format) return () => 0;
  const offsets = new Map<number, number>();
  let lastQuarter = Number.NaN;
  let lastOffset = 0;
  return (epochSeconds) => {
    const quarter = Math.floor(epochSeconds / secondsPerQuarterHour);
    if (quarter === lastQuarter) return lastOffset;
    let offset = offsets.get(quarter);
    if (offset === undefined) {
      offset = offsetAt(format, quarter * secondsPerQuarterHour);
      if (offsets.size >= cacheLimit) offsets.clear();
      offsets.set(quarter, offset);
    }
    lastQuarter = quarter;
    lastOffset = offset;
    return offset;
  };
}

function formatOf(timezone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: timezone, timeZoneName: "longOffset" });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function offsetAt(format: Intl.DateTimeFormat, epochSeconds: number): number {
  const name = format.formatToParts(epochSeconds * 1000).find((part) => part.type === "timeZoneName")?.value ?? "GMT";
  const match = /^GMT(?:([+-])(\d{2}):(\d{2}))?$/.exec(name);
  if (!match?.[1]) return 0;
  const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60;
  return match[1] === "-" ? -seconds : seconds;
}
