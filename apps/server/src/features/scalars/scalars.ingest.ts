import { metricNames } from "@busbar/contract/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { SparkplugDecodeError } from "@busbar/sparkplug/decode-error.ts";
import { decodePayload } from "@busbar/sparkplug/decode.ts";
import { encodePayload } from "@busbar/sparkplug/encode.ts";
import type { Payload } from "@busbar/sparkplug/payload.ts";
import { createRebirthLimiter } from "@busbar/sparkplug/rebirth-limiter.ts";
import type { HostEffect } from "@busbar/sparkplug/session-types.ts";
import { groupOf, nodeTopic } from "@busbar/sparkplug/topic.ts";
import type { Pool } from "pg";
import type { Registry } from "prom-client";
import type { ConnectivityStore, NewNodeActivity } from "#features/connectivity/connectivity.store.ts";
import type { QuarantineStore } from "#features/quarantine/quarantine.store.ts";
import type { Clock } from "#lib/clock.ts";
import { createLimitedLog } from "#lib/limited-log.ts";
import type { Log } from "#lib/log.ts";
import { createAdmission } from "./admission.ts";
import { blamesData } from "./database-failure.ts";
import { createGapRecount } from "./gap-recount.ts";
import type { IngestEntry } from "./ingest-entry.ts";
import { createIngestLane } from "./ingest-lane.ts";
import { createIngestMetrics } from "./ingest-metrics.ts";
import { createIngestWriter } from "./ingest-writer.ts";
import { createNodeLoader } from "./node-loader.ts";
import { createNodeSessions } from "./node-sessions.ts";
import type { NodeMessage, NodeSession } from "./node-sessions.ts";
import { createNodeTopicReader } from "./node-topic.ts";
import { createPartitionKeeper } from "./partition-keeper.ts";
import type { ScalarsStore } from "./scalars.store.ts";
import { bareEntry, lostEntry, settledEntry } from "./settled-entry.ts";

export interface IngestOptions {
  pool: Pool;
  scalars: ScalarsStore;
  connectivity: ConnectivityStore;
  quarantine: QuarantineStore;
  clock: Clock;
  log: Log;
  registry: Registry;
  /** Sends a command to a node, QoS 0; a node that is away does not get it. */
  publishCommand: (topic: string, payload: Uint8Array) => void;
  /** Older scalars are refused: their partitions are gone. */
  retentionDays: number;
  maxMessages?: number;
  maxBytes?: number;
}

export interface Ingest {
  /**
   * Takes a message. With `isAcknowledged` (QoS 1) `done` is called after COMMIT of all that the message changes; else as soon as there is
   * room for it. An error means that it is not stored, and must not be acknowledged.
   */
  submit: (topic: string, bytes: Uint8Array, isAcknowledged: boolean, done: (error?: Error) => void) => void;
  /** As `submit` for a QoS 1 message: resolves after COMMIT. */
  accept(topic: string, bytes: Uint8Array): Promise<void>;
  /** Holds all that it may hold: senders should wait until there is room. */
  isFull: () => boolean;
  whenRoom: (resume: () => void) => void;
  /** The node's connection ended; a death that it did not send is made up for. */
  noteDisconnected: (serial: string) => void;
  start(): void;
  /** Stores what is inside, for at most `drainMs`. */
  stop(drainMs?: number): Promise<void>;
  /** One round of what the timers do: gaps that are given up, days that are counted again. */
  runTimers(): void;
  /** Why ingest cannot store, undefined while it can. */
  problem: () => string | undefined;
}

const laneCount = 2;
const tickMs = 250;
const refreshMs = 60_000;
const dayMs = 86_400_000;

