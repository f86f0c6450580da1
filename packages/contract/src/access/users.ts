import * as z from "zod/mini";
import { endpoint, preparedEndpoint } from "../endpoint.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { Passcode } from "./passcode.ts";
import { EntityId } from "../values/entity-id.ts";
import { alwaysEmpty, noneYet, ownFields } from "../values/own-fields.ts";
import { ExpectedRevision } from "../values/revision.ts";
import { EmailAddress, NewPassword, PasswordConfirm, Username, passwordsDiffer, personName } from "./user-rules.ts";

export const activeStatuses = ["ACTIVE", "SUSPENDED"] as const;
export type ActiveStatus = (typeof activeStatuses)[number];

/** What a user may be sent and may see: name on the wire, label on the form, value of a new user (console-2 section 9). */
export const userFlags = [
  { name: "receiveDailyReport", label: "Receive Daily Report", isOnAtFirst: false, help: "" },
  { name: "accessAnalytics", label: "Access Analytics", isOnAtFirst: false, help: "Shows an analytics link on the portfolio page" },
  {
    name: "analyticsEarlyAccess",
    label: "Analytics Early Access",
    isOnAtFirst: false,
    help: "Early access to new analytics functionality",
  },
  { name: "demoUser", label: "Demo User", isOnAtFirst: false, help: "Customer-specific data is redacted for this user" },
  { name: "internalUser", label: "Internal User", isOnAtFirst: false, help: "On the BCC line of customer notifications; others are on TO" },
  {
    name: "receiveConnectivityNotifications",
    label: "Receive Connectivity Notifications",
    isOnAtFirst: true,
    help: "Only of subscribed facilities",
  },
  {
    name: "receiveFaultLibraryNotifications",
    label: "Receive Fault Library Notifications",
    isOnAtFirst: true,
    help: "Only of subscribed facilities",
  },
  {
    name: "autoSubscribeAllFacilities",
    label: "Auto Subscribe All Facilities",
    isOnAtFirst: false,
    help: "Subscribes the user to all of the customer's facilities",
  },
] as const;
export type UserFlag = (typeof userFlags)[number]["name"];

export const User = z.object({
  id: z.int(),
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  /** Empty for staff, who belong to no customer. */
  customerCode: z.string(),
  receiveDailyReport: z.boolean(),
  accessAnalytics: z.boolean(),
  analyticsEarlyAccess: z.boolean(),
  demoUser: z.boolean(),
  internalUser: z.boolean(),
  receiveConnectivityNotifications: z.boolean(),
  receiveFaultLibraryNotifications: z.boolean(),
  autoSubscribeAllFacilities: z.boolean(),
  activeStatus: z.enum(activeStatuses),
  roles: z.array(z.string()),
  /** May sign in to this console. */
  administrator: z.boolean(),
  twoFactorEnrolled: z.boolean(),
  /** Without one the user cannot sign in: an administrator sets it. */
  hasPassword: z.boolean(),
  /** Goes up with every change; sent back, it ensures that no one else changed the user meanwhile. */
  revision: z.int(),
});
export type User = z.infer<typeof User>;

const CustomerCode = z.string("Customer is required").check(z.maxLength(64, "Customer code has at most 64 characters"));
const flag = (name: string) => z.boolean(`${name} is true or false`);
const flagsOf = (make: (name: UserFlag, isOnAtFirst: boolean) => z.ZodMiniType<boolean | undefined>) =>
  Object.fromEntries(userFlags.map(({ name, isOnAtFirst }) => [name, make(name, isOnAtFirst)]));

/** See `ownFields`. */
export const userOwnFields = {
  id: z.int("id is a whole number"),
  roles: z.array(z.string(), "roles is a list of texts").check(z.maxLength(20, "roles has at most 20 entries")),
  administrator: flag("administrator"),
  twoFactorEnrolled: flag("twoFactorEnrolled"),
  hasPassword: flag("hasPassword"),
};
/** What a console makes of the code: nothing that could be written. */
const derivedName = z.optional(z.string("customerName is a text"));

const person = {
  username: Username,
  firstName: personName("First name"),
  lastName: personName("Last name"),
  email: EmailAddress,
  customerCode: CustomerCode,
};

type DefaultFlags = Record<UserFlag, z.ZodMiniDefault<z.ZodMiniBoolean>>;
type OptionalFlags = Record<UserFlag, z.ZodMiniOptional<z.ZodMiniBoolean>>;

const newUserFields = {
  ...person,
  customerCode: CustomerCode.check(z.minLength(1, "Customer is required")),
  ...(flagsOf((name, isOnAtFirst) => z._default(flag(name), isOnAtFirst)) as DefaultFlags),
  activeStatus: z._default(z.literal("ACTIVE", "A new user is ACTIVE"), "ACTIVE"),
};

