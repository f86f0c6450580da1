import type { HostEffect } from "@busbar/sparkplug/session-types.ts";
import type { ConnectionChange, DisconnectReason, NewNodeActivity } from "#features/telemetry/connectivity/connectivity.store.ts";
import type { GroupHold } from "#features/telemetry/node-groups/node-groups.store.ts";
import type { IngestEntry } from "./ingest-entry.ts";
import type { NodeMessage, NodeSession } from "./node-sessions.ts";
import { readNodeReport } from "./node-report.ts";
import { readBirthTelemetry, readTelemetry, type Telemetry } from "./telemetry.ts";

export type SettledEffect = Extract<HostEffect<NodeMessage>, { type: "settled" }>;

export interface EntryTimes {
  nowMs: number;
  oldestKeptMs: number;
}

const maxInt32 = 2_147_483_647;
const none: readonly never[] = [];

/** An entry that changes nothing yet: of a message from no one we know, or one that only has to be quarantined. */
export function bareEntry(
  message: Pick<NodeMessage, "topic" | "bytes" | "receivedAtMs" | "hold" | "settle">,
  serial: number,
  quarantine: readonly string[],
): IngestEntry {
  const { topic, bytes, receivedAtMs, hold } = message;
  return {
    topic,
    bytes,
    serial,
    receivedAtMs,
    hold,
    subject: undefined,
    lastSeq: undefined,
    hasClock: false,
    telemetry: undefined,
    plain: undefined,
    report: undefined,
    connection: undefined,
    activities: none,
    quarantine,
    settle: message.settle,
  };
}

/** What a settled message of a node changes. */
export function settledEntry(node: NodeSession, effect: SettledEffect, times: EntryTimes): IngestEntry {
  const { message } = effect;
  const entry = bareEntry(message, node.serial, effect.problems);
  const { device, payload } = message;
  entry.lastSeq = device === undefined && payload.seq !== undefined && payload.seq <= 255 ? payload.seq : undefined;
  entry.subject = device === undefined ? node.live : node.devices.get(device);
  if (entry.subject === undefined) {
    node.hasForeignDevice = true;
    return entry;
  }
  if (payload.timestamp !== undefined && message.kind !== "NDEATH" && message.kind !== "DDEATH") {
    entry.subject.skew.add(payload.timestamp - message.receivedAtMs);
    entry.hasClock = true;
  }
  entry.telemetry = telemetryOf(effect, times);
  if (entry.telemetry && entry.telemetry.problems.length > 0) entry.quarantine = [...effect.problems, ...entry.telemetry.problems];
  const reportedMetrics = entry.telemetry?.reported ?? [];
  if (reportedMetrics.length > 0) entry.report = readNodeReport(entry.subject.serial, message.receivedAtMs, reportedMetrics);
  entry.connection = connectionOf(node, effect);
  entry.activities = activitiesOf(node, effect);
  return entry;
}

/** The end of a node that sent no death. */
export function lostEntry(
  node: NodeSession,
  endedDevices: readonly string[],
  { atMs, hold, reason, settle }: { atMs: number; hold?: GroupHold | undefined; reason?: DisconnectReason; settle: () => void },
): IngestEntry {
  const entry = bareEntry({ topic: "", bytes: new Uint8Array(), receivedAtMs: atMs, hold, settle }, node.serial, []);
  entry.subject = node.live;
  entry.connection = { isConnected: false, endedDevices: devicesOf(node, endedDevices), birth: undefined, ...(reason ? { reason } : {}) };
  const words = reason === "no-answer" ? "was silent, did not answer when it was asked, and counts as disconnected" : "disconnected";
  entry.activities = [deathOf(node.serial, `Node ${node.serial} ${words}`, atMs)];
  return entry;
}

/** The end of a sub node whose death was lost. */
export function lostDeviceEntry(
  node: NodeSession,
  device: string,
  { atMs, hold, settle }: { atMs: number; hold: GroupHold | undefined; settle: () => void },
): IngestEntry {
  const entry = bareEntry({ topic: "", bytes: new Uint8Array(), receivedAtMs: atMs, hold, settle }, node.serial, []);
  entry.subject = node.devices.get(device);
  if (entry.subject === undefined) return entry;
  entry.connection = { isConnected: false, endedDevices: [], birth: undefined, reason: "no-answer" };
  const words = "was not born again when its node was asked, and counts as disconnected";
  entry.activities = [deathOf(entry.subject.serial, `Sub node ${device} of node ${node.serial} ${words}`, atMs)];
  return entry;
}

const deathOf = (serial: number, description: string, atMs: number): NewNodeActivity => ({
  serial,
  action: "NODE_DEATH",
  description,
  atMs,
});

const devicesOf = (node: NodeSession, ids: readonly string[]) =>
  ids.map((id) => node.devices.get(id)).filter((state) => state !== undefined);

function telemetryOf({ as, message }: SettledEffect, times: EntryTimes): Telemetry | undefined {
  const { metrics, timestamp } = message.payload;
  const telemetryTimes = { ...times, defaultMs: timestamp ?? message.receivedAtMs };
  if (as === "data") return readTelemetry(metrics, telemetryTimes);
  return as === "birth" || as === "rebirth" || as === "device-birth" ? readBirthTelemetry(metrics, telemetryTimes) : undefined;
}

function connectionOf(node: NodeSession, { as, endedDevices }: SettledEffect): ConnectionChange | undefined {
  if (as === "data" || as === "ignored") return undefined;
  const ended = devicesOf(node, endedDevices);
  if (as === "death" || as === "device-death") return { isConnected: false, endedDevices: ended, birth: undefined };
  const snapshot = node.session.snapshot();
  const bdSeq = snapshot.bdSeq !== undefined && snapshot.bdSeq >= 0 && snapshot.bdSeq <= maxInt32 ? snapshot.bdSeq : undefined;
  return { isConnected: true, endedDevices: ended, birth: { bdSeq, snapshot } };
}

function activitiesOf(node: NodeSession, { as, message }: SettledEffect): readonly NewNodeActivity[] {
  const subject = message.device === undefined ? `Node ${node.serial}` : `Sub node ${message.device} of node ${node.serial}`;
  const serial = message.device === undefined ? node.serial : Number(message.device);
  const atMs = message.receivedAtMs;
  if (as === "birth" || as === "device-birth") return [{ serial, action: "NODE_BIRTH", description: `${subject} connected`, atMs }];
  if (as === "death" || as === "device-death") return [deathOf(serial, `${subject} disconnected`, atMs)];
  return none;
}
