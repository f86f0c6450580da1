import { keptFlags, swappedFields, type SwapPlan } from "@busbar/contract/directory/node-swaps.ts";
import { newNodeDefaults } from "@busbar/contract/directory/node-fields.ts";
import { configCatalogue } from "@busbar/contract/telemetry/config-catalogue.ts";
import { nodeTypeLabels } from "@busbar/contract/values/option-lists.ts";
import { conflict, invalid, type AppError } from "#lib/errors.ts";
import type { SwapNode } from "./node-swaps.store.ts";

export interface SwapPair {
  old: SwapNode;
  /** Its serial number; empty while none is chosen. */
  newSerialNumber: string;
  /** Undefined for one that does not exist yet. */
  next: SwapNode | undefined;
}

const typeWords = (type: string) => (nodeTypeLabels as Record<string, string>)[type] ?? type;

/** Why the new node cannot take the old one's place; where that one is has been looked at. */
export function whyNotSwapped({ old, newSerialNumber, next }: SwapPair): AppError | undefined {
  const field = "newSerialNumber";
  if (newSerialNumber === old.serialNumber) return invalid(field, `Node ${newSerialNumber} cannot take its own place`);
  if (!next) return undefined;
  const { place, type, currentDeploymentStatus, newDeploymentStatus } = next;
  if (place)
    return conflict(
      `Node ${newSerialNumber} is already at ${[place.customerName, place.facilityName, place.locationName].join(" / ")}`,
      field,
    );
  if (currentDeploymentStatus === "Decommissioned") return conflict(`Node ${newSerialNumber} is decommissioned`, field);
  if (newDeploymentStatus === "Decommissioned")
    return conflict(
      `Node ${newSerialNumber} is about to be Decommissioned. Set its status back to ${currentDeploymentStatus} first`,
      field,
    );
  if (type !== old.type)
    return invalid(
      field,
      `Node ${newSerialNumber} is a ${typeWords(type)} and node ${old.serialNumber} a ${typeWords(old.type)}: a node is swapped for one of its own type`,
    );
  return undefined;
}

/** What of the old node's configuration belongs to the machine: known parameters, but not a name that is its serial number. */
export function configToCopy({ serialNumber, config }: SwapNode): Record<string, string> {
  const known = Object.entries(config ?? {}).filter(([key]) => configCatalogue.some((parameter) => parameter.key === key));
  return Object.fromEntries(known.filter(([key, value]) => key !== "node_name" || value !== serialNumber));
}

export function planSwap(pair: SwapPair, place: NonNullable<SwapNode["place"]>): SwapPlan {
  const { old, next, newSerialNumber } = pair;
  const present: Partial<SwapNode["fields"]> = next?.fields ?? { ...newNodeDefaults, container: old.fields.container };
  return {
    oldSerialNumber: old.serialNumber,
    type: old.type,
    oldRevision: old.revision,
    customerName: place.customerName,
    facilityName: place.facilityName,
    locationName: place.locationName,
    isSecondary: place.slot === 2,
    noteCount: place.noteCount,
    taskNoteCount: old.taskNoteCount,
    keptFlags: keptFlags.filter((flag) => old.flags[flag]),
    newSerialNumber: newSerialNumber === "" ? null : newSerialNumber,
    newNode: next
      ? {
          revision: next.revision,
          connected: next.connected,
          currentDeploymentStatus: next.currentDeploymentStatus,
          deploymentTaskType: next.deploymentTaskType,
          reopenedTaskCount: next.wasPlaced ? next.completedTaskCount : 0,
        }
      : null,
    problem: newSerialNumber === "" ? null : (whyNotSwapped(pair)?.message.replace("newSerialNumber: ", "") ?? null),
    fields: swappedFields
      .filter((field) => newSerialNumber !== "" && present[field] !== old.fields[field])
      .map((field) => ({ field, from: String(present[field] ?? ""), to: String(old.fields[field]) })),
    config: Object.entries(configToCopy(old)).map(([key, value]) => ({ key, value, present: next?.config?.[key] ?? null })),
  };
}
