import { alarmKinds, type AlarmKind } from "@busbar/alarms/alarm-kinds.ts";
import { formatCount, formatPercent } from "../lib/format-figure.ts";
import type { Report } from "../lib/report.ts";
import { createTally, precisionOf, recallOf, type Tally } from "./tally.ts";

type Summary = Pick<Report, "tables" | "notes" | "facts" | "failures">;

/** A line for every kind of alarm, the worst of them as the headline, and all that was left out. A kind without a case is a failure. */
export function summarize(tallies: ReadonlyMap<AlarmKind, Tally>): Summary {
  const all = alarmKinds.map((kind) => ({ kind, tally: tallies.get(kind) ?? createTally() }));
  const hasCase = ({ tally }: (typeof all)[number]) => tally.detected + tally.missed > 0;
  const failures = all.filter((one) => !hasCase(one)).map(({ kind }) => `${kind}: no case occurred, so that nothing is known of it`);
  const share = (value: number) => (Number.isNaN(value) ? 1 : value);
  const shares = all
    .filter(hasCase)
    .map(({ kind, tally }) => ({ kind, tally, least: Math.min(share(recallOf(tally)), share(precisionOf(tally))) }));
  const worst = shares.toSorted((a, b) => a.least - b.least)[0];
  const excluded = all.flatMap(({ kind, tally }) => Array.from(tally.excluded, ([reason, count]) => [kind, formatCount(count), reason]));
  return {
    tables: [
      {
        columns: ["alarm", "episodes", "found (recall)", "raised", "right (precision)"],
        rows: all.map(({ kind, tally }) => [
          kind,
          hasCase({ kind, tally }) ? formatCount(tally.detected + tally.missed) : "no case",
          formatPercent(recallOf(tally)),
          formatCount(tally.right + tally.wrong),
          formatPercent(precisionOf(tally)),
        ]),
      },
      { columns: ["left out of", "cases", "because"], rows: excluded.length > 0 ? excluded : [["none", "0", ""]] },
    ],
    notes: worst
      ? [`Worst kind: ${worst.kind}, recall ${formatPercent(recallOf(worst.tally))}, precision ${formatPercent(precisionOf(worst.tally))}.`]
      : [],
    facts: Object.fromEntries(shares.map(({ kind, least }) => [`${kind}LeastShare`, least])),
    failures,
  };
}
