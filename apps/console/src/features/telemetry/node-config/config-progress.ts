import { ApiError, failureMessage } from "#lib/api-error.ts";
import type { NoticeKind } from "#ui/notice.tsx";

/** How far a change came: not sent, sent, delivered and confirmed are different states for equipment in the field. */
export type ChangeState =
  | "reading"
  | "sending"
  | "confirmed"
  | "partly"
  | "unchanged"
  | "not-sent"
  | "sent"
  | "delivered"
  | "contradicted"
  | "unclear";

export interface ChangeProgress {
  key: string;
  state: ChangeState;
  text: string;
  /** Where several values were saved together. */
  batchId?: number;
}

/** Nothing else is sent meanwhile. */
export const isUnderWay = (progress: ChangeProgress | undefined): boolean => progress?.state === "reading" || progress?.state === "sending";

export const changeStates: Record<ChangeState, { label: string; kind: NoticeKind }> = {
  reading: { label: "Reading", kind: "working" },
  sending: { label: "Sending", kind: "working" },
  confirmed: { label: "Confirmed by the node", kind: "success" },
  partly: { label: "Changed in part", kind: "warning" },
  unchanged: { label: "Not changed", kind: "error" },
  "not-sent": { label: "Not sent", kind: "error" },
  sent: { label: "Sent, not confirmed", kind: "warning" },
  delivered: { label: "Delivered, refused by the node", kind: "error" },
  contradicted: { label: "Delivered, the answer contradicts itself", kind: "error" },
  unclear: { label: "Outcome unknown", kind: "warning" },
};

/** CFG-05: the server's words, and how far the change came by its status. */
export function failedChange(key: string, error: unknown): ChangeProgress {
  return { key, state: stateOf(error), text: failureMessage(error) };
}

const statesByCode = new Map<string, ChangeState>([
  ["NODE_NOT_CONNECTED", "not-sent"],
  ["NODE_DID_NOT_ANSWER", "sent"],
  ["NODE_CONFLICT", "delivered"],
  ["NODE_REFUSED", "delivered"],
  ["NODE_CONTRADICTS_ITSELF", "contradicted"],
]);

function stateOf(error: unknown): ChangeState {
  if (!(error instanceof ApiError)) return "unclear";
  // A connection that broke may have broken after the request had arrived.
  return statesByCode.get(error.errorCode) ?? (error.status >= 400 && error.status < 500 ? "not-sent" : "unclear");
}
