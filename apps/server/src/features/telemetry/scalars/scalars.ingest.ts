import { SparkplugDecodeError } from "@busbar/sparkplug/decode-error.ts";
import type { Payload } from "@busbar/sparkplug/payload.ts";
import type { HostEffect } from "@busbar/sparkplug/session-types.ts";
import type { Pool } from "pg";
import type { Registry } from "prom-client";
import type { ConnectivityStore, DisconnectReason } from "#features/telemetry/connectivity/connectivity.store.ts";
import type { MeterStore } from "#features/telemetry/metering/meters.store.ts";
import type { NodeAnswersStore } from "#features/telemetry/node-commands/node-answers.store.ts";
import type { DataFilesIngest, FileSender } from "#features/files/data-files/data-files.ingest.ts";
import type { QuarantineStore } from "#features/telemetry/quarantine/quarantine.store.ts";
import { groupOf } from "@busbar/sparkplug/topic.ts";
import { databaseProblem } from "#db/database-problem.ts";
import type { GroupHold } from "#features/telemetry/node-groups/node-groups.store.ts";
import type { Clock } from "#lib/clock.ts";
import { decodeNodePayload } from "#lib/decode-node-payload.ts";
import { createLimitedLog } from "#lib/limited-log.ts";
import type { Log } from "#lib/log.ts";
import { createAdmission } from "./admission.ts";
import type { IngestEntry } from "./ingest-entry.ts";
import type { IngestPresence } from "./ingest-presence.ts";
import { createConnectionWatch } from "./connection-watch.ts";
import { createIngestLanes, type IngestLanesOptions } from "./ingest-lanes.ts";
import { createIngestMetrics } from "./ingest-metrics.ts";
import { LostGroupError } from "./lost-group-error.ts";
import { createNodeLoader } from "./node-loader.ts";
import { createNodeSessions, type NodeContact, type NodeMessage, type NodeSession } from "./node-sessions.ts";
import { createNodeTopicReader } from "./node-topic.ts";
import { plainEntry } from "./plain-entry.ts";
import { createRebirthRequests } from "./rebirth-requests.ts";
import type { ScalarsStore } from "./scalars.store.ts";
import { bareEntry, lostDeviceEntry, lostEntry, settledEntry, type EntryTimes } from "./settled-entry.ts";

export interface IngestOptions {
  pool: Pool;
  scalars: ScalarsStore;
  meters: MeterStore;
  connectivity: ConnectivityStore;
  quarantine: QuarantineStore;
  nodeAnswers: NodeAnswersStore;
  /** When the platform itself was away. */
  outages: IngestPresence["outages"];
  clock: Clock;
  log: Log;
  registry: Registry;
  /** Sends a command to a node, QoS 0; a node that is away does not get it. */
  publishCommand: (topic: string, payload: Uint8Array) => void;
  /** Takes what nodes send of files. */
  files?: DataFilesIngest;
  /** Older scalars are refused: their partitions are gone. */
  retentionDays: () => number;
  maxMessages?: number;
  maxBytes?: number;
  /** Of an external broker, whose groups of nodes several processes share. */
  groups?: IngestGroups;
}

/** What ingest knows of the groups of nodes that several processes share. */
export interface IngestGroups extends Pick<IngestLanesOptions, "holdGroups" | "noteLostGroups"> {
  /** The hold of a group until it is lost. */
  holdOf: (group: string) => GroupHold | undefined;
  /** The same while its nodes can be heard. */
  listeningHold: (group: string) => GroupHold | undefined;
}

export interface Ingest {
  /**
   * Takes a message. With `isAcknowledged` (QoS 1) `done` is called after COMMIT of all that the message changes; else as soon as there is
   * room for it. An error means that it is not stored, and must not be acknowledged.
   */
  submit: (topic: string, bytes: Uint8Array, isAcknowledged: boolean, done: (error?: Error) => void, hold?: GroupHold) => void;
  /** Holds all that it may hold: senders should wait until there is room. */
  isFull: () => boolean;
  whenRoom: (resume: () => void) => void;
  /** The node's connection ended; a death that it did not send is made up for. */
  noteDisconnected: (serial: string) => void;
  /** Another process goes on with the nodes of a group: forgets what it knows of them, and what it has not stored. */
  forget(hold: GroupHold): void;
  /** A group of an external broker is listened to again: what its nodes are now is not certain. */
  noteGap: (hold: GroupHold) => void;
  start(): void;
  /** Stores what is inside, for at most `drainMs`. */
  stop(drainMs?: number): Promise<void>;
  /** Why ingest cannot store, undefined while it can. */
  problem: () => string | undefined;
}

const tickMs = 250;
const refreshMs = 60_000;
const watchMs = 1_000;
const dayMs = 86_400_000;

