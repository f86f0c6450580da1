import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { createBoundedMap } from "#lib/bounded-map.ts";
import type { Clock } from "#lib/clock.ts";
import type { Log } from "#lib/log.ts";
import type { MeteringStore } from "./metering.store.ts";
import type { SendCommand } from "./send-command.ts";

/** How long a node publishes every second after it was asked. */
const leaseSeconds = 30;
// Twice within a lease, so that one command may be lost.
const renewEverySeconds = 14;
const timeoutMs = 5_000;
const maxNodes = 100_000;

interface LiveLeases {
  /** Someone watches these nodes: asks them to publish every second, as seldom as keeps them at it. Does not wait. */
  renew(serials: readonly number[]): void;
}

interface LiveLeasesOptions {
  store: Pick<MeteringStore, "claimLeases">;
  sendCommand: SendCommand;
  clock: Clock;
  log: Log;
}

export function createLiveLeases({ store, sendCommand, clock, log }: LiveLeasesOptions): LiveLeases {
  // What this process did; the database knows of the others.
  const renewedAt = createBoundedMap<number, number>(maxNodes);

  const ask = async (serials: readonly number[]) => {
    try {
      // A little less than the time, so that a renewal is never one poll late.
      const claimed = await store.claimLeases(serials, renewEverySeconds - 0.5);
      await Promise.all(
        claimed.map((serialNumber) =>
          sendCommand({
            serialNumber,
            metrics: [{ name: metricNames.liveLeaseSeconds, datatype: DataType.Int32, value: leaseSeconds }],
            timeoutMs,
          }),
        ),
      );
    } catch (error) {
      log.warn({ err: error, serials }, "live metering could not be requested");
    }
  };

  return {
    renew(serials) {
      const now = clock.monotonic();
      const due = serials.filter((serial) => now - (renewedAt.get(serial) ?? -Infinity) >= renewEverySeconds * 1000);
      if (due.length === 0) return;
      for (const serial of due) renewedAt.set(serial, now);
      void ask(due);
    },
  };
}
