import type { NodeListRow } from "@busbar/contract/directory/nodes.ts";
import { searchTextOf, sortRows } from "#ui/column.ts";
import { nodeColumns } from "./node-list-columns.tsx";
import type { NodeListCriteria } from "./node-list-criteria.ts";
import { bySerial, placeCollator, type NodeRecord } from "./node-record.ts";

export function recordsOf(nodes: readonly NodeListRow[]): NodeRecord[] {
  return nodes.map((node) => {
    const record = {
      serial: node.serialNumber,
      node,
      searchText: "",
      place: [node.customerName, node.facilityName, node.locationName].filter(Boolean).join(" / "),
      isAwaiting: node.newDeploymentStatus !== node.currentDeploymentStatus,
    };
    record.searchText = searchTextOf(nodeColumns, record);
    return record;
  });
}

/** What matches, in order; equal ones by serial number. */
export function selectRecords(records: readonly NodeRecord[], criteria: NodeListCriteria): NodeRecord[] {
  const { filterText, show, place } = criteria;
  const words = filterText.toLowerCase().split(/\s+/).filter(Boolean);
  const [kind, id] = place.split("-");
  const isHere = ({ customerId, facilityId }: NodeListRow) =>
    kind === "all" || (kind === "customer" ? customerId : facilityId) === Number(id);
  const found = records.filter(
    ({ node, searchText }) => show.has(node.currentDeploymentStatus) && isHere(node) && words.every((word) => searchText.includes(word)),
  );
  return sortRows(nodeColumns, found, criteria, bySerial);
}

const byName = (a: string, b: string): number => placeCollator.compare(a, b);

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
    .toSorted(([, a], [, b]) => byName(a.name, b.name))
    .map(([id, { name, facilities }]) => ({
      group: name,
      items: [
        { value: `customer-${id}`, label: `${name}: all` },
        ...[...facilities]
          .toSorted(([, a], [, b]) => byName(a, b))
          .map(([facilityId, facility]) => ({ value: `facility-${facilityId}`, label: facility })),
      ],
    }));
}
