import { SavedView, type NewView, type ViewList, type ViewPatch } from "@busbar/contract/system/saved-views.ts";
import type { Pool, PoolClient } from "pg";
import type { Db } from "#db/pool.ts";
import { selectList } from "#db/select-list.ts";
import type { Caller } from "#http/endpoints.ts";

/** `$1` is who looks, `$2` whether that is a system administrator. */
const columns = selectList(SavedView, "v", {
  owner: "coalesce(u.username, '')",
  isOwn: "v.owner_id is not distinct from $1::int",
  isDefault: "d.view_id is not null",
  mayDelete: "v.owner_id is not distinct from $1::int or $2::boolean",
});
const source = `saved_view v left join app_user u on u.id = v.owner_id left join default_view d on d.view_id = v.id and d.user_id = $1::int`;
const isSeen = "(v.owner_id = $1::int or v.is_shared)";
const who = ({ userId, roles }: Caller) => [userId, roles.includes("systemAdministrator")];

export async function findViews(pool: Pool, caller: Caller, list: ViewList): Promise<SavedView[]> {
  const { rows } = await pool.query<SavedView>({
    name: "list-views",
    text: `select ${columns} from ${source} where v.list = $3 and ${isSeen} order by "isOwn" desc, lower(v.name), v.id`,
    values: [...who(caller), list],
  });
  return rows;
}

export async function findView(db: Db, caller: Caller, id: number): Promise<SavedView | undefined> {
  const { rows } = await db.query<SavedView>(`/* find-view */ select ${columns} from ${source} where v.id = $3 and ${isSeen}`, [
    ...who(caller),
    id,
  ]);
  return rows[0];
}

/** A person's changes of views follow one another. */
export async function lockOwner(client: PoolClient, userId: number): Promise<void> {
  await client.query("/* lock-view-owner */ select from app_user where id = $1 for no key update", [userId]);
}

export async function listOwnViews(client: PoolClient, userId: number, list: ViewList): Promise<{ id: number; name: string }[]> {
  const { rows } = await client.query<{ id: number; name: string }>(
    "/* list-own-views */ select id, name from saved_view where owner_id = $1 and list = $2",
    [userId, list],
  );
  return rows;
}

export type LockedView = { list: ViewList; name: string; isOwn: boolean; revision: number };

/** One that the person sees; it stays as it is until the transaction ends. */
export async function lockView(client: PoolClient, userId: number, id: number): Promise<LockedView | undefined> {
  const { rows } = await client.query<LockedView>(
    `/* lock-view */ select v.list, v.name, v.owner_id is not distinct from $1::int as "isOwn", v.revision
     from saved_view v where v.id = $2 and ${isSeen} for update`,
    [userId, id],
  );
  return rows[0];
}

export async function insertView(client: PoolClient, userId: number, { list, name, isShared, query }: NewView): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    "/* insert-view */ insert into saved_view (owner_id, list, name, is_shared, query) values ($1, $2, $3, $4, $5) returning id",
    [userId, list, name, isShared, query],
  );
  return rows[0]!.id;
}

/** Who had it as their default, and sees it no longer, has none. */
export async function writeView(client: PoolClient, id: number, values: Pick<ViewPatch, "name" | "isShared" | "query">): Promise<void> {
  const { rows } = await client.query<{ ownerId: number; isShared: boolean }>(
    `/* update-view */ update saved_view set name = coalesce($2, name), is_shared = coalesce($3, is_shared), query = coalesce($4, query),
       revision = revision + 1 where id = $1 returning owner_id as "ownerId", is_shared as "isShared"`,
    [id, values.name, values.isShared, values.query],
  );
  if (rows[0]?.isShared === false)
    await client.query("/* end-defaults */ delete from default_view where view_id = $1 and user_id <> $2", [id, rows[0].ownerId]);
}

export async function writeDefault(
  client: PoolClient,
  userId: number,
  { id, list, isDefault }: { id: number; list: ViewList; isDefault: boolean },
): Promise<void> {
  if (isDefault)
    await client.query(
      `/* set-default-view */ insert into default_view (user_id, list, view_id) values ($1, $2, $3)
       on conflict (user_id, list) do update set view_id = excluded.view_id`,
      [userId, list, id],
    );
  else await client.query("/* end-default-view */ delete from default_view where user_id = $1 and view_id = $2", [userId, id]);
}

export async function removeView(client: PoolClient, id: number): Promise<void> {
  await client.query("/* delete-view */ delete from saved_view where id = $1", [id]);
}
