import {
  deploymentStates,
  deploymentTurns,
  type Deployment,
  type DeploymentState,
  type DeploymentTurn,
} from "@busbar/contract/directory/deployments.ts";
import { labelOfId } from "./task-names.ts";

export const stateLabels: Readonly<Record<DeploymentState, string>> = {
  blocked: "Blocked",
  turn: "To be done",
  evidence: "Waits for evidence",
  approval: "Ready for approval",
};

export const turnLabels: Readonly<Record<DeploymentTurn, string>> = { office: "Office", workshop: "Workshop", site: "On site" };

export const deploymentFilterNames = ["find", "state", "turn", "person", "facility"] as const;
export type DeploymentFilter = Record<(typeof deploymentFilterNames)[number], string>;
export const noDeploymentFilter: DeploymentFilter = { find: "", state: "", turn: "", person: "", facility: "" };
export const deploymentFilterChoices = { state: deploymentStates, turn: deploymentTurns };

const searchTextOf = (each: Deployment): string =>
  [
    each.serialNumber,
    each.customerName,
    each.facilityName,
    each.locationName,
    labelOfId(each.taskTemplateId),
    each.taskName,
    each.reason,
    each.deploymentTaskType,
  ]
    .join(" ")
    .toLowerCase();

/** Those that a filter leaves, apart from the state, which is counted among them. */
export function matching(deployments: readonly Deployment[], { find, turn, person, facility }: DeploymentFilter): Deployment[] {
  const words = find.trim().toLowerCase().split(/\s+/).filter(Boolean);
  return deployments.filter((each) => {
    if (turn !== "" && each.turn !== turn) return false;
    if (person !== "" && each.movedBy !== person) return false;
    if (facility !== "" && String(each.facilityId) !== facility) return false;
    const text = searchTextOf(each);
    return words.every((word) => text.includes(word));
  });
}

export interface DeploymentFacility {
  key: string;
  facilityId: number | null;
  facilityName: string;
  customerName: string;
  deployments: Deployment[];
}

/** By facility, in the order of the list. */
export function byFacility(deployments: readonly Deployment[]): DeploymentFacility[] {
  const groups = new Map<string, DeploymentFacility>();
  for (const each of deployments) {
    const { facilityId, facilityName, customerName } = each;
    const key = facilityId === null ? `${customerName}/${facilityName}` : String(facilityId);
    const group = groups.get(key);
    if (group) group.deployments.push(each);
    else groups.set(key, { key, facilityId, facilityName, customerName, deployments: [each] });
  }
  return [...groups.values()];
}

/** Whole facilities from the first on, until about so many cards. */
export function firstFacilities(facilities: readonly DeploymentFacility[], most: number): DeploymentFacility[] {
  const shown: DeploymentFacility[] = [];
  let count = 0;
  for (const facility of facilities) {
    if (count >= most) break;
    shown.push(facility);
    count += facility.deployments.length;
  }
  return shown;
}