/** One who cannot sign in before an administrator has set a password. */
export const NewUserWithoutPassword = z.strictObject(newUserFields);
export type NewUserWithoutPassword = z.output<typeof NewUserWithoutPassword>;

export const NewUser = z
  .strictObject({
    ...newUserFields,
    password: NewPassword,
    passwordConfirm: z.optional(PasswordConfirm),
    customerName: derivedName,
    id: noneYet("id"),
    roles: z.optional(z.array(z.string(), "roles is a list of texts").check(z.maxLength(0, "special privileges cannot be given here"))),
    administrator: z.optional(z.literal(false, "a user of a customer is no administrator")),
    twoFactorEnrolled: z.optional(z.literal(false, "a new user has no second factor")),
    hasPassword: z.optional(z.literal(true, "a new user has a password")),
  })
  .check(
    z.refine((user) => user.passwordConfirm === undefined || user.passwordConfirm === user.password, {
      error: passwordsDiffer,
      path: ["passwordConfirm"],
      // Also while other fields are still wrong.
      when: ({ value }) => typeof value === "object" && value !== null,
    }),
  );
export type NewUser = z.output<typeof NewUser>;

const passwordElsewhere = "a password is set with PATCH /users/{id}/admin/password";

/** What is absent stays as it is. */
export const UserPatch = z.strictObject({
  ...(Object.fromEntries(Object.entries(person).map(([name, schema]) => [name, z.optional(schema)])) as {
    [Name in keyof typeof person]: z.ZodMiniOptional<(typeof person)[Name]>;
  }),
  ...(flagsOf((name) => z.optional(flag(name))) as OptionalFlags),
  activeStatus: z.optional(z.enum(activeStatuses, "activeStatus is ACTIVE or SUSPENDED")),
  revision: ExpectedRevision,
  password: alwaysEmpty(passwordElsewhere),
  passwordConfirm: alwaysEmpty(passwordElsewhere),
  ...ownFields(userOwnFields),
  customerName: derivedName,
});
export type UserPatch = z.output<typeof UserPatch>;

export const LoginSession = z.object({ timestamp: EpochSeconds, administrator: z.boolean() });
export type LoginSession = z.infer<typeof LoginSession>;

const byId = z.object({ id: EntityId });

export const getUsers = preparedEndpoint("GET /api/users", {
  access: "staff",
  summary: "All users, by username",
  data: z.array(User),
});

/** Lists of people, and who is notified of what. */
export const changedByUser = [
  "/users",
  "/users/{id}/subscriptions",
  "/facilities/{id}/subscriptions",
  "/facilities/{id}/overview",
] as const;

export const createUser = endpoint("POST /api/users", {
  access: "staff",
  summary: "Add a user of a customer",
  changes: changedByUser,
  body: NewUser,
  data: User,
});

export const updateUser = endpoint("PATCH /api/users/{id}", {
  access: "staff",
  summary: "Change a user; suspending ends the user's sessions at once",
  changes: changedByUser,
  params: byId,
  body: UserPatch,
  data: User,
});

export const deleteUser = endpoint("DELETE /api/users/{id}/2fa/{code}", {
  access: "staff",
  summary: "Delete a user, confirmed by a 2FA code",
  changes: changedByUser,
  params: z.object({ id: EntityId, code: Passcode }),
  data: z.object({ deleted: z.literal(true) }),
});

export const getUserSessions = endpoint("GET /api/users/{id}/sessions", {
  access: "staff",
  summary: "Sign-ins of a user, newest first, the latest 200",
  params: byId,
  data: z.array(LoginSession),
});

export const setUserPassword = endpoint("PATCH /api/users/{id}/admin/password", {
  access: "staff",
  summary: "Set a user's password; ends the user's sessions",
  params: byId,
  body: z.strictObject({ newPassword: NewPassword }),
  data: z.object({ changed: z.literal(true) }),
});

export const sendWelcomeEmail = endpoint("POST /api/users/{id}/accountnotification", {
  access: "staff",
  summary: "Send the welcome e-mail; a success means that the mail server took it",
  params: byId,
  data: z.object({ sent: z.literal(true), timestamp: EpochSeconds }),
});

export const getUserAnalyticsUrl = endpoint("GET /api/v2/users/{id}/url/analytics", {
  access: "staff",
  summary: "Address of the analytics of a user",
  params: byId,
  data: z.string(),
});

export const resetUserTwoFactor = endpoint("DELETE /api/users/{id}/secondfactor/2fa/{code}", {
  access: "systemAdministrator",
  summary: "Take away a user's second factor, confirmed by the caller's own 2FA code; ends the user's sessions",
  changes: ["/users"],
  params: z.object({ id: EntityId, code: Passcode }),
  data: z.object({ reset: z.literal(true) }),
});
