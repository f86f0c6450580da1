import type { DashboardNode, NodeDashboard } from "@busbar/contract/telemetry/node-dashboard.ts";
import { isWholePart, partOf, serialOf, type ChangedLines, type NodePart } from "./fleet-answer.ts";

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

type FleetAnswer = NodeDashboard | ChangedLines;

/** Of thousands that move at a poll a screen reads some dozens: what came last waits beside the others until someone reads them. */
class NodeRecord implements FleetRecord {
  readonly serial: string;
  version = 0;
  searchText: string;
  /** At which answer what waits came. */
  waitsSince = 0;
  private readonly known: DashboardNode;
  private newest: NodePart | undefined = undefined;

  constructor(serial: string, known: DashboardNode) {
    this.serial = serial;
    this.known = known;
    this.searchText = searchTextOf(known);
  }

  get node(): DashboardNode {
    if (this.newest !== undefined) Object.assign(this.known, partOf(this.newest));
    this.newest = undefined;
    return this.known;
  }

  /** A part holds every field that telemetry moves, so that one that was not read yet says nothing more. */
  take(part: NodePart, answer: number): void {
    this.newest = part;
    this.waitsSince = answer;
    this.version++;
  }

  /** Also of a name or place: the search box looks in these. */
  takeWhole(part: NodePart, answer: number): void {
    this.take(part, answer);
    this.searchText = searchTextOf(this.node);
  }
}

/** Some milliseconds of work: keys and frames get their turn in between. */
const nodesAtOnce = 2_000;
/** A node's text keeps the whole answer that it is a part of: most get a newer one within some polls, the others are read then. */
const answersKept = 8;
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
  let answers = 0;
  /** Whose parts came with the last answers. */
  const waiting: NodeRecord[][] = [];

  function applyNode(serial: string, part: NodePart): void {
    const record = records.get(serial);
    if (isWholePart(part)) {
      if (record) record.takeWhole(part, answers);
      else records.set(serial, new NodeRecord(serial, partOf(part) as DashboardNode));
      directoryVersion++;
    } else if (record) {
      record.take(part, answers);
      waiting.at(-1)?.push(record);
    }
    const listeners = recordListeners.get(serial);
    if (listeners) for (const listener of listeners) listener();
  }

  function remove(serial: string): void {
    if (records.delete(serial)) directoryVersion++;
  }

  function readOldest(): void {
    const oldest = answers - answersKept;
    for (const record of waiting.shift() ?? []) if (record.waitsSince === oldest) void record.node;
  }

  /** Pauses before a part that is not the first. */
  function* partsOf(answer: FleetAnswer): Generator<void> {
    answers++;
    waiting.push([]);
    if (waiting.length > answersKept) readOldest();
    let count = 0;
    if ("lines" in answer) {
      for (const line of answer.lines) {
        if (++count % nodesAtOnce === 0) yield;
        applyNode(serialOf(line), line);
      }
    } else {
      const { dashboardNodeMap } = answer;
      if (answer.isFull) for (const serial of records.keys()) if (!(serial in dashboardNodeMap)) remove(serial);
      for (const serial in dashboardNodeMap) {
        if (++count % nodesAtOnce === 0) yield;
        applyNode(serial, dashboardNodeMap[serial] ?? {});
      }
    }
    for (const serial of answer.removed) remove(serial);
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

    apply: (answer: FleetAnswer): void => {
      for (const _ of partsOf(answer)) continue;
    },

    /** The same in parts, so that a large answer holds up nothing; an answer that is given up may have been applied to some nodes. */
    applyInParts: async (answer: FleetAnswer, signal: AbortSignal): Promise<void> => {
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
