import type { SimClock } from "./clock.ts";
import type { Device } from "./device/device.ts";
import type { EdgeLink } from "./edge-link.ts";
import type { Sampler } from "./sampler.ts";
import type { Timer } from "./timer-wheel.ts";

export interface HistoryDrain {
  /** Goes on, if it does not already, until nothing waits or the connection is gone. */
  start(): void;
  stop(): void;
}

/** Sends the scalars that wait in an edge node and its devices, evenly and not faster than the host is meant to take them. */
export function createHistoryDrain(
  devices: readonly Device[],
  sampler: Sampler,
  link: EdgeLink,
  network: SimClock,
  drainPerSecond: number,
): HistoryDrain {
  let timer: Timer | undefined;
  let turn = 0;

  const step = () => {
    timer = undefined;
    turn = (turn + 1) % devices.length;
    const order = [...devices.slice(turn), ...devices.slice(0, turn)];
    order.some((device) => sampler.sendOldest(device));
    start();
  };
  const start = () => {
    // a node that is not born drains after its birth; one whose peer does not read tries again
    if (timer || !link.isBorn || devices.every(({ waiting }) => waiting.size === 0)) return;
    timer = network.after(1000 / drainPerSecond, step);
  };

  return {
    start,
    stop() {
      timer?.cancel();
      timer = undefined;
    },
  };
}
