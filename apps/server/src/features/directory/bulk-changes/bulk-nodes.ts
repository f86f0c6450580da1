import { bulkFieldLabels, type BulkOrder } from "@busbar/contract/directory/bulk-changes.ts";
import { nodeStatusFields, type NodePatch } from "@busbar/contract/directory/nodes.ts";
import type { Nodes } from "#features/directory/nodes/nodes.service.ts";
import { AppError, noLongerThere } from "#lib/errors.ts";
import { nodeObject } from "#shared/activities.store.ts";
import type { BulkItem, BulkRules, BulkValues } from "./bulk-item.ts";
import { findNodes } from "./bulk-changes.store.ts";

/** What goes with a status. */
const statusFields = Object.keys(nodeStatusFields);

interface BulkNode extends BulkItem {
  /** Undefined where there is none of this serial number. */
  nodeId: number | undefined;
}

/** Nodes by their serial numbers. */
export function createBulkNodes({ changeAll }: Pick<Nodes, "changeAll">): BulkRules<NonNullable<BulkOrder["nodes"]>, BulkNode> {
  return {
    async requests({ serialNumbers, values, wiringReason = "" }) {
      const given = Object.fromEntries(Object.entries({ ...values, wiringReason }).filter(([, value]) => value !== undefined));
      return serialNumbers.map((serial) => ({ id: Number(serial), values: given }));
    },

    async items(db, requests) {
      const found = await findNodes(
        db,
        requests.map(({ id }) => id),
      );
      return requests.map(({ id: serial }) => {
        const name = String(serial);
        const node = found.find((each) => each.name === name);
        return {
          object: nodeObject(serial),
          name,
          place: node?.place ?? "",
          timezone: node?.timezone ?? null,
          nodeId: node?.id,
        };
      });
    },

    async change(client, caller, wanted) {
      const edits = wanted.flatMap(({ item: { nodeId: id }, values }) => (id === undefined ? [] : [{ id, patch: patchOf(values) }]));
      const edited = await changeAll(client, caller, edits);
      return wanted.map(({ item: { nodeId, name } }) => {
        if (nodeId === undefined) return noLongerThere(`There is no node ${name}`);
        const outcome = edited.shift()!;
        if (outcome instanceof AppError) return outcome;
        const { before, after, isUnjudged, wiringReason } = outcome;
        return { before: pick(before), after: pick(isUnjudged ? { ...after, wiringReason: wiringReason.trim() } : after) };
      });
    },

    // Of a status all that goes with it, so that an undo sees that it has become effective; a node has no reason that could be put back.
    stored(changed) {
      const own = changed.filter((field) => field !== "wiringReason");
      return statusFields.some((field) => own.includes(field)) ? [...new Set([...own, ...statusFields])] : own;
    },
  };
}

function pick(row: object): BulkValues {
  const values = row as BulkValues;
  return Object.fromEntries(Object.keys(bulkFieldLabels).flatMap((field) => (field in values ? [[field, values[field]!]] : [])));
}

/** Of an undo, which has the current status: one that was awaited is awaited again, from the same time on, and Deployed needs no other reason. */
function patchOf(values: BulkValues): NodePatch {
  const { currentDeploymentStatus: current, newDeploymentStatus: requested, newDeploymentStatusUpdateTimestamp: at } = values;
  const isUndo = current !== undefined;
  const isAwaited = isUndo && requested !== current;
  return Object.fromEntries([
    ...Object.entries(values).filter(([field]) => field === "newDeploymentStatus" || !statusFields.includes(field)),
    ...(isAwaited ? [["newDeploymentStatusUpdateTimestamp", at] as const] : []),
    ...(isUndo ? [["wiringReason", "Put back"] as const] : []),
  ]);
}
