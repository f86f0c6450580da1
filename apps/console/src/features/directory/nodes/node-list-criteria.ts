import type { DeploymentStatus } from "@busbar/contract/values/option-lists.ts";
import type { ColumnChoice } from "#ui/chosen-columns.ts";
import { sortKeysOf, sortOf } from "#ui/column.ts";
import { nodeColumns } from "./node-list-columns.tsx";

// NOD-02: the texts' words and what is on at first
export const showOptions = [
  { status: "Deployed", isOnByDefault: true },
  { status: "Pre-Deployment", isOnByDefault: true },
  { status: "Unassigned", isOnByDefault: false },
  { status: "Decommissioned", isOnByDefault: false },
] as const satisfies readonly { status: DeploymentStatus; isOnByDefault: boolean }[];

export const sortKeys = sortKeysOf(nodeColumns);
// NOD-05
const isDescendingFirst = (sort: string) => sortOf(nodeColumns, sort)?.isDescendingFirst ?? false;

/** `all`, or a customer or facility by its id. */
export type Place = "all" | `customer-${number}` | `facility-${number}`;

export interface NodeListCriteria {
  filterText: string;
  show: ReadonlySet<DeploymentStatus>;
  place: Place;
  columns: ColumnChoice;
  sort: string;
  isDescending: boolean;
}

/** Hides nothing. */
export const everything: Pick<NodeListCriteria, "filterText" | "show" | "place"> = {
  filterText: "",
  show: new Set(showOptions.map(({ status }) => status)),
  place: "all",
};

/** The filters that may hide a node, in words. */
export const hidingOf = ({ filterText, show, place }: NodeListCriteria): string[] => [
  ...(filterText === "" ? [] : ["search"]),
  ...(place === "all" ? [] : ["place"]),
  ...showOptions.flatMap(({ status }) => (show.has(status) ? [] : [`${status} off`])),
];

/** NOD-05: another column begins as it should, the same one turns round. */
export function sortedBy(criteria: NodeListCriteria, sort: string): NodeListCriteria {
  return { ...criteria, sort, isDescending: sort === criteria.sort ? !criteria.isDescending : isDescendingFirst(sort) };
}

// The criteria are in the address; what is at its default is left out.

export function criteriaOf(search: Record<string, unknown>): NodeListCriteria {
  const shown = typeof search["show"] === "string" ? search["show"].split(",") : undefined;
  const isShown = (option: (typeof showOptions)[number]) => (shown ? shown.includes(option.status) : option.isOnByDefault);
  const sort = sortKeys.find((key) => key === search["sort"]) ?? "serial";
  return {
    filterText: typeof search["filterText"] === "string" ? search["filterText"] : "",
    show: new Set(showOptions.filter(isShown).map(({ status }) => status)),
    place: placeOf(search["place"]),
    columns: typeof search["columns"] === "string" ? search["columns"] : "",
    sort,
    isDescending: search["order"] === "desc" || (search["order"] !== "asc" && isDescendingFirst(sort)),
  };
}

export function placeOf(text: unknown): Place {
  return typeof text === "string" && /^(customer|facility)-\d{1,10}$/.test(text) ? (text as Place) : "all";
}

export function searchOf({ filterText, show, place, columns, sort, isDescending }: NodeListCriteria): Record<string, string> {
  const isDefault = showOptions.every(({ status, isOnByDefault }) => show.has(status) === isOnByDefault);
  const shown = showOptions.map(({ status }) => status).filter((status) => show.has(status));
  return {
    ...(filterText ? { filterText } : {}),
    ...(isDefault ? {} : { show: shown.join(",") || "none" }),
    ...(place === "all" ? {} : { place }),
    ...(columns ? { columns } : {}),
    ...(sort === "serial" ? {} : { sort }),
    ...(isDescending === isDescendingFirst(sort) ? {} : { order: isDescending ? "desc" : "asc" }),
  };
}
