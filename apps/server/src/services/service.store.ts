import type { Pool, PoolClient } from "pg";
import { epochSeconds, exactEpoch } from "#db/epoch-sql.ts";
import { planned, plannedCount, prepared, type Db } from "#db/statement.ts";
import type { Service } from "@busbar/contract/system/system-services.ts";
import type { ContinuousService, Task } from "./service.ts";
import { failingSinceSql, isLockedSql } from "./service-sql.ts";

export const serviceChannel = "busbar_service";
const lockKeys = "hashtext('busbar-service'), hashtext($1)";
// A due time further away than the interval was written under a clock that has since been set back.
const isDue = `(is_run_requested or (is_enabled and (next_run_at <= to_timestamp($2) or next_run_at > to_timestamp($2) + interval_seconds * interval '1 second')))`;

/** Of so many runs the services page draws how long they took. */
const keptRuns = 60;
/** The list with one more, without the oldest when it is full. */
const withNewest = (column: string, value: string) => `(${column} || ${value})[greatest(1, cardinality(${column}) - ${keptRuns - 2}):]`;
const lastWork = (did: string) =>
  `last_did = coalesce(nullif(${did}, ''), last_did), last_did_at = case when ${did} = '' then last_did_at else to_timestamp($2) end`;

const failingSince = `failing_since = case when $7 then coalesce(failing_since, to_timestamp($2)) end,
  last_failed_at = case when $7 then to_timestamp($2) else last_failed_at end`;

export interface RunResult {
  durationSeconds: number;
  processedCount: number;
  /** Empty when it had nothing to do. */
  did: string;
  logEntry: string;
  hasFailed: boolean;
}

