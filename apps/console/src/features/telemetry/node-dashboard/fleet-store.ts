import type { DashboardNode, NodeDashboard } from "@busbar/contract/telemetry/node-dashboard.ts";
import { firstLineAt, isNodeAt, isWholeAt, nextLineAt, partAt, serialAt, type ChangedLines } from "./fleet-answer.ts";

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

/** Of thousands that move at a poll a screen reads some dozens: the line that came last waits in its text until someone reads the node. */
class NodeRecord implements FleetRecord {
  readonly serial: string;
  version = 0;
  searchText: string;
  /** At which answer what waits came. */
  waitsSince = 0;
  private readonly known: DashboardNode;
  private text: string | undefined = undefined;
  private lineAt = 0;

  constructor(serial: string, known: DashboardNode) {
    this.serial = serial;
    this.known = known;
    this.searchText = searchTextOf(known);
  }

  get node(): DashboardNode {
    if (this.text !== undefined) Object.assign(this.known, partAt(this.text, this.lineAt));
    this.text = undefined;
    return this.known;
  }

  /** What waits, with its line break; nothing when the node was read. */
  get line(): string {
    return this.text === undefined ? "" : this.text.slice(this.lineAt, nextLineAt(this.text, this.lineAt));
  }

  /** A line holds every field that telemetry moves, so that one that was not read yet says nothing more. */
  wait(text: string, lineAt: number, answer: number): void {
    this.text = text;
    this.lineAt = lineAt;
    this.waitsSince = answer;
  }

  take(part: Partial<DashboardNode>): void {
    Object.assign(this.node, part);
    this.version++;
    if (part.serialNumber !== undefined) this.searchText = searchTextOf(this.known);
  }
}

/** Some milliseconds of work: keys and frames get their turn in between. */
const nodesAtOnce = 2_500;
/** A line that waits keeps the whole answer: most nodes get a newer one within some polls, the lines of the others move to a text of their own. */
const answersKept = 12;
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
  /** Whose lines came with each of the last answers. */
  const waiting: NodeRecord[][] = [];

  function applyLine(text: string, lineAt: number): void {
    const serial = serialAt(text, lineAt);
    const record = records.get(serial);
    if (!record || isWholeAt(text, lineAt, serial)) return applyPart(serial, partAt(text, lineAt));
    if (record.waitsSince !== answers) waiting.at(-1)?.push(record);
    record.wait(text, lineAt, answers);
    record.version++;
    notify(serial);
  }

  function applyPart(serial: string, part: Partial<DashboardNode>): void {
    const isWhole = part.serialNumber !== undefined;
    const record = records.get(serial);
    if (record) record.take(part);
    else if (isWhole) records.set(serial, new NodeRecord(serial, part as DashboardNode));
    if (isWhole) directoryVersion++;
    notify(serial);
  }

  function notify(serial: string): void {
    const listeners = recordListeners.get(serial);
    if (listeners) for (const listener of listeners) listener();
  }

  function remove(serial: string): void {
    if (records.delete(serial)) directoryVersion++;
  }

  /** Whose lines still wait since the oldest answer; they are in a text of their own then. */
  function moveOldest(): NodeRecord[] {
    const oldest = answers - answersKept;
    const left: NodeRecord[] = [];
    const lines: string[] = [];
    for (const record of waiting.shift() ?? []) {
      const line = record.waitsSince === oldest ? record.line : "";
      if (line === "") continue;
      left.push(record);
      lines.push(line);
    }
    const text = lines.join("");
    let lineAt = 0;
    for (const record of left) {
      record.wait(text, lineAt, answers);
      lineAt = nextLineAt(text, lineAt);
    }
    return left;
  }

  /** Pauses before a part that is not the first. */
  function* partsOf(answer: FleetAnswer): Generator<void> {
    answers++;
    waiting.push(waiting.length < answersKept ? [] : moveOldest());
    let count = 0;
    if ("text" in answer) {
      const { text } = answer;
      for (let lineAt = firstLineAt; isNodeAt(text, lineAt); lineAt = nextLineAt(text, lineAt)) {
        if (++count % nodesAtOnce === 0) yield;
        applyLine(text, lineAt);
      }
    } else {
      const { dashboardNodeMap } = answer;
      if (answer.isFull) for (const serial of records.keys()) if (!(serial in dashboardNodeMap)) remove(serial);
      for (const serial in dashboardNodeMap) {
        if (++count % nodesAtOnce === 0) yield;
        applyPart(serial, dashboardNodeMap[serial] ?? {});
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
