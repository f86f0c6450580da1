import type { PoolClient } from "pg";

/** A metric of a command as it waits in the database; `datatype` is the Sparkplug number. */
export interface CommandMetric {
  name: string;
  datatype: number;
  value: string | number | boolean;
  properties?: Record<string, { type: number; value: string | number }>;
}

export interface NewNodeCommand {
  /** The node that echoes it does so as the value of `Config/Refresh` or as the property `requestId`. */
  id?: string;
  /** Of a node, a relay, or a sub node, which is reached through its parent. */
  serialNumber: number;
  metrics: readonly CommandMetric[];
  /** Resolves with the node's answer; else as soon as it is sent. */
  awaitsAnswer?: boolean;
  /** At most one such command is under way to a node. */
  isExclusive?: boolean;
  timeoutMs: number;
  /** Runs in the transaction that hands the command over: both happen or neither. */
  alongside?: (client: PoolClient) => Promise<void>;
}

/** What a node said to a request: its word for the result, and the value that the metric has now. */
export interface CommandAnswer {
  metric: string;
  result: string;
  value: string | null;
}

export type CommandOutcome =
  | { state: "sent" }
  | { state: "answered"; answer: CommandAnswer }
  /** It was sent, and no one knows whether it arrived. */
  | { state: "unanswered" }
  /** It did not leave the platform, and will not. */
  | { state: "not-sent"; reason: "busy" | "not-connected" | "no-ingest" };

/** A command whose fate is open wakes this channel; the ingest processes listen. */
export const commandChannel = "node_command";
/** A command whose fate has changed: its id. The process that asked listens. */
export const outcomeChannel = "node_command_outcome";
