import { alarmWords } from "@busbar/alarms/verdict/alarm-words.ts";
import { mostTrendMarks, type TrendMark } from "@busbar/contract/telemetry/trends.ts";
import type { Pool } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { prepared } from "#db/statement.ts";
import { outagesBetween } from "#lib/platform-outages.ts";
import { createIngestPresenceStore } from "#shared/ingest-presence.store.ts";

interface Range {
  from: number;
  to: number;
}

/** SQL of one kind of mark: $1 serials, $2 and $3 the range. */
const kinds: Record<TrendMark["kind"], string> = {
  // A note is of the place that the node was at then.
  note: `select n.ts as at, null::timestamptz as ended, p.serial_number as serial, 'note' as kind, n.note as text, 'location/' || n.location_id as ref
    from node_placement p join location_note n on n.location_id = p.location_id
    where p.serial_number = any ($1) and not n.is_archived and n.ts >= p.started_at and (p.ended_at is null or n.ts < p.ended_at)
      and n.ts >= to_timestamp($2) and n.ts < to_timestamp($3)`,
  event: `select e.ts, e.ts + e.duration_seconds * interval '1 second', e.serial_number, 'event', coalesce(nullif(e.words, ''), e.kind, ''),
      'event/' || e.serial_number || '_' || to_char(e.ts at time zone 'UTC', 'YYYYMMDD"T"HH24MISS"Z"') || '_E' || lpad(e.number::text, 4, '0')
    from recorded_event e where e.serial_number = any ($1) and e.ts >= to_timestamp($2) and e.ts < to_timestamp($3)`,
  // One that was raised before and cleared in the range is in it, too.
  alarm: `select a.raised_at, a.cleared_at, a.serial_number, 'alarm', a.kind, coalesce((select 'incident/' || i.id
      from incident_member m join incident i on i.id = m.incident_id where m.serial_number = a.serial_number and i.kind = 'alarm'
        and i.alarm_kind = a.kind and m.began_at <= a.raised_at and m.last_began_at >= a.raised_at order by i.id desc limit 1), 'node/' || a.serial_number)
    from alarm a where a.serial_number = any ($1) and a.raised_at < to_timestamp($3) and (a.cleared_at is null or a.cleared_at >= to_timestamp($2))`,
  // A swap is the seam between two nodes at one place: the old one's last mark there, and what the new one's first says.
  placement: `select p.started_at, p.ended_at, p.serial_number, 'placement', p.customer_name || ' › ' || p.facility_name || ' › ' || p.location_name
      || coalesce(', in the place of ' || s.old_serial_number, ''), 'location/' || l.id
    from node_placement p left join location l on l.id = p.location_id
      left join node_swap s on s.new_serial_number = p.serial_number and s.swapped_at = p.started_at
    where p.serial_number = any ($1) and p.started_at >= to_timestamp($2) and p.started_at < to_timestamp($3)
    union all
    select s.swapped_at, null, s.old_serial_number, 'placement', 'Swapped for ' || s.new_serial_number, 'node/' || s.new_serial_number
    from node_swap s where s.old_serial_number = any ($1) and s.swapped_at >= to_timestamp($2) and s.swapped_at < to_timestamp($3)`,
  // SEC-03: values are in the audit log only.
  config: `select a.ts, null::timestamptz, split_part(a.object, '/', 2)::int4, 'config', coalesce(u.key, ''), a.object
    from activity a left join audit_log u on u.id = (a.after ->> 'auditId')::bigint
    where a.object = any (select 'node/' || s from unnest($1) s) and a.action = 'PATCH_NODE_CONFIG'
      and a.ts >= to_timestamp($2) and a.ts < to_timestamp($3)`,
  outage: `select m.began_at, m.ended_at, m.serial_number, 'outage',
      case i.kind when 'outage' then 'Outage of the facility' when 'link' then 'Lost connection' else 'Silence' end, 'incident/' || i.id
    from incident_member m join incident i on i.id = m.incident_id where m.serial_number = any ($1) and i.kind in ('outage', 'link', 'silent')
      and m.began_at < to_timestamp($3) and (m.ended_at is null or m.ended_at >= to_timestamp($2))`,
};

const outageDays = 400;
/** Those of one moment always in the same order. */
const newestFirst = "order by at desc, serial, kind, text, ref";

export type TrendMarksReadModel = ReturnType<typeof createTrendMarksReadModel>;

export function createTrendMarksReadModel(pool: Pool) {
  return {
    async ofNodes(serials: readonly number[], { from, to }: Range): Promise<TrendMark[]> {
      const newest = (text: string) =>
        `(select * from (${text}) m (at, ended, serial, kind, text, ref) ${newestFirst} limit ${mostTrendMarks + 1})`;
      const rows = await prepared<TrendMark>(pool, "trend-marks", [serials, from, to])`
        select ${epochSeconds("at")} as timestamp, ${epochSeconds("ended")} as "endTimestamp", serial::text as "serialNumber", kind, text, ref
        from (${Object.values(kinds)
          .map((text) => newest(text.replaceAll("$1", "$1::int4[]")))
          .join(" union all ")}) m ${newestFirst} limit ${mostTrendMarks + 1}`;
      return rows.map((mark) => (mark.kind === "alarm" ? { ...mark, text: alarmWords(mark.text) } : mark));
    },

    /** Of the platform itself. */
    async absences({ from, to }: Range, now: number): Promise<TrendMark[]> {
      return outagesBetween(await createIngestPresenceStore(pool).periods(outageDays), now)
        .filter(({ start, end }) => start < to && end >= from)
        .map(({ start, end }) => ({
          timestamp: Math.floor(start),
          endTimestamp: Math.floor(end),
          serialNumber: null,
          kind: "outage" as const,
          text: "The platform was away",
          ref: null,
        }));
    },

    async unknownNode(serials: readonly number[]): Promise<number | undefined> {
      const rows = await prepared<{ serial: number }>(pool, "unknown-trend-node", [serials])`
        select s as serial from unnest($1::int4[]) s where not exists (select from node where serial_number = s) limit 1`;
      return rows[0]?.serial;
    },
  };
}
