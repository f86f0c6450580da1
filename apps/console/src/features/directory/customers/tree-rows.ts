import type { TreeBranch } from "./tree-branches.ts";

/** One visible line. */
export interface TreeRow {
  branch: TreeBranch;
  isExpanded: boolean;
  /** Whether there is something to expand. */
  hasMore: boolean;
  /** Place among its visible brothers, from 1, and how many they are. */
  place: number;
  count: number;
}

export interface VisibleTree {
  rows: TreeRow[];
  /** Locations that the filter lets through, and all there are. */
  shownLocations: number;
  totalLocations: number;
  /** The branches that it lets through, from the customers down. */
  shown: TreeBranch[];
}

/** CUS-02: the words of a filter, in small letters. */
export const filterWords = (filterText: string): string[] => filterText.toLowerCase().split(/\s+/).filter(Boolean);

/** The branches that match: a matching branch with all below it, and those above a match. */
export function filterBranches(branches: readonly TreeBranch[], words: readonly string[]): Map<TreeBranch, TreeBranch[]> | undefined {
  if (words.length === 0) return undefined;
  const kept = new Map<TreeBranch, TreeBranch[]>();
  const visit = (branch: TreeBranch): boolean => {
    // What a branch is called is part of what everything below it is called.
    if (words.every((word) => branch.haystack.includes(word))) {
      kept.set(branch, branch.children);
      return true;
    }
    const children = branch.children.filter(visit);
    if (children.length === 0) return false;
    kept.set(branch, children);
    return true;
  };
  for (const branch of branches) visit(branch);
  return kept;
}

export function visibleTree(branches: readonly TreeBranch[], filterText: string, isExpanded: (key: string) => boolean): VisibleTree {
  const kept = filterBranches(branches, filterWords(filterText));
  const shown = kept ? branches.filter((branch) => kept.has(branch)) : [...branches];
  const rows: TreeRow[] = [];
  const childrenOf = (branch: TreeBranch) => kept?.get(branch) ?? branch.children;
  const add = (list: readonly TreeBranch[]) => {
    list.forEach((branch, index) => {
      const children = childrenOf(branch);
      const isOpen = children.length > 0 && isExpanded(branch.key);
      rows.push({ branch, isExpanded: isOpen, hasMore: children.length > 0, place: index + 1, count: list.length });
      if (isOpen) add(children);
    });
  };
  add(shown);
  const countLocations = (list: readonly TreeBranch[]): number =>
    list.reduce((count, branch) => count + (branch.item.kind === "location" ? 1 : countLocations(childrenOf(branch))), 0);
  return { rows, shown, shownLocations: countLocations(shown), totalLocations: kept ? countAll(branches) : countLocations(shown) };
}

function countAll(branches: readonly TreeBranch[]): number {
  let count = 0;
  for (const { item } of branches) {
    if (item.kind === "customer") for (const { locations } of item.customer.facilities) count += locations.length;
  }
  return count;
}
