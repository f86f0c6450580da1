import type { Batch, BatchKind, BatchNode, BatchNodeState, BatchState } from "@busbar/contract/telemetry/config-batches.ts";
import { counted } from "@busbar/contract/values/counted.ts";

interface StateLook {
  label: string;
  badge: string;
}

const stateLooks: Record<BatchState, StateLook> = {
  reading: { label: "Reading the nodes", badge: "status-info" },
  ready: { label: "Waits for its passcode", badge: "status-warn" },
  running: { label: "Under way", badge: "status-info" },
  paused: { label: "Paused", badge: "status-warn" },
  stopped: { label: "Stopped by itself", badge: "status-bad" },
  done: { label: "Ended", badge: "status-good" },
  cancelled: { label: "Cancelled", badge: "status-info" },
};

/** Where it is, and whether that is well. */
export function batchLook({ state, startLocal, counts }: Pick<Batch, "state" | "startLocal" | "counts">): StateLook {
  const { waiting, sending, confirmed, refused, unknown } = counts;
  if (state === "ready" && waiting === 0) return { label: "Nothing to change", badge: "status-info" };
  if (state === "running" && startLocal !== "" && sending + confirmed + refused + unknown === 0)
    return { label: "Waits for its time", badge: "status-info" };
  if (state === "done" && refused + unknown > 0) return { label: "Ended with failures", badge: "status-warn" };
  return stateLooks[state];
}

export const nodeStateWords: Record<BatchNodeState, StateLook> = {
  unread: { label: "Is read", badge: "status-info" },
  left: { label: "Left out", badge: "status-info" },
  waiting: { label: "To be changed", badge: "status-info" },
  sending: { label: "Sent", badge: "status-warn" },
  confirmed: { label: "Confirmed", badge: "status-good" },
  refused: { label: "Refused", badge: "status-bad" },
  unknown: { label: "Unknown", badge: "status-warn" },
  dropped: { label: "Not changed", badge: "status-info" },
};

export const kindWords: Record<BatchKind, string> = { change: "Change", retry: "Retry", putBack: "Put back" };

/** Something of it changes by itself. */
export const isOnItsWay = ({ state, counts }: Pick<Batch, "state" | "counts">): boolean =>
  state === "reading" || state === "running" || counts.sending > 0;

export const shownValue = (value: string | null): string => (value === null ? "–" : value === "" ? "(empty)" : value);

/** What it does, in a line. */
export function batchTitle({ kind, values, keys, sourceId }: Batch): string {
  const what = values.length > 0 ? values.map(({ key, value }) => `${key} → ${shownValue(value)}`).join(", ") : keys.join(", ");
  return kind === "change" ? what : `${kindWords[kind]} of batch ${sourceId ?? "?"}: ${what}`;
}

/** How far it came, in words. */
export function courseWords({ state, counts, nodeCount }: Batch): string {
  if (state === "reading") return `${nodeCount - counts.unread} of ${counted(nodeCount, "node")} read`;
  const { waiting, sending, confirmed, refused, unknown, dropped, left } = counts;
  const total = nodeCount - left;
  if (state === "ready") return `${total} of ${counted(nodeCount, "node")} would be changed, ${left} left out`;
  const rest: [number, string][] = [
    [refused, "refused"],
    [unknown, "unknown"],
    [sending, "sent"],
    [waiting, "waiting"],
    [dropped, "not changed"],
  ];
  const words = rest.filter(([count]) => count > 0).map(([count, word]) => `, ${count} ${word}`);
  return `${confirmed} of ${counted(total, "node")} confirmed${words.join("")}`;
}

/** How it is rolled out, in words. */
export function paceWords({ firstWave, atOnce, perMinute, stopPercent }: Batch): string {
  const pace = perMinute === null ? "" : `, at most ${perMinute} a minute`;
  return `First ${counted(firstWave, "node")}, then ${atOnce} at once${pace}; stops by itself above ${stopPercent} % of failures`;
}

export const changesText = ({ changes }: BatchNode): string =>
  changes.map(({ key, oldValue, newValue }) => `${key} ${shownValue(oldValue)} → ${shownValue(newValue)}`).join("; ");