export function createServiceStore(pool: Pool) {
  return {
    /** Makes the task known; a changed interval is taken over. The first run is due at once. */
    async register(task: Task, now: number): Promise<void> {
      await planned(pool, "register-service", [task.name, task.intervalSeconds, now])`
        insert into service (name, interval_seconds, next_run_at) values ($1, $2, to_timestamp($3))
        on conflict (name) do update set interval_seconds = excluded.interval_seconds where service.interval_seconds <> excluded.interval_seconds`;
    },

    async findDue(names: string[], now: number): Promise<string[]> {
      const rows = await prepared<{ name: string }>(pool, "find-due-services", [names, now])`
        select name from service where name = any($1) and ${isDue} order by next_run_at`;
      return rows.map((row) => row.name);
    },

    /** Seconds until the next service is due; undefined when none will be. */
    async secondsToNext(names: string[], now: number): Promise<number | undefined> {
      const rows = await prepared<{ seconds: number | null }>(pool, "seconds-to-next-service", [names, now])`
        select ${exactEpoch("min(next_run_at)")} - $2::float8 as seconds from service where name = any($1) and is_enabled`;
      return rows[0]?.seconds ?? undefined;
    },

    /** The lock lives as long as the connection: whoever dies frees it at once. */
    async tryLock(connection: PoolClient, name: string): Promise<boolean> {
      const rows = await planned<{ ok: boolean }>(connection, "lock-service", [name])`select pg_try_advisory_lock(${lockKeys}) as ok`;
      return rows[0]?.ok ?? false;
    },

    async unlock(connection: PoolClient, name: string): Promise<void> {
      await planned(connection, "unlock-service", [name])`select pg_advisory_unlock(${lockKeys})`;
    },

    /** Under the lock: still due? Then the request to run is taken. */
    async claim(name: string, now: number): Promise<boolean> {
      const rowCount = await plannedCount(pool, "claim-service", [name, now])`
        update service set is_run_requested = false where name = $1 and ${isDue}`;
      return rowCount === 1;
    },

    async finish(name: string, now: number, nextRunAt: number, result: RunResult): Promise<void> {
      await planned(pool, "finish-service", [
        name,
        now,
        nextRunAt,
        result.durationSeconds,
        result.processedCount,
        result.logEntry,
        result.hasFailed,
        result.did,
      ])`
        update service set last_finished_at = to_timestamp($2), next_run_at = to_timestamp($3),
          last_duration_seconds = $4::float8, average_duration_seconds = (coalesce(average_duration_seconds, 0) * run_count + $4::float8) / (run_count + 1),
          run_count = run_count + 1, last_processed_count = $5::integer, lifetime_processed_count = lifetime_processed_count + $5::integer, log_entry = $6,
          run_seconds = ${withNewest("run_seconds", "round($4::float8::numeric, 3)::real")}, run_failures = ${withNewest("run_failures", "$7::boolean")}, ${lastWork("$8::text")},
          failure_count = case when $7 then failure_count + 1 else 0 end, ${failingSince}
        where name = $1`;
    },

    /** Something is wrong with a run that began `since` and has not ended. */
    async noteIssue(name: string, now: number, since: number, logEntry: string): Promise<void> {
      await planned(pool, "note-service-issue", [name, now, since, logEntry])`
        update service set log_entry = $4, failing_since = coalesce(failing_since, to_timestamp($3)), last_failed_at = to_timestamp($2)
        where name = $1`;
    },

    /** Makes a continuous service known. */
    async registerContinuous(service: ContinuousService, now: number): Promise<void> {
      await planned(pool, "register-continuous-service", [service.name, now])`
        insert into service (name, interval_seconds, next_run_at, is_scheduled) values ($1, 0, to_timestamp($2), false)
        on conflict (name) do update set is_scheduled = false, is_enabled = true, interval_seconds = 0`;
    },

    /** Shared: every process that has the service holds it. */
    async lockShared(connection: PoolClient, name: string): Promise<void> {
      await planned(connection, "lock-service-shared", [name])`select pg_advisory_lock_shared(${lockKeys})`;
    },

    /** Continuous services that no process has any more fail until one has them again. */
    async noteAbsent(now: number): Promise<void> {
      await planned(pool, "note-absent-services", [now])`
        update service set failing_since = coalesce(failing_since, to_timestamp($1)), last_failed_at = to_timestamp($1),
          log_entry = 'No process of the cluster runs it'
        where not is_scheduled and (last_failed_at is null or last_failed_at < to_timestamp($1) - interval '10 seconds') and not ${isLockedSql}`;
    },

    /** What a continuous service did since the last note, and what keeps it from working. */
    async noteProgress(
      name: string,
      now: number,
      { processedCount, did, problem }: { processedCount: number; did: string; problem: string },
    ): Promise<void> {
      await planned(pool, "note-service-progress", [name, now, processedCount, problem.slice(0, 1_000), did])`
        update service set last_processed_count = $3::integer, lifetime_processed_count = lifetime_processed_count + $3::integer,
          ${lastWork("$5::text")}, log_entry = $4, failing_since = case when $4 <> '' then coalesce(failing_since, to_timestamp($2)) end,
          last_failed_at = case when $4 <> '' then to_timestamp($2) else last_failed_at end
        where name = $1`;
    },

    /** Runs as soon as a scheduler anywhere is free, enabled or not, on what was set aside too; false when there is no such scheduled service. */
    async requestRun(name: string, client: Db = pool): Promise<boolean> {
      const rowCount = await plannedCount(client, "request-service-run", [name])`
        with changed as (update service set is_run_requested = true where name = $1 and is_scheduled returning 1),
          due as (update service_set_aside set next_try_at = first_at where service = $1)
        select pg_notify('${serviceChannel}', '') from changed`;
      return rowCount === 1;
    },

    /** Switches these scheduled services, or all; returns those that were otherwise before. */
    async setEnabled(names: readonly string[] | "all", isEnabled: boolean, client: Db = pool): Promise<string[]> {
      const rows = await planned<{ name: string }>(client, "enable-services", [names === "all" ? null : names, isEnabled])`
        with changed as (
          update service set is_enabled = $2 where ($1::text[] is null or name = any($1)) and is_scheduled and is_enabled <> $2 returning name)
        select name, pg_notify('${serviceChannel}', '') from changed order by name`;
      return rows.map((row) => row.name);
    },

    async findKind(name: string): Promise<{ isScheduled: boolean; interval: number } | undefined> {
      const rows = await planned<{ isScheduled: boolean; interval: number }>(pool, "service-kind", [name])`
        select is_scheduled as "isScheduled", interval_seconds as interval from service where name = $1`;
      return rows[0];
    },

    async listServices(now: number): Promise<Map<string, Omit<Service, "waiting">>> {
      const rows = await planned<Omit<Service, "waiting"> & { name: string }>(pool, "list-services", [now])`
        select name, is_enabled as "isEnabled", is_scheduled as "isScheduledService", interval_seconds as interval,
          ${isLockedSql} as "isRunning",
          last_processed_count as "countProcessedLastRun", lifetime_processed_count::float8 as "countProcessedLifetime", log_entry as "logEntry",
          last_duration_seconds as "durationLastRun", average_duration_seconds as "durationAverage",
          ${epochSeconds("last_finished_at")} as "timestampLastFinished", case when is_scheduled then ${epochSeconds("next_run_at")} end as "timestampNextRun",
          ${epochSeconds(failingSinceSql("$1::float8"))} as "failingSince", run_seconds as "durationsOfLastRuns", run_failures as "failuresOfLastRuns",
          case when last_did_at is not null then json_build_object('did', last_did, 'timestamp', ${epochSeconds("last_did_at")}) end as "lastWork"
        from service order by name`;
      return new Map(rows.map(({ name, ...service }) => [name, service]));
    },
  };
}
export type ServiceStore = ReturnType<typeof createServiceStore>;
