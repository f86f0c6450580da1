import type { NodeListRow } from "@busbar/contract/directory/nodes.ts";

/** A node of the list with what searching and sorting look at, computed once per answer. */
export interface NodeRecord {
  serial: string;
  node: NodeListRow;
  searchText: string;
  /** NOD-05: combined customer name. */
  place: string;
  isAwaiting: boolean;
}

// Serial numbers are five digits: they compare as text.
export const bySerial = (a: NodeRecord, b: NodeRecord): number => (a.serial < b.serial ? -1 : a.serial > b.serial ? 1 : 0);

export const placeCollator = new Intl.Collator("en", { sensitivity: "base", numeric: true });
