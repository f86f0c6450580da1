import { randomUUID } from "node:crypto";
import type { BatchState } from "@busbar/contract/telemetry/config-batches.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import type { Pool, PoolClient } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { prepared, preparedCount, type Db } from "#db/statement.ts";
import { inTransaction } from "#db/transaction.ts";
import { batchObject, recordActivity } from "#shared/activities.store.ts";
import { judgeCourse, paceOf, type Course, type LeftFor, type NodePlace } from "./batch-plan.ts";
import { batchService } from "./config-batches.store.ts";

/** A batch with something to do. */
export interface ActiveBatch {
  id: number;
  state: BatchState;
  startedBy: string;
  hash: string;
}

export interface UnreadNode {
  serial: number;
  sealed: string;
  isDecommissioned: boolean;
  /** Another batch that is about to change it. */
  otherBatch: number | null;
}

export interface SendingNode {
  serial: number;
  sealed: string;
  confirmedCount: number;
  commandId: string;
  /** Of the change that was handed over to the node; null for none yet. */
  auditId: number | null;
  isDecommissioned: boolean;
}

/** Where a change is: while this holds, no one else has taken it over. */
export interface NodeTurn {
  batchId: number;
  serial: number;
  commandId: string;
}

/** Someone else has taken the node over meanwhile, and settles it. */
export class TakenOver extends Error {}

/** How long nodes may take to come back after a start of the platform. */
const returnMinutes = 2;

const isDecommissioned = `coalesce((select d.current_deployment_status = 'Decommissioned' from node d where d.serial_number = n.serial_number), false) as "isDecommissioned"`;
const sending = `n.serial_number as serial, n.sealed, n.confirmed_count as "confirmedCount", n.command_id::text as "commandId", n.audit_id::float8 as "auditId", ${isDecommissioned}`;

