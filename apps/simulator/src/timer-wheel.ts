/** Many timers on one interval: adding and firing cost O(1), however many nodes wait. */
export interface TimerWheel {
  start(): void;
  stop(): void;
  after(delayMs: number, run: () => void): Timer;
}

export interface Timer {
  cancel(): void;
}

interface Entry {
  dueTick: number;
  run: (() => void) | undefined;
}

const tickMs = 10;
const slotCount = 2048;

export function createTimerWheel(monotonicMs: () => number = () => performance.now()): TimerWheel {
  const slots: Entry[][] = Array.from({ length: slotCount }, () => []);
  const startedAt = monotonicMs();
  let doneTick = 0;
  let interval: NodeJS.Timeout | undefined;

  const runTick = (tick: number) => {
    const index = tick % slotCount;
    const entries = slots[index]!;
    if (entries.length === 0) return;
    slots[index] = [];
    for (const entry of entries) {
      if (entry.dueTick > tick) slots[index].push(entry);
      else entry.run?.();
    }
  };

  return {
    start() {
      interval ??= setInterval(() => {
        const tick = Math.floor((monotonicMs() - startedAt) / tickMs);
        while (doneTick < tick) runTick(++doneTick);
      }, tickMs);
    },
    stop() {
      clearInterval(interval);
      interval = undefined;
    },
    after(delayMs, run) {
      const now = (monotonicMs() - startedAt) / tickMs;
      const dueTick = Math.max(doneTick + 1, Math.ceil(now + Math.max(0, delayMs) / tickMs));
      const entry: Entry = { dueTick, run };
      slots[dueTick % slotCount]!.push(entry);
      return { cancel: () => (entry.run = undefined) };
    },
  };
}
