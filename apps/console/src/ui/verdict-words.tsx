import type { NodeVerdict, VerdictKind } from "@busbar/contract/telemetry/node-verdicts.ts";
import type { Gravity } from "@busbar/contract/values/gravity.ts";
import { useClock } from "#lib/clock.ts";
import { spanWords } from "#lib/span-words.ts";

/** What is wrong, as short as a chip. */
export const verdictLabels: Record<VerdictKind, string> = {
  outage: "outage",
  refused: "refused",
  away: "away",
  silent: "silent",
  sensor: "sensor",
  alarm: "alarm",
  unstable: "link drops",
  late: "late",
  partial: "partial",
  meter: "meter silent",
  files: "files late",
  extraction: "bad files",
  quarantine: "bad messages",
  clock: "clock",
  config: "configuration",
  unknown: "not known",
  paused: "paused",
  quiet: "quiet",
  retired: "retired",
  fine: "fine",
};

/** Colours have one meaning each: red asks for action. The shape says the same. */
export const gravityShapes: Record<Gravity, { shape: string; className: string }> = {
  act: { shape: "▲", className: "bad" },
  look: { shape: "◆", className: "warn" },
  note: { shape: "○", className: "dim" },
  fine: { shape: "●", className: "good" },
};

/** The sentence with how long ago its moment is: `Away since 00:48 PST (12 min).` */
export const withAge = ({ sentence, since }: NodeVerdict, now: number): string =>
  since === null ? sentence : `${sentence.replace(/\.$/, "")} (${spanWords(now - since)}).`;

/** The whole reason, with an age that goes on. */
export function VerdictSentence({ verdict }: { verdict: NodeVerdict }) {
  return <>{useClock((now) => withAge(verdict, now))}</>;
}

/** What is wrong in one or two words, and for how long where it asks for action; the whole reason on hover. */
export function VerdictWord({ verdict }: { verdict: NodeVerdict }) {
  const { kind, gravity, since } = verdict;
  const sentence = useClock((now) => withAge(verdict, now));
  // What only asks for a look leaves its room to the status.
  const age = useClock((now) => (since === null || gravity !== "act" ? "" : ` ${spanWords(now - since)}`));
  const { shape, className } = gravityShapes[gravity];
  return (
    <span className={`verdict-word ${className}`} title={sentence}>
      <span aria-hidden="true">
        {shape} {verdictLabels[kind]}
        {age}
      </span>
      <span className="visually-hidden">{sentence}</span>
    </span>
  );
}