/** Receives the messages of all nodes, keeps their Sparkplug sessions, and stores what they report. */
export function createIngest(options: IngestOptions): Ingest {
  const { pool, scalars, meters, connectivity, quarantine, nodeAnswers, clock, log, registry, publishCommand, retentionDays, groups } =
    options;
  const admission = createAdmission(options.maxMessages ?? 6_000, options.maxBytes ?? 64 * 1024 * 1024);
  const metrics = createIngestMetrics(registry);
  metrics.watchQueue(() => admission.length);
  const limitedLog = createLimitedLog(log, clock);
  const readTopic = createNodeTopicReader();
  const sessions = createNodeSessions(connectivity, clock, groups && ((serial) => groups.holdOf(groupOf(serial))));
  /** Nodes with an open gap. */
  const waiting = new Set<NodeSession>();
  let stopError: Error | undefined;
  let timers: NodeJS.Timeout[] = [];

  const lanes = createIngestLanes({
    pool,
    scalars,
    meters,
    connectivity,
    quarantine,
    nodeAnswers,
    clock,
    metrics,
    limitedLog,
    outages: options.outages,
    ...(groups ? { holdGroups: groups.holdGroups, noteLostGroups: groups.noteLostGroups } : {}),
  });
  const loader = createNodeLoader({ load: sessions.load, noteFailure: lanes.noteFailure, isStopped: () => stopError !== undefined });
  const rebirths = createRebirthRequests({ clock, metrics, publishCommand, addEntry: lanes.add });

  const lose = (node: NodeSession, reason?: DisconnectReason) => {
    const endedDevices = node.session.lose();
    if (endedDevices === undefined && reason === undefined) return;
    admission.take(0);
    const hold = groups?.listeningHold(groupOf(node.serial));
    const settle = () => admission.release(0);
    lanes.add(lostEntry(node, endedDevices ?? [], { atMs: clock.now(), hold, settle, ...(reason ? { reason } : {}) }));
  };
  const endDevice = (node: NodeSession, device: string) => {
    admission.take(0);
    const hold = groups?.listeningHold(groupOf(node.serial));
    lanes.add(lostDeviceEntry(node, device, { atMs: clock.now(), hold, settle: () => admission.release(0) }));
  };
  // A broker of our own knows who is connected.
  const watch =
    groups &&
    createConnectionWatch({
      sessions,
      store: connectivity,
      clock,
      isListening: (group) => groups.listeningHold(group) !== undefined,
      ask: rebirths.askSilent,
      lose: (node) => lose(node, "no-answer"),
      loseDevice: (node, device) => node.session.loseDevice(device) && endDevice(node, device),
    });
  let watching: Promise<void> | undefined;
  /** Of who has nothing to write no success says that the database is back. */
  const lookForDatabase = async () => {
    if (admission.length === 0 && (await databaseProblem(pool)) === undefined && admission.length === 0) lanes.noteAnswer();
  };
  const runWatch = () => {
    // What waits may be an answer.
    if (watching || admission.isFull()) return;
    if (lanes.failingSinceMs !== undefined) return void (watching = lookForDatabase().finally(() => (watching = undefined)));
    watching = watch
      ?.run()
      .catch(lanes.noteFailure)
      .finally(() => (watching = undefined));
  };

  const entryTimes = (nowMs: number): EntryTimes => ({
    nowMs,
    oldestKeptMs: Math.floor((nowMs - retentionDays() * dayMs) / dayMs) * dayMs,
  });

  const applyEffects = (node: NodeSession, effects: readonly HostEffect<NodeMessage>[]) => {
    const times = entryTimes(clock.now());
    for (const effect of effects) {
      if (effect.type === "rebirth-needed") rebirths.ask(node.serial, effect.reason);
      else if (effect.type === "missing") metrics.noteMissing(effect.count);
      else {
        if (effect.as === "birth" || effect.as === "rebirth") rebirths.noteBirth(node.serial);
        const entry = settledEntry(node, effect, times);
        if (effect.as === "data" && entry.telemetry?.files) receiveFiles(node, effect.message, entry);
        lanes.add(entry);
        // Thousands of messages wait for their commit: what has been read of them need not.
        effect.message.payload = emptyPayload;
      }
    }
    if (node.session.dueAt === undefined) waiting.delete(node);
    else waiting.add(node);
  };

  const receiveFiles = (node: NodeSession, message: NodeMessage, entry: IngestEntry) => {
    const problems = options.files?.receive(fileSenderOf(node, message.device), entry.telemetry?.files ?? []) ?? [];
    if (problems.length > 0) entry.quarantine = [...entry.quarantine, ...problems];
  };

  const receive = (node: NodeSession, message: NodeMessage) => {
    const now = clock.monotonic();
    noteHeard(node.contact, now);
    if (message.device !== undefined) {
      const contact = node.deviceContacts.get(message.device);
      if (contact) noteHeard(contact, now);
    }
    const plain = plainEntry(node, message, now, entryTimes(message.receivedAtMs));
    if (plain) return lanes.add(plain);
    let payload: Payload;
    try {
      payload = decodeNodePayload(message.bytes);
    } catch (error) {
      if (!(error instanceof SparkplugDecodeError)) throw error;
      lanes.add(bareEntry(message, node.serial, [`decode ${error.reason}`]));
      applyEffects(node, node.session.failDecode(now));
      return;
    }
    const { inflatedBytes = 0 } = payload;
    if (inflatedBytes > 0) {
      admission.grow(inflatedBytes);
      message.heldBytes += inflatedBytes;
    }
    message.payload = payload;
    message.publishedAtMs = payload.timestamp;
    applyEffects(node, node.session.receive(message, now));
  };

  const route = (serial: number, message: NodeMessage) => {
    if (stopError) return message.settle(stopError);
    if (message.hold?.isLost) return message.settle(new LostGroupError(message.hold));
    const node = sessions.get(serial);
    if (node === undefined) loader.wait(serial, () => route(serial, message));
    else if (node === "unknown") lanes.add(bareEntry(message, 0, ["unknown-node"]));
    // What waits for the same node came before.
    else if (!loader.follow(serial, () => receive(node, message))) receive(node, message);
  };

  const submit: Ingest["submit"] = (topic, bytes, isAcknowledged, done, hold) => {
    const parsed = readTopic(topic);
    if (parsed.kind === "own") return done();
    metrics.noteReceived();
    if (stopError) return done(stopError);
    admission.take(bytes.length);
    const receivedAtMs = clock.now();
    const settle = (error?: Error) => {
      admission.release(message.heldBytes);
      if (isAcknowledged) done(error);
      if (error === undefined && message.publishedAtMs !== undefined) {
        metrics.noteLatency(Math.max(0, clock.now() - message.publishedAtMs) / 1000);
      }
    };
    const message: NodeMessage = {
      kind: "NDATA",
      device: undefined,
      payload: emptyPayload,
      topic,
      bytes,
      heldBytes: bytes.length,
      receivedAtMs,
      publishedAtMs: undefined,
      hold,
      settle,
    };
    if (parsed.kind === "refused") lanes.add(bareEntry(message, 0, [parsed.reason]));
    else {
      message.kind = parsed.kind;
      message.device = parsed.device;
      route(parsed.serial, message);
    }
    if (!isAcknowledged) admission.whenRoom(done);
  };

  const noteDisconnected: Ingest["noteDisconnected"] = (serial) => {
    // Messages that wait for the node come first.
    if (loader.follow(Number(serial), () => noteDisconnected(serial))) return;
    const node = sessions.get(Number(serial));
    if (node === undefined || node === "unknown" || stopError) return;
    lose(node);
  };

  /** Gaps and sub nodes that are given up, days that are counted again. */
  const runTimers = () => {
    for (const node of waiting) {
      for (const device of node.session.expireDevices(clock.monotonic())) endDevice(node, device);
      applyEffects(node, node.session.expire(clock.monotonic()));
    }
    lanes.poke();
  };

  return {
    submit,
    isFull: admission.isFull,
    whenRoom: admission.whenRoom,
    noteDisconnected,
    forget(hold) {
      hold.isLost = true;
      for (const node of waiting) {
        if (groupOf(node.serial) !== hold.name) continue;
        waiting.delete(node);
        for (const effect of node.session.expire(Infinity)) {
          if (effect.type === "settled") effect.message.settle(new LostGroupError(hold));
        }
      }
      sessions.forget((serial) => groupOf(serial) === hold.name);
    },
    noteGap: ({ name }) => watch?.noteGap(name),
    start() {
      timers = [
        setInterval(runTimers, tickMs),
        setInterval(() => void sessions.refresh().catch(lanes.noteFailure), refreshMs),
        setInterval(runWatch, watchMs),
      ];
      for (const timer of timers) timer.unref();
    },
    async stop(drainMs = 8_000) {
      for (const timer of timers) clearInterval(timer);
      for (const node of waiting) applyEffects(node, node.session.expire(Infinity));
      const deadline = performance.now() + drainMs;
      while (admission.length > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
      stopError = new Error("Ingest has stopped");
      loader.release();
      lanes.abandon(stopError);
    },
    problem() {
      const since = lanes.failingSinceMs;
      return since === undefined ? undefined : `scalars cannot be stored since ${new Date(since).toISOString().slice(0, 19)}Z`;
    },
  };
}

function noteHeard(contact: NodeContact, now: number): void {
  contact.heardAt = now;
  contact.askedAt = undefined;
  contact.asked = 0;
  contact.mustAnswer = false;
}

function fileSenderOf({ serial, session }: NodeSession, device: string | undefined): FileSender {
  return {
    serial: device === undefined ? serial : Number(device),
    edge: serial,
    isDevice: device !== undefined,
    aliasOf: (name) => session.aliasOf(name, device),
  };
}

const emptyPayload: Payload = { timestamp: undefined, seq: undefined, metrics: [], uuid: undefined, body: undefined };