export function createBatchRunsStore(pool: Pool) {
  return {
    /** Those that are read or rolled out, and those of which nodes are still on their way. */
    async findActive(): Promise<ActiveBatch[]> {
      return await prepared<ActiveBatch>(pool, "active-config-batches")`
        select id, state, started_by as "startedBy", hash from config_batch
        where state in ('reading', 'running') or id in (select batch_id from config_batch_node where state = 'sending') order by id`;
    },

    /** What a process that ended was reading is read again. */
    async freeReading(id: number, inHand: readonly number[]): Promise<void> {
      await prepared(pool, "free-config-batch-nodes", [id, inHand])`
        update config_batch_node set state = 'unread' where batch_id = $1 and state = 'reading' and not serial_number = any ($2::int4[])`;
    },

    async takeUnread(id: number, limit: number): Promise<UnreadNode[]> {
      return await prepared<UnreadNode>(pool, "take-unread-config-batch-nodes", [id, limit])`
        update config_batch_node n set state = 'reading'
        where n.batch_id = $1 and n.serial_number = any (array(
          select serial_number from config_batch_node where batch_id = $1 and state = 'unread' order by serial_number limit $2 for update skip locked))
        returning n.serial_number as serial, n.sealed, ${isDecommissioned},
          (select min(o.batch_id) from config_batch_node o join config_batch b on b.id = o.batch_id
           where o.serial_number = n.serial_number and o.batch_id <> $1 and o.state in ('waiting', 'sending') and b.state in ('running', 'paused', 'stopped')) as "otherBatch"`;
    },

    findPlace: (serial: number): Promise<NodePlace> => findPlace(pool, serial),

    /** Where it stays until the transaction ends. */
    async holdPlace(client: PoolClient, serial: number): Promise<NodePlace> {
      await prepared(client, "hold-config-batch-place", [serial])`select from node where serial_number = $1 for share`;
      return await findPlace(client, serial);
    },

    /** Whether it is away because the platform itself has just begun anew. */
    async isReturning(serial: number): Promise<boolean> {
      const rows = await prepared<{ isReturning: boolean | null }>(pool, "config-batch-node-returns", [serial])`
        select bool_and(v.disconnect_reason = 'restart' and greatest(v.connection_changed_at, (select max(started_at) from ingest_presence))
            > now() - interval '${returnMinutes} minutes') as "isReturning"
        from node n join node_live v on v.serial_number in (n.serial_number, n.parent_serial_number)
        where n.serial_number = $1 and not v.is_connected`;
      return rows[0]?.isReturning === true;
    },

    /** Its turn comes again; of a batch that was cancelled meanwhile it does not. */
    async putOff({ batchId, serial, commandId }: NodeTurn, until: number): Promise<void> {
      own(
        await preparedCount(pool, "put-off-config-batch-node", [batchId, serial, commandId, until])`
          with b as (select state from config_batch where id = $1 for share)
          update config_batch_node set state = case (select state from b) when 'cancelled' then 'dropped' else 'waiting' end, not_before = to_timestamp($4)
          where ${isTurn} and audit_id is null`,
      );
    },

    async writeRead(id: number, serial: number, leftFor: LeftFor | "", sealed: string): Promise<void> {
      await prepared(pool, "write-read-config-batch-node", [id, serial, leftFor, sealed])`
        update config_batch_node set state = case when $3 = '' then 'waiting' else 'left' end, left_for = $3, sealed = $4
        where batch_id = $1 and serial_number = $2 and state = 'reading'`;
    },

    /** The plans of all that are to be changed; undefined while some are not read yet. */
    async findPlans(id: number): Promise<{ serial: number; sealed: string }[] | undefined> {
      const rows = await prepared<{ serial: number; sealed: string; state: string }>(pool, "config-batch-plans-to-hash", [id])`
        select serial_number as serial, sealed, state from config_batch_node where batch_id = $1 and state <> 'left'`;
      return rows.some(({ state }) => state === "unread" || state === "reading") ? undefined : rows;
    },

    async writeReady(id: number, hash: string, now: number): Promise<void> {
      await prepared(pool, "ready-config-batch", [id, hash, now])`
        update config_batch set state = 'ready', hash = $2, read_at = to_timestamp($3) where id = $1 and state = 'reading'`;
    },

    /** It goes no further by itself. */
    async stop(id: number, reason: string): Promise<void> {
      await inTransaction(pool, (client) => stopBatch(client, id, reason));
    },

    /** Nodes whose change began, and that are not among those in hand: of a process that ended. */
    async findLeftBehind(id: number, inHand: readonly number[]): Promise<SendingNode[]> {
      return await prepared<SendingNode>(pool, "left-behind-config-batch-nodes", [id, inHand])`
        select ${sending} from config_batch_node n where n.batch_id = $1 and n.state = 'sending' and not n.serial_number = any ($2::int4[])`;
    },

    /** Takes the nodes whose turn it is; says when the next one's turn comes, epoch seconds, where it has not come. */
    async takeDue(id: number, now: number): Promise<{ nodes: SendingNode[]; nextAt: number | null }> {
      const none = { nodes: [], nextAt: null };
      return await inTransaction(pool, async (client) => {
        const batch = await lockRunning(client, id, now);
        if (!batch) return none;
        const { waiting, due, nextStart, atOnce, perMinute, nextAt, ...course } = batch;
        if (waiting === 0 && course.sending === 0) {
          await endBatch(client, id, now);
          return none;
        }
        const verdict = judgeCourse(course);
        if (verdict === "stop") {
          await stopBatch(client, id, `${course.failed} of the last ${counted(course.settled, "node")} failed`);
          return none;
        }
        const pace = paceOf({ atOnce, perMinute, nextAt }, course.sending, now);
        const room = verdict === "wave" ? Math.min(pace.room, course.firstWave - course.begun) : pace.room;
        const nodes = room > 0 && due > 0 ? await takeWaiting(client, id, room, now) : [];
        const next = pace.nextAfter(nodes.length);
        await prepared(client, "note-config-batch-claim", [id, verdict === "go", nodes.length > 0, next])`
          update config_batch set is_first_wave_over = is_first_wave_over or $2, next_claim_at = case when $3 then to_timestamp($4) else next_claim_at end where id = $1`;
        return { nodes, nextAt: due > nodes.length ? next : nextStart };
      });
    },

    /** A change that was never handed over gets another command: the old one, should its process still live, is not sent. */
    async takeOver({ batchId, serial, commandId }: NodeTurn): Promise<string> {
      const next = randomUUID();
      own(
        await preparedCount(pool, "take-over-config-batch-node", [batchId, serial, commandId, next])`
          update config_batch_node set command_id = $4 where ${isTurn} and audit_id is null`,
      );
      return next;
    },

    /** In the transaction that hands the change over to the node. */
    async handOver(client: PoolClient, { batchId, serial, commandId }: NodeTurn, auditId: number): Promise<void> {
      own(
        await preparedCount(client, "hand-over-config-batch-node", [batchId, serial, commandId, auditId])`
          update config_batch_node set audit_id = $4 where ${isTurn} and audit_id is null`,
      );
    },

    /** One of several changes is confirmed: the next one has the given command. */
    async goOn(client: PoolClient, { batchId, serial, commandId }: NodeTurn, nextCommandId: string): Promise<void> {
      own(
        await preparedCount(client, "go-on-config-batch-node", [batchId, serial, commandId, nextCommandId])`
          update config_batch_node set confirmed_count = confirmed_count + 1, command_id = $4, audit_id = null where ${isTurn}`,
      );
    },

    async settle(
      client: PoolClient,
      { batchId, serial, commandId }: NodeTurn,
      { state, sealed, now }: { state: "confirmed" | "refused" | "unknown"; sealed: string; now: number },
    ): Promise<void> {
      own(
        await preparedCount(client, "settle-config-batch-node", [batchId, serial, commandId, state, sealed, now])`
          update config_batch_node set state = $4, sealed = $5, settled_at = to_timestamp($6),
          confirmed_count = confirmed_count + case $4 when 'confirmed' then 1 else 0 end where ${isTurn}`,
      );
    },
  };
}
export type BatchRunsStore = ReturnType<typeof createBatchRunsStore>;

