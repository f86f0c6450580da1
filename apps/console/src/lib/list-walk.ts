type SerialsOf = () => readonly string[];

let shown: SerialsOf | undefined;
let walked: readonly string[] = [];

/** The list of nodes that one came from: its order is that of previous and next on a node's page. */
export const listWalk = {
  /** A list is on the screen. @returns takes it off */
  show(serialsOf: SerialsOf): () => void {
    shown = serialsOf;
    return () => {
      if (shown === serialsOf) shown = undefined;
    };
  },
  /** Someone goes to the page of a node. */
  begin(this: void): void {
    walked = shown?.() ?? [];
  },
  /** The neighbours of a node; undefined when it is in no list that one came from. */
  around(serial: string): { previous: string | null; next: string | null } | undefined {
    const at = walked.indexOf(serial);
    return at < 0 ? undefined : { previous: walked[at - 1] ?? null, next: walked[at + 1] ?? null };
  },
};
