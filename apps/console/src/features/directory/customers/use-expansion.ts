import { useState } from "react";
import type { TreeBranch } from "./tree-branches.ts";
import { createExpansionMemory, keysOf, type LastExpansion } from "./expansion-memory.ts";

const memory = createExpansionMemory();

interface ExpansionState {
  /** The filter that the keys belong to. */
  filterText: string;
  /** Without a filter the expanded branches; with one, where all matches are expanded, the collapsed ones. */
  keys: ReadonlySet<string>;
  last: LastExpansion;
}

const atFirst = (filterText: string): ExpansionState => {
  const last = memory.read();
  return { filterText, keys: new Set(filterText === "" ? keysOf(last) : []), last };
};

/** CUS-02, CUS-03: what is expanded. A new filter expands every match; without one all is collapsed but what is remembered. */
export function useExpansion(filterText: string) {
  const [state, setState] = useState(() => atFirst(filterText));
  const [isRemembering, setIsRemembering] = useState(memory.isOn);
  const isFiltered = filterText !== "";
  let current = state;
  if (state.filterText !== filterText) {
    current = { ...atFirst(filterText), last: state.last };
    setState(current);
  }

  const toggle = (branch: TreeBranch) => {
    const keys = new Set(current.keys);
    if (!keys.delete(branch.key)) keys.add(branch.key);
    const last = isFiltered ? current.last : lastAfter(current.last, branch, keys.has(branch.key));
    if (!isFiltered) memory.remember(last);
    setState({ ...current, keys, last });
  };

  return {
    isExpanded: (key: string) => current.keys.has(key) !== isFiltered,
    toggle,
    isRemembering,
    setRemembering(isOn: boolean) {
      memory.turn(isOn, current.last);
      setIsRemembering(isOn);
    },
  };
}

/** What was expanded last: a customer, or a facility with its customer. Collapsing it forgets it. */
function lastAfter(last: LastExpansion, { item }: TreeBranch, isExpanded: boolean): LastExpansion {
  if (item.kind === "customer") {
    const customerId = String(item.customer.id);
    if (isExpanded) return { customerId };
    return last.customerId === customerId ? {} : last;
  }
  if (item.kind === "facility") {
    const [customerId, facilityId] = [String(item.customer.id), String(item.facility.id)];
    if (isExpanded) return { customerId, facilityId };
    return last.facilityId === facilityId ? { customerId: last.customerId } : last;
  }
  return last;
}
