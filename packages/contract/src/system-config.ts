import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { FaultLibraryFlag, defaultFaultLibraryFlags } from "./fault-library.ts";

/** One setting of the application, which may be changed while it runs. */
export interface SystemConfigEntry<Schema extends z.ZodMiniType = z.ZodMiniType> {
  type: "text" | "number" | "flag" | "list";
  /** What a value must be; kept in the database as JSON. */
  schema: Schema;
  default: z.output<Schema>;
  description: string;
  /** Never leaves the server; masked where settings are shown. */
  isSecret: boolean;
  /** Any signed-in administrator may read it; the others need systemAdministrator. */
  isForStaff?: boolean;
}

function entry<Schema extends z.ZodMiniType>(definition: SystemConfigEntry<Schema>): SystemConfigEntry<Schema> {
  return definition;
}

/** Every setting by its name. */
export const systemConfigEntries = {
  Location_faultLibraryAlertDefault: entry({
    type: "list",
    schema: z.array(FaultLibraryFlag).check(
      z.maxLength(100, "There are at most 100 flags"),
      z.refine((flags) => new Set(flags.map(({ name }) => name)).size === flags.length, "Each flag stands once"),
    ),
    default: defaultFaultLibraryFlags,
    description: "Fault-library alerts and whether a new location has them",
    isSecret: false,
    isForStaff: true,
  }),
};
export type SystemConfigEntries = typeof systemConfigEntries;
export type SystemConfigName = keyof SystemConfigEntries;
export type SystemConfigValue<Name extends SystemConfigName> = z.output<SystemConfigEntries[Name]["schema"]>;

export const maskedSecret = "••••••••";

export const getSystemConfigEntry = endpoint({
  versions: ["v1"],
  method: "GET",
  path: "/system/config/{name}",
  access: "staff",
  summary: "One setting; plain staff may read only Location_faultLibraryAlertDefault",
  params: z.object({ name: z.string().check(z.regex(/^[A-Za-z0-9_.-]{1,100}$/, "A setting's name has letters, digits and _ . - only")) }),
  data: z.unknown(),
});
