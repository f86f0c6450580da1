import type { SimClock } from "./clock.ts";
import type { Timer } from "./timer-wheel.ts";

/** Lets a fleet connect at a bounded rate, however many nodes want to at once. */
export interface ConnectRamp {
  /** Runs when it is this node's turn. */
  enter(run: () => void): Timer;
}

const stepMs = 50;

export function createConnectRamp(clock: SimClock, connectsPerSecond: number): ConnectRamp {
  let queue: { run: (() => void) | undefined }[] = [];
  let isRunning = false;
  let allowance = 0;

  const step = () => {
    allowance = Math.min(connectsPerSecond, allowance + (connectsPerSecond * stepMs) / 1000);
    let taken = 0;
    while (allowance >= 1 && taken < queue.length) {
      const { run } = queue[taken++]!;
      if (!run) continue;
      allowance--;
      run();
    }
    queue = queue.slice(taken);
    isRunning = queue.length > 0;
    if (isRunning) clock.after(stepMs, step);
  };

  return {
    enter(run) {
      const entry: { run: (() => void) | undefined } = { run };
      queue.push(entry);
      if (!isRunning) {
        isRunning = true;
        clock.after(0, step);
      }
      return { cancel: () => (entry.run = undefined) };
    },
  };
}
