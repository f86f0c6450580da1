/** What happens at a node's connection while it is watched. */
export interface WatchedEvent {
  atMs: number;
  /** `dropped`: more came than is kept of one watch. */
  kind: "message" | "connect" | "subscribe" | "refused" | "dropped";
  /** Of the message, the filter or what was refused; empty otherwise. */
  topic: string;
  qos: number;
  /** JSON of a `WatchedConnect`, or the reason of a refusal. */
  detail: string;
  /** Of the message, or of the last will. */
  payload: Uint8Array | null;
}

/** What a node said of itself in CONNECT. */
export interface WatchedConnect {
  isCleanSession: boolean;
  keepAliveSeconds: number;
  will: { topic: string; qos: number } | null;
}
