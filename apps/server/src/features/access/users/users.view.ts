import type { User } from "@busbar/contract/access/users.ts";
import type { UserRow } from "./users.store.ts";

/** The only way a row becomes an answer. */
export function presentUser(row: UserRow): User {
  const { customerId: _id, customerName: _name, mustChangePassword: _must, ...user } = row;
  return user;
}

/** What an activity keeps of a user: what a form can change, and by its revision when. */
export function describeUser(user: User): Partial<User> {
  const { roles: _roles, twoFactorEnrolled: _factor, administrator: _administrator, hasPassword: _password, ...described } = user;
  return described;
}
