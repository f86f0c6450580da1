import { userOwnFields, type NewUser, type NewUserWithoutPassword, type UserPatch } from "@busbar/contract/access/users.ts";
import type { Pool, PoolClient } from "pg";
import { inTransaction } from "#db/transaction.ts";
import { forgetWrongTries } from "#shared/wrong-tries.store.ts";
import type { SessionService } from "#features/access/session/session.service.ts";
import type { UserKeysStore } from "#features/access/user-keys/user-keys.store.ts";
import type { TwoFactor } from "#features/access/two-factor/two-factor.service.ts";
import type { Caller } from "#http/endpoints.ts";
import { conflict, forbidden, invalid } from "#lib/errors.ts";
import { refuseOtherValues } from "#lib/own-fields.ts";
import { passwordProblem } from "#lib/account-rules.ts";
import { hashPassword } from "#lib/passwords.ts";
import { changedFields, changedMeanwhile } from "#lib/changed-meanwhile.ts";
import { readChangesSince } from "#shared/recorded-changes.store.ts";
import { recordActivity, userObject } from "#shared/activities.store.ts";
import type { UserGuard } from "./user-guard.ts";
import type { UserNotices } from "./user-notices.ts";
import { isWritable, type UserFields, type UserRow, type UsersStore } from "./users.store.ts";
import { describeUser, presentUser } from "./users.view.ts";

export interface UsersDependencies {
  pool: Pool;
  store: UsersStore;
  guard: UserGuard;
  keys: Pick<UserKeysStore, "revokeKeysOf">;
  sessions: Pick<SessionService, "endAllOf">;
  twoFactor: Pick<TwoFactor, "usePasscode">;
  notices: UserNotices;
}

export function createUsers({ pool, store, guard, keys, sessions, twoFactor, notices }: UsersDependencies) {
  async function create(caller: Caller, request: NewUser): Promise<UserRow> {
    const { password, passwordConfirm: _, customerCode, ...rest } = request;
    refusePassword("password", password, { ...rest, customerCode, administrator: false });
    const passwordHash = await hashPassword(password);
    return await inTransaction(pool, (client) => add(client, caller, { ...rest, customerCode }, passwordHash));
  }

  /** @param passwordHash null for someone who cannot sign in before a password is set */
  async function add(
    client: PoolClient,
    caller: Caller,
    { customerCode, ...fields }: NewUserWithoutPassword,
    passwordHash: string | null,
  ): Promise<UserRow> {
    const customerId = await findCustomer(client, customerCode);
    const newId = await refuseDuplicates(() => store.insert(client, { ...fields, customerId }, passwordHash));
    const user = await guard.lock(client, caller, newId);
    await recordActivity(client, {
      actorType: "User",
      actor: caller.username,
      action: "POST_USER",
      object: userObject(newId),
      description: `Added user ${user.username} of ${customerCode}`,
      after: describeUser(presentUser(user)),
    });
    return user;
  }

  async function update(caller: Caller, id: number, patch: UserPatch): Promise<UserRow> {
    const { user, forgetSessions } = await inTransaction(pool, (client) => change(client, caller, id, patch));
    forgetSessions();
    return user;
  }

  /** @returns what is to be done once it is committed */
  async function change(
    client: PoolClient,
    caller: Caller,
    id: number,
    patch: UserPatch,
  ): Promise<{ user: UserRow; forgetSessions: () => void }> {
    let forgetSessions = () => {};
    // Before the user's own row, always in this order, so that two of them cannot wait for each other.
    const mayTakeControl = patch.activeStatus === "SUSPENDED" || patch.demoUser === true;
    const systemAdministrators = mayTakeControl ? await store.lockSystemAdministrators(client) : [];
    const before = await guard.lock(client, caller, id);
    refuseOtherValues({ ...before, roles: sameRoles(before.roles, patch.roles) }, patch, userOwnFields);
    const isSuspended = before.activeStatus === "ACTIVE" && patch.activeStatus === "SUSPENDED";
    if (isSuspended) refuseLosingControl(caller, before, systemAdministrators, "suspend");
    if (patch.demoUser === true && !before.demoUser) refuseLosingControl(caller, before, systemAdministrators, "make a demo user of");
    const { customerCode } = patch;
    const changes = differing(patch, before);
    if (customerCode !== undefined && customerCode !== before.customerCode)
      changes.customerId = await customerFor(client, before, customerCode);
    // Whoever saves what is there already must not send away others who are editing.
    if (Object.keys(changes).length === 0) return { user: before, forgetSessions };
    if (patch.revision !== undefined && patch.revision !== before.revision) {
      const recorded = await readChangesSince(client, userObject(id), patch.revision);
      const fields = changedFields({ ...before }, { ...patch, revision: undefined });
      const refusal = changedMeanwhile(`user ${before.username}`, fields, recorded, patch.revision);
      if (refusal) throw refusal;
    }
    await refuseDuplicates(() => store.update(client, id, changes));
    // A program that knows a key reads its owner's customer: it must not follow the owner to another one.
    const revoked = changes.customerId === undefined ? [] : await keys.revokeKeysOf(client, id);
    if (isSuspended) forgetSessions = await sessions.endAllOf(client, id, "suspended");
    const after = await guard.lock(client, caller, id);
    await recordActivity(client, {
      actorType: "User",
      actor: caller.username,
      action: "PATCH_USER",
      object: userObject(id),
      description: `${isSuspended ? "Suspended" : "Changed"} user ${after.username}${revoked.length === 0 ? "" : `; revoked the keys ${revoked.join(", ")}`}`,
      before: describeUser(presentUser(before)),
      after: describeUser(presentUser(after)),
    });
    return { user: after, forgetSessions };
  }

  async function remove(caller: Caller, id: number, code: string): Promise<void> {
    // Everything that can be refused first: a code spent is spent.
    await inTransaction(pool, (client) => lockForRemoval(client, caller, id));
    await twoFactor.usePasscode(caller, code);
    const forgetSessions = await inTransaction(pool, async (client) => {
      const user = await lockForRemoval(client, caller, id);
      const forget = await sessions.endAllOf(client, id, "deleted");
      await store.delete(client, id);
      await recordActivity(client, {
        actorType: "User",
        actor: caller.username,
        action: "DELETE_USER",
        object: userObject(id),
        description: `Deleted user ${user.username}`,
        before: describeUser(presentUser(user)),
      });
      return forget;
    });
    forgetSessions();
  }

  async function lockForRemoval(client: PoolClient, caller: Caller, id: number): Promise<UserRow> {
    const systemAdministrators = await store.lockSystemAdministrators(client);
    const user = await guard.lock(client, caller, id);
    refuseLosingControl(caller, user, systemAdministrators, "delete");
    return user;
  }

  /** USR-05 */
  async function setPassword(caller: Caller, id: number, password: string): Promise<void> {
    // Or a stolen session would be enough to take its owner's account for good.
    if (id === caller.userId)
      throw forbidden("Change your own password where your present one is asked: click your name at the top right, then Security");
    const known = await guard.find(id);
    refusePassword("newPassword", password, known);
    const passwordHash = await hashPassword(password);
    const forgetSessions = await inTransaction(pool, async (client) => {
      const user = await guard.lock(client, caller, id);
      refusePassword("newPassword", password, user);
      await store.updatePassword(client, id, passwordHash, true);
      await forgetWrongTries(client, id);
      await notices.passwordChanged(client, user, true);
      await recordActivity(client, {
        actorType: "User",
        actor: caller.username,
        action: "PATCH_USER_PASSWORD",
        object: userObject(id),
        description: `Set a new password for ${user.username}`,
      });
      return await sessions.endAllOf(client, id, "password changed");
    });
    forgetSessions();
  }

  async function findCustomer(client: PoolClient, code: string): Promise<number> {
    const customerId = await store.findCustomerId(client, code);
    if (customerId === undefined) throw invalid("customerCode", `there is no customer with the code ${code}`);
    return customerId;
  }

  async function customerFor(client: PoolClient, user: UserRow, code: string): Promise<number | null> {
    if (code !== "") return await findCustomer(client, code);
    if (user.administrator) return null;
    throw invalid("customerCode", "a user belongs to a customer");
  }

  return {
    create,
    update,
    /** The same within a transaction of someone else. */
    add,
    change,
    remove,
    setPassword,
    async signIns(id: number) {
      await guard.find(id);
      return await store.findSignIns(id, shownSignIns);
    },
  };
}
export type Users = ReturnType<typeof createUsers>;

