import type { Pool } from "pg";
import type { TaskProgress } from "@busbar/contract/directory/node-overview.ts";
import type { NodeTask, NodeTaskPatch, NodeTasks } from "@busbar/contract/directory/node-tasks.ts";
import type { Caller } from "#http/endpoints.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Clock } from "#lib/clock.ts";
import { conflict, notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import { wiringTaskId } from "./deployment-state.ts";
import { evidenceFor } from "./task-evidence.ts";
import { nodeObject, recordActivity } from "#shared/activities.store.ts";
import {
  findNodeTasks,
  findTaskNode,
  lockTasksOfNode,
  takeWiringEvidence,
  writeNodeTask,
  type JudgedWiring,
  type NodeTaskRow,
} from "./node-tasks.store.ts";
import { toNodeTask } from "./node-tasks.view.ts";
import { completedDependants, incompletePrerequisites, listTasks, taskLabel, taskTemplates } from "./task-order.ts";
import { findTaskPhotos } from "./task-photos.store.ts";
import { installTaskId, templateId, type TaskTemplate } from "./task-template.ts";

export interface NodeTasksDependencies {
  pool: Pool;
  clock: Clock;
  /** What its last values say of its wiring. */
  judgeWiring: (serialNumber: number) => Promise<JudgedWiring>;
}

export function createNodeTasks({ pool, clock, judgeWiring }: NodeTasksDependencies) {
  return {
    async list(serialNumber: number): Promise<NodeTasks> {
      const [node, rows, photos] = await Promise.all([
        findTaskNode(pool, serialNumber),
        findNodeTasks(pool, serialNumber),
        findTaskPhotos(pool, serialNumber),
      ]);
      if (!node) throw notFound(say`Node ${serialNumber}`);
      const { signals, ...shown } = node;
      const moment = { now: clock.now() / 1000, installedAt: installedAt(rows) };
      const evidence = taskTemplates.flatMap((template) => {
        const taskTemplateId = templateId(template);
        const notes = rows.get(taskTemplateId)?.notes ?? "";
        return evidenceFor(template, signals, { ...moment, notes }).map((each) => ({ taskTemplateId, ...each }));
      });
      return {
        ...shown,
        deploymentTaskType: signals.deploymentTaskType,
        evidence,
        photos,
        tasks: taskTemplates.map((template) => toNodeTask(serialNumber, template, rows)),
      };
    },

    async progress(serialNumber: number): Promise<TaskProgress> {
      const rows = await findNodeTasks(pool, serialNumber);
      const open = taskTemplates.filter((template) => rows.get(templateId(template))?.status !== "COMPLETED");
      const [next] = open;
      return {
        completed: taskTemplates.length - open.length,
        total: taskTemplates.length,
        taskTemplateId: next ? templateId(next) : null,
        name: next?.name ?? null,
      };
    },

    async change(caller: Caller, serialNumber: number, id: number, patch: NodeTaskPatch): Promise<NodeTask> {
      const template = taskTemplates.find((each) => templateId(each) === id);
      if (!template) throw notFound(`Task ${id}`);
      const wiring = id === wiringTaskId && patch.status === "COMPLETED" ? await judgeWiring(serialNumber) : undefined;
      return await inTransaction(pool, async (client) => {
        if (!(await lockTasksOfNode(client, serialNumber))) throw notFound(`Node ${serialNumber}`);
        const rows = await findNodeTasks(client, serialNumber);
        const before = { status: rows.get(id)?.status ?? "NOT_COMPLETED", notes: rows.get(id)?.notes ?? "" };
        refuseWhatIsOutdated(template, rows.get(id), patch);
        const after = { status: patch.status, notes: patch.notes };
        if (before.status !== after.status) refuseWhatIsOutOfOrder(template, rows, patch);
        const isTaken = wiring !== undefined && (await takeWiringEvidence(client, serialNumber, caller.username, wiring));
        if (before.status === after.status && before.notes === after.notes && !isTaken) return toNodeTask(serialNumber, template, rows);
        rows.set(id, await writeNodeTask(client, { serialNumber, taskTemplateId: id, ...after, userId: caller.userId }));
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "PATCH_TASK",
          object: nodeObject(serialNumber),
          description: `Task ${taskLabel(id)} of node ${serialNumber}: ${summaryOf(before, after, isTaken ? wiring : undefined)}${madeWords(patch, clock.now() / 1000)}`,
          before: { taskTemplateId: id, ...before },
          after: { taskTemplateId: id, ...after },
        });
        return toNodeTask(serialNumber, template, rows);
      });
    },
  };
}
export type NodeTasksService = ReturnType<typeof createNodeTasks>;

/** Two people on one task: the second is informed who was first. */
function refuseWhatIsOutdated(template: TaskTemplate, row: NodeTaskRow | undefined, { revision }: NodeTaskPatch): void {
  if (revision === undefined || revision === (row?.revision ?? 0)) return;
  const label = taskLabel(templateId(template));
  const who = row ? ` by ${row.updatedByFullName || row.updatedByUsername}` : "";
  throw conflict(`Task ${label} was changed${who} meanwhile. Load it again and repeat your change`);
}

/** TSK-09 */
function refuseWhatIsOutOfOrder(template: TaskTemplate, rows: ReadonlyMap<number, NodeTaskRow>, { status }: NodeTaskPatch): void {
  if (status === "COMPLETED") {
    const incomplete = incompletePrerequisites(template, rows);
    if (incomplete.length > 0) throw conflict(`Incomplete Prerequisites: ${listTasks(incomplete)}`);
    return;
  }
  const dependants = completedDependants(template, rows);
  if (dependants.length === 0) return;
  const isOne = dependants.length === 1;
  throw conflict(`${isOne ? "Task" : "Tasks"} ${listTasks(dependants)} ${isOne ? "depends" : "depend"} on this task`);
}

const atOnceSeconds = 60;

/** What waited for the network was done earlier than it is saved. */
function madeWords({ madeTimestamp }: NodeTaskPatch, now: number): string {
  if (madeTimestamp === undefined || Math.abs(now - madeTimestamp) < atOnceSeconds) return "";
  // A tick on a phone with a wrong clock was made all the same; it cannot have been made later than it came.
  if (madeTimestamp > now) return "; done before it was saved, by a clock that is ahead";
  return `; done at ${new Date(madeTimestamp * 1000).toISOString()}`;
}

function summaryOf(before: { status: string; notes: string }, after: { status: string; notes: string }, wiring?: JudgedWiring): string {
  const parts = [
    ...(before.status === after.status ? [] : [after.status === "COMPLETED" ? "completed" : "reopened"]),
    ...(before.notes === after.notes ? [] : ["notes changed"]),
    ...(wiring ? [`wiring: ${wiring.sentence}`] : []),
  ];
  return parts.join(", ");
}

function installedAt(rows: ReadonlyMap<number, NodeTaskRow>): number | undefined {
  const row = rows.get(installTaskId);
  return row?.status === "COMPLETED" ? row.updatedAt : undefined;
}
