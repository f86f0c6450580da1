import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { FaultLibraryFlag, defaultFaultLibraryFlags } from "../alarms/fault-library.ts";

/** In the order in which the page shows them. */
export const settingAreas = ["Billing", "Notices", "Alarms", "Metering", "What is kept", "System"] as const;
export type SettingArea = (typeof settingAreas)[number];
/** `cents` are written as dollars, a `share` as percent, `addresses` one a line, `alerts` are switched on and off one by one. */
export type SettingUnit = "cents" | "share" | "percent" | "days" | "per hour" | "addresses" | "alerts";

/** One setting of the application, which may be changed while it runs. */
export interface SystemConfigEntry<Schema extends z.ZodMiniType = z.ZodMiniType> {
  type: "text" | "number" | "flag" | "list";
  /** What a value must be; kept in the database as JSON. */
  schema: Schema;
  default: z.output<Schema>;
  /** What it is in a few words. */
  title: string;
  area: SettingArea;
  /** How people write it; plain as it is kept without one. */
  unit?: SettingUnit;
  description: string;
  /** Never leaves the server; masked where settings are shown. */
  isSecret: boolean;
  /** Any signed-in administrator may read it; the others need systemAdministrator. */
  isForStaff?: boolean;
}

function entry<Schema extends z.ZodMiniType>(definition: SystemConfigEntry<Schema>): SystemConfigEntry<Schema> {
  return definition;
}

const cents = z.int("is a whole number of cents").check(z.minimum(0, "is at least 0"), z.maximum(100_000_000, "is at most 100000000"));
const settingText = (most: number) =>
  z.string("is a text").check(z.maxLength(most, `has at most ${most} characters`), z.regex(/^[^\p{Cc}\p{Cs}]*$/u, "is one line of text"));

const address = z
  .string("Each recipient is an e-mail address")
  .check(z.email("Each recipient is an e-mail address"), z.maxLength(254, "An e-mail address has at most 254 characters"));
const recipients = z.array(address, "is a list in JSON").check(z.maxLength(20, "There are at most 20 recipients"));
const days = (least: number, most: number) =>
  z.int("is a whole number of days").check(z.minimum(least, `is at least ${least} days`), z.maximum(most, `is at most ${most} days`));

