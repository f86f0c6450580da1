import { momentWords, plainTimeSeconds } from "./moment-words.ts";
import type { Evidence } from "./signals.ts";
import { gravityOf, rankOf, type VerdictKind } from "./verdict-kinds.ts";

const longestSentence = 300;
const longestDetail = 500;

export type Findings = ReturnType<typeof createFindings>;

/** Collects what is found of a node, and when time alone would make it find something else. */
export function createFindings(timezone: string | undefined, now: number) {
  const found: (Evidence & { kind: VerdictKind })[] = [];
  const beside: Evidence[] = [];
  let dueAt = Infinity;

  const due = (at: number | undefined) => {
    if (at !== undefined && at > now && at < dueAt) dueAt = at;
  };
  const evidence = (words: string, since: number | undefined, detail: string) => {
    // Its words gain a date.
    if (since !== undefined) due(since + plainTimeSeconds);
    const end = since === undefined ? "" : ` since ${momentWords(since, timezone, now)}`;
    const sentence = `${words.replace(/\.$/, "").slice(0, longestSentence).toWellFormed()}${end}.`;
    return { sentence, since, detail: detail.slice(0, longestDetail).toWellFormed() };
  };

  return {
    now,
    /** @param words a sentence; with `since` the moment is put at its end */
    note: (kind: VerdictKind, words: string, since?: number, detail = "") =>
      void found.push({ kind, gravity: gravityOf(kind), ...evidence(words, since, detail) }),
    /** What explains a verdict and is none. */
    noteBeside: (kind: Evidence["kind"], words: string, since?: number, detail = "") =>
      void beside.push({ kind, gravity: "note", ...evidence(words, since, detail) }),
    /** At this moment something begins or ends. */
    due,
    /** True from a moment on, which is when it is to be judged again. */
    isPast(at: number): boolean {
      due(at);
      return at <= now;
    },
    /** Gravest first. */
    found: () => found.toSorted((a, b) => rankOf(a.kind) - rankOf(b.kind)),
    beside: (): readonly Evidence[] => beside,
    dueAt: () => (dueAt === Infinity ? undefined : dueAt),
  };
}
