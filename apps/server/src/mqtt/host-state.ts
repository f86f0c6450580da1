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
export function saysOffline(payload: string): boolean {
  try {
    const state: unknown = JSON.parse(payload);
    return typeof state === "object" && state !== null && "online" in state && state.online === false;
  } catch {
    return false;
  }
}
