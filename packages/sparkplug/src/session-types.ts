import type { MetricDefinition, MetricProblem, MetricTable } from "./metric-table.ts";
import type { Payload } from "./payload.ts";

export type SessionKind = "NBIRTH" | "NDATA" | "NDEATH" | "DBIRTH" | "DDATA" | "DDEATH";

/** A message of the node, decoded. The session changes the payload's metrics: names and types become the birth's. */
export interface SessionMessage {
  kind: SessionKind;
  /** Present for the device kinds. */
  device: string | undefined;
  payload: Payload;
}

export type RebirthReason =
  | "no-birth"
  | "seq-gap"
  | "bad-seq"
  | "alias-never-born"
  | "duplicate-alias"
  | "device-without-birth"
  | "decode-failure";

export type SessionProblem =
  | MetricProblem
  | "bad-seq"
  | "birth-without-bdseq"
  | "death-without-bdseq"
  | "too-many-devices"
  | "device-without-birth"
  | "foreign-device";

export type SettledAs = "birth" | "rebirth" | "death" | "device-birth" | "device-death" | "data" | "ignored";

export type HostEffect<M extends SessionMessage = SessionMessage> =
  /** Every received message is settled exactly once: at once, or when the gap that it waits for closes or is given up. */
  | {
      type: "settled";
      message: M;
      as: SettledAs;
      /** True for data of a born node without a gap; other data is stored too, but proves nothing. */
      isVerified: boolean;
      problems: readonly SessionProblem[];
      /** Devices that ended with a death of their node or a new session. */
      endedDevices: readonly string[];
    }
  | { type: "rebirth-needed"; reason: RebirthReason }
  /** Messages that never came. */
  | { type: "missing"; count: number };

export interface HostSessionOptions {
  reorderTimeoutMs?: number;
  /** A rebirth that was requested and did not come is requested again. */
  rebirthRetryMs?: number;
  /** A device that its node's rebirth does not bring back in that time is gone: its death was lost. */
  deviceBirthMs?: number;
  maxHeld?: number;
  maxDevices?: number;
  /** Whether the node may speak for this device; nothing is remembered of one that it may not speak for. */
  mayHaveDevice?(id: string): boolean;
  /** Lets sessions share equal tables. */
  makeTable?: (definitions: readonly MetricDefinition[]) => MetricTable;
}

/** All that a restarted host needs to go on; JSON. */
export interface HostSessionSnapshot {
  isOnline: boolean;
  bdSeq: number | undefined;
  lastSeq: number;
  metrics: readonly MetricDefinition[] | undefined;
  devices: readonly { id: string; isOnline: boolean; metrics: readonly MetricDefinition[] | undefined }[];
}

export interface HostSession<M extends SessionMessage> {
  /** `now` is monotonic milliseconds, here and below. */
  receive(message: M, now: number): HostEffect<M>[];
  /**
   * Takes the seq of a DATA message of the node itself, if it is the next in a session in which nothing is open: it is settled then as data without
   * a problem. @returns false when there is more to decide, which `receive` does; nothing has changed then
   */
  takeNext(seq: number, timestamp: number, now: number): boolean;
  /** Of the birth of the node itself. */
  readonly table: MetricTable | undefined;
  /** To be called when `dueAt` has come. */
  expire(now: number): HostEffect<M>[];
  /**
   * The connection ended without a death: the node disconnected against the rules, or its broker did.
   * @returns the devices that ended with it; undefined when the node was offline already
   */
  lose: () => readonly string[] | undefined;
  /** To be called when `dueAt` has come. @returns the devices that were not born again with their node: they have ended */
  expireDevices(now: number): readonly string[];
  /** The device is gone and its death did not come; false when it was offline already. */
  loseDevice(id: string): boolean;
  isDeviceOnline(id: string): boolean;
  /** The payload could not be decoded: the node is asked to begin again. */
  failDecode(now: number): HostEffect<M>[];
  /** When the open gap, or devices that are to be born again, are given up; undefined without either. */
  readonly dueAt: number | undefined;
  readonly isOnline: boolean;
  /** The alias that the birth of the node, or of a device, gave a metric. */
  aliasOf(name: string, device?: string): number | undefined;
  snapshot(): HostSessionSnapshot;
}
