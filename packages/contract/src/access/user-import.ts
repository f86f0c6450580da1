import { importPlanEndpoint, importRunEndpoint } from "../values/import-plan.ts";
import { changedByUser, userFlags, type UserFlag } from "./users.ts";

/** Without the heading. */
export const mostUserImportLines = 5_000;

/** What the columns of an import of users are called: as in the file that the list of users exports. */
export const userImportColumns = {
  username: "Username",
  email: "Email",
  customerCode: "Customer code",
  firstName: "First name",
  lastName: "Last name",
  activeStatus: "Status",
  roles: "Special Privileges",
  ...(Object.fromEntries(userFlags.map(({ name, label }) => [name, label])) as Record<UserFlag, string>),
} as const;

export const planUserImport = importPlanEndpoint("/user-import", "users");
export const runUserImport = importRunEndpoint(
  "/user-import",
  changedByUser,
  ". New users have no password until an administrator sets one",
);