/** Every setting by its name. */
export const systemConfigEntries = {
  Location_faultLibraryAlertDefault: entry({
    title: "Alerts of a new location",
    area: "Alarms",
    unit: "alerts",
    type: "list",
    schema: z.array(FaultLibraryFlag, "is a list in JSON").check(
      z.maxLength(100, "There are at most 100 flags"),
      z.refine((flags) => new Set(flags.map(({ name }) => name)).size === flags.length, "Each flag is listed once"),
    ),
    default: defaultFaultLibraryFlags,
    description: "Fault-library alerts and whether a new location has them",
    isSecret: false,
    isForStaff: true,
  }),
  Notices_internalRecipients: entry({
    title: "Recipients of internal notices",
    area: "Notices",
    unit: "addresses",
    type: "list",
    schema: recipients,
    default: [],
    description: "Who gets internal notices: missed data, clocks that drift, files that fail, nodes that connect, services that fail",
    isSecret: false,
  }),
  Billing_defaultOrganization: entry({
    title: "Organization of a new bill",
    area: "Billing",
    type: "text",
    schema: settingText(120),
    default: "none",
    description: "Name of the billing organization that a new bill begins with",
    isSecret: false,
  }),
  Billing_deployedCentsPerYear: entry({
    title: "Rate of a Deployed node, a year",
    area: "Billing",
    unit: "cents",
    type: "number",
    schema: cents,
    default: 180_000,
    description: "Dollars a year for a location whose node is Deployed",
    isSecret: false,
  }),
  Billing_preDeploymentCentsPerYear: entry({
    title: "Rate of a Pre-Deployment node, a year",
    area: "Billing",
    unit: "cents",
    type: "number",
    schema: cents,
    default: 60_000,
    description: "Dollars a year for a location whose node is in Pre-Deployment",
    isSecret: false,
  }),
  Billing_energyCentsPerYear: entry({
    title: "Rate of the energy service, a year",
    area: "Billing",
    unit: "cents",
    type: "number",
    schema: cents,
    default: 24_000,
    description: "Dollars a year that the energy service adds for a Deployed node",
    isSecret: false,
  }),
  Trends_dollarsPerKilowattHour: entry({
    title: "Price of a kilowatt hour",
    area: "Billing",
    type: "number",
    schema: z.number("is a number").check(z.gte(0, "is 0 or more"), z.lte(10, "is at most 10")),
    default: 0,
    description: "Dollars that a kilowatt hour costs, such as 0.125, for the energy per day of a machine; 0: no cost is shown",
    isSecret: false,
  }),
  Billing_noticeRecipients: entry({
    title: "Recipients of billing notices",
    area: "Notices",
    unit: "addresses",
    type: "list",
    schema: recipients,
    default: [],
    description: "Who is notified that a bill can be made; when empty, whoever gets internal notices",
    isSecret: false,
  }),
  Billing_noticeDays: entry({
    title: "Announce a bill before",
    area: "Notices",
    unit: "days",
    type: "number",
    schema: z.int("is a whole number of days").check(z.minimum(0, "is at least 0"), z.maximum(365, "is at most 365")),
    default: 30,
    description: "Days before the end of paid time at which a bill is announced",
    isSecret: false,
  }),
  underloadPercent: entry({
    title: "Underload",
    area: "Alarms",
    unit: "percent",
    type: "number",
    schema: z.number("is a number").check(z.minimum(1, "is at least 1"), z.maximum(95, "is at most 95")),
    default: 40,
    description: "Underload: percent of the full-load current below which a running machine is underloaded",
    isSecret: false,
  }),
  frequentStartsPerHour: entry({
    title: "Frequent starts",
    area: "Alarms",
    unit: "per hour",
    type: "number",
    schema: z.int("is a whole number").check(z.minimum(1, "is at least 1"), z.maximum(120, "is at most 120")),
    default: 6,
    description: "Too many starts per hour: more than so many in an hour",
    isSecret: false,
  }),
  harmonicSignaturePercent: entry({
    title: "Custom harmonic signature",
    area: "Alarms",
    unit: "percent",
    type: "number",
    schema: z.number("is a number").check(z.minimum(0.1, "is at least 0.1"), z.maximum(100, "is at most 100")),
    default: 3,
    description: "Custom harmonic signature: percent of the fundamental current above which each of its frequencies must be",
    isSecret: false,
  }),
  System_debugRecipients: entry({
    title: "Recipients of the debug mail",
    area: "System",
    type: "text",
    schema: z.string("is a text").check(
      z.refine(
        (text) => text === "caller" || text.split(",").every((address) => /^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>"]+$/.test(address.trim())),
        "is e-mail addresses separated by commas, or the word caller",
      ),
      z.maxLength(1_000, "has at most 1000 characters"),
    ),
    default: "caller",
    description: "Who gets the debug mail: e-mail addresses separated by commas, or the word caller for whoever sends it",
    isSecret: false,
  }),
  Billing_vendorName: entry({
    title: "Vendor: name",
    area: "Billing",
    type: "text",
    schema: settingText(80),
    default: "Busbar",
    description: "Who bills: name",
    isSecret: false,
  }),
  Billing_vendorAddressLine1: entry({
    title: "Vendor: street",
    area: "Billing",
    type: "text",
    schema: settingText(80),
    default: "1 Example Street",
    description: "Who bills: street",
    isSecret: false,
  }),
  Billing_vendorCity: entry({
    title: "Vendor: city",
    area: "Billing",
    type: "text",
    schema: settingText(60),
    default: "Anytown",
    description: "Who bills: city",
    isSecret: false,
  }),
  Billing_vendorState: entry({
    title: "Vendor: state",
    area: "Billing",
    type: "text",
    schema: settingText(30),
    default: "ZZ",
    description: "Who bills: state",
    isSecret: false,
  }),
  Billing_vendorZipCode: entry({
    title: "Vendor: ZIP code",
    area: "Billing",
    type: "text",
    schema: settingText(12),
    default: "00000",
    description: "Who bills: ZIP code",
    isSecret: false,
  }),
  Retention_scalarDays: entry({
    title: "Scalars",
    area: "What is kept",
    unit: "days",
    type: "number",
    schema: days(1, 400),
    default: 3,
    description: "Days for which scalars are kept; the environment variable SCALAR_RETENTION_DAYS, where it is set, counts instead",
    isSecret: false,
  }),
  Retention_fileDays: entry({
    title: "Files of nodes",
    area: "What is kept",
    unit: "days",
    type: "number",
    schema: days(7, 3_650),
    default: 90,
    description: "Days for which the nodes' data, one-second, harmonics and external files are kept as they came",
    isSecret: false,
  }),
  Retention_sensorDataDays: entry({
    title: "Sensor data",
    area: "What is kept",
    unit: "days",
    type: "number",
    schema: days(90, 36_500),
    default: 3_650,
    description: "Days for which sensor data is kept; it goes by whole months",
    isSecret: false,
  }),
  Retention_eventDays: entry({
    title: "Events and alarms",
    area: "What is kept",
    unit: "days",
    type: "number",
    schema: days(30, 36_500),
    default: 1_825,
    description: "Days for which events of nodes with their files, and alarms that are over, are kept",
    isSecret: false,
  }),
  Retention_notificationDays: entry({
    title: "Notifications",
    area: "What is kept",
    unit: "days",
    type: "number",
    schema: days(90, 36_500),
    default: 730,
    description: "Days for which notifications are kept after they were written",
    isSecret: false,
  }),
  Retention_activityDays: entry({
    title: "Activities and sign-ins",
    area: "What is kept",
    unit: "days",
    type: "number",
    schema: days(90, 36_500),
    default: 730,
    description: "Days for which activities, sign-ins and their refused tries, and sessions that ended are kept",
    isSecret: false,
  }),
  motorEfficiency: entry({
    title: "Usual efficiency of a motor",
    area: "Metering",
    unit: "share",
    type: "number",
    schema: z.number().check(z.minimum(0.5, "An efficiency is from 0.5 to 1"), z.maximum(1, "An efficiency is from 0.5 to 1")),
    default: 0.93,
    description: "Efficiency of an AC motor whose horse power is not known: shaft power over input power",
    isSecret: false,
  }),
};
export type SystemConfigEntries = typeof systemConfigEntries;
export type SystemConfigName = keyof SystemConfigEntries;
export type SystemConfigValue<Name extends SystemConfigName> = z.output<SystemConfigEntries[Name]["schema"]>;

export const maskedSecret = "••••••••";

export const getSystemConfigEntry = endpoint("GET /api/system/config/{name}", {
  access: "staff",
  summary: "One setting; plain staff may read only Location_faultLibraryAlertDefault",
  params: z.object({ name: z.string().check(z.regex(/^[A-Za-z0-9_.-]{1,100}$/, "A setting's name has letters, digits and _ . - only")) }),
  data: z.unknown(),
});

/** A setting as the page shows it; its value as text: a list is JSON, a flag `true` or `false`, a secret masked. */
export const ShownSetting = z.object({
  value: z.string(),
  type: z.enum(["text", "number", "flag", "list"]),
  description: z.string(),
  isSecret: z.boolean(),
  /** No one has set it. */
  isDefault: z.boolean(),
  /** Grows with every change of any setting; 0 when no one has set this one. */
  revision: z.int(),
});
export type ShownSetting = z.infer<typeof ShownSetting>;

export const getSystemConfig = endpoint("GET /api/system/config", {
  access: "systemAdministrator",
  summary: "All settings by name",
  data: z.record(z.string(), ShownSetting),
});

// SYS-05
export const emptySettingMessage = "Fields cannot be empty";

/** All settings by name, as texts. */
export const SettingTexts = z.record(
  z.string().check(z.regex(/^[A-Za-z]\w{0,99}$/, "A setting's name has letters, digits and _")),
  z.string("A setting's value is sent as text").check(
    z.refine((text) => text.trim() !== "", emptySettingMessage),
    z.maxLength(100_000, "A setting has at most 100000 characters"),
  ),
);
export type SettingTexts = z.infer<typeof SettingTexts>;

export const updateSystemConfig = endpoint("PATCH /api/system/config", {
  access: "systemAdministrator",
  summary: "Change settings; a masked secret that comes back stays as it is",
  changes: ["/system/config"],
  query: z.strictObject({
    /** The highest revision that the sender has seen: what someone else changed since is not changed back. Without it, it is. */
    revision: z.optional(z.pipe(z.string().check(z.regex(/^\d{1,15}$/, "revision is a whole number")), z.transform(Number))),
  }),
  body: SettingTexts,
  data: z.object({ changed: z.array(z.string()) }),
});

export const reloadSystemConfig = endpoint("PATCH /api/system/config/db", {
  access: "systemAdministrator",
  summary: "Read all settings again from the database and say which of them cannot be used",
  changes: ["/system/config"],
  data: z.object({ loaded: z.int(), invalid: z.array(z.string()) }),
});
