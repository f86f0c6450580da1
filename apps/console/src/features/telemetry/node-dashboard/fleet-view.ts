import type { DashboardNode } from "@busbar/contract/telemetry/node-dashboard.ts";
import { verdictKinds, type VerdictKind } from "@busbar/contract/telemetry/node-verdicts.ts";
import { isExternalNodeType } from "@busbar/contract/values/option-lists.ts";
import type { FleetCriteria, ShowKey, SortKey } from "./fleet-criteria.ts";
import type { FleetRecord, FleetStore } from "./fleet-store.ts";

const keyOfStatus: Record<string, ShowKey> = {
  Deployed: "deployed",
  "Pre-Deployment": "preDeployment",
  Unassigned: "unassigned",
  Decommissioned: "decommissioned",
};

/** External nodes are kept apart (DSH-12); of the others the deployment status decides. */
export function showKeyOf(node: DashboardNode): ShowKey {
  return isExternalNodeType(node.type) ? "external" : (keyOfStatus[node.currentDeploymentStatus] ?? "unassigned");
}

const rankOf = Object.fromEntries(verdictKinds.map((kind, rank) => [kind, rank])) as Record<VerdictKind, number>;

const keyOf: Record<SortKey, (node: DashboardNode) => number> = {
  node: () => 0,
  gravity: ({ verdict }) => (verdict === null ? verdictKinds.length : rankOf[verdict.kind]),
  scalar: (node) => node.lastScalarTimestamp ?? -1,
  datafile: (node) => (isExternalNodeType(node.type) ? node.lastExternalFileTimestamp : node.lastDatafileTimestamp) ?? -1,
};

interface Entry {
  record: FleetRecord;
  /** What the list is sorted by; 0 where only the serial number decides. */
  key: number;
}

/**
 * The list of the dashboard: what matches, in order; equal ones by serial number.
 * Only names, places and statuses change what matches: while the criteria and these are unchanged, a poll moves just the rows whose
 * time changed, and a poll that moves none hands out the same array again.
 */
export function createFleetView(store: FleetStore) {
  let last: { criteria: FleetCriteria; directoryVersion: number; entries: Entry[]; records: FleetRecord[] } | undefined;

  return function select(criteria: FleetCriteria): FleetRecord[] {
    const directoryVersion = store.directoryVersion();
    const canMove = last?.criteria === criteria && last.directoryVersion === directoryVersion;
    const entries = last && canMove ? movedEntries(last.entries, criteria) : selectedEntries(store, criteria);
    if (last && canMove && entries === last.entries) return last.records;
    last = { criteria, directoryVersion, entries, records: entries.map(({ record }) => record) };
    return last.records;
  };
}
export type FleetView = ReturnType<typeof createFleetView>;

/** What the search and the statuses let through. */
function matcherOf({ filterText, show }: Pick<FleetCriteria, "filterText" | "show">): (record: FleetRecord) => boolean {
  const words = filterText.toLowerCase().split(/\s/);
  return ({ node, searchText }) => show.has(showKeyOf(node)) && words.every((word) => searchText.includes(word));
}

/** How many of these nodes there are of each verdict. */
export function countVerdicts(store: FleetStore, criteria: Pick<FleetCriteria, "filterText" | "show">): Map<VerdictKind, number> {
  const isMatch = matcherOf(criteria);
  const counts = new Map<VerdictKind, number>();
  for (const record of store.records().values()) {
    const { verdict } = record.node;
    if (verdict && isMatch(record)) counts.set(verdict.kind, (counts.get(verdict.kind) ?? 0) + 1);
  }
  return counts;
}

function selectedEntries(store: FleetStore, criteria: FleetCriteria): Entry[] {
  const { verdicts, sort, isDescending } = criteria;
  const isMatch = matcherOf(criteria);
  const isChosen = ({ verdict }: DashboardNode) => verdicts.size === 0 || (verdict !== null && verdicts.has(verdict.kind));
  const entries: Entry[] = [];
  for (const record of store.records().values()) {
    if (isMatch(record) && isChosen(record.node)) entries.push({ record, key: keyOf[sort](record.node) });
  }
  return entries.sort(orderOf(sort, isDescending));
}

/** Takes out the rows whose key changed, sorts those few and merges them in; the same array when there are none. */
function movedEntries(entries: Entry[], { sort, isDescending }: FleetCriteria): Entry[] {
  if (sort === "node") return entries;
  const key = keyOf[sort];
  const kept: Entry[] = [];
  const moved: Entry[] = [];
  for (const entry of entries) {
    const now = key(entry.record.node);
    if (now === entry.key) kept.push(entry);
    else moved.push({ record: entry.record, key: now });
  }
  if (moved.length === 0) return entries;
  const order = orderOf(sort, isDescending);
  moved.sort(order);
  const merged: Entry[] = [];
  let next = 0;
  for (const entry of kept) {
    for (let before = moved[next]; before && order(before, entry) < 0; before = moved[++next]) merged.push(before);
    merged.push(entry);
  }
  return [...merged, ...moved.slice(next)];
}

function orderOf(sort: SortKey, isDescending: boolean): (a: Entry, b: Entry) => number {
  const direction = isDescending ? -1 : 1;
  if (sort === "node") return (a, b) => direction * bySerial(a, b);
  return (a, b) => direction * (a.key - b.key) || bySerial(a, b);
}

// Serial numbers are five digits: they compare as text.
const bySerial = ({ record: a }: Entry, { record: b }: Entry): number => (a.serial < b.serial ? -1 : a.serial > b.serial ? 1 : 0);
