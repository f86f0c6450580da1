import { setImmediate as othersTurn } from "node:timers/promises";

/** What all who ask again share: ten whole maps of 10,000 nodes. */
const repeatedBytesPerSecond = 8 * 1_024 ** 2;
/** Within so long the next whole map of a session is a repeated one: a console asks for one when it is opened. */
const repeatedWithinMs = 30_000;

interface Waiting {
  sessionId: string;
  bytes: number;
  go: () => void;
}

/**
 * When whole maps are sent. A megabyte takes the kernel a millisecond, so that one goes in a turn of the loop and those who need little go between
 * them. Sessions that ask for them again and again share a rate, and wait only for each other; the one that had the fewest is next.
 */
export function createWholeMapTurns() {
  /** How many a session had since `countedSince`. */
  const counts = new Map<string, number>();
  let countedSince = 0;
  let waiting: Waiting[] = [];
  let lastTurn = Promise.resolve();

  function countOf(sessionId: string): number {
    const now = performance.now();
    if (now - countedSince > repeatedWithinMs) {
      counts.clear();
      countedSince = now;
    }
    return counts.get(sessionId) ?? 0;
  }

  /** Some milliseconds after the one before it, and at once after a pause. */
  function letNextGo(): void {
    const [first, ...others] = waiting;
    if (first === undefined) return;
    const next = others.reduce((best, each) => (countOf(each.sessionId) < countOf(best.sessionId) ? each : best), first);
    next.go();
    setTimeout(
      () => {
        waiting = waiting.filter((each) => each !== next);
        letNextGo();
      },
      (next.bytes * 1_000) / repeatedBytesPerSecond,
    );
  }

  function turnOfRepeated(sessionId: string, bytes: number): Promise<void> {
    return new Promise((go) => {
      waiting.push({ sessionId, bytes, go });
      if (waiting.length === 1) letNextGo();
    });
  }

  /** Resolves when the body may be sent. */
  return async function take(sessionId: string, bytes: number): Promise<void> {
    if (countOf(sessionId) > 0) await turnOfRepeated(sessionId, bytes);
    counts.set(sessionId, countOf(sessionId) + 1);
    await (lastTurn = lastTurn.then(() => othersTurn()));
  };
}
