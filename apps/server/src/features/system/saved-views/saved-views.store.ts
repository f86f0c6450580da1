import { SavedView, type NewView, type ViewList, type ViewPatch } from "@busbar/contract/system/saved-views.ts";
import type { Pool, PoolClient } from "pg";
import { selectList } from "#db/select-list.ts";
import { planned, prepared, type Db } from "#db/statement.ts";
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
  return await prepared<SavedView>(pool, "list-views", [...who(caller), list])`
    select ${columns} from ${source} where v.list = $3 and ${isSeen} order by "isOwn" desc, lower(v.name), v.id`;
}

export async function findView(db: Db, caller: Caller, id: number): Promise<SavedView | undefined> {
  const rows = await planned<SavedView>(db, "find-view", [...who(caller), id])`
    select ${columns} from ${source} where v.id = $3 and ${isSeen}`;
  return rows[0];
}

/** A person's changes of views follow one another. */
export async function lockOwner(client: PoolClient, userId: number): Promise<void> {
  await planned(client, "lock-view-owner", [userId])`select from app_user where id = $1 for no key update`;
}

export async function listOwnViews(client: PoolClient, userId: number, list: ViewList): Promise<{ id: number; name: string }[]> {
  return await planned<{ id: number; name: string }>(client, "list-own-views", [userId, list])`
    select id, name from saved_view where owner_id = $1 and list = $2`;
}

export type LockedView = { list: ViewList; name: string; isOwn: boolean; revision: number };

/** One that the person sees; it stays as it is until the transaction ends. */
export async function lockView(client: PoolClient, userId: number, id: number): Promise<LockedView | undefined> {
  const rows = await planned<LockedView>(client, "lock-view", [userId, id])`
    select v.list, v.name, v.owner_id is not distinct from $1::int as "isOwn", v.revision
    from saved_view v where v.id = $2 and ${isSeen} for update`;
  return rows[0];
}

export async function insertView(client: PoolClient, userId: number, { list, name, isShared, query }: NewView): Promise<number> {
  const rows = await planned<{ id: number }>(client, "insert-view", [userId, list, name, isShared, query])`
    insert into saved_view (owner_id, list, name, is_shared, query) values ($1, $2, $3, $4, $5) returning id`;
  return rows[0]!.id;
}

/** Who had it as their default, and sees it no longer, has none. */
export async function writeView(client: PoolClient, id: number, values: Pick<ViewPatch, "name" | "isShared" | "query">): Promise<void> {
  const rows = await planned<{ ownerId: number; isShared: boolean }>(client, "update-view", [
    id,
    values.name,
    values.isShared,
    values.query,
  ])`
    update saved_view set name = coalesce($2, name), is_shared = coalesce($3, is_shared), query = coalesce($4, query),
    revision = revision + 1 where id = $1 returning owner_id as "ownerId", is_shared as "isShared"`;
  if (rows[0]?.isShared === false)
    await planned(client, "end-defaults", [id, rows[0].ownerId])`delete from default_view where view_id = $1 and user_id <> $2`;
}

export async function writeDefault(
  client: PoolClient,
  userId: number,
  { id, list, isDefault }: { id: number; list: ViewList; isDefault: boolean },
): Promise<void> {
  if (isDefault)
    await planned(client, "set-default-view", [userId, list, id])`insert into default_view (user_id, list, view_id) values ($1, $2, $3)
      on conflict (user_id, list) do update set view_id = excluded.view_id`;
  else await planned(client, "end-default-view", [userId, id])`delete from default_view where user_id = $1 and view_id = $2`;
}

export async function removeView(client: PoolClient, id: number): Promise<void> {
  await planned(client, "delete-view", [id])`delete from saved_view where id = $1`;
}
