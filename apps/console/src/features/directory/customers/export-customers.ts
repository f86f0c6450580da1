import { csvOf, downloadFile } from "#lib/download.ts";
import type { TreeBranch } from "./tree-branches.ts";
import { filterBranches, filterWords } from "./tree-rows.ts";

const header = [
  "Customer code",
  "Customer",
  "Customer type",
  "Facility",
  "Site",
  "Division",
  "Grounding type",
  "Facility location",
  "Location",
  "Equipment type",
  "Time zone",
  "Node",
  "Status",
  "Next status",
  "Secondary node",
  "Secondary status",
  "Secondary next status",
];

/** The locations that the filter lets through, one a line, as a file. */
export function exportCustomers(branches: readonly TreeBranch[], filterText: string): void {
  const kept = filterBranches(branches, filterWords(filterText));
  const rows: string[][] = [];
  const visit = (branch: TreeBranch) => {
    const { item } = branch;
    if (item.kind === "location") rows.push(rowOf(item));
    else for (const child of kept?.get(branch) ?? branch.children) visit(child);
  };
  for (const branch of branches) if (!kept || kept.has(branch)) visit(branch);
  downloadFile("customers.csv", csvOf([header, ...rows]));
}

function rowOf({ customer, facility, location }: Extract<TreeBranch["item"], { kind: "location" }>): string[] {
  const statusOf = (serial: string | null) => {
    const node = location.nodes.find(({ serialNumber }) => serialNumber === serial);
    return [serial ?? "", node?.currentDeploymentStatus ?? "", node?.newDeploymentStatus ?? ""];
  };
  return [
    customer.code,
    customer.name,
    customer.type,
    facility.name,
    facility.siteName,
    facility.division,
    facility.groundingType,
    facility.facilityLocation,
    location.name,
    location.equipmentType,
    location.timezone,
    ...statusOf(location.nodeSerialNumber),
    ...statusOf(location.secondaryNodeSerialNumber),
  ];
}
