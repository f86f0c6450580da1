import type { ConnectionChange, NewNodeActivity } from "#features/telemetry/connectivity/connectivity.store.ts";
import type { GroupHold } from "#features/telemetry/node-groups/node-groups.store.ts";
import type { LiveState } from "./live-state.ts";
import type { NodeReport } from "./node-report.ts";
import type { ScalarReading, Telemetry } from "./telemetry.ts";

/** What one message changes in the database. Entries of one lane are written in their order, many in one transaction. */
export interface IngestEntry {
  topic: string;
  /** The payload: a sample of it is kept when it has to be quarantined. */
  bytes: Uint8Array;
  /** The edge node that sent it; 0 for a sender that is no known node. */
  serial: number;
  receivedAtMs: number;
  /** What it came in under at an external broker: once that is lost, another process stores the message. */
  hold: GroupHold | undefined;
  /** The node or sub node that it is about; undefined when nothing of it is known. */
  subject: LiveState | undefined;
  lastSeq: number | undefined;
  /** Its publish time went into the subject's clock skew. */
  hasClock: boolean;
  telemetry: Telemetry | undefined;
  /** Instead of `telemetry`: all that the message holds is this scalar of now. */
  plain: ScalarReading | undefined;
  report: NodeReport | undefined;
  connection: ConnectionChange | undefined;
  activities: readonly NewNodeActivity[];
  /** Why the message, or a part of it, cannot be stored as what it claims to be. */
  quarantine: readonly string[];
  /** Called once: after COMMIT, or with the error that ends ingest. */
  settle: (error?: Error) => void;
}
