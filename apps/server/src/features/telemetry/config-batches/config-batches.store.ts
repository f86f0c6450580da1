import type { BatchKind, BatchState } from "@busbar/contract/telemetry/config-batches.ts";
import type { PoolClient } from "pg";
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
  await client.query({
    name: "wake-batch-service",
    text: `with changed as (update service set next_run_at = least(next_run_at, to_timestamp($2)) where name = $1 and is_enabled returning 1)
      select pg_notify('${serviceChannel}', '') from changed`,
    values: [batchService, now],
  });
}

export async function insertBatch(
  client: PoolClient,
  { kind, sourceId, madeBy, keys, sealedValues }: NewBatch,
  now: number,
): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `/* insert-config-batch */ insert into config_batch (kind, source_id, made_by, made_at, keys, sealed_values)
     values ($1, $2, $3, to_timestamp($4), $5, $6) returning id`,
    [kind, sourceId, madeBy, now, keys, sealedValues],
  );
  return rows[0]!.id;
}

export async function insertBatchNodes(
  client: PoolClient,
  id: number,
  nodes: readonly { serial: number; sealed: string }[],
): Promise<void> {
  await client.query(
    `/* insert-config-batch-nodes */ insert into config_batch_node (batch_id, serial_number, sealed)
     select $1, s, p from unnest($2::int4[], $3::text[]) as u (s, p) order by s`,
    [id, nodes.map(({ serial }) => serial), nodes.map(({ sealed }) => sealed)],
  );
}

export interface LockedBatch {
  state: BatchState;
  hash: string;
  startedBy: string;
}

/** Its state, which no one else changes until the transaction ends. */
export async function lockBatch(client: PoolClient, id: number): Promise<LockedBatch | undefined> {
  const { rows } = await client.query<LockedBatch>(
    `/* lock-config-batch */ select state, hash, started_by as "startedBy" from config_batch where id = $1 for update`,
    [id],
  );
  return rows[0];
}

/** Everything is read anew; what was approved counts no more. */
export async function readBatchAgain(client: PoolClient, id: number): Promise<void> {
  await client.query("/* read-config-batch-again */ update config_batch set state = 'reading', hash = '', read_at = null where id = $1", [
    id,
  ]);
  await client.query("/* unread-config-batch-nodes */ update config_batch_node set state = 'unread', left_for = '' where batch_id = $1", [
    id,
  ]);
}

export async function startBatch(client: PoolClient, id: number, username: string, pace: BatchPace, now: number): Promise<void> {
  await client.query(
    `/* start-config-batch */ update config_batch set state = 'running', started_by = $2, started_at = to_timestamp($3), at_once = $4,
       per_minute = $5, first_wave = $6, stop_percent = $7, start_local = $8 where id = $1`,
    [id, username, now, pace.atOnce, pace.perMinute, pace.firstWave, pace.stopPercent, pace.startLocal],
  );
}

/** Time zones of the nodes that are to be changed; UTC for one at no location. */
export async function findBatchZones(client: PoolClient, id: number): Promise<string[]> {
  const { rows } = await client.query<{ timezone: string }>(
    `/* config-batch-zones */ select distinct coalesce(l.timezone, 'UTC') as timezone from config_batch_node n
       left join node_assignment a using (serial_number) left join location l on l.id = a.location_id where n.batch_id = $1 and n.state = 'waiting'`,
    [id],
  );
  return rows.map(({ timezone }) => timezone);
}

/** The nodes of these zones are not changed before. */
export async function setBatchStart(client: PoolClient, id: number, starts: readonly { timezone: string; at: number }[]): Promise<void> {
  await client.query(
    `/* set-config-batch-start */ update config_batch_node n set not_before = to_timestamp(u.at)
     from unnest($2::text[], $3::float8[]) as u (timezone, at)
     where n.batch_id = $1 and n.state = 'waiting' and u.timezone = coalesce((select l.timezone from node_assignment a join location l on l.id = a.location_id
       where a.serial_number = n.serial_number), 'UTC')`,
    [id, starts.map(({ timezone }) => timezone), starts.map(({ at }) => at)],
  );
}

export async function pauseBatch(client: PoolClient, id: number): Promise<void> {
  await client.query("/* pause-config-batch */ update config_batch set state = 'paused' where id = $1", [id]);
}

/** Failures of before it stopped by itself are forgiven: a pause in between forgives none. */
export async function resumeBatch(client: PoolClient, id: number): Promise<void> {
  await client.query(
    `/* resume-config-batch */ update config_batch b set state = 'running', next_claim_at = null, stop_reason = '',
       is_first_wave_over = is_first_wave_over or state = 'stopped',
       forgiven_settled = case when state = 'stopped' then n.settled else forgiven_settled end,
       forgiven_failed = case when state = 'stopped' then n.failed else forgiven_failed end
     from (select (count(*) filter (where state in ('confirmed', 'refused', 'unknown')))::int4 as settled,
         (count(*) filter (where state in ('refused', 'unknown')))::int4 as failed from config_batch_node where batch_id = $1) n
     where b.id = $1`,
    [id],
  );
}

/** What is on its way is still followed to its end. */
export async function cancelBatch(client: PoolClient, id: number, now: number): Promise<void> {
  await client.query("/* cancel-config-batch */ update config_batch set state = 'cancelled', ended_at = to_timestamp($2) where id = $1", [
    id,
    now,
  ]);
  await client.query(
    `/* drop-config-batch-nodes */ update config_batch_node set state = 'dropped' where batch_id = $1 and state in ('unread', 'reading', 'waiting')`,
    [id],
  );
}

/** Nodes of a batch with what became of each. */
export async function findBatchPlans(
  client: PoolClient,
  id: number,
): Promise<{ serial: number; state: string; leftFor: string; confirmedCount: number; sealed: string }[]> {
  const { rows } = await client.query<{ serial: number; state: string; leftFor: string; confirmedCount: number; sealed: string }>(
    `/* config-batch-plans */ select serial_number as serial, state, left_for as "leftFor", confirmed_count as "confirmedCount", sealed
     from config_batch_node where batch_id = $1 order by serial_number`,
    [id],
  );
  return rows;
}
