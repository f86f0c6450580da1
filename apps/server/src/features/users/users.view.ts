import type { User } from "@busbar/contract/users.ts";
import type { UserRow } from "./users.store.ts";

/** The only way a row becomes an answer. */
export function presentUser({ customerId: _, customerName: __, mustChangePassword: ___, ...user }: UserRow): User {
  return user;
}

/** What an activity keeps of a user: what a form can change. */
export function describeUser({ roles: _, twoFactorEnrolled: __, revision: ___, administrator: ____, ...user }: User): Partial<User> {
  return user;
}
