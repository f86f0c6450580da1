import { closeSync, openSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { createLatencies, type LatencySummary } from "../lib/latencies.ts";
import { secretOf } from "../lib/seed-fleet.ts";
import { createLoadConnection, type LoadConnection } from "./load-connection.ts";

export interface ConnectInput {
  host: string;
  port: number;
  firstSerial: number;
  count: number;
  /** 1 without it. */
  qos?: 0 | 1;
}

export interface ClosedLoopInput {
  seconds: number;
  warmupSeconds: number;
  /** Unacknowledged messages that each node keeps on the way. */
  window: number;
}

export interface OpenLoopInput {
  seconds: number;
  warmupSeconds: number;
  perSecond: number;
  /** Messages that a node has on the way at most. */
  maxUnacked: number;
  /** Messages that it holds back meanwhile; further ones it loses, as a real one with a full memory would. */
  maxHeldBack: number;
}

interface Counts {
  offered: number;
  sent: number;
  acked: number;
}

export interface LoadResult extends Counts {
  /** In the measured time, after the warm-up. */
  ackedPerSecond: number;
  /** From the scheduled time to the acknowledgement. */
  latency: LatencySummary;
  /** Still without acknowledgement when waiting ended. */
  unackedAtEnd: number;
  /** From the last that was offered until all are acknowledged. */
  calmAfterMs: number;
}

const connectAtOnce = 100;
const patienceMs = 20_000;
const tickMs = 1;

const newCounts = (): Counts => ({ offered: 0, sent: 0, acked: 0 });

/** A fleet of nodes that only send: how fast, what was acknowledged, and when. */
export function createNodeLoad() {
  let connections: LoadConnection[] = [];
  let isFinishing = false;
  const lost: string[] = [];
  let onAck: (connection: LoadConnection, scheduledAt: number) => void = () => undefined;

  const wallOffset = Date.now() - performance.now();
  const publishAt = (connection: LoadConnection, scheduledAt: number) => connection.publish(wallOffset + scheduledAt, scheduledAt);

  const unackedCount = () => connections.reduce((sum, { unacked }) => sum + unacked, 0);
  /** Waits while acknowledgements still come. */
  const drain = async () => {
    let left = unackedCount();
    for (let movedAt = performance.now(); left > 0 && performance.now() - movedAt < patienceMs; await wait(20)) {
      const now = unackedCount();
      if (now !== left) movedAt = performance.now();
      left = now;
    }
  };

  /** Runs `send` while it counts what is acknowledged in the measured time, which ends with `send` at the latest. */
  async function measure(
    seconds: number,
    warmupSeconds: number,
    counts: Counts,
    send: (endsAt: number) => Promise<void>,
  ): Promise<LoadResult> {
    const latencies = createLatencies();
    const measuredFrom = performance.now() + warmupSeconds * 1_000;
    let endsAt = measuredFrom + seconds * 1_000;
    let ackedInTime = 0;
    const sendNext = onAck;
    onAck = (connection, scheduledAt) => {
      const now = performance.now();
      counts.acked++;
      if (now >= measuredFrom && now < endsAt) ackedInTime++;
      if (scheduledAt >= measuredFrom) latencies.add(now - Math.min(now, scheduledAt));
      sendNext(connection, scheduledAt);
    };
    await send(endsAt);
    endsAt = Math.min(endsAt, performance.now());
    const offeredUntil = performance.now();
    await drain();
    const calmAfterMs = performance.now() - offeredUntil;
    onAck = () => undefined;
    if (lost.length > 0) throw new Error(`${lost.length} connections were lost, the first: ${lost[0]}`);
    const ackedPerSecond = (ackedInTime / (endsAt - measuredFrom)) * 1_000;
    return { ...counts, ackedPerSecond, latency: latencies.summary(), unackedAtEnd: unackedCount(), calmAfterMs };
  }

  return {
    async connect({ host, port, firstSerial, count, qos = 1 }: ConnectInput): Promise<void> {
      connections = Array.from({ length: count }, (_, index) => {
        const serial = firstSerial + index;
        return createLoadConnection({
          host,
          port,
          serial,
          secret: secretOf(serial),
          qos,
          onAck: (connection, scheduledAt) => onAck(connection, scheduledAt),
          onLost: (reason) => lost.push(reason),
        });
      });
      for (let from = 0; from < count; from += connectAtOnce) {
        await Promise.all(connections.slice(from, from + connectAtOnce).map((connection) => connection.connect()));
      }
      // A first message of each, so that every session is known before anything is measured.
      for (const connection of connections) publishAt(connection, performance.now());
      await drain();
      if (unackedCount() > 0) throw new Error(`${unackedCount()} nodes had no answer to their first message`);
    },

    /** As fast as the window lets each node: the highest rate. */
    closedLoop({ seconds, warmupSeconds, window }: ClosedLoopInput): Promise<LoadResult> {
      const counts = newCounts();
      let isOver = false;
      const send = (connection: LoadConnection) => {
        counts.offered++;
        counts.sent++;
        publishAt(connection, performance.now());
      };
      onAck = (connection) => {
        if (!isOver) send(connection);
      };
      return measure(seconds, warmupSeconds, counts, async (endsAt) => {
        for (let index = 0; index < window; index++) for (const connection of connections) send(connection);
        await wait(endsAt - performance.now());
        isOver = true;
      });
    },

    /** At a given rate, whatever the answers: what a slow server costs is seen in the latencies. */
    openLoop({ seconds, warmupSeconds, perSecond, maxUnacked, maxHeldBack }: OpenLoopInput): Promise<LoadResult> {
      const counts = newCounts();
      const heldBack = new Map<LoadConnection, number[]>();
      isFinishing = false;
      const send = (connection: LoadConnection, scheduledAt: number) => {
        counts.sent++;
        publishAt(connection, scheduledAt);
      };
      const offer = (connection: LoadConnection, scheduledAt: number) => {
        counts.offered++;
        if (connection.unacked < maxUnacked) return send(connection, scheduledAt);
        const queue = heldBack.get(connection) ?? [];
        heldBack.set(connection, queue);
        if (queue.length < maxHeldBack) queue.push(scheduledAt);
      };
      onAck = (connection) => {
        const next = heldBack.get(connection)?.shift();
        if (next !== undefined) send(connection, next);
      };
      return measure(seconds, warmupSeconds, counts, async (endsAt) => {
        const startsAt = performance.now();
        const total = Math.floor(((endsAt - startsAt) / 1_000) * perSecond);
        for (;;) {
          const due = Math.min(total, Math.floor(((performance.now() - startsAt) / 1_000) * perSecond));
          for (let index = counts.offered; index < due; index++) {
            const connection = connections[index % connections.length];
            if (connection) offer(connection, startsAt + (index / perSecond) * 1_000);
          }
          if (counts.offered >= total || isFinishing) return;
          await wait(tickMs);
        }
      });
    },

    /** Ends an open loop before its time. */
    finish(): Promise<void> {
      isFinishing = true;
      return Promise.resolve();
    },

    /** Publishes one scalar now and returns its time, epoch milliseconds. */
    publishOne({ serial }: { serial: number }): Promise<number> {
      const connection = connections.find((one) => one.serial === serial);
      if (!connection) throw new Error(`Node ${serial} is not connected`);
      const atMs = Date.now();
      connection.publish(atMs, performance.now());
      return Promise.resolve(atMs);
    },

    /** Writes what was sent: serial number, time in milliseconds and whether it was acknowledged, one line each. */
    writeLog({ file }: { file: string }): Promise<void> {
      // One by one: of ten minutes it is more than fits into memory.
      const log = openSync(file, "w");
      for (const connection of connections) writeFileSync(log, connection.renderLog());
      closeSync(log);
      return Promise.resolve();
    },

    end(): Promise<void> {
      for (const connection of connections) connection.end();
      connections = [];
      return Promise.resolve();
    },
  };
}
export type NodeLoad = ReturnType<typeof createNodeLoad>;
