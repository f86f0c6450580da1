import type { Column } from "#ui/column.ts";
import { saveRows } from "#ui/save-rows.ts";
import type { TreeBranch } from "./tree-branches.ts";
import { filterBranches, filterWords } from "./tree-rows.ts";

type LocationItem = Extract<TreeBranch["item"], { kind: "location" }>;

export const locationColumns: readonly Column<LocationItem>[] = [
  { label: "Customer code", text: ({ customer }) => customer.code },
  { label: "Customer", text: ({ customer }) => customer.name },
  { label: "Customer type", text: ({ customer }) => customer.type },
  { label: "Facility", text: ({ facility }) => facility.name },
  { label: "Site", text: ({ facility }) => facility.siteName },
  { label: "Division", text: ({ facility }) => facility.division },
  { label: "Grounding type", text: ({ facility }) => facility.groundingType },
  { label: "Facility location", text: ({ facility }) => facility.facilityLocation },
  { label: "Location", text: ({ location }) => location.name },
  { label: "Equipment type", text: ({ location }) => location.equipmentType },
  { label: "Time zone", text: ({ location }) => location.timezone },
  { label: "Node", text: ({ location }) => location.nodeSerialNumber },
  { label: "Status", text: (item) => nodeOf(item)?.currentDeploymentStatus ?? "" },
  { label: "Next status", text: (item) => nodeOf(item)?.newDeploymentStatus ?? "" },
  { label: "Secondary node", text: ({ location }) => location.secondaryNodeSerialNumber },
  { label: "Secondary status", text: (item) => secondaryNodeOf(item)?.currentDeploymentStatus ?? "" },
  { label: "Secondary next status", text: (item) => secondaryNodeOf(item)?.newDeploymentStatus ?? "" },
];

const nodeOf = ({ location }: LocationItem) => location.nodes.find(({ serialNumber }) => serialNumber === location.nodeSerialNumber);
const secondaryNodeOf = ({ location }: LocationItem) =>
  location.nodes.find(({ serialNumber }) => serialNumber === location.secondaryNodeSerialNumber);

/** The locations that the filter lets through, one a line, as a file. */
export function exportCustomers(branches: readonly TreeBranch[], filterText: string): void {
  const kept = filterBranches(branches, filterWords(filterText));
  const rows: LocationItem[] = [];
  const visit = (branch: TreeBranch) => {
    const { item } = branch;
    if (item.kind === "location") rows.push(item);
    else for (const child of kept?.get(branch) ?? branch.children) visit(child);
  };
  for (const branch of branches) if (!kept || kept.has(branch)) visit(branch);
  saveRows("customers.csv", locationColumns, rows);
}
