import { createHostSession } from "@busbar/sparkplug/host-session.ts";
import { createMetricTablePool } from "@busbar/sparkplug/metric-table.ts";
import type { HostSession, SessionMessage } from "@busbar/sparkplug/session-types.ts";
import { createBoundedMap } from "#lib/bounded-map.ts";
import type { Clock } from "#lib/clock.ts";
import type { ConnectivityStore, NodeRow } from "#features/connectivity/connectivity.store.ts";
import { createLiveState } from "./live-state.ts";
import type { LiveState } from "./live-state.ts";

/** A message of a node on its way through ingest. */
export interface NodeMessage extends SessionMessage {
  topic: string;
  bytes: Uint8Array;
  receivedAtMs: number;
  /** Called once, when what the message changes is committed. */
  settle(error?: Error): void;
}

export interface NodeSession {
  serial: number;
  live: LiveState;
  session: HostSession<NodeMessage>;
  /** Its sub nodes by device id. */
  devices: Map<string, LiveState>;
}

export interface NodeSessions {
  /** "unknown": no such node; undefined: not loaded yet, see `load`. */
  get(serial: number): NodeSession | "unknown" | undefined;
  /** Loads nodes with what was stored of their sessions. */
  load(serials: readonly number[]): Promise<void>;
  /** Takes over changed places and intervals; forgets nodes that are gone. */
  refresh(): Promise<void>;
  values(): Iterable<NodeSession>;
}

const unknownMs = 5_000;
const batchSize = 500;

export function createNodeSessions(store: Pick<ConnectivityStore, "loadNodes" | "refreshNodes">, clock: Clock): NodeSessions {
  const sessions = new Map<number, NodeSession>();
  // Senders that are no node are asked for again after a while: somebody may add them.
  const unknownUntil = createBoundedMap<number, number>(10_000);
  const tables = createMetricTablePool();

  const add = (row: NodeRow) =>
    sessions.set(row.serial, {
      serial: row.serial,
      live: createLiveState(row),
      session: createHostSession<NodeMessage>({ makeTable: tables.get }, row.snapshot),
      devices: new Map(),
    });

  return {
    get(serial) {
      const known = sessions.get(serial);
      if (known) return known;
      return (unknownUntil.get(serial) ?? -Infinity) > clock.monotonic() ? "unknown" : undefined;
    },
    async load(serials) {
      for (let start = 0; start < serials.length; start += batchSize) {
        const part = serials.slice(start, start + batchSize);
        const rows = await store.loadNodes(part);
        const asked = new Set(part);
        for (const row of rows) if (asked.has(row.serial) && !sessions.has(row.serial)) add(row);
        for (const row of rows) {
          if (row.parentSerial !== null) sessions.get(row.parentSerial)?.devices.set(String(row.serial), createLiveState(row));
        }
        for (const serial of part) if (!sessions.has(serial)) unknownUntil.set(serial, clock.monotonic() + unknownMs);
      }
    },
    async refresh() {
      const states = new Map<number, LiveState>();
      for (const { live, devices } of sessions.values()) {
        states.set(live.serial, live);
        for (const device of devices.values()) states.set(device.serial, device);
      }
      const serials = [...states.keys()];
      for (let start = 0; start < serials.length; start += batchSize) {
        const part = serials.slice(start, start + batchSize);
        const found = new Set<number>();
        for (const row of await store.refreshNodes(part)) {
          found.add(row.serial);
          const state = states.get(row.serial)!;
          state.timezone = row.timezone ?? "UTC";
          state.scalarIntervalSeconds = row.scalarIntervalSeconds;
        }
        for (const serial of part) if (!found.has(serial)) sessions.delete(serial);
      }
    },
    values: () => sessions.values(),
  };
}
