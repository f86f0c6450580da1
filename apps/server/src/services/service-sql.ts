/** Of a service of the query, held: by its one runner, or together by all processes that have a continuous one. */
export const isLockedSql = `exists (select 1 from pg_locks l where l.locktype = 'advisory' and l.granted and l.objsubid = 2
  and l.database = (select oid from pg_database where datname = current_database())
  and l.classid = (hashtext('busbar-service')::bigint & 4294967295)::oid and l.objid = (hashtext(name)::bigint & 4294967295)::oid)`;
/**
 * Since when a service of the query fails. A minute after its time and run by no one: no process of the cluster runs services.
 * @param now SQL of the platform's time in epoch seconds, as it is the platform that says when a service is due
 */
export const failingSinceSql = (now: string) => `coalesce(failing_since,
  case when is_scheduled and is_enabled and next_run_at < to_timestamp(${now}) - interval '1 minute' and not ${isLockedSql} then next_run_at end)`;
