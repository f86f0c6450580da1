import { nodeOwnFields } from "@busbar/contract/directory/nodes.ts";
import type { Pool, PoolClient } from "pg";
import { nodeChoiceFields } from "@busbar/contract/directory/node-fields.ts";
import type { NewNode, Node, NodePatch } from "@busbar/contract/directory/nodes.ts";
import { isRelayNodeType } from "@busbar/contract/values/option-lists.ts";
import * as z from "zod/mini";
import { inTransaction } from "#db/transaction.ts";
import type { Caller } from "#http/endpoints.ts";
import { changedFields, changedMeanwhile } from "#lib/changed-meanwhile.ts";
import type { RecordedChange } from "#lib/changed-meanwhile.ts";
import type { Clock } from "#lib/clock.ts";
import { conflict, invalid, notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import { firstStatus, planStatus } from "./deployment-status.ts";
import type { StatusState } from "./deployment-status.ts";
import { writtenFields } from "./node-columns.ts";
import type { WrittenField } from "./node-columns.ts";
import { findNodeBySerial, hasNameplate, insertNode, leaveLocation, listContainers, lockNodeById, updateNodeRow } from "./nodes.store.ts";
import type { NodeRow } from "./nodes.store.ts";
import { refuseOtherValues } from "#lib/own-fields.ts";
import { nodeObject, recordActivity } from "#shared/activities.store.ts";
import { readChangesSince } from "#shared/recorded-changes.store.ts";
import { toNode } from "./nodes.view.ts";

export interface NodesDependencies {
  pool: Pool;
  clock: Clock;
  /** How many deployment tasks a node has. */
  taskCount: number;
}

const statusFields = [
  "newDeploymentStatus",
  "newDeploymentStatusUpdateTimestamp",
  "currentDeploymentStatus",
  "currentDeploymentStatusUpdateTimestamp",
] as const;

export function createNodes({ pool, clock, taskCount }: NodesDependencies) {
  const nowSeconds = () => clock.now() / 1000;

  return {
    async find(serialNumber: number): Promise<Node> {
      const row = await findNodeBySerial(pool, serialNumber);
      if (!row) throw notFound(say`Node ${serialNumber}`);
      return toNode(row, taskCount);
    },

    containers: () => listContainers(pool),

    async create(
      caller: Caller,
      { serialNumber, newDeploymentStatus, newDeploymentStatusUpdateTimestamp, ...values }: NewNode,
    ): Promise<Node> {
      const current = {
        currentDeploymentStatus: newDeploymentStatus,
        currentDeploymentStatusUpdateTimestamp: newDeploymentStatusUpdateTimestamp,
      };
      refuseOtherValues(current, values, current);
      const status = firstStatus(newDeploymentStatus, newDeploymentStatusUpdateTimestamp, nowSeconds());
      return await inTransaction(pool, async (client) => {
        if (!(await insertNode(client, Number(serialNumber), status, values)))
          throw conflict(`There is already a node with the serial number ${serialNumber}`, "serialNumber");
        const row = await requireRow(findNodeBySerial(client, Number(serialNumber)), serialNumber);
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "POST_NODE",
          object: nodeObject(serialNumber),
          description: `Node ${serialNumber} was added: ${newDeploymentStatus}`,
          after: recorded(row, [...writtenFields, ...statusFields]),
        });
        return toNode(row, taskCount);
      });
    },

    async update(caller: Caller, id: number, { revision, ...patch }: NodePatch): Promise<Node> {
      return await inTransaction(pool, async (client) => {
        const before = await requireRow(lockNodeById(client, id), id);
        const serial = before.serialNumber;
        if (patch.serialNumber !== undefined && patch.serialNumber !== serial)
          throw invalid("serialNumber", "The serial number of a node cannot be changed");
        refuseOtherValues(toNode(before, taskCount), patch, nodeOwnFields);
        refuseUnknownChoices(before, patch);
        await refuseRelayWithoutNameplate(client, before, patch.type);
        const next = planStatus(
          statusOf(before),
          { status: patch.newDeploymentStatus, timestamp: patch.newDeploymentStatusUpdateTimestamp },
          { now: nowSeconds(), timezone: before.timezone, isAssigned: before.isAssigned },
        );
        const values = { ...before, ...withoutUndefined(patch) };
        const changed = [...changedFields(before, recorded(values, writtenFields)), ...changedStatusFields(statusOf(before), next)];
        if (changed.length === 0) return toNode(before, taskCount);
        if (revision !== undefined && revision !== before.revision)
          await refuseOutdated(client, { serial, changed, revision, present: before.revision });
        await updateNodeRow(client, id, next, values);
        const left = next.current === "Unassigned" && before.isAssigned ? await leaveLocation(client, Number(serial)) : undefined;
        const after = await requireRow(findNodeBySerial(client, Number(serial)), serial);
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "PATCH_NODE",
          object: nodeObject(serial),
          description: describe(before, after, changed),
          before: recorded(before, [...changed, ...Object.keys(left ?? {}), "revision"]),
          after: recorded(after, [...changed, ...Object.keys(left ?? {}), "revision"]),
        });
        return toNode(after, taskCount);
      });
    },
  };

  async function refuseOutdated(client: PoolClient, edit: { serial: string; changed: string[]; revision: number; present: number }) {
    const changes = await readChangesSince(client, nodeObject(edit.serial), edit.revision);
    const known = isUnbroken(changes, edit.revision, edit.present) ? changes : [];
    const refusal = changedMeanwhile(`node ${edit.serial}`, edit.changed, known, edit.revision);
    if (refusal) throw refusal;
  }
}
export type Nodes = ReturnType<typeof createNodes>;