const shownSignIns = 200;

/** The order of roles means nothing. */
function sameRoles(roles: string[], given: string[] | undefined): string[] {
  return given?.length === roles.length && given.every((role) => roles.includes(role)) ? given : roles;
}

function refuseLosingControl(caller: Caller, user: UserRow, systemAdministrators: readonly number[], verb: keyof typeof lost): void {
  if (user.id === caller.userId) throw forbidden(`You cannot ${verb} yourself`);
  if (systemAdministrators.length === 1 && systemAdministrators[0] === user.id)
    throw conflict(`${user.username} is the last systemAdministrator and cannot be ${lost[verb]}`);
}

function refusePassword(
  field: string,
  password: string,
  user: Pick<UserRow, "username" | "firstName" | "lastName" | "email" | "administrator"> & { customerCode?: string; customerName?: string },
): void {
  const { username, firstName, lastName, email, customerCode = "", customerName = "" } = user;
  const problem = passwordProblem(password, {
    isAdministrator: user.administrator,
    context: [username, firstName, lastName, email, customerCode, customerName],
  });
  if (problem !== undefined) throw invalid(field, problem);
}

const lost = { suspend: "suspended", delete: "deleted", "make a demo user of": "made a demo user" };

const uniqueViolation = "23505";

async function refuseDuplicates<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code !== uniqueViolation) throw error;
    throw constraint === "app_user_email"
      ? conflict("There is a user with this e-mail already", "email")
      : conflict("There is a user with this username already", "username");
  }
}

/** Only what was given and is not so already. */
function differing(patch: UserPatch, before: UserRow): Partial<UserFields> {
  return Object.fromEntries(
    Object.entries(patch).filter(([name, value]) => isWritable(name) && value !== undefined && value !== before[name]),
  );
}
