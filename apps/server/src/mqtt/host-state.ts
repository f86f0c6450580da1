import { sparkplugHostId } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { stateTopic } from "@busbar/sparkplug/topic.ts";

export interface StateMessage {
  topic: string;
  payload: string;
  qos: 1;
  retain: true;
}

/** Topic on which nodes learn whether their host is there. */
export const hostStateTopic = stateTopic(sparkplugHostId);

/** STATE birth or death (Sparkplug 3.0, chapter 6.4.3). The birth carries the same timestamp as the will of its connection. */
export function stateMessage(isOnline: boolean, timestampMs: number): StateMessage {
  return { topic: hostStateTopic, payload: JSON.stringify({ online: isOnline, timestamp: timestampMs }), qos: 1, retain: true };
}

/** Whether a STATE payload says that we are offline: the late will of an earlier connection, to be answered with our birth. */
export const saysOffline = (payload: string): boolean => readState(payload)?.online === false;

/** Epoch milliseconds of a STATE payload. */
export function stateTime(payload: string): number | undefined {
  const timestamp = readState(payload)?.timestamp;
  return typeof timestamp === "number" && timestamp <= latestMs ? timestamp : undefined;
}

const latestMs = Date.UTC(2100, 0, 1);

function readState(payload: string): { online?: unknown; timestamp?: unknown } | undefined {
  try {
    const state: unknown = JSON.parse(payload);
    return typeof state === "object" && state !== null ? state : undefined;
  } catch {
    return undefined;
  }
}
