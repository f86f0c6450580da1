import type { Clock } from "#lib/clock.ts";
import type { Log } from "#lib/log.ts";
import type { IngestPresenceStore } from "#shared/ingest-presence.store.ts";
import { beatSeconds, outagesBetween, type PlatformOutage, type PresencePeriod } from "#lib/platform-outages.ts";

export interface IngestPresence {
  /** Before nodes are heard. */
  start(): Promise<void>;
  /** Writes nothing more: an orderly stop leaves what a crash leaves. */
  stop(): Promise<void>;
  /** When the platform was away, as known now. */
  outages: () => readonly PlatformOutage[];
}

/** Writes down every few seconds that ingest listens, so that a later start knows since when it did not. */
export function createIngestPresence(options: {
  store: IngestPresenceStore;
  clock: Clock;
  log: Log;
  isListening: () => boolean;
}): IngestPresence {
  const { store, clock, log, isListening } = options;
  let periods: readonly PresencePeriod[] = [];
  let period: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  const beat = async () => {
    try {
      const isOn = isListening();
      if (!isOn) period = undefined;
      else if (period !== undefined) await store.beat(period, clock.now());
      const begun = isOn && period === undefined ? await store.begin(clock.now()) : period;
      // Together: a new period without its row would hide the break before it.
      periods = await store.periods();
      period = begun;
    } catch (error) {
      period = undefined;
      log.warn({ err: error }, "ingest could not write down that it listens");
    }
  };

  return {
    async start() {
      await beat();
      timer = setInterval(() => {
        running = running.then(beat);
      }, beatSeconds * 1000);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
    // Ingest knows of itself whether it listens, without waiting for silence.
    outages: () => outagesBetween(periods, clock.now() / 1000, period === undefined ? 0 : Infinity),
  };
}
