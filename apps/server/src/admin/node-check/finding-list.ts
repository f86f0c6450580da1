/** `wrong` breaks the guide; a `note` works, and could be better or is only worth knowing. */
export type Severity = "wrong" | "note";

export interface Finding {
  severity: Severity;
  /** Chapter of docs/node-protocol.md. */
  chapter: Chapter;
  sentence: string;
  firstAtMs: number;
  count: number;
}

export type Chapter = "Connection" | "Topics" | "Birth" | "Data" | "Time" | "Files" | "Commands" | "Limits";

const most = 200;

export type FindingList = ReturnType<typeof createFindingList>;

/** Equal findings are one with a count. */
export function createFindingList() {
  const findings = new Map<string, Finding>();
  const add = (severity: Severity, chapter: Chapter, sentence: string, atMs: number) => {
    const known = findings.get(sentence);
    if (known) known.count++;
    else if (findings.size < most) findings.set(sentence, { severity, chapter, sentence, firstAtMs: atMs, count: 1 });
  };
  return {
    wrong: (chapter: Chapter, sentence: string, atMs: number) => add("wrong", chapter, sentence, atMs),
    note: (chapter: Chapter, sentence: string, atMs: number) => add("note", chapter, sentence, atMs),
    all: (): Finding[] => [...findings.values()],
  };
}
