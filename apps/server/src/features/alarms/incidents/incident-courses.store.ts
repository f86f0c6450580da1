import type { Course } from "@busbar/alarms/incidents/incident-course.ts";
import type { Cause } from "@busbar/alarms/incidents/occurrences.ts";
import type { PoolClient } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { prepared } from "#db/statement.ts";

interface CourseRow {
  id: number;
  cause: string;
  beganAt: number;
  calmSince: number | null;
  endedAt: number | null;
  members: { serial: number; beganAt: number; lastBeganAt: number; endedAt: number | null; count: number }[];
}

/** The last incident of each cause that has one; the nodes of one that is over are left out. */
export async function findCourses(client: PoolClient, causes: readonly string[]): Promise<Map<string, Course>> {
  const rows = await prepared<CourseRow>(client, "find-incident-courses", [causes])`
    select i.id, i.cause, ${exactEpoch("i.began_at")} as "beganAt", ${exactEpoch("i.calm_since")} as "calmSince", ${exactEpoch("i.ended_at")} as "endedAt",
      case when i.ended_at is null then coalesce((select jsonb_agg(jsonb_build_object('serial', serial_number, 'beganAt', ${exactEpoch("began_at")},
        'lastBeganAt', ${exactEpoch("last_began_at")}, 'endedAt', ${exactEpoch("ended_at")}, 'count', count))
        from incident_member where incident_id = i.id), '[]') else '[]' end as members
    from unnest($1::text[]) as u (cause) cross join lateral (select * from incident where cause = u.cause order by id desc limit 1) i`;
  return new Map(
    rows.map(({ id, cause, beganAt, calmSince, endedAt, members }) => [
      cause,
      {
        id,
        beganAt,
        calmSince: calmSince ?? undefined,
        endedAt: endedAt ?? undefined,
        members: new Map(members.map(({ serial, endedAt: end, ...member }) => [serial, { ...member, endedAt: end ?? undefined }])),
      },
    ]),
  );
}

/** Those that end are written before those that begin: a cause has one open incident at most. */
export async function writeCourses(client: PoolClient, changed: readonly { cause: Cause; course: Course }[]): Promise<void> {
  if (changed.length === 0) return;
  const [old, fresh] = [true, false].map((isOld) => changed.filter(({ course }) => (course.id !== undefined) === isOld));
  const timesOf = (list: readonly { course: Course }[]) => [
    list.map(({ course }) => course.beganAt),
    list.map(({ course }) => course.calmSince ?? null),
    list.map(({ course }) => course.endedAt ?? null),
  ];
  await prepared(client, "write-incidents", [old?.map(({ course }) => course.id), ...timesOf(old ?? [])])`
    update incident i set began_at = to_timestamp(u.began_at), calm_since = to_timestamp(u.calm_since), ended_at = to_timestamp(u.ended_at)
    from unnest($1::int4[], $2::float8[], $3::float8[], $4::float8[]) as u (id, began_at, calm_since, ended_at) where i.id = u.id`;
  const rows = await prepared<{ id: number }>(client, "take-incident-ids", [fresh?.length ?? 0])`
    select nextval(pg_get_serial_sequence('incident', 'id'))::int4 as id from generate_series(1, $1)`;
  for (const [index, { course }] of (fresh ?? []).entries()) course.id = rows[index]?.id;
  await prepared(client, "insert-incidents", [
    fresh?.map(({ course }) => course.id),
    fresh?.map(({ cause }) => cause.key),
    fresh?.map(({ cause }) => cause.kind),
    fresh?.map(({ cause }) => cause.alarmKind),
    fresh?.map(({ cause }) => cause.facilityId ?? null),
    ...timesOf(fresh ?? []),
  ])`
    insert into incident (id, cause, kind, alarm_kind, facility_id, began_at, calm_since, ended_at) overriding system value
    select u.id, cause, kind, alarm_kind, f.id, to_timestamp(began_at), to_timestamp(calm_since), to_timestamp(ended_at)
    from unnest($1::int4[], $2::text[], $3::text[], $4::text[], $5::int4[], $6::float8[], $7::float8[], $8::float8[])
      as u (id, cause, kind, alarm_kind, facility, began_at, calm_since, ended_at) left join facility f on f.id = u.facility order by u.id`;
  const members = changed.flatMap(({ course }) => [...course.members].map(([serial, member]) => ({ id: course.id, serial, ...member })));
  // A node may be gone by now.
  await prepared(client, "write-incident-members", [
    members.map(({ id }) => id),
    members.map(({ serial }) => serial),
    members.map(({ beganAt }) => beganAt),
    members.map(({ lastBeganAt }) => lastBeganAt),
    members.map(({ endedAt }) => endedAt ?? null),
    members.map(({ count }) => count),
  ])`
    insert into incident_member as m (incident_id, serial_number, began_at, last_began_at, ended_at, count)
    select u.id, u.serial, to_timestamp(u.began_at), to_timestamp(u.last_began_at), to_timestamp(u.ended_at), u.count
    from unnest($1::int4[], $2::int4[], $3::float8[], $4::float8[], $5::float8[], $6::int4[]) as u (id, serial, began_at, last_began_at, ended_at, count)
    join node n on n.serial_number = u.serial
    on conflict (incident_id, serial_number) do update set last_began_at = excluded.last_began_at, ended_at = excluded.ended_at, count = excluded.count
    where (m.last_began_at, m.ended_at, m.count) is distinct from (excluded.last_began_at, excluded.ended_at, excluded.count)`;
}
