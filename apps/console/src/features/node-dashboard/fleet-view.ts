import type { DashboardNode } from "@busbar/contract/node-dashboard.ts";
import { isExternalNodeType } from "@busbar/contract/option-lists.ts";
import type { FleetRecord, FleetStore } from "./fleet-store.ts";

// DSH-05: the texts' words and what is on at first
export const showOptions = [
  { key: "deployed", label: "Deployed", isOnByDefault: true },
  { key: "preDeployment", label: "PreDeployment", isOnByDefault: true },
  { key: "unassigned", label: "Unassigned", isOnByDefault: false },
  { key: "decommissioned", label: "Decommissioned", isOnByDefault: false },
  { key: "external", label: "External", isOnByDefault: false },
] as const;
export type ShowKey = (typeof showOptions)[number]["key"];

export const sortKeys = ["node", "scalar", "datafile"] as const;
export type SortKey = (typeof sortKeys)[number];

export interface FleetCriteria {
  filterText: string;
  show: ReadonlySet<ShowKey>;
  sort: SortKey;
  isDescending: boolean;
}

const keyOfStatus: Record<string, ShowKey> = {
  Deployed: "deployed",
  "Pre-Deployment": "preDeployment",
  Unassigned: "unassigned",
  Decommissioned: "decommissioned",
};

/** External nodes stand apart (DSH-12); of the others the deployment status decides. */
export function showKeyOf(node: DashboardNode): ShowKey {
  return isExternalNodeType(node.type) ? "external" : (keyOfStatus[node.currentDeploymentStatus] ?? "unassigned");
}

const timeOf: Record<Exclude<SortKey, "node">, (node: DashboardNode) => number> = {
  scalar: (node) => node.lastScalarTimestamp ?? -1,
  datafile: (node) => (isExternalNodeType(node.type) ? node.lastExternalFileTimestamp : node.lastDatafileTimestamp) ?? -1,
};

/** What a list depends on: readings only when it is sorted by them. */
export function viewVersion(store: FleetStore, sort: SortKey): string {
  return sort === "node" ? String(store.directoryVersion()) : `${store.directoryVersion()} ${store.liveVersion()}`;
}

/** The records that match every word of the filter and a ticked box, in order; equal ones by serial number. */
export function selectRecords(records: ReadonlyMap<string, FleetRecord>, { filterText, show, sort, isDescending }: FleetCriteria): FleetRecord[] {
  const words = filterText.toLowerCase().split(/\s+/).filter(Boolean);
  const selected: FleetRecord[] = [];
  for (const record of records.values()) {
    if (show.has(showKeyOf(record.node)) && words.every((word) => record.searchText.includes(word))) selected.push(record);
  }
  const direction = isDescending ? -1 : 1;
  // Serial numbers are five digits: they compare as text.
  const bySerial = (a: FleetRecord, b: FleetRecord) => (a.serial < b.serial ? -1 : a.serial > b.serial ? 1 : 0);
  if (sort === "node") return selected.sort((a, b) => direction * bySerial(a, b));
  const time = timeOf[sort];
  return selected.sort((a, b) => direction * (time(a.node) - time(b.node)) || bySerial(a, b));
}

// ---- the criteria in the address (DSH-04; everything at its default is left out)

export function criteriaOf(search: Record<string, unknown>): FleetCriteria {
  const shown = typeof search["show"] === "string" ? search["show"].split(",") : undefined;
  const isShown = (option: (typeof showOptions)[number]) => (shown ? shown.includes(option.key) : option.isOnByDefault);
  return {
    filterText: typeof search["filterText"] === "string" ? search["filterText"] : "",
    show: new Set(showOptions.filter(isShown).map(({ key }) => key)),
    sort: sortKeys.find((key) => key === search["sort"]) ?? "node",
    isDescending: search["order"] === "desc",
  };
}

export function searchOf(criteria: FleetCriteria): Record<string, string> {
  const isDefault = showOptions.every(({ key, isOnByDefault }) => criteria.show.has(key) === isOnByDefault);
  const shown = showOptions.map(({ key }) => key).filter((key) => criteria.show.has(key));
  return {
    ...(criteria.filterText ? { filterText: criteria.filterText } : {}),
    ...(isDefault ? {} : { show: shown.join(",") || "none" }),
    ...(criteria.sort === "node" ? {} : { sort: criteria.sort }),
    ...(criteria.isDescending ? { order: "desc" } : {}),
  };
}
