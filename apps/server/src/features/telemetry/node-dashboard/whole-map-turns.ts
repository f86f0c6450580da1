import { setImmediate as othersTurn } from "node:timers/promises";
import { tooManyRequests } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";

/** What all who ask again share: ten whole maps of 10,000 nodes. */
const repeatedBytesPerSecond = 8 * 1_024 ** 2;
/** Within so long the next whole map of a session is a repeated one: a console asks for one when it is opened. */
const repeatedWithinMs = 30_000;
/** Of one session: for more no one can be waiting but who has gone. */
const mostWaiting = 2;

interface Waiting {
  sessionId: string;
  go: () => void;
  refuse: (error: Error) => void;
}

/**
 * When whole maps are sent. A megabyte takes the kernel a millisecond, so that one goes in a turn of the loop and those who need little go between
 * them. Sessions that ask for them again and again share a rate, and wait only for each other; the one that had the fewest is next.
 */
export function createWholeMapTurns() {
  /** How many a session had since `countedSince`. */
  const counts = new Map<string, number>();
  let countedSince = 0;
  const waiting: Waiting[] = [];
  let isOneSent = false;
  let lastTurn = Promise.resolve();

  function countOf(sessionId: string): number {
    const now = performance.now();
    if (now - countedSince > repeatedWithinMs) {
      counts.clear();
      countedSince = now;
    }
    return counts.get(sessionId) ?? 0;
  }

  function letNextGo(): void {
    const [first, ...others] = waiting;
    isOneSent = first !== undefined;
    if (first === undefined) return;
    const next = others.reduce((best, each) => (countOf(each.sessionId) < countOf(best.sessionId) ? each : best), first);
    waiting.splice(waiting.indexOf(next), 1);
    next.go();
  }

  function turnOfRepeated(sessionId: string): Promise<void> {
    return new Promise((go, refuse) => {
      waiting.push({ sessionId, go, refuse });
      const own = waiting.filter((each) => each.sessionId === sessionId);
      if (own.length > mostWaiting) {
        waiting.splice(waiting.indexOf(own[0]!), 1);
        own[0]!.refuse(tooManyRequests(say`The whole fleet was requested again before it was sent. Please try again`, 2));
      }
      if (!isOneSent) letNextGo();
    });
  }

  /**
   * Makes an answer with a whole map when it may be sent.
   * @throws AppError 429 for the oldest of too many that one session waits for
   */
  return async function inTurn<Answer extends { body: { length: number } }>(
    sessionId: string,
    make: () => Promise<Answer>,
  ): Promise<Answer> {
    const isRepeated = countOf(sessionId) > 0;
    if (isRepeated) await turnOfRepeated(sessionId);
    counts.set(sessionId, countOf(sessionId) + 1);
    let bytes = 0;
    try {
      const answer = await make();
      bytes = answer.body.length;
      return answer;
    } finally {
      if (isRepeated) setTimeout(letNextGo, (bytes * 1_000) / repeatedBytesPerSecond);
      await (lastTurn = lastTurn.then(() => othersTurn()));
    }
  };
}
