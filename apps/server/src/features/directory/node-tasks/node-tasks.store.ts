import type { PoolClient } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { prepared, preparedCount, type Db } from "#db/statement.ts";
import type { WiringEvidence } from "@busbar/contract/directory/deployments.ts";
import type { NodeTasks, TaskStatus } from "@busbar/contract/directory/node-tasks.ts";
import { evidenceSignalsJoin, evidenceSignalsSql, type EvidenceSignals } from "./task-evidence.ts";

/** A verdict before anyone took it. */
export type JudgedWiring = Omit<WiringEvidence, "takenTimestamp" | "takenBy">;

/** A task that someone touched. */
export interface NodeTaskRow {
  taskTemplateId: number;
  status: TaskStatus;
  notes: string;
  updatedByUserId: number | null;
  updatedByUsername: string;
  updatedByFullName: string;
  /** Epoch seconds. */
  updatedAt: number;
  revision: number;
}

export interface NodeTaskChange {
  serialNumber: number;
  taskTemplateId: number;
  status: TaskStatus;
  notes: string;
  userId: number;
}

const columns = `task_template_id as "taskTemplateId", status, notes, updated_by_user_id as "updatedByUserId", updated_by_username as "updatedByUsername",
  updated_by_full_name as "updatedByFullName", ${epochSeconds("updated_at")} as "updatedAt", revision`;

/** What the checklist needs to know of the node itself. */
export interface TaskNode extends Pick<NodeTasks, "location" | "wiring"> {
  signals: EvidenceSignals;
}

/** Undefined when there is no such node. */
export async function findTaskNode(db: Db, serialNumber: number): Promise<TaskNode | undefined> {
  const rows = await prepared<Omit<TaskNode, "signals"> & EvidenceSignals>(db, "find-task-node", [serialNumber])`
    select case when l.id is null then null else json_build_object('id', l.id, 'name', l.name, 'facilityName', f.name, 'customerCode', c.code, 'timezone', l.timezone) end as location,
      case when w.serial_number is not null then w.snapshot || json_build_object('outcome', w.outcome, 'sentence', w.sentence,
        'timestamp', ${epochSeconds("w.measured_at")}, 'takenTimestamp', ${epochSeconds("w.taken_at")}, 'takenBy', w.taken_by)::jsonb end as wiring,
      ${evidenceSignalsSql}
    from node n join node_live v using (serial_number) left join node_assignment a using (serial_number) left join location l on l.id = a.location_id
      left join facility f on f.id = l.facility_id left join customer c on c.id = f.customer_id
      ${evidenceSignalsJoin}
    where n.serial_number = $1`;
  const [row] = rows;
  if (!row) return undefined;
  const { location, wiring, ...signals } = row;
  return { location, wiring, signals };
}

/** Takes a verdict on the wiring as evidence; one that tells nothing leaves an earlier verdict of the same location. False when it did. */
export async function takeWiringEvidence(
  client: PoolClient,
  serialNumber: number,
  username: string,
  wiring: JudgedWiring,
): Promise<boolean> {
  const { outcome, sentence, timestamp, actions, candidates, notShown, timezone, values, is, ought } = wiring;
  const rowCount = await preparedCount(client, "take-wiring-evidence", [
    serialNumber,
    username,
    timestamp,
    outcome,
    sentence,
    JSON.stringify({ actions, candidates, notShown, timezone, values, is, ought }),
  ])`
    insert into wiring_evidence as w (serial_number, location_id, taken_by, measured_at, outcome, sentence, snapshot)
    select $1, location_id, $2, to_timestamp($3), $4, $5, $6 from node_assignment where serial_number = $1
    on conflict (serial_number) do update set location_id = excluded.location_id, taken_at = now(), taken_by = excluded.taken_by,
      measured_at = excluded.measured_at, outcome = excluded.outcome, sentence = excluded.sentence, snapshot = excluded.snapshot
    where excluded.outcome in ('right', 'wrong') or w.outcome not in ('right', 'wrong') or w.location_id <> excluded.location_id`;
  return rowCount === 1;
}

/** Waits until no one else changes tasks of this node; false when there is no such node. */
export async function lockTasksOfNode(client: PoolClient, serialNumber: number): Promise<boolean> {
  const rowCount = await preparedCount(client, "lock-tasks-of-node", [serialNumber])`
    select from node where serial_number = $1 for no key update`;
  return rowCount === 1;
}

export async function findNodeTasks(db: Db, serialNumber: number): Promise<Map<number, NodeTaskRow>> {
  const rows = await prepared<NodeTaskRow>(db, "find-node-tasks", [serialNumber])`
    select ${columns} from node_task where serial_number = $1`;
  return new Map(rows.map((row) => [row.taskTemplateId, row]));
}

export async function writeNodeTask(client: PoolClient, change: NodeTaskChange): Promise<NodeTaskRow> {
  const rows = await prepared<NodeTaskRow>(client, "write-node-task", [
    change.serialNumber,
    change.taskTemplateId,
    change.status,
    change.notes,
    change.userId,
  ])`
    insert into node_task (serial_number, task_template_id, status, notes, updated_by_user_id, updated_by_username, updated_by_full_name)
    select $1, $2, $3, $4, id, username, trim(first_name || ' ' || last_name) from app_user where id = $5
    on conflict (serial_number, task_template_id) do update set status = excluded.status, notes = excluded.notes,
      updated_by_user_id = excluded.updated_by_user_id, updated_by_username = excluded.updated_by_username,
      updated_by_full_name = excluded.updated_by_full_name, updated_at = now(), revision = node_task.revision + 1
    returning ${columns}`;
  const row = rows[0];
  if (!row) throw new Error(`User ${change.userId} is gone`);
  return row;
}
