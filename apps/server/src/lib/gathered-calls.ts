/** Asks for many keys at once: those that come while one question is under way go into the next. */
export function gatherCalls<Key, Value>(
  ask: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
  mostAtOnce = 1_000,
): (key: Key) => Promise<Value | undefined> {
  const waiting = new Map<Key, PromiseWithResolvers<Value | undefined>>();
  let isAsking = false;

  const run = async () => {
    // What has just been read from the sockets goes into one question.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, mostAtOnce);
      for (const [key] of batch) waiting.delete(key);
      try {
        const answers = await ask(batch.map(([key]) => key));
        for (const [key, { resolve }] of batch) resolve(answers.get(key));
      } catch (error) {
        for (const [, { reject }] of batch) reject(error);
      }
    }
    isAsking = false;
  };

  return (key) => {
    const known = waiting.get(key);
    if (known) return known.promise;
    const answer = Promise.withResolvers<Value | undefined>();
    waiting.set(key, answer);
    if (!isAsking) {
      isAsking = true;
      void run();
    }
    return answer.promise;
  };
}
