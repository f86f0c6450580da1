const formats = new Map<string, { time: Intl.DateTimeFormat; day: Intl.DateTimeFormat }>();

function formatsOf(timezone: string) {
  let known = formats.get(timezone);
  if (!known) {
    const make = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat("en-US", { timeZone: timezone, ...options });
    known = {
      time: make({ hourCycle: "h23", hour: "2-digit", minute: "2-digit", timeZoneName: "short" }),
      day: make({ year: "numeric", month: "short", day: "numeric" }),
    };
    formats.set(timezone, known);
  }
  return known;
}

const isZone = new Map<string, boolean>();

/** The zone, or UTC for one that this program does not know. */
function knownZone(timezone: string | undefined): string {
  if (timezone === undefined) return "UTC";
  let isKnown = isZone.get(timezone);
  if (isKnown === undefined) {
    try {
      isKnown = formatsOf(timezone) !== undefined;
    } catch {
      isKnown = false;
    }
    isZone.set(timezone, isKnown);
  }
  return isKnown ? timezone : "UTC";
}

/** After so long a time of day alone could be today's or yesterday's. */
export const plainTimeSeconds = 20 * 3_600;
const yearSeconds = 365 * 86_400;

/** A moment as it is said at a place: `00:48 PST`, `21 Nov 00:48 PST` after 20 hours, `21 Nov 2025 00:48 PST` after a year. */
export function momentWords(at: number, timezone: string | undefined, now: number): string {
  if (!Number.isFinite(at) || Math.abs(at) > 8.64e12) return "a moment that is not known";
  const { time, day } = formatsOf(knownZone(timezone));
  const clock = time.format(at * 1000);
  const age = Math.abs(now - at);
  if (age < plainTimeSeconds) return clock;
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of day.formatToParts(at * 1000)) parts[type] = value;
  return [parts.day, parts.month, age > yearSeconds ? parts.year : undefined, clock].filter(Boolean).join(" ");
}
