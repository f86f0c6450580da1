import type { User } from "@busbar/contract/users.ts";
import type { UserRow } from "./users.store.ts";

/** The only way a row becomes an answer. */
export function presentUser(row: UserRow): User {
  const { customerId, customerName, mustChangePassword, ...user } = row;
  return user;
}

/** What an activity keeps of a user: what a form can change. */
export function describeUser(user: User): Partial<User> {
  const { roles, twoFactorEnrolled, revision, administrator, ...described } = user;
  return described;
}
