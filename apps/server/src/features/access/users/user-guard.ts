import type { PoolClient } from "pg";
import type { Caller } from "#http/endpoints.ts";
import { forbidden, notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import type { UserRow, UsersStore } from "./users.store.ts";

export type TargetUser = UserRow;

/** Who may do what to whom: an administrator's account is changed by a systemAdministrator only, or staff could take it over. */
export function createUserGuard(store: UsersStore) {
  return {
    /** @throws AppError 404 */
    async find(id: number): Promise<TargetUser> {
      const user = await store.find(id);
      if (!user) throw notFound(say`User`);
      return user;
    },

    /** The user, locked, when the caller may change them. @throws AppError 404, 403 */
    async lock(client: PoolClient, caller: Caller, id: number): Promise<TargetUser> {
      const user = await store.lock(client, id);
      if (!user) throw notFound(say`User`);
      if (user.administrator && !caller.roles.includes("systemAdministrator"))
        throw forbidden(`${user.username} is an administrator; changing that account needs the role systemAdministrator`);
      return user;
    },
  };
}
export type UserGuard = ReturnType<typeof createUserGuard>;
