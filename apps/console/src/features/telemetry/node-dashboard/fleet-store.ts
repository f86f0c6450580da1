import type { DashboardNode, NodeDashboard } from "@busbar/contract/telemetry/node-dashboard.ts";

/** One node. Its values change in place, `version` says when. */
export interface FleetRecord {
  readonly serial: string;
  readonly node: DashboardNode;
  readonly version: number;
  /** Lower-case text that the search box looks in. */
  readonly searchText: string;
}

export interface FleetFacts {
  serverStartUpTime: number;
  requestsServed: number;
  asOf: number;
  isStale: boolean;
}

/** Of thousands that move at a poll a screen reads some dozens: what came last waits beside the others until someone reads them. */
class NodeRecord implements FleetRecord {
  readonly serial: string;
  version = 0;
  searchText: string;
  private readonly known: DashboardNode;
  private newest: Partial<DashboardNode> | undefined = undefined;

  constructor(serial: string, known: DashboardNode) {
    this.serial = serial;
    this.known = known;
    this.searchText = searchTextOf(known);
  }

  get node(): DashboardNode {
    if (this.newest !== undefined) Object.assign(this.known, this.newest);
    this.newest = undefined;
    return this.known;
  }

  /** A part holds every field that telemetry moves, so that one that was not read yet says nothing more. */
  take(part: Partial<DashboardNode>): void {
    this.newest = part;
    this.version++;
    if (part.serialNumber !== undefined) this.searchText = searchTextOf(this.node);
  }
}

/** Some milliseconds of work: keys and frames get their turn in between. */
const nodesAtOnce = 2_000;
const otherWork = () => new Promise<void>((go) => void setTimeout(go));

/** The live fleet: applies answers, and notifies who listens to a node or to the list. */
export function createFleetStore() {
  const records = new Map<string, NodeRecord>();
  const recordListeners = new Map<string, Set<() => void>>();
  const listListeners = new Set<() => void>();
  let facts: FleetFacts | undefined;
  let revision: string | undefined;
  // Two versions: names and places move seldom, readings at every poll.
  let directoryVersion = 0;
  let liveVersion = 0;

  function applyNode(serial: string, part: Partial<DashboardNode>): void {
    const record = records.get(serial);
    const isWhole = part.serialNumber !== undefined;
    if (record) record.take(part);
    else if (isWhole) records.set(serial, new NodeRecord(serial, part as DashboardNode));
    if (isWhole) directoryVersion++;
    const listeners = recordListeners.get(serial);
    if (listeners) for (const listener of listeners) listener();
  }

  function remove(serial: string): void {
    if (records.delete(serial)) directoryVersion++;
  }

  /** Pauses before a part that is not the first. */
  function* partsOf(answer: NodeDashboard): Generator<void> {
    const { dashboardNodeMap, removed } = answer;
    if (answer.isFull) for (const serial of records.keys()) if (!(serial in dashboardNodeMap)) remove(serial);
    let count = 0;
    for (const serial in dashboardNodeMap) {
      if (++count % nodesAtOnce === 0) yield;
      applyNode(serial, dashboardNodeMap[serial] ?? {});
    }
    for (const serial of removed) remove(serial);
    revision = answer.revision;
    facts = {
      serverStartUpTime: answer.serverStartUpTime,
      requestsServed: answer.requestsServed,
      asOf: answer.asOf,
      isStale: answer.isStale,
    };
    liveVersion++;
    for (const listener of listListeners) listener();
  }

  return {
    records: (): ReadonlyMap<string, FleetRecord> => records,
    facts: () => facts,
    revision: () => revision,
    directoryVersion: () => directoryVersion,
    liveVersion: () => liveVersion,

    apply: (answer: NodeDashboard): void => {
      for (const _ of partsOf(answer)) continue;
    },

    /** The same in parts, so that a large answer holds up nothing; an answer that is given up may have been applied to some nodes. */
    applyInParts: async (answer: NodeDashboard, signal: AbortSignal): Promise<void> => {
      for (const _ of partsOf(answer)) {
        await otherWork();
        if (signal.aborted) return;
      }
    },

    /** The next answer must be the whole map. */
    forgetRevision: (): void => {
      revision = undefined;
    },

    subscribe: (listener: () => void): (() => void) => {
      listListeners.add(listener);
      return () => listListeners.delete(listener);
    },

    subscribeRecord: (serial: string, listener: () => void): (() => void) => {
      const listeners = recordListeners.get(serial) ?? new Set();
      listeners.add(listener);
      recordListeners.set(serial, listeners);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && recordListeners.get(serial) === listeners) recordListeners.delete(serial);
      };
    },
  };
}
export type FleetStore = ReturnType<typeof createFleetStore>;

function searchTextOf(node: DashboardNode): string {
  return `${node.serialNumber} ${node.customerCode} ${node.customerName} ${node.facilityName} ${node.locationName}`.toLowerCase();
}
