import type { Customer, Facility } from "@busbar/contract/directory/customer-tree.ts";
import type { DecommissionedNode } from "@busbar/contract/directory/decommissioned-nodes.ts";
import type { Location, LocationNode } from "@busbar/contract/directory/locations.ts";

export type TreeItem =
  | { kind: "customer"; customer: Customer }
  | { kind: "facility"; customer: Customer; facility: Facility }
  | { kind: "location"; customer: Customer; facility: Facility; location: Location }
  | { kind: "node"; location: Location; node: LocationNode; isSecondary: boolean }
  | { kind: "retired-list"; customer: Customer }
  | { kind: "retired-node"; customer: Customer; node: DecommissionedNode };

/** One line of the tree with what hangs on it. */
export interface TreeBranch {
  key: string;
  level: number;
  item: TreeItem;
  /** What a person calls it; typing its first letters finds it. */
  label: string;
  /** CUS-02: what a filter looks at, in small letters: the names from the customer down, and the serial numbers. */
  haystack: string;
  children: TreeBranch[];
  parent: TreeBranch | undefined;
}

export const customerKey = (id: number | string) => `c${id}`;
export const facilityKey = (id: number | string) => `f${id}`;

const byName = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

export function growBranches(customers: readonly Customer[]): TreeBranch[] {
  return sorted(customers).map(growCustomer);
}

function growCustomer(customer: Customer): TreeBranch {
  const names = [customer.code, customer.name];
  const branch = grow(customerKey(customer.id), { kind: "customer", customer }, customer.name, names, undefined);
  for (const facility of sorted(customer.facilities)) branch.children.push(growFacility(branch, names, customer, facility));
  if (customer.decommissionedNodes.length > 0) {
    const list = grow(`d${customer.id}`, { kind: "retired-list", customer }, "Decommissioned nodes", names, branch);
    list.children = customer.decommissionedNodes.map((node) =>
      grow(
        `r${node.serialNumber}`,
        { kind: "retired-node", customer, node },
        node.serialNumber,
        [...names, node.facilityName, node.siteName, node.serialNumber],
        list,
      ),
    );
    branch.children.push(list);
  }
  return branch;
}

function growFacility(parent: TreeBranch, above: string[], customer: Customer, facility: Facility): TreeBranch {
  const names = [...above, facility.name];
  const branch = grow(facilityKey(facility.id), { kind: "facility", customer, facility }, facility.name, names, parent);
  branch.children = sorted(facility.locations).map((location) => {
    const serials = location.nodes.map(({ serialNumber }) => serialNumber);
    const texts = [...names, location.name, ...serials];
    const place = grow(`l${location.id}`, { kind: "location", customer, facility, location }, location.name, texts, branch);
    place.children = location.nodes.map((node) =>
      grow(
        `n${node.serialNumber}`,
        { kind: "node", location, node, isSecondary: node.serialNumber === location.secondaryNodeSerialNumber },
        node.serialNumber,
        texts,
        place,
      ),
    );
    return place;
  });
  return branch;
}

function grow(key: string, item: TreeItem, label: string, texts: string[], parent: TreeBranch | undefined): TreeBranch {
  // Words hold no blanks, so none reaches over the border of two names.
  const haystack = item.kind === "node" ? (parent?.haystack ?? "") : texts.join(" ").toLowerCase();
  return { key, level: (parent?.level ?? 0) + 1, item, label, haystack, children: [], parent };
}

function sorted<T extends { name: string }>(list: readonly T[]): T[] {
  return list.length < 2 ? [...list] : [...list].sort((a, b) => byName.compare(a.name, b.name));
}
