import type { Allowance } from "./sign-in-tries.store.ts";

/**
 * Tries at the same moment: each counts as wrong until it is decided, so one for which there is no room waits for those before it, which may
 * turn out right. Of this process: other ones' tries are wrong until they are given back.
 *
 * @param count counts one try; the seconds until there is room, where there is none
 */
export function createTriesAtOnce(
  count: (allowances: readonly Allowance[]) => Promise<number | undefined>,
  refusal: (waitSeconds: number) => Error,
) {
  /** By the name of each of their allowances. */
  const undecided = new Map<string, Set<Promise<void>>>();
  /** The last one in each line: of many only the first asks again when another is decided. */
  const lastInLine = new Map<string, Promise<void>>();

  async function enter(allowances: readonly Allowance[], decided: Promise<void>): Promise<void> {
    for (;;) {
      const before = allowances.flatMap(({ name }) => [...(undecided.get(name) ?? [])]);
      const waitSeconds = await count(allowances);
      if (waitSeconds === undefined) break;
      if (before.length === 0) throw refusal(waitSeconds);
      await Promise.race(before);
    }
    for (const { name } of allowances) undecided.set(name, (undecided.get(name) ?? new Set()).add(decided));
  }

  async function inLine(name: string, work: () => Promise<void>): Promise<void> {
    const turn = (lastInLine.get(name) ?? Promise.resolve()).then(work);
    const over = turn.catch(() => undefined);
    lastInLine.set(name, over);
    await turn.finally(() => {
      if (lastInLine.get(name) === over) lastInLine.delete(name);
    });
  }

  /** Does the work of a try once there is room for it; whatever it gives back, it gives back within. */
  return async <T>(allowances: readonly [Allowance, ...Allowance[]], work: () => Promise<T>): Promise<T> => {
    const { promise: decided, resolve: decide } = Promise.withResolvers<void>();
    await inLine(allowances[0].name, () => enter(allowances, decided));
    try {
      return await work();
    } finally {
      for (const { name } of allowances) {
        const open = undecided.get(name);
        open?.delete(decided);
        if (open?.size === 0) undecided.delete(name);
      }
      decide();
    }
  };
}