const isTurn = "batch_id = $1 and serial_number = $2 and command_id = $3 and state = 'sending'";

async function findPlace(db: Db, serial: number): Promise<NodePlace> {
  const rows = await prepared<NodePlace>(db, "config-batch-node-place", [serial])`
    select p.id::float8 as stay, l.name as "locationName" from node_placement p join location l on l.id = p.location_id
    where p.serial_number = $1 and p.ended_at is null`;
  return rows[0] ?? { stay: null, locationName: "" };
}

function own(rowCount: number): void {
  if (rowCount !== 1) throw new TakenOver("Another process has taken this node over");
}

interface RunningBatch extends Course {
  waiting: number;
  due: number;
  /** When the first of those that wait for their time may begin, epoch seconds. */
  nextStart: number | null;
  atOnce: number;
  perMinute: number | null;
  nextAt: number | null;
}

async function lockRunning(client: PoolClient, id: number, now: number): Promise<RunningBatch | undefined> {
  const rowCount = await preparedCount(client, "lock-running-config-batch", [id])`
    select from config_batch where id = $1 and state = 'running' for update`;
  if (rowCount === 0) return undefined;
  const rows = await prepared<RunningBatch>(client, "config-batch-course", [id, now])`
    select b.at_once as "atOnce", b.per_minute as "perMinute", ${exactEpoch("b.next_claim_at")} as "nextAt", b.first_wave as "firstWave",
      b.is_first_wave_over as "isFirstWaveOver", b.stop_percent as "stopPercent", c.*
    from config_batch b cross join lateral (
      select (count(*) filter (where state = 'waiting'))::int4 as waiting, (count(*) filter (where state = 'sending'))::int4 as sending,
        (count(*) filter (where state = 'waiting' and coalesce(not_before <= to_timestamp($2), true)))::int4 as due,
        ${exactEpoch("min(not_before) filter (where state = 'waiting' and not_before > to_timestamp($2))")} as "nextStart",
        (count(*) filter (where state in ('waiting', 'sending', 'confirmed', 'refused', 'unknown')))::int4 as total,
        (count(*) filter (where state in ('sending', 'confirmed', 'refused', 'unknown')))::int4 as begun,
        (count(*) filter (where state in ('confirmed', 'refused', 'unknown')))::int4 - b.forgiven_settled as settled,
        (count(*) filter (where state in ('refused', 'unknown')))::int4 - b.forgiven_failed as failed
      from config_batch_node where batch_id = b.id) c
    where b.id = $1`;
  return rows[0];
}

async function takeWaiting(client: PoolClient, id: number, limit: number, now: number): Promise<SendingNode[]> {
  return await prepared<SendingNode>(client, "take-waiting-config-batch-nodes", [id, limit, now])`
    update config_batch_node n set state = 'sending', command_id = gen_random_uuid(), audit_id = null
    where n.batch_id = $1 and n.serial_number = any (array(
      select serial_number from config_batch_node where batch_id = $1 and state = 'waiting' and coalesce(not_before <= to_timestamp($3), true)
      order by serial_number limit $2))
    returning ${sending}`;
}

const recordCourse = (client: PoolClient, action: "STOP_BATCH" | "END_BATCH", id: number, description: string) =>
  recordActivity(client, { actorType: "System", actor: batchService, action, object: batchObject(id), description });

async function stopBatch(client: PoolClient, id: number, reason: string): Promise<void> {
  const rowCount = await preparedCount(client, "stop-config-batch", [id, reason])`
    update config_batch set state = 'stopped', stop_reason = $2 where id = $1 and state = 'running'`;
  if (rowCount === 1) await recordCourse(client, "STOP_BATCH", id, `Batch ${id} has stopped: ${reason}`);
}

async function endBatch(client: PoolClient, id: number, now: number): Promise<void> {
  await prepared(client, "end-config-batch", [id, now])`update config_batch set state = 'done', ended_at = to_timestamp($2) where id = $1`;
  await recordCourse(client, "END_BATCH", id, `Batch ${id} has ended`);
}
