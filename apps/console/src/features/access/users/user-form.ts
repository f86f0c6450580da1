import { NewUser, UserPatch, userFlags, type ActiveStatus, type User, type UserFlag } from "@busbar/contract/access/users.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import type { Resolver } from "react-hook-form";
import type * as z from "zod/mini";

/** Everything that both forms hold; the password only when adding. */
export interface UserFormValues extends Record<UserFlag, boolean> {
  username: string;
  firstName: string;
  lastName: string;
  email: string;
  customerCode: string;
  password: string;
  passwordConfirm: string;
  activeStatus: ActiveStatus;
}

// The contract's own schemas: what the form takes, the server takes.
type FormSchema = z.ZodMiniType<UserFormValues, UserFormValues>;
export const newUserResolver: Resolver<UserFormValues> = zodResolver(NewUser as unknown as FormSchema);
export const userPatchResolver: Resolver<UserFormValues> = zodResolver(UserPatch as unknown as FormSchema);

const flagsOf = (value: (name: UserFlag, isOnAtFirst: boolean) => boolean) =>
  Object.fromEntries(userFlags.map(({ name, isOnAtFirst }) => [name, value(name, isOnAtFirst)])) as Record<UserFlag, boolean>;

/** Console-2 section 9: connectivity and fault-library notifications on, everything else off, ACTIVE. */
export const emptyUser = (): UserFormValues => ({
  username: "",
  firstName: "",
  lastName: "",
  email: "",
  customerCode: "",
  password: "",
  passwordConfirm: "",
  activeStatus: "ACTIVE",
  ...flagsOf((_, isOnAtFirst) => isOnAtFirst),
});

export const valuesOf = ({ username, firstName, lastName, email, customerCode, activeStatus, ...user }: User): UserFormValues => ({
  username,
  firstName,
  lastName,
  email,
  customerCode,
  activeStatus,
  password: "",
  passwordConfirm: "",
  ...flagsOf((name) => user[name]),
});

/** What a person changed: the rest stays as it is, whatever became of it meanwhile. */
export function changesOf(user: User, values: UserFormValues): Partial<Omit<UserFormValues, "password" | "passwordConfirm">> {
  const before = valuesOf(user);
  const names = Object.keys(before) as (keyof UserFormValues)[];
  return Object.fromEntries(
    names.filter((name) => !name.startsWith("password") && values[name] !== before[name]).map((name) => [name, values[name]]),
  );
}
