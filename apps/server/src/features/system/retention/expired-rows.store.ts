import type { Pool } from "pg";
import { planned, prepared, preparedCount } from "#db/statement.ts";
import { activityHour } from "#shared/activity-hour-sql.ts";
import { inTransaction } from "#db/transaction.ts";
import { isNext } from "#services/queue-sql.ts";

const service = "RetentionPruner";

/** Rows whose time is over, in batches by an index. Times are epoch seconds; each returns how many rows went. */
export function createExpiredRowsStore(pool: Pool) {
  const count = async (name: string, text: string, values: unknown[]): Promise<number> => {
    return await preparedCount(pool, name, values)`${text}`;
  };
  const idsOf = async (name: string, text: string, values: unknown[]): Promise<string[]> => {
    const rows = await prepared<{ id: string }>(pool, name, values)`${text}`;
    return rows.map(({ id }) => id);
  };
  return {
    async serialsWithOldEvents(serials: readonly number[], before: number): Promise<number[]> {
      const rows = await prepared<{ serial: number }>(pool, "serials-with-old-events", [serials, before])`
        select s as serial from unnest($1::int4[]) s
        where (select true from node_event where serial_number = s and ts < to_timestamp($2) order by ts limit 1)`;
      return rows.map(({ serial }) => serial);
    },

    /** Of one node: its count of events stays that of those that are kept. */
    async forgetEvents(serial: number, before: number, limit: number): Promise<number> {
      const rows = await prepared<{ count: number }>(pool, "forget-events", [serial, before, limit])`with gone as (
          delete from node_event where ctid = any(array(
            select ctid from node_event where serial_number = $1 and ts < to_timestamp($2) order by ts limit $3 for update))
          returning 1),
        fewer as (update node_live set event_count = greatest(0, event_count - (select count(*) from gone)::int4), changed_xid = pg_current_xact_id()
          where serial_number = $1 and exists (select from gone))
        select count(*)::int4 as count from gone`;
      return rows[0]?.count ?? 0;
    },

    /** Months of what came of nodes' data. */
    async forgetCoverage(before: number): Promise<void> {
      await prepared(pool, "forget-coverage", [before])`
        delete from coverage where month + interval '1 month' <= to_timestamp($1) at time zone 'UTC'`;
    },

    /** What was asked for again. Ids follow the time of asking. */
    forgetFileAsks: (before: number, limit: number) =>
      count(
        "forget-file-asks",
        `delete from file_ask where id = any(array(
           select id from (select id, asked_at from file_ask order by id limit $2) oldest where asked_at < to_timestamp($1)))`,
        [before, limit],
      ),

    findAlarms: (before: number, limit: number, ids: readonly string[] | null) =>
      idsOf(
        "expired-alarms",
        `select id::text from alarm where raised_at < to_timestamp($1) and cleared_at < to_timestamp($1) and ${isNext(service, "alarm", "id::text", "$3")} order by raised_at limit $2`,
        [before, limit, ids],
      ),
    forgetAlarms: (ids: readonly string[]) => count("forget-alarms", "delete from alarm where id = any ($1::bigint[])", [ids]),

    /** The last verdict of each node stays, however old. */
    findVerdicts: (before: number, limit: number, ids: readonly string[] | null) =>
      idsOf(
        "expired-verdicts",
        `select h.serial_number || ' ' || extract(epoch from h.began_at) as id from node_verdict_history h where h.began_at < to_timestamp($1)
           and exists (select from node_verdict_history n where n.serial_number = h.serial_number and n.began_at > h.began_at)
           and ${isNext(service, "verdict", "h.serial_number || ' ' || extract(epoch from h.began_at)", "$3")} order by h.began_at limit $2`,
        [before, limit, ids],
      ),
    forgetVerdicts: (ids: readonly string[]) =>
      count(
        "forget-verdicts",
        `delete from node_verdict_history h using (select split_part(id, ' ', 1)::int4 as serial, split_part(id, ' ', 2)::numeric as at from unnest($1::text[]) id) u
         where h.serial_number = u.serial and extract(epoch from h.began_at) = u.at`,
        [ids],
      ),

    findIncidents: (before: number, limit: number, ids: readonly string[] | null) =>
      idsOf(
        "expired-incidents",
        `select id::text from incident where ended_at < to_timestamp($1) and ${isNext(service, "incident", "id::text", "$3")} order by ended_at limit $2`,
        [before, limit, ids],
      ),
    forgetIncidents: (ids: readonly string[]) => count("forget-incidents", "delete from incident where id = any ($1::int4[])", [ids]),

    findMutes: (before: number, limit: number, ids: readonly string[] | null) =>
      idsOf(
        "expired-mutes",
        `select id::text from mute where until_at < to_timestamp($1) and ${isNext(service, "mute", "id::text", "$3")} order by until_at limit $2`,
        [before, limit, ids],
      ),
    forgetMutes: (ids: readonly string[]) => count("forget-mutes", "delete from mute where id = any ($1::int4[])", [ids]),

    /** Ids follow the time of writing: the oldest are found without an index of times. What still has to be sent stays. */
    findNotifications: (before: number, limit: number, ids: readonly string[] | null) =>
      idsOf(
        "expired-notifications",
        `select id::text from (select id, created_at, next_attempt_at from notification where ${isNext(service, "notification", "id::text", "$3")} order by id limit $2) oldest
         where created_at < to_timestamp($1) and next_attempt_at is null`,
        [before, limit, ids],
      ),
    forgetNotifications: (ids: readonly string[]) =>
      count("forget-notifications", "delete from notification where id = any ($1::bigint[]) and next_attempt_at is null", [ids]),

    findActivities: (before: number, limit: number, ids: readonly string[] | null) =>
      idsOf(
        "expired-activities",
        `select id::text from (select id, ts from activity where ${isNext(service, "activity", "id::text", "$3")} order by id limit $2) oldest where ts < to_timestamp($1)`,
        [before, limit, ids],
      ),

    /** With the counts of their hours, so that pages far down are found where they are. */
    async forgetActivities(ids: readonly string[]): Promise<number> {
      return inTransaction(pool, async (client) => {
        // Whoever counts a block does not count what goes, nor the other way round.
        await planned(client, "hold-activity-tally")`select from activity_tally_state for update`;
        const rows = await planned<{ count: number }>(client, "forget-activities", [ids])`with gone as (
              delete from activity where id = any ($1::bigint[]) returning id, action, ts),
            counted as (select action, ${activityHour} as hour, count(*)::int4 as count from gone
              where id >> 12 < (select settled_block from activity_tally_state) group by 1, 2),
            fewer as (update activity_tally t set count = t.count - c.count
              from (select * from counted union all select '', hour, sum(count)::int4 from counted group by hour) c
              where t.action = c.action and t.hour = c.hour)
          select count(*)::int4 as count from gone`;
        return rows[0]?.count ?? 0;
      });
    },

    /** Counts of hours that hold nothing any more. */
    async forgetEmptyTallies(): Promise<void> {
      await planned(pool, "forget-empty-tallies")`delete from activity_tally where count = 0`;
    },
  };
}
export type ExpiredRowsStore = ReturnType<typeof createExpiredRowsStore>;
