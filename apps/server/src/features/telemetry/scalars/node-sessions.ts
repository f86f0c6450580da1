import { createHostSession } from "@busbar/sparkplug/host-session.ts";
import { createMetricTablePool, type MetricTablePool } from "@busbar/sparkplug/metric-table.ts";
import type { HostSession, SessionMessage } from "@busbar/sparkplug/session-types.ts";
import type { GroupHold } from "#features/telemetry/node-groups/node-groups.store.ts";
import { createBoundedMap } from "#lib/bounded-map.ts";
import type { Clock } from "#lib/clock.ts";
import { zoneOrUtc } from "#lib/local-day.ts";
import type { ConnectivityStore, NodeRow } from "#features/telemetry/connectivity/connectivity.store.ts";
import { createLiveState, sharedPhases, type LiveState } from "./live-state.ts";

/** A message of a node on its way through ingest. */
export interface NodeMessage extends SessionMessage {
  topic: string;
  bytes: Uint8Array;
  /** What it takes in memory until it is settled. */
  heldBytes: number;
  receivedAtMs: number;
  publishedAtMs: number | undefined;
  /** What it came in under at an external broker. */
  hold: GroupHold | undefined;
  /** Called once, when what the message changes is committed. */
  settle: (error?: Error) => void;
}

export interface NodeSession {
  serial: number;
  live: LiveState;
  session: HostSession<NodeMessage>;
  /** Its sub nodes by device id. */
  devices: Map<string, LiveState>;
  /** It spoke for a device that was not its sub node: look again whether that has changed. */
  hasForeignDevice: boolean;
  contact: NodeContact;
  /** Of sub nodes that were heard, by device id. */
  deviceContacts: Map<string, NodeContact>;
}

/** When a node, or a sub node, was last heard, as monotonic milliseconds. */
export interface NodeContact {
  heardAt: number;
  /** It was silent and has been asked for its birth since then. */
  askedAt: number | undefined;
  asked: number;
  /** It counts as connected in the database, whatever is known of its session. */
  mustAnswer: boolean;
}

export interface NodeSessions {
  /** "unknown": no such node; undefined: not loaded yet, see `load`. */
  get(serial: number): NodeSession | "unknown" | undefined;
  /** Loads nodes with what was stored of their sessions, those that are listened to here. */
  load: (serials: readonly number[]) => Promise<void>;
  /** Takes over changed places and intervals; forgets nodes that are gone. */
  refresh(): Promise<void>;
  /** Another process goes on with these. */
  forget(isForgotten: (serial: number) => boolean): void;
  values(): Iterable<NodeSession>;
}

export const contactAt = (heardAt: number): NodeContact => ({ heardAt, askedAt: undefined, asked: 0, mustAnswer: false });

// Of nodes without sub nodes, which share them.
const noDevices = new Map<string, LiveState>();
const noContacts = new Map<string, NodeContact>();

// A class: there is one for each node, and the node's session asks it.
class EdgeNode implements NodeSession {
  readonly serial: number;
  readonly live: LiveState;
  readonly session: HostSession<NodeMessage>;
  readonly makeTable: MetricTablePool["get"];
  devices = noDevices;
  hasForeignDevice = false;
  contact: NodeContact;
  deviceContacts = noContacts;

  constructor(row: NodeRow, makeTable: MetricTablePool["get"], now: number) {
    this.serial = row.serial;
    this.live = createLiveState(row);
    this.makeTable = makeTable;
    this.session = createHostSession<NodeMessage>(this, row.snapshot);
    this.contact = contactAt(now);
  }

  mayHaveDevice(id: string): boolean {
    return this.devices.has(id);
  }
}

const unknownMs = 5_000;
const batchSize = 500;

/** Where no other process listens to any node. */
const always: Pick<GroupHold, "isLost"> = { isLost: false };

/** @param holdOf what this process listens to the node under; while it does not, another process changes what is stored of it */
export function createNodeSessions(
  store: Pick<ConnectivityStore, "loadNodes" | "refreshNodes">,
  clock: Clock,
  holdOf: (serial: number) => Pick<GroupHold, "isLost"> | undefined = () => always,
): NodeSessions {
  const sessions = new Map<number, NodeSession>();
  // Senders that are no node are looked up again after a while: someone may add them.
  const unknownUntil = createBoundedMap<number, number>(10_000);
  const tables = createMetricTablePool();

  /** `ours` were listened to all the while: what is found of others may be out of date. */
  const read = async (serials: readonly number[]): Promise<{ ours: ReadonlySet<number>; rows: readonly NodeRow[] }> => {
    const holds = serials.map((serial) => [serial, holdOf(serial)] as const);
    const rows = await store.loadNodes(serials);
    return { ours: new Set(holds.flatMap(([serial, hold]) => (hold && !hold.isLost ? serial : []))), rows };
  };

  const addDevices = ({ ours, rows }: Awaited<ReturnType<typeof read>>) => {
    for (const row of rows) {
      const node = row.parentSerial !== null && ours.has(row.parentSerial) ? sessions.get(row.parentSerial) : undefined;
      if (node === undefined || node.devices.has(String(row.serial))) continue;
      if (node.devices === noDevices) node.devices = new Map();
      node.devices.set(String(row.serial), createLiveState(row));
    }
  };

  const ownedStates = function* (): Iterable<{ state: LiveState; parent: NodeSession | undefined }> {
    for (const node of sessions.values()) {
      yield { state: node.live, parent: undefined };
      for (const state of node.devices.values()) yield { state, parent: node };
    }
  };

  return {
    get(serial) {
      const known = sessions.get(serial);
      if (known) return known;
      return (unknownUntil.get(serial) ?? -Infinity) > clock.monotonic() ? "unknown" : undefined;
    },
    async load(serials) {
      for (let start = 0; start < serials.length; start += batchSize) {
        const part = serials.slice(start, start + batchSize);
        const found = await read(part);
        const { ours, rows } = found;
        for (const row of rows)
          if (ours.has(row.serial) && !sessions.has(row.serial)) sessions.set(row.serial, new EdgeNode(row, tables.get, clock.monotonic()));
        addDevices(found);
        for (const serial of ours) if (!sessions.has(serial)) unknownUntil.set(serial, clock.monotonic() + unknownMs);
      }
    },
    async refresh() {
      const owned = Map.groupBy(ownedStates(), ({ state }) => state.serial);
      const serials = [...owned.keys()];
      for (let start = 0; start < serials.length; start += batchSize) {
        const part = serials.slice(start, start + batchSize);
        const rows = new Map((await store.refreshNodes(part)).map((row) => [row.serial, row]));
        for (const serial of part) {
          const row = rows.get(serial);
          for (const { state, parent } of owned.get(serial) ?? []) {
            const isGone = row === undefined || (parent !== undefined && row.parentSerial !== parent.serial);
            if (!isGone) {
              const { timezone, scalarIntervalSeconds, activePower } = row;
              Object.assign(state, { timezone: zoneOrUtc(timezone), scalarIntervalSeconds, activePower: sharedPhases(activePower) });
            } else if (parent) parent.devices.delete(String(serial));
            else sessions.delete(serial);
          }
        }
      }
      const changed = [...sessions.values()].filter(({ hasForeignDevice }) => hasForeignDevice).slice(0, batchSize);
      if (changed.length > 0) addDevices(await read(changed.map(({ serial }) => serial)));
      for (const node of changed) node.hasForeignDevice = false;
    },
    forget(isForgotten) {
      for (const serial of sessions.keys()) if (isForgotten(serial)) sessions.delete(serial);
    },
    values: () => sessions.values(),
  };
}
