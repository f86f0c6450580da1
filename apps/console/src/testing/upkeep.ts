/** What goes on as long as a screen is shown: whatever happens every so often, and whatever is listened to of the whole page. */
interface Upkeep {
  counts: () => Counts;
  /** Whatever happens every so often happens now, once. */
  turn: () => void;
  end: () => void;
}

/** How often there is such as `every 30 s` or `document keydown`. */
export type Counts = Map<string, number>;

type Listener = EventListenerOrEventListenerObject | null;

/** Follows it from now on, and with it what a screen leaves behind. */
export function followUpkeep(): Upkeep {
  const intervals = new Map<unknown, { words: string; act: () => void }>();
  const listeners = new Map<string, Set<Listener>>();
  const start = window.setInterval.bind(window);
  const stop = window.clearInterval.bind(window);
  window.setInterval = ((act: () => void, ms = 0, ...rest: unknown[]) => {
    const timer: number = start(act, ms, ...rest);
    intervals.set(timer, { words: `every ${ms / 1000} s`, act });
    return timer;
  }) as typeof window.setInterval;
  window.clearInterval = (timer) => {
    intervals.delete(timer);
    stop(timer);
  };
  // React listens to it once, whichever test comes first.
  const unseen = new Set(["selectionchange"]);
  const ends = Object.entries({ document, window }).map(([name, target]: [string, EventTarget]) => {
    const { add, remove } = { add: target.addEventListener.bind(target), remove: target.removeEventListener.bind(target) };
    const setOf = (type: string, how: EventListenerOptions | boolean | undefined): Set<Listener> => {
      const isFirst = typeof how === "object" ? how.capture === true : how === true;
      const key = `${name} ${type}${isFirst ? " first" : ""}`;
      return listeners.get(key) ?? listeners.set(key, new Set()).get(key)!;
    };
    target.addEventListener = (type: string, listener: Listener, how?: AddEventListenerOptions | boolean) => {
      if (!unseen.has(type) && (typeof how !== "object" || !how.once)) setOf(type, how).add(listener);
      add(type, listener, how);
    };
    target.removeEventListener = (type: string, listener: Listener, how?: EventListenerOptions | boolean) => {
      setOf(type, how).delete(listener);
      remove(type, listener, how);
    };
    return () => {
      for (const key of ["addEventListener", "removeEventListener"]) Reflect.deleteProperty(target, key);
    };
  });
  const counts = () => {
    const now: Counts = new Map([...listeners].map(([key, each]) => [key, each.size]));
    for (const { words } of intervals.values()) now.set(words, (now.get(words) ?? 0) + 1);
    return now;
  };
  return {
    counts,
    turn: () => {
      const due = [...intervals.values()];
      for (const { act } of due) act();
    },
    end: () => {
      for (const end of ends) end();
    },
  };
}

const wordsOf = (counts: Counts): string =>
  [...counts]
    .filter(([, count]) => count > 0)
    .map(([key, count]) => (count === 1 ? key : `${key} ×${count}`))
    .toSorted()
    .join(", ");

/** What all of them have, then what each has more. */
export function upkeepLines(upkeeps: ReadonlyMap<string, Counts>): string {
  const all = [...upkeeps.values()];
  const keys = [...new Set(all.flatMap((each) => [...each.keys()]))];
  const common: Counts = new Map(keys.map((key) => [key, Math.min(...all.map((each) => each.get(key) ?? 0))]));
  const further = [...upkeeps].map(([name, each]) => {
    const words = wordsOf(new Map([...each].map(([key, count]) => [key, count - common.get(key)!])));
    return `${name}: ${words}`;
  });
  return [`everywhere: ${wordsOf(common)}`, ...further].join("\n");
}
