import type { BatchKind, BatchState } from "@busbar/contract/telemetry/config-batches.ts";
import type { PoolClient } from "pg";
import { planned, prepared } from "#db/statement.ts";
import { serviceChannel } from "#services/service.store.ts";

export interface NewBatch {
  kind: BatchKind;
  sourceId: number | null;
  madeBy: string;
  keys: readonly string[];
  sealedValues: string;
}

export interface BatchPace {
  atOnce: number;
  perMinute: number | null;
  firstWave: number;
  stopPercent: number;
  startLocal: string;
}

/** The service that reads and changes the nodes of batches. */
export const batchService = "ConfigBatches";

/** A batch has something for the service to do. Switched off, it stays off. */
export async function wakeBatchService(client: PoolClient, now: number): Promise<void> {
  await prepared(client, "wake-batch-service", [batchService, now])`
    with changed as (update service set next_run_at = least(next_run_at, to_timestamp($2)) where name = $1 and is_enabled returning 1)
    select pg_notify('${serviceChannel}', '') from changed`;
}

export async function insertBatch(
  client: PoolClient,
  { kind, sourceId, madeBy, keys, sealedValues }: NewBatch,
  now: number,
): Promise<number> {
  const rows = await planned<{ id: number }>(client, "insert-config-batch", [kind, sourceId, madeBy, now, keys, sealedValues])`
    insert into config_batch (kind, source_id, made_by, made_at, keys, sealed_values)
    values ($1, $2, $3, to_timestamp($4), $5, $6) returning id`;
  return rows[0]!.id;
}

export async function insertBatchNodes(
  client: PoolClient,
  id: number,
  nodes: readonly { serial: number; sealed: string }[],
): Promise<void> {
  await planned(client, "insert-config-batch-nodes", [id, nodes.map(({ serial }) => serial), nodes.map(({ sealed }) => sealed)])`
    insert into config_batch_node (batch_id, serial_number, sealed)
    select $1, s, p from unnest($2::int4[], $3::text[]) as u (s, p) order by s`;
}

export interface LockedBatch {
  state: BatchState;
  hash: string;
  startedBy: string;
}

/** Its state, which no one else changes until the transaction ends. */
export async function lockBatch(client: PoolClient, id: number): Promise<LockedBatch | undefined> {
  const rows = await planned<LockedBatch>(client, "lock-config-batch", [id])`
    select state, hash, started_by as "startedBy" from config_batch where id = $1 for update`;
  return rows[0];
}

/** Everything is read anew; what was approved counts no more. */
export async function readBatchAgain(client: PoolClient, id: number): Promise<void> {
  await planned(client, "read-config-batch-again", [id])`
    update config_batch set state = 'reading', hash = '', read_at = null where id = $1`;
  await planned(client, "unread-config-batch-nodes", [id])`
    update config_batch_node set state = 'unread', left_for = '' where batch_id = $1`;
}

export async function startBatch(client: PoolClient, id: number, username: string, pace: BatchPace, now: number): Promise<void> {
  await planned(client, "start-config-batch", [
    id,
    username,
    now,
    pace.atOnce,
    pace.perMinute,
    pace.firstWave,
    pace.stopPercent,
    pace.startLocal,
  ])`
    update config_batch set state = 'running', started_by = $2, started_at = to_timestamp($3), at_once = $4,
    per_minute = $5, first_wave = $6, stop_percent = $7, start_local = $8 where id = $1`;
}

/** Time zones of the nodes that are to be changed; UTC for one at no location. */
export async function findBatchZones(client: PoolClient, id: number): Promise<string[]> {
  const rows = await planned<{ timezone: string }>(client, "config-batch-zones", [id])`
    select distinct coalesce(l.timezone, 'UTC') as timezone from config_batch_node n
    left join node_assignment a using (serial_number) left join location l on l.id = a.location_id where n.batch_id = $1 and n.state = 'waiting'`;
  return rows.map(({ timezone }) => timezone);
}

/** The nodes of these zones are not changed before. */
export async function setBatchStart(client: PoolClient, id: number, starts: readonly { timezone: string; at: number }[]): Promise<void> {
  await planned(client, "set-config-batch-start", [id, starts.map(({ timezone }) => timezone), starts.map(({ at }) => at)])`
    update config_batch_node n set not_before = to_timestamp(u.at)
    from unnest($2::text[], $3::float8[]) as u (timezone, at)
    where n.batch_id = $1 and n.state = 'waiting' and u.timezone = coalesce((select l.timezone from node_assignment a join location l on l.id = a.location_id
      where a.serial_number = n.serial_number), 'UTC')`;
}

export async function pauseBatch(client: PoolClient, id: number): Promise<void> {
  await planned(client, "pause-config-batch", [id])`update config_batch set state = 'paused' where id = $1`;
}

/** Failures of before it stopped by itself are forgiven: a pause in between forgives none. */
export async function resumeBatch(client: PoolClient, id: number): Promise<void> {
  await planned(client, "resume-config-batch", [id])`update config_batch b set state = 'running', next_claim_at = null, stop_reason = '',
      is_first_wave_over = is_first_wave_over or state = 'stopped',
      forgiven_settled = case when state = 'stopped' then n.settled else forgiven_settled end,
      forgiven_failed = case when state = 'stopped' then n.failed else forgiven_failed end
    from (select (count(*) filter (where state in ('confirmed', 'refused', 'unknown')))::int4 as settled,
        (count(*) filter (where state in ('refused', 'unknown')))::int4 as failed from config_batch_node where batch_id = $1) n
    where b.id = $1`;
}

/** What is on its way is still followed to its end. */
export async function cancelBatch(client: PoolClient, id: number, now: number): Promise<void> {
  await planned(client, "cancel-config-batch", [id, now])`
    update config_batch set state = 'cancelled', ended_at = to_timestamp($2) where id = $1`;
  await planned(client, "drop-config-batch-nodes", [id])`
    update config_batch_node set state = 'dropped' where batch_id = $1 and state in ('unread', 'reading', 'waiting')`;
}

/** Nodes of a batch with what became of each. */
export async function findBatchPlans(
  client: PoolClient,
  id: number,
): Promise<{ serial: number; state: string; leftFor: string; confirmedCount: number; sealed: string }[]> {
  return await planned<{ serial: number; state: string; leftFor: string; confirmedCount: number; sealed: string }>(
    client,
    "config-batch-plans",
    [id],
  )`
    select serial_number as serial, state, left_for as "leftFor", confirmed_count as "confirmedCount", sealed
    from config_batch_node where batch_id = $1 order by serial_number`;
}
