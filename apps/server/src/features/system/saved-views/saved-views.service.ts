import { mostOwnViews, type NewView, type SavedView, type ViewList, type ViewPatch } from "@busbar/contract/system/saved-views.ts";
import type { Pool, PoolClient } from "pg";
import { inTransaction } from "#db/transaction.ts";
import type { Caller } from "#http/endpoints.ts";
import { conflict, forbidden, gone } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import {
  findView,
  findViews,
  insertView,
  listOwnViews,
  lockOwner,
  lockView,
  removeView,
  writeDefault,
  writeView,
} from "./saved-views.store.ts";

const viewIsGone = () => gone(say`This view`, "it is no longer shared");
const isTaken = () => conflict(say`You have a view of this name already`, "name");
const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** How people look at the lists of the console: each changes only what is theirs. */
export function createSavedViews(pool: Pool) {
  const shown = (client: PoolClient, caller: Caller, id: number): Promise<SavedView> =>
    findView(client, caller, id).then((view) => {
      if (!view) throw viewIsGone();
      return view;
    });
  return {
    list: (caller: Caller, list: ViewList): Promise<SavedView[]> => findViews(pool, caller, list),

    async create(caller: Caller, values: NewView): Promise<SavedView> {
      return await inTransaction(pool, async (client) => {
        await lockOwner(client, caller.userId);
        const own = await listOwnViews(client, caller.userId, values.list);
        if (own.some(({ name }) => isSame(name, values.name))) throw isTaken();
        if (own.length >= mostOwnViews) throw conflict(say`You have ${mostOwnViews} views of this list. Delete one first`);
        return await shown(client, caller, await insertView(client, caller.userId, values));
      });
    },

    async update(caller: Caller, id: number, { isDefault, revision, ...values }: ViewPatch): Promise<SavedView> {
      return await inTransaction(pool, async (client) => {
        await lockOwner(client, caller.userId);
        const view = await lockView(client, caller.userId, id);
        if (!view) throw viewIsGone();
        if (Object.keys(values).length > 0) {
          if (!view.isOwn) throw forbidden(say`Only its owner may change this view. Save it under a name of your own`);
          if (revision !== undefined && revision !== view.revision)
            throw conflict(say`This view was changed meanwhile. Open it again and repeat your change`);
          const own = await listOwnViews(client, caller.userId, view.list);
          if (own.some((other) => other.id !== id && isSame(other.name, values.name ?? view.name))) throw isTaken();
          await writeView(client, id, values);
        }
        if (isDefault !== undefined) await writeDefault(client, caller.userId, { id, list: view.list, isDefault });
        return await shown(client, caller, id);
      });
    },

    async delete(caller: Caller, id: number): Promise<{ id: number }> {
      return await inTransaction(pool, async (client) => {
        const view = await lockView(client, caller.userId, id);
        if (!view) throw viewIsGone();
        if (!(await shown(client, caller, id)).mayDelete) throw forbidden(say`Only its owner may delete this view`);
        await removeView(client, id);
        return { id };
      });
    },
  };
}
export type SavedViews = ReturnType<typeof createSavedViews>;
