import type { Pool, PoolClient } from "pg";
import { prepared } from "#db/statement.ts";

/** A group of nodes that this process listens to, until it is lost. */
export interface GroupHold {
  readonly name: string;
  readonly epoch: number;
  /** What came in under it must be neither stored nor acknowledged any more. */
  isLost: boolean;
}

export interface WorkerState {
  id: string;
  host: string;
  /** It reaches the broker. */
  canListen: boolean;
  /** Groups that it holds, by its own knowledge. */
  held: readonly string[];
  /** Those of them whose sessions listen. */
  listening: readonly string[];
}

export interface GroupState {
  /** Of those held: what is still this worker's. */
  kept: Set<string>;
  /** How many groups each worker should have; undefined when none reaches the broker. */
  fairShare: number | undefined;
  /** All groups have someone who listens. */
  areAllListening: boolean;
}

export const hostGroup = "host";
/** Groups are taken over so long after their worker was last heard of. */
export const leaseMs = 5_000;
const patienceMs = 2_000;
const untilNow = `now() + interval '${leaseMs} ms'`;
const lostState = "BB001";

export type NodeGroupsStore = ReturnType<typeof createNodeGroupsStore>;

/** Times are the database's: the clocks of workers may differ. */
export function createNodeGroupsStore(pool: Pool) {
  /** A database that hangs is one that cannot be reached. */
  const run = <Row extends object>(name: string, text: string, values: unknown[]) =>
    pool.query<Row>({ name, text, values, query_timeout: patienceMs } as { text: string });

  return {
    /** Says that the worker lives, renews what it holds and gives back what it no longer does. */
    async renew({ id, host, canListen, held, listening }: WorkerState): Promise<GroupState> {
      const { rows } = await run<{ name: string; isKept: boolean }>(
        "renew-node-groups",
        `with alive as (
           insert into ingest_worker (id, host, can_listen, expires_at) values ($1, $2, $3, ${untilNow})
           on conflict (id) do update set can_listen = excluded.can_listen, expires_at = excluded.expires_at),
         gone as (delete from ingest_worker where expires_at < now() - interval '1 hour')
         update node_group set worker = case when name = any ($4::text[]) then worker end, is_listening = name = any ($5::text[]),
           expires_at = case when name = any ($4::text[]) then ${untilNow} else now() end
         where worker = $1 returning name, worker is not null as "isKept"`,
        [id, host, canListen, held, listening],
      );
      const { rows: figures } = await run<{ workers: number; areAllListening: boolean }>(
        "node-group-figures",
        `select (select count(*)::int4 from ingest_worker where can_listen and expires_at > now()) as workers,
           (select bool_and(is_listening and expires_at > now()) from node_group where name <> '${hostGroup}') as "areAllListening"`,
        [],
      );
      const { workers, areAllListening } = figures[0]!;
      return {
        kept: new Set(rows.filter(({ isKept }) => isKept).map(({ name }) => name)),
        fairShare: workers === 0 ? undefined : canListen ? Math.ceil(groupCount / workers) : 0,
        areAllListening,
      };
    },

    /** Takes so many groups that no one holds, and that of the host when it is free. */
    async take(worker: string, count: number): Promise<GroupHold[]> {
      const { rows } = await run<{ name: string; epoch: string }>(
        "take-node-groups",
        `with free_groups as materialized (
           select name from node_group where name <> '${hostGroup}' and (worker is null or expires_at < now()) order by name
           limit $2 for update skip locked),
         free_host as materialized (
           select name from node_group where name = '${hostGroup}' and (worker is null or expires_at < now()) for update skip locked),
         free as (select name from free_groups union all select name from free_host)
         update node_group g set worker = $1, epoch = g.epoch + 1, expires_at = ${untilNow}, is_listening = false
         from free where g.name = free.name and pg_try_advisory_xact_lock(hashtext('busbar-node-group'), hashtext(g.name))
         returning g.name, g.epoch::text`,
        [worker, count],
      );
      return rows.map(({ name, epoch }) => ({ name, epoch: Number(epoch), isLost: false }));
    },

    async release(worker: string, names: readonly string[]): Promise<void> {
      await run(
        "release-node-groups",
        `update node_group set worker = null, expires_at = now(), is_listening = false where worker = $1 and name = any ($2::text[])`,
        [worker, names],
      );
    },

    /** Returns whether it was the last one. */
    async leave(worker: string): Promise<boolean> {
      const { rows } = await run<{ others: number }>(
        "leave-ingest",
        `with gone as (delete from ingest_worker where id = $1)
         select count(*)::int4 as others from ingest_worker where id <> $1 and can_listen and expires_at > now()`,
        [worker],
      );
      return rows[0]?.others === 0;
    },

    /** A time for STATE, epoch milliseconds: later than every one before, whichever worker's clock is asked. */
    async nextStateTime(notBeforeMs = 0): Promise<number> {
      const { rows } = await run<{ ms: number }>(
        "next-state-time",
        `update node_group set stated_at = greatest(date_trunc('milliseconds', now()), stated_at + interval '1 ms', to_timestamp($1 / 1000.0))
         where name = '${hostGroup}' returning round(extract(epoch from stated_at) * 1000)::float8 as ms`,
        [notBeforeMs],
      );
      return rows[0]!.ms;
    },

    /** The last statement before the COMMIT: fails when another worker has taken one of the groups over. */
    async hold(client: PoolClient, holds: Iterable<GroupHold>): Promise<void> {
      const all = [...holds];
      await prepared(client, "hold-node-groups", [all.map(({ name }) => name), all.map(({ epoch }) => epoch)])`
        select hold_node_groups($1::text[], $2::bigint[])`;
    },
  };
}

export const groupCount = 64;

/** The groups that another worker has taken over, when that is why a transaction failed. */
export function lostGroups(error: unknown): readonly string[] | undefined {
  const { code, detail } = error as { code?: string; detail?: string };
  return code === lostState ? detail?.split(",") : undefined;
}
