import {
  deploymentTaskTypeLabels,
  deploymentTaskTypes,
  nodeHardwareVersionLabels,
  nodeHardwareVersions,
  nodeTypeLabels,
  nodeTypes,
  requestableDeploymentStatuses,
  viModuleHardwareVersionLabels,
  viModuleHardwareVersions,
} from "@busbar/contract/values/option-lists.ts";

export interface Choice {
  value: string;
  label: string;
}

const labelled = (values: readonly string[], labels: Readonly<Record<string, string>>): Choice[] =>
  values.map((value) => ({ value, label: `${value} (${labels[value]})` }));

// NFM-10
const lists = {
  type: nodeTypes.map((value): Choice => ({ value, label: nodeTypeLabels[value] })),
  nodeHardwareVersion: labelled(nodeHardwareVersions, nodeHardwareVersionLabels),
  viModuleHardwareVersion: labelled(viModuleHardwareVersions, viModuleHardwareVersionLabels),
  deploymentTaskType: labelled(deploymentTaskTypes, deploymentTaskTypeLabels),
  newDeploymentStatus: requestableDeploymentStatuses.map((value): Choice => ({ value, label: value })),
};

/** The list of a field, and what else the node has. */
export function nodeChoices(field: keyof typeof lists, stored: string | null | undefined): Choice[] {
  const list = lists[field];
  return stored === null || stored === undefined || list.some(({ value }) => value === stored)
    ? list
    : [...list, { value: stored, label: stored }];
}

/** Inputs of a row are on one line when their help is below them. */
export const wrapperOrder: ("label" | "input" | "description" | "error")[] = ["label", "input", "description", "error"];
