import { writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { createLatencies } from "../lib/latencies.ts";
import type { LatencySummary } from "../lib/latencies.ts";
import { secretOf } from "../lib/seed-fleet.ts";
import { createLoadConnection, maxUnacked } from "./load-connection.ts";
import type { LoadConnection } from "./load-connection.ts";

export interface ConnectInput {
  host: string;
  port: number;
  firstSerial: number;
  count: number;
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
  /** Messages that a node holds back while its window is full; further ones it loses, as a real one with a full memory would. */
  maxHeldBack: number;
}

export interface LoadResult {
  offered: number;
  sent: number;
  acked: number;
  /** In the measured time, after the warm-up. */
  ackedPerSecond: number;
  /** From the scheduled time to the acknowledgement. */
  latency: LatencySummary;
  /** Still without acknowledgement when waiting ended. */
  unackedAtEnd: number;
}

const connectAtOnce = 100;
const drainMs = 20_000;
const tickMs = 1;

/** A fleet of nodes that only send: how fast, what was acknowledged, and when. */
export function createNodeLoad() {
  let connections: LoadConnection[] = [];
  const heldBack = new Map<LoadConnection, number[]>();
  const lost: string[] = [];
  let onAck: (connection: LoadConnection, scheduledAt: number) => void = () => undefined;

  const wallOffset = Date.now() - performance.now();
  const publishAt = (connection: LoadConnection, scheduledAt: number) => connection.publish(wallOffset + scheduledAt, scheduledAt);

  const unackedCount = () => connections.reduce((sum, { unacked }) => sum + unacked, 0);
  const drain = async () => {
    for (const deadline = performance.now() + drainMs; performance.now() < deadline && unackedCount() > 0;) await wait(20);
  };

  /** Runs `send` while it counts what is acknowledged in the measured time. */
  async function measure(seconds: number, warmupSeconds: number, send: (endsAt: number) => Promise<{ offered: number; sent: number }>) {
    const latencies = createLatencies();
    const measuredFrom = performance.now() + warmupSeconds * 1_000;
    const endsAt = measuredFrom + seconds * 1_000;
    let acked = 0;
    let ackedInTime = 0;
    const refill = onAck;
    onAck = (connection, scheduledAt) => {
      const now = performance.now();
      acked++;
      if (now >= measuredFrom && now < endsAt) ackedInTime++;
      if (scheduledAt >= measuredFrom) latencies.add(now - scheduledAt);
      refill(connection, scheduledAt);
    };
    const { offered, sent } = await send(endsAt);
    await drain();
    onAck = () => undefined;
    if (lost.length > 0) throw new Error(`${lost.length} connections were lost, the first: ${lost[0]}`);
    const latency = latencies.summary();
    return { offered, sent, acked, ackedPerSecond: ackedInTime / seconds, latency, unackedAtEnd: unackedCount() } satisfies LoadResult;
  }

  return {
    async connect({ host, port, firstSerial, count }: ConnectInput): Promise<void> {
      connections = Array.from({ length: count }, (_, index) => {
        const serial = firstSerial + index;
        return createLoadConnection({
          host,
          port,
          serial,
          secret: secretOf(serial),
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
      let sent = 0;
      let isOver = false;
      const send = (connection: LoadConnection) => {
        sent++;
        publishAt(connection, performance.now());
      };
      onAck = (connection) => {
        if (!isOver) send(connection);
      };
      return measure(seconds, warmupSeconds, async (endsAt) => {
        for (let index = 0; index < window; index++) for (const connection of connections) send(connection);
        await wait(endsAt - performance.now());
        isOver = true;
        return { offered: sent, sent };
      });
    },

    /** At a given rate, whatever the answers: what a slow server costs is seen in the latencies. */
    openLoop({ seconds, warmupSeconds, perSecond, maxHeldBack }: OpenLoopInput): Promise<LoadResult> {
      let offered = 0;
      let sent = 0;
      const send = (connection: LoadConnection, scheduledAt: number) => {
        sent++;
        publishAt(connection, scheduledAt);
      };
      const offer = (connection: LoadConnection, scheduledAt: number) => {
        offered++;
        if (connection.unacked < maxUnacked) return send(connection, scheduledAt);
        const queue = heldBack.get(connection) ?? [];
        heldBack.set(connection, queue);
        if (queue.length < maxHeldBack) queue.push(scheduledAt);
      };
      onAck = (connection) => {
        const next = heldBack.get(connection)?.shift();
        if (next !== undefined) send(connection, next);
      };
      return measure(seconds, warmupSeconds, async (endsAt) => {
        const startsAt = performance.now();
        const total = Math.floor(((endsAt - startsAt) / 1_000) * perSecond);
        for (;;) {
          const due = Math.min(total, Math.floor(((performance.now() - startsAt) / 1_000) * perSecond));
          for (let index = offered; index < due; index++) {
            const connection = connections[index % connections.length];
            if (connection) offer(connection, startsAt + (index / perSecond) * 1_000);
          }
          if (offered >= total) return { offered, sent };
          await wait(tickMs);
        }
      });
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
    writeLog({ file }: { file: string }): Promise<number> {
      const text = connections.map((connection) => connection.renderLog()).join("");
      writeFileSync(file, text);
      return Promise.resolve(text.split("\n").length - 1);
    },

    end(): Promise<void> {
      for (const connection of connections) connection.end();
      connections = [];
      return Promise.resolve();
    },
  };
}
export type NodeLoad = ReturnType<typeof createNodeLoad>;
