import { verdictKinds, type VerdictKind } from "@busbar/contract/telemetry/node-verdicts.ts";
import type { ColumnChoice } from "#ui/chosen-columns.ts";

// DSH-05: the texts' words and what is on at first
export const showOptions = [
  { key: "deployed", label: "Deployed", isOnByDefault: true },
  { key: "preDeployment", label: "PreDeployment", isOnByDefault: true },
  { key: "unassigned", label: "Unassigned", isOnByDefault: false },
  { key: "decommissioned", label: "Decommissioned", isOnByDefault: false },
  { key: "external", label: "External", isOnByDefault: false },
] as const;
export type ShowKey = (typeof showOptions)[number]["key"];

export const sortKeys = ["node", "gravity", "scalar", "datafile"] as const;
export type SortKey = (typeof sortKeys)[number];
export const sortKeyOf = (text: unknown): SortKey => sortKeys.find((key) => key === text) ?? "node";

export interface FleetCriteria {
  filterText: string;
  show: ReadonlySet<ShowKey>;
  /** Only nodes of these verdicts; of all when it is empty. */
  verdicts: ReadonlySet<VerdictKind>;
  columns: ColumnChoice;
  sort: SortKey;
  isDescending: boolean;
}

/** Hides nothing. */
export const everything: Pick<FleetCriteria, "filterText" | "show" | "verdicts"> = {
  filterText: "",
  show: new Set(showOptions.map(({ key }) => key)),
  verdicts: new Set(),
};

/** The filters that may hide a node, in words. */
export const hidingOf = ({ filterText, show, verdicts }: FleetCriteria): string[] => [
  ...(filterText === "" ? [] : ["search"]),
  ...(verdicts.size === 0 ? [] : ["verdict"]),
  ...showOptions.flatMap(({ key, label }) => (show.has(key) ? [] : [`${label} off`])),
];

// The criteria are in the address (DSH-04); what is at its default is left out.

export function criteriaOf(search: Record<string, unknown>): FleetCriteria {
  const shown = typeof search["show"] === "string" ? search["show"].split(",") : undefined;
  const verdicts = typeof search["verdict"] === "string" ? search["verdict"].split(",") : [];
  const isShown = (option: (typeof showOptions)[number]) => (shown ? shown.includes(option.key) : option.isOnByDefault);
  return {
    filterText: typeof search["filterText"] === "string" ? search["filterText"] : "",
    show: new Set(showOptions.filter(isShown).map(({ key }) => key)),
    verdicts: new Set(verdictKinds.filter((kind) => verdicts.includes(kind))),
    columns: typeof search["columns"] === "string" ? search["columns"] : "",
    sort: sortKeyOf(search["sort"]),
    isDescending: search["order"] === "desc",
  };
}

export function searchOf(criteria: FleetCriteria): Record<string, string> {
  const isDefault = showOptions.every(({ key, isOnByDefault }) => criteria.show.has(key) === isOnByDefault);
  const shown = showOptions.map(({ key }) => key).filter((key) => criteria.show.has(key));
  return {
    ...(criteria.filterText ? { filterText: criteria.filterText } : {}),
    ...(isDefault ? {} : { show: shown.join(",") || "none" }),
    ...(criteria.verdicts.size > 0 ? { verdict: [...criteria.verdicts].join(",") } : {}),
    ...(criteria.columns ? { columns: criteria.columns } : {}),
    ...(criteria.sort === "node" ? {} : { sort: criteria.sort }),
    ...(criteria.isDescending ? { order: "desc" } : {}),
  };
}
