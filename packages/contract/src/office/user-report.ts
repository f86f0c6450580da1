import * as z from "zod/mini";
import { preparedEndpoint } from "../endpoint.ts";

const flag = (name: string) =>
  z.pipe(
    z._default(z.enum(["true", "false"], `${name} is true or false`), "false"),
    z.transform((text) => text === "true"),
  );

/** `csvString` has a heading line and `rowCount` users after it. */
export const UserReport = z.object({ csvString: z.string(), rowCount: z.int() });
export type UserReport = z.infer<typeof UserReport>;

export const getUserReport = preparedEndpoint("GET /api/reports/users", {
  access: "accountsAdministrator",
  refusesDemoUsers: true,
  summary: "The users as CSV (RFC 4180), by username; a cell that a spreadsheet would run begins with an apostrophe",
  query: z.strictObject({
    customer_code: z.optional(z.string().check(z.regex(/^[a-z]{2,63}$/, "A customer code is lowercase letters"))),
    include_internal_users: flag("include_internal_users"),
    include_inactive_users: flag("include_inactive_users"),
  }),
  data: UserReport,
});
