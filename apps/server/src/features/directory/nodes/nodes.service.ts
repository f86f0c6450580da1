import { nodeOwnFields, nodeStatusFields, type NewNode, type Node, type NodePatch } from "@busbar/contract/directory/nodes.ts";
import type { Pool, PoolClient } from "pg";
import { nodeChoiceFields } from "@busbar/contract/directory/node-fields.ts";
import { isRelayNodeType } from "@busbar/contract/values/option-lists.ts";
import * as z from "zod/mini";
import type { Db } from "#db/statement.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Caller } from "#http/endpoints.ts";
import { changedFields, changedMeanwhile, type RecordedChange } from "#lib/changed-meanwhile.ts";
import type { Clock } from "#lib/clock.ts";
import { AppError, conflict, invalid, notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import { firstStatus, planStatus, type StatusState } from "./deployment-status.ts";
import { writtenFields, type WrittenField, type WrittenValues } from "./node-columns.ts";
import {
  findNodeBySerial,
  findNodesById,
  hasNameplate,
  insertNode,
  leaveLocation,
  listContainers,
  lockNodesById,
  updateNodeRows,
  type LeftPlace,
  type NodeRow,
} from "./nodes.store.ts";
import { refuseOtherValues } from "#lib/own-fields.ts";
import { nodeObject, recordActivities, recordActivity } from "#shared/activities.store.ts";
import { hasPhases } from "#shared/wiring-evidence.store.ts";
import { readChangesSince } from "#shared/recorded-changes.store.ts";
import { refusedWithoutReason, wiringWords } from "#shared/wiring-words.ts";
import { toNode } from "./nodes.view.ts";

export interface NodesDependencies {
  pool: Pool;
  clock: Clock;
  /** How many deployment tasks a node has. */
  taskCount: number;
}

const statusFields = Object.keys(nodeStatusFields) as (keyof typeof nodeStatusFields)[];

export function createNodes({ pool, clock, taskCount }: NodesDependencies) {
  const nowSeconds = () => clock.now() / 1000;

  async function add(
    client: PoolClient,
    caller: Caller,
    { serialNumber, newDeploymentStatus, newDeploymentStatusUpdateTimestamp, ...values }: NewNode,
    wiringReason = "",
  ): Promise<Node> {
    const current = {
      currentDeploymentStatus: newDeploymentStatus,
      currentDeploymentStatusUpdateTimestamp: newDeploymentStatusUpdateTimestamp,
    };
    refuseOtherValues(current, values, current);
    const status = firstStatus(newDeploymentStatus, newDeploymentStatusUpdateTimestamp, nowSeconds());
    if (!(await insertNode(client, Number(serialNumber), status, values)))
      throw conflict(`There is already a node with the serial number ${serialNumber}`, "serialNumber");
    const row = await requireRow(findNodeBySerial(client, Number(serialNumber)), serialNumber);
    const isExplained = newDeploymentStatus === "Deployed" && wiringReason.trim() !== "";
    await recordActivity(client, {
      actorType: "User",
      actor: caller.username,
      action: "POST_NODE",
      object: nodeObject(serialNumber),
      description: `Node ${serialNumber} was added: ${newDeploymentStatus}${isExplained ? wiringWords("", wiringReason) : ""}`,
      after: recorded(row, [...writtenFields, ...statusFields]),
    });
    return toNode(row, taskCount);
  }

  /** What an edit makes of a node, before anything is written. @throws AppError what keeps it from being done */
  async function planEdit(
    client: PoolClient,
    before: NodeRow,
    { revision, wiringReason = "", ...patch }: NodePatch,
    isExplained: boolean,
  ): Promise<PlannedEdit> {
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
    if (changed.length > 0 && revision !== undefined && revision !== before.revision)
      await refuseOutdated(client, { serial, changed, revision, present: before.revision });
    const isUnjudged =
      before.newDeploymentStatus !== "Deployed" && next.requested === "Deployed" && before.isWiringOpen && hasPhases(values.type);
    if (isUnjudged && isExplained) requireReason(before, wiringReason);
    return { before, next, values, changed, isUnjudged, wiringReason };
  }

  /**
   * Edits nodes, each by the same rules as one alone. What one is refused for comes back in its place, and nothing of it is written.
   * @param isExplained unlike the single call: who becomes Deployed without a wiring verdict needs a reason (decision 0047)
   */
  async function editAll(
    client: PoolClient,
    caller: Caller,
    edits: readonly NodeEdit[],
    { isExplained }: { isExplained: boolean },
  ): Promise<(Edited | AppError)[]> {
    const befores = await lockNodesById(
      client,
      edits.map(({ id }) => id),
    );
    const plans: (PlannedEdit | AppError)[] = [];
    for (const { id, patch } of edits) {
      const before = befores.get(id);
      plans.push(before ? await planEdit(client, before, patch, isExplained).catch(onlyRefusals) : notFound(`Node ${id}`));
    }
    const written = plans.filter((plan) => !(plan instanceof AppError) && plan.changed.length > 0) as PlannedEdit[];
    if (written.length === 0) return plans.map((plan) => (plan instanceof AppError ? plan : { ...plan, after: plan.before }));
    await updateNodeRows(
      client,
      written.map(({ before: { id }, next: status, values }) => ({ id, status, values })),
    );
    const left = new Map<number, LeftPlace | undefined>();
    for (const { before, next } of written)
      if (next.current === "Unassigned" && before.isAssigned) left.set(before.id, await leaveLocation(client, Number(before.serialNumber)));
    const afters = await findNodesById(
      client,
      written.map(({ before }) => before.id),
    );
    await recordActivities(
      client,
      written.map(({ before, changed, isUnjudged, wiringReason }) => {
        const after = afters.get(before.id)!;
        const fields = [...changed, ...Object.keys(left.get(before.id) ?? {}), "revision"];
        return {
          actorType: "User",
          actor: caller.username,
          action: "PATCH_NODE",
          object: nodeObject(before.serialNumber),
          description: describe(before, after, changed) + (isUnjudged ? wiringWords(after.wiringVerdict, wiringReason) : ""),
          before: recorded(before, fields),
          after: recorded(after, fields),
        };
      }),
    );
    return plans.map((plan) => (plan instanceof AppError ? plan : { ...plan, after: afters.get(plan.before.id) ?? plan.before }));
  }

  async function edit(client: PoolClient, caller: Caller, id: number, patch: NodePatch, isExplained: boolean): Promise<Edited> {
    const [edited] = await editAll(client, caller, [{ id, patch }], { isExplained });
    if (edited instanceof AppError) throw edited;
    return edited!;
  }

  return {
    async find(serialNumber: number): Promise<Node> {
      const row = await findNodeBySerial(pool, serialNumber);
      if (!row) throw notFound(say`Node ${serialNumber}`);
      return toNode(row, taskCount);
    },

    containers: (db: Db = pool) => listContainers(db),

    /** As it is within a transaction of someone else. */
    lookUp: (client: PoolClient, serialNumber: number): Promise<NodeRow | undefined> => findNodeBySerial(client, serialNumber),

    create: (caller: Caller, node: NewNode): Promise<Node> => inTransaction(pool, (client) => add(client, caller, node)),

    /** The same within a transaction of someone else. */
    add,

    update: (caller: Caller, id: number, patch: NodePatch): Promise<Node> =>
      inTransaction(pool, async (client) => toNode((await edit(client, caller, id, patch, false)).after, taskCount)),

    /** The same within a transaction of someone else; unlike the single call it insists on a reason (decision 0047). */
    change: (client: PoolClient, caller: Caller, id: number, patch: NodePatch): Promise<Edited> => edit(client, caller, id, patch, true),

    /** The same of many; in the place of each that is refused is why. */
    changeAll: (client: PoolClient, caller: Caller, edits: readonly NodeEdit[]): Promise<(Edited | AppError)[]> =>
      editAll(client, caller, edits, { isExplained: true }),

    refuseUnexplained,
  };

  async function refuseOutdated(client: PoolClient, edit: { serial: string; changed: string[]; revision: number; present: number }) {
    const changes = await readChangesSince(client, nodeObject(edit.serial), edit.revision);
    const known = isUnbroken(changes, edit.revision, edit.present) ? changes : [];
    const refusal = changedMeanwhile(`node ${edit.serial}`, edit.changed, known, edit.revision);
    if (refusal) throw refusal;
  }
}
export type Nodes = ReturnType<typeof createNodes>;

interface Edited {
  before: NodeRow;
  after: NodeRow;
  /** It becomes Deployed without a wiring verdict. */
  isUnjudged: boolean;
  /** What was said about that. */
  wiringReason: string;
}

interface NodeEdit {
  id: number;
  patch: NodePatch;
}

interface PlannedEdit extends Omit<Edited, "after"> {
  next: StatusState;
  values: WrittenValues;
  changed: string[];
}

function onlyRefusals(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

/** @throws AppError 400 where a node is Deployed without a wiring verdict and no one says why */
function refuseUnexplained(node: NodeRow, reason = ""): void {
  if (node.newDeploymentStatus === "Deployed" && node.lacksWiringVerdict) requireReason(node, reason);
}

function requireReason({ wiringVerdict }: NodeRow, reason: string): void {
  if (reason.trim() === "") throw refusedWithoutReason(wiringVerdict);
}

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
