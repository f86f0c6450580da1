import { mostUserImportLines, userImportColumns } from "@busbar/contract/access/user-import.ts";
import { NewUserWithoutPassword, userFlags, UserPatch } from "@busbar/contract/access/users.ts";
import { Username } from "@busbar/contract/access/user-rules.ts";
import type { Pool } from "pg";
import * as z from "zod/mini";
import type { Users } from "#features/access/users/users.service.ts";
import type { UsersStore } from "#features/access/users/users.store.ts";
import type { Caller } from "#http/endpoints.ts";
import { conflict, invalid } from "#lib/errors.ts";
import type { Log } from "#lib/log.ts";
import { cellText, checked, createRecordImport, givenChanges } from "#shared/record-import.ts";

export interface UserImportDependencies {
  pool: Pool;
  log: Log;
  store: Pick<UsersStore, "findNamed">;
  users: Pick<Users, "add" | "change">;
}

type Column = keyof typeof userImportColumns;
const fields = (Object.keys(userImportColumns) as Column[]).filter((column) => column !== "username" && column !== "roles");

/** Users from a file, as the list of users exports it. It gives no one a password or a special privilege. */
export function createUserImport({ pool, log, store, users }: UserImportDependencies) {
  return createRecordImport<Column, Caller>(
    { pool, log },
    {
      noun: "user",
      names: userImportColumns,
      key: "username",
      flags: new Set(userFlags.map(({ name }) => name)),
      numbers: new Set(),
      mostLines: mostUserImportLines,

      begin:
        async (client, caller, _lines, afterwards) =>
        async ({ roles = "", ...values }) => {
          const { username } = checked(z.object({ username: Username }), values);
          const { before, isEmailTaken } = await store.findNamed(client, username, String(values.email ?? ""));
          if (sorted(String(roles)) !== "" && sorted(String(roles)) !== sorted((before?.roles ?? []).join(",")))
            throw invalid("roles", "Special privileges are not given or taken by an import");
          // Looked at before it is written: what the database refuses would end the transaction.
          if (isEmailTaken) throw conflict("There is a user with this e-mail already", "email");
          if (!before) {
            await users.add(client, caller, checked(NewUserWithoutPassword, { ...values, username }), null);
            return { name: username, isNew: true, changes: givenChanges(userImportColumns, values) };
          }
          const changed = fields.filter((field) => values[field] !== undefined && values[field] !== before[field]);
          if (changed.length > 0) {
            const patch = checked(UserPatch, Object.fromEntries(changed.map((field) => [field, values[field]])));
            afterwards((await users.change(client, caller, before.id, patch)).forgetSessions);
          }
          return {
            name: username,
            isNew: false,
            changes: changed.map((field) => ({
              column: userImportColumns[field],
              before: cellText(before[field]),
              after: cellText(values[field]),
            })),
          };
        },
    },
  );
}
export type UserImport = ReturnType<typeof createUserImport>;

/** The order of roles means nothing. */
const sorted = (roles: string): string =>
  roles
    .split(",")
    .map((role) => role.trim())
    .filter(Boolean)
    .toSorted()
    .join(",");
