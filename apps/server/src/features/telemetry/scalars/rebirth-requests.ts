import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { encodePayload } from "@busbar/sparkplug/encode.ts";
import { createRebirthLimiter } from "@busbar/sparkplug/rebirth-limiter.ts";
import { groupOf, nodeTopic } from "@busbar/sparkplug/topic.ts";
import type { Clock } from "#lib/clock.ts";
import type { IngestEntry } from "./ingest-entry.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";
import { bareEntry } from "./settled-entry.ts";

export interface RebirthRequestsOptions {
  clock: Clock;
  metrics: IngestMetrics;
  publishCommand: (topic: string, payload: Uint8Array) => void;
  addEntry: (entry: IngestEntry) => void;
}

export interface RebirthRequests {
  /** Asks a node for its birth, as often as the limits allow. */
  ask(serial: number, reason: string): void;
  /** Asks one that has been silent, at the pace of whoever calls. */
  askSilent: (serial: number) => void;
  noteBirth(serial: number): void;
}

export function createRebirthRequests({ clock, metrics, publishCommand, addEntry }: RebirthRequestsOptions): RebirthRequests {
  const limiter = createRebirthLimiter();
  const send = (serial: number, reason: string, atMs: number): string => {
    const topic = nodeTopic("NCMD", groupOf(serial), String(serial));
    const rebirth = { name: metricNames.rebirth, datatype: DataType.Boolean, value: true, timestamp: atMs };
    publishCommand(topic, encodePayload({ timestamp: atMs, metrics: [rebirth] }));
    metrics.noteRebirth(reason);
    return topic;
  };
  return {
    ask(serial, reason) {
      const key = String(serial);
      if (!limiter.tryAcquire(key, clock.monotonic())) return;
      const atMs = clock.now();
      const topic = send(serial, reason, atMs);
      const entry = bareEntry({ topic, bytes: new Uint8Array(), receivedAtMs: atMs, hold: undefined, settle: () => undefined }, serial, []);
      const description = `Node ${key} was asked for its birth: ${reason}`;
      addEntry({ ...entry, activities: [{ serial, action: "NODE_REBIRTH_REQUESTED", description, atMs }] });
    },
    askSilent: (serial) => void send(serial, "silent", clock.now()),
    noteBirth: (serial) => limiter.noteBirth(String(serial), clock.monotonic()),
  };
}
