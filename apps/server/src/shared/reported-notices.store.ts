import type { Pool, PoolClient } from "pg";
import { planned, prepared } from "#db/statement.ts";

/** What a message is about, and the time that it speaks of. */
export interface NoticeKey {
  objectId: number;
  /** Epoch seconds. */
  period: number;
}

// A clock that was set wrong must not forget what was reported lately.
const keptDays = 60;

/**
 * Inside the transaction that writes the message: of these objects and periods those that were not reported yet, which count as reported from now. With it goes what is
 * long past of the same objects, unless old periods are asked about again.
 */
export async function takeUnreported(
  client: PoolClient,
  kind: string,
  keys: readonly NoticeKey[],
  now: number,
  past: "forget the past" | "keep the past" = "forget the past",
): Promise<Set<number>> {
  const values = [kind, keys.map(({ objectId }) => objectId), keys.map(({ period }) => period)];
  const rows = await prepared<{ objectId: number }>(client, "take-unreported", [...values, now])`
    insert into notice_told (kind, object_id, period, told_at)
    select $1, o, to_timestamp(p), to_timestamp($4) from unnest($2::int8[], $3::float8[]) as u (o, p) order by o, p
    on conflict do nothing returning object_id::float8 as "objectId"`;
  if (rows.length > 0 && past === "forget the past") {
    await prepared(client, "forget-reported", values)`delete from notice_told t using unnest($2::int8[], $3::float8[]) as u (o, p)
      where t.kind = $1 and t.object_id = u.o and t.period < to_timestamp(u.p) - interval '${keptDays} days'`;
  }
  return new Set(rows.map(({ objectId }) => objectId));
}

/** Which of these were not reported yet. */
export async function findUnreported<Key extends NoticeKey>(pool: Pool, kind: string, keys: readonly Key[]): Promise<Key[]> {
  if (keys.length === 0) return [];
  const rows = await prepared<{ place: number }>(pool, "find-unreported", [
    kind,
    keys.map(({ objectId }) => objectId),
    keys.map(({ period }) => period),
  ])`
    select place::int4 from unnest($2::int8[], $3::float8[]) with ordinality as u (o, p, place)
    where not exists (select from notice_told t where t.kind = $1 and t.object_id = u.o and t.period = to_timestamp(u.p)) order by place`;
  return rows.flatMap(({ place }) => keys[place - 1] ?? []);
}

/** How many objects were reported since then. */
export async function countReported(client: PoolClient, kind: string, since: number): Promise<number> {
  const rows = await planned<{ count: number }>(client, "count-reported", [kind, since])`
    select count(*)::int4 as count from notice_told where kind = $1 and told_at > to_timestamp($2)`;
  return rows[0]?.count ?? 0;
}