async function requireRow(found: Promise<NodeRow | undefined>, name: string | number): Promise<NodeRow> {
  const row = await found;
  if (!row) throw notFound(`Node ${name}`);
  return row;
}

const statusOf = (row: NodeRow): StatusState => ({
  current: row.currentDeploymentStatus,
  currentAt: row.currentDeploymentStatusUpdateTimestamp,
  requested: row.newDeploymentStatus,
  requestedAt: row.newDeploymentStatusUpdateTimestamp,
});

function changedStatusFields(before: StatusState, after: StatusState): string[] {
  if (before === after) return [];
  const pairs = [
    ["newDeploymentStatus", "requested"],
    ["newDeploymentStatusUpdateTimestamp", "requestedAt"],
    ["currentDeploymentStatus", "current"],
    ["currentDeploymentStatusUpdateTimestamp", "currentAt"],
  ] as const;
  return pairs.filter(([, key]) => before[key] !== after[key]).map(([field]) => field);
}

/** A choice is one of its list, or what the node has. */
function refuseUnknownChoices(stored: NodeRow, patch: Omit<NodePatch, "revision">): void {
  const { newDeploymentStatus: _, ...choices } = nodeChoiceFields(stored);
  for (const [field, schema] of Object.entries(choices)) {
    const value = patch[field as WrittenField];
    const result = value === undefined ? undefined : z.safeParse(schema, value);
    if (result?.success === false) throw invalid(field, result.error.issues[0]?.message ?? "is not valid");
  }
}

/** CUS-12. The locked node holds its location back, which locks its nodes before it changes. */
async function refuseRelayWithoutNameplate(client: PoolClient, node: NodeRow, type: string | undefined): Promise<void> {
  if (type === undefined || type === node.type || !isRelayNodeType(type) || node.locationId === null) return;
  if (await hasNameplate(client, node.locationId)) return;
  throw invalid("type", `${node.locationName} lacks nameplate numbers that a relay's location must have. Enter all seven there first`);
}

/** Whether every step from one revision to the other was recorded. */
function isUnbroken(changes: readonly RecordedChange[], from: number, to: number): boolean {
  let revision: unknown = from;
  for (const { before, after } of changes) {
    if (before["revision"] !== revision) return false;
    revision = after["revision"];
  }
  return revision === to;
}

function recorded(row: object, fields: readonly string[]): Record<string, unknown> {
  const values = row as Record<string, unknown>;
  return Object.fromEntries(fields.map((field) => [field, values[field]]));
}

function describe(before: NodeRow, after: NodeRow, changed: readonly string[]): string {
  const others = changed.filter((field) => !(statusFields as readonly string[]).includes(field));
  const parts = [
    ...(others.length > 0 ? [`${others.join(", ")} changed`] : []),
    ...(others.length < changed.length ? [statusText(after)] : []),
    ...(before.isAssigned && !after.isAssigned ? [`left ${before.locationName}`] : []),
  ];
  return `Node ${after.serialNumber}: ${parts.join("; ")}`;
}

function statusText({ currentDeploymentStatus, newDeploymentStatus, newDeploymentStatusUpdateTimestamp }: NodeRow): string {
  if (currentDeploymentStatus === newDeploymentStatus) return `status ${currentDeploymentStatus}`;
  return `status ${newDeploymentStatus} from ${new Date(newDeploymentStatusUpdateTimestamp * 1000).toISOString()} on`;
}

function withoutUndefined<T extends object>(patch: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };
}
