import type { NodeListRow } from "@busbar/contract/directory/nodes.ts";
import { requestableDeploymentStatuses } from "@busbar/contract/values/option-lists.ts";
import type { NodeListCriteria, SortKey } from "./node-list-criteria.ts";

/** A node of the list with what searching and sorting look at, computed once per answer. */
export interface NodeRecord {
  serial: string;
  node: NodeListRow;
  searchText: string;
  /** NOD-05: combined customer name. */
  place: string;
  isAwaiting: boolean;
}

export function recordsOf(nodes: readonly NodeListRow[]): NodeRecord[] {
  return nodes.map((node) => ({
    serial: node.serialNumber,
    node,
    // NOD-01
    searchText: [node.serialNumber, node.customerCode, node.customerName, node.facilityName, node.locationName].join("\n").toLowerCase(),
    place: [node.customerName, node.facilityName, node.locationName].filter(Boolean).join(" / "),
    isAwaiting: node.newDeploymentStatus !== node.currentDeploymentStatus,
  }));
}

/** What matches, in order; equal ones by serial number. */
export function selectRecords(records: readonly NodeRecord[], criteria: NodeListCriteria): NodeRecord[] {
  const { filterText, show, place, sort, isDescending } = criteria;
  const words = filterText.toLowerCase().split(/\s+/).filter(Boolean);
  const [kind, id] = place.split("-");
  const isHere = ({ customerId, facilityId }: NodeListRow) =>
    kind === "all" || (kind === "customer" ? customerId : facilityId) === Number(id);
  const found = records.filter(
    ({ node, searchText }) => show.has(node.currentDeploymentStatus) && isHere(node) && words.every((word) => searchText.includes(word)),
  );
  const compare = comparisons[sort];
  const direction = isDescending ? -1 : 1;
  return found.sort((a, b) => direction * compare(a, b) || bySerial(a, b));
}

type Comparison = (a: NodeRecord, b: NodeRecord) => number;

// Serial numbers are five digits: they compare as text.
const bySerial: Comparison = (a, b) => (a.serial < b.serial ? -1 : a.serial > b.serial ? 1 : 0);
const byFlag =
  (flag: (record: NodeRecord) => boolean): Comparison =>
  (a, b) =>
    Number(flag(a)) - Number(flag(b));
const byText = (a: string, b: string): number => collator.compare(a, b);
const collator = new Intl.Collator("en", { sensitivity: "base", numeric: true });
const statusOrder = [...requestableDeploymentStatuses, "Decommissioned"].toSorted();
const rankOf = ({ node }: NodeRecord): number => statusOrder.indexOf(node.currentDeploymentStatus);

const comparisons: Record<SortKey, Comparison> = {
  serial: bySerial,
  status: (a, b) => rankOf(a) - rankOf(b),
  awaiting: byFlag(({ isAwaiting }) => isAwaiting),
  customer: (a, b) => byText(a.place, b.place),
  interval: (a, b) => a.node.dataPointInterval - b.node.dataPointInterval,
  onConnect: byFlag(({ node }) => node.notifyOnConnect),
  onCurrent: byFlag(({ node }) => node.notifyOnCurrentAboveNoise),
  rawPower: byFlag(({ node }) => node.showRawPower),
};

interface PlaceChoice {
  value: string;
  label: string;
}
export interface PlaceChoices {
  group: string;
  items: PlaceChoice[];
}

/**
 * The choices whose words, with those of their customer, hold every word that is searched. Customers without any take nothing of
 * the limit, so that those at the end of a long list are found too.
 */
export function matchingPlaces(
  options: readonly (PlaceChoice | PlaceChoices)[],
  search: string,
  limit: number,
): (PlaceChoice | PlaceChoices)[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const isMatch = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  let left = limit;
  return options.flatMap((option): (PlaceChoice | PlaceChoices)[] => {
    const { group, items } = "group" in option ? option : { group: "", items: [option] };
    const found = items.filter(({ label }) => isMatch(`${group} ${label}`)).slice(0, left);
    left -= found.length;
    if (found.length === 0) return [];
    return "group" in option ? [{ group, items: found }] : found;
  });
}

/** NOD-03: customers with their facilities, as far as they have nodes, in the order of names. */
export function placeChoices(records: readonly NodeRecord[]): PlaceChoices[] {
  const customers = new Map<number, { name: string; facilities: Map<number, string> }>();
  for (const { node } of records) {
    if (node.customerId === null) continue;
    let customer = customers.get(node.customerId);
    if (!customer) {
      customer = { name: `${node.customerName} (${node.customerCode})`, facilities: new Map() };
      customers.set(node.customerId, customer);
    }
    if (node.facilityId !== null) customer.facilities.set(node.facilityId, node.facilityName);
  }
  return [...customers]
    .toSorted(([, a], [, b]) => byText(a.name, b.name))
    .map(([id, { name, facilities }]) => ({
      group: name,
      items: [
        { value: `customer-${id}`, label: `${name}: all` },
        ...[...facilities]
          .toSorted(([, a], [, b]) => byText(a, b))
          .map(([facilityId, facility]) => ({ value: `facility-${facilityId}`, label: facility })),
      ],
    }));
}