/** Receives the messages of all nodes, keeps their Sparkplug sessions, and stores what they tell. */
export function createIngest(options: IngestOptions): Ingest {
  const { pool, scalars, connectivity, quarantine, clock, log, registry, publishCommand, retentionDays } = options;
  const admission = createAdmission(options.maxMessages ?? 20_000, options.maxBytes ?? 64 * 1024 * 1024);
  const metrics = createIngestMetrics(registry);
  metrics.watchQueue(() => admission.length);
  const limitedLog = createLimitedLog(log, clock);
  const readTopic = createNodeTopicReader();
  const sessions = createNodeSessions(connectivity, clock);
  const limiter = createRebirthLimiter();
  /** Nodes with an open gap. */
  const waiting = new Set<NodeSession>();
  let failingSince: number | undefined;
  let stopError: Error | undefined;
  let timers: NodeJS.Timeout[] = [];

  const noteFailure = (error: unknown) => {
    metrics.noteFailure();
    if (!blamesData(error)) failingSince ??= clock.now();
    limitedLog("warn", "flush-failed", { err: error }, "scalars could not be stored; nothing is acknowledged until they are");
  };

  const partitions = createPartitionKeeper(scalars.ensurePartition);
  const lanes = Array.from({ length: laneCount }, () => {
    const recount = createGapRecount(clock, scalars.recount);
    const writer = createIngestWriter({
      pool,
      scalars,
      partitions,
      connectivity,
      quarantine,
      metrics,
      limitedLog,
      noteFilled: recount.request,
    });
    return createIngestLane({
      async write(entries) {
        await writer.write(entries);
        failingSince = undefined;
      },
      quarantine: writer.quarantine,
      isOutage: (error) => !blamesData(error),
      noteFailure,
      betweenWrites: () => recount.run().catch(noteFailure),
    });
  });
  const addEntry = (entry: IngestEntry) => {
    for (const reason of entry.quarantine) {
      limitedLog(
        "warn",
        `quarantine ${reason}`,
        { serial: entry.serial, topic: entry.topic.slice(0, 200), reason },
        "a node's message is quarantined",
      );
    }
    lanes[entry.serial % laneCount]!.add(entry);
  };
  const loader = createNodeLoader({ load: sessions.load, noteFailure, isStopped: () => stopError !== undefined });

  const askRebirth = (node: NodeSession, reason: string) => {
    const key = String(node.serial);
    if (!limiter.tryAcquire(key, clock.monotonic())) return;
    const nowMs = clock.now();
    const rebirth = { name: metricNames.rebirth, datatype: DataType.Boolean, value: true, timestamp: nowMs };
    const topic = nodeTopic("NCMD", groupOf(key), key);
    publishCommand(topic, encodePayload({ timestamp: nowMs, metrics: [rebirth] }));
    metrics.noteRebirth(reason);
    const activity: NewNodeActivity = {
      serial: node.serial,
      action: "NODE_REBIRTH_REQUESTED",
      description: `Node ${key} was asked for its birth: ${reason}`,
      atMs: nowMs,
    };
    const entry = bareEntry({ topic, bytes: new Uint8Array(), receivedAtMs: nowMs, settle: () => undefined }, node.serial, []);
    addEntry({ ...entry, activities: [activity] });
  };

  const applyEffects = (node: NodeSession, effects: readonly HostEffect<NodeMessage>[]) => {
    const nowMs = clock.now();
    for (const effect of effects) {
      if (effect.type === "rebirth-wanted") askRebirth(node, effect.reason);
      else if (effect.type === "missing") metrics.noteMissing(effect.count);
      else {
        if (effect.as === "birth" || effect.as === "rebirth") limiter.noteBirth(String(node.serial), clock.monotonic());
        const oldestKeptMs = Math.floor((nowMs - retentionDays * dayMs) / dayMs) * dayMs;
        addEntry(settledEntry(node, effect, { nowMs, oldestKeptMs }));
        // Thousands of messages wait for their commit: what has been read of them need not.
        effect.message.payload = emptyPayload;
      }
    }
    if (node.session.dueAt === undefined) waiting.delete(node);
    else waiting.add(node);
  };

  const receive = (node: NodeSession, message: NodeMessage) => {
    let payload: Payload;
    try {
      payload = decodePayload(message.bytes);
    } catch (error) {
      if (!(error instanceof SparkplugDecodeError)) throw error;
      addEntry(bareEntry(message, node.serial, [`decode ${error.reason}`]));
      applyEffects(node, node.session.failDecode(clock.monotonic()));
      return;
    }
    message.payload = payload;
    message.publishedAtMs = payload.timestamp;
    applyEffects(node, node.session.receive(message, clock.monotonic()));
  };

  const route = (serial: number, message: NodeMessage) => {
    if (stopError) return message.settle(stopError);
    const node = sessions.get(serial);
    if (node === undefined) loader.wait(serial, () => route(serial, message));
    else if (node === "unknown") addEntry(bareEntry(message, 0, ["unknown-node"]));
    // What waits for the same node came before.
    else if (!loader.follow(serial, () => receive(node, message))) receive(node, message);
  };

  const submit: Ingest["submit"] = (topic, bytes, isAcknowledged, done) => {
    const parsed = readTopic(topic);
    if (parsed.kind === "own") return done();
    metrics.noteReceived();
    if (stopError) return done(stopError);
    admission.take(bytes.length);
    const receivedAtMs = clock.now();
    const settle = (error?: Error) => {
      admission.release(bytes.length);
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
      receivedAtMs,
      publishedAtMs: undefined,
      settle,
    };
    if (parsed.kind === "refused") addEntry(bareEntry(message, 0, [parsed.reason]));
    else {
      message.kind = parsed.kind;
      message.device = parsed.device;
      route(parsed.serial, message);
    }
    if (!isAcknowledged) admission.whenRoom(done);
  };

  const noteDisconnected: Ingest["noteDisconnected"] = (serial) => {
    const node = sessions.get(Number(serial));
    if (node === undefined || node === "unknown" || stopError) return;
    const endedDevices = node.session.lose();
    if (endedDevices === undefined) return;
    admission.take(0);
    addEntry(lostEntry(node, endedDevices, clock.now(), () => admission.release(0)));
  };

  const runTimers = () => {
    for (const node of waiting) applyEffects(node, node.session.expire(clock.monotonic()));
    for (const lane of lanes) lane.poke();
  };

  return {
    submit,
    isFull: admission.isFull,
    whenRoom: admission.whenRoom,
    noteDisconnected,
    accept: (topic, bytes) =>
      new Promise((resolve, reject) => {
        submit(topic, bytes, true, (error) => (error ? reject(error) : resolve()));
      }),
    start() {
      timers = [setInterval(runTimers, tickMs), setInterval(() => void sessions.refresh().catch(noteFailure), refreshMs)];
      for (const timer of timers) timer.unref();
    },
    async stop(drainMs = 8_000) {
      for (const timer of timers) clearInterval(timer);
      for (const node of waiting) applyEffects(node, node.session.expire(Infinity));
      const deadline = performance.now() + drainMs;
      while (admission.length > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
      stopError = new Error("Ingest has stopped");
      loader.release();
      for (const lane of lanes) lane.abandon(stopError);
    },
    runTimers,
    problem: () =>
      failingSince === undefined ? undefined : `scalars cannot be stored since ${new Date(failingSince).toISOString().slice(0, 19)}Z`,
  };
}

const emptyPayload: Payload = { timestamp: undefined, seq: undefined, metrics: [], uuid: undefined, body: undefined };
