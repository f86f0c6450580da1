import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import type { StaffRole } from "../values/option-lists.ts";

interface Kind {
  label: string;
  actions: readonly string[];
  /** Listed only when it is asked for. */
  isAside?: true;
  /** Who may see the values. */
  role?: StaffRole;
}

/** Every action that is recorded, by what it concerns. */
export const changeKinds = {
  nodes: {
    label: "Nodes",
    actions: ["POST_NODE", "PATCH_NODE", "NODE_STATUS_CHANGED", "POST_DECOMMISSIONED_NODE", "DELETE_DECOMMISSIONED_NODE", "RESET_METERING"],
  },
  nodeCredentials: { label: "Node credentials", actions: ["POST_NODE_CREDENTIALS", "REVOKE_NODE_CREDENTIALS"] },
  swaps: { label: "Swapped nodes", actions: ["SWAP_NODE"] },
  nodeConfig: { label: "Node configuration", actions: ["PATCH_NODE_CONFIG"] },
  batches: {
    label: "Batches",
    actions: ["START_BATCH", "PAUSE_BATCH", "RESUME_BATCH", "CANCEL_BATCH", "STOP_BATCH", "END_BATCH"],
  },
  bulkChanges: { label: "Bulk changes", actions: ["BULK_CHANGE", "UNDO_BULK_CHANGE"] },
  tasks: { label: "Deployment tasks", actions: ["PATCH_TASK", "ADD_TASK_PHOTO", "DELETE_TASK_PHOTO"] },
  customers: { label: "Customers", actions: ["POST_CUSTOMER", "PATCH_CUSTOMER", "DELETE_CUSTOMER"] },
  facilities: {
    label: "Facilities",
    actions: ["POST_FACILITY", "PATCH_FACILITY", "PATCH_FACILITY_MANAGERS", "MOVE_FACILITY", "DELETE_FACILITY"],
  },
  locations: { label: "Locations", actions: ["POST_LOCATION", "PATCH_LOCATION", "MOVE_LOCATION", "DELETE_LOCATION"] },
  notes: { label: "Notes", actions: ["POST_NOTE", "PATCH_NOTE", "ARCHIVE_NOTE", "UNARCHIVE_NOTE"] },
  incidents: { label: "Incidents", actions: ["PATCH_INCIDENT", "POST_INCIDENT_NOTE"] },
  mutes: { label: "Mutes", actions: ["POST_MUTE", "DELETE_MUTE"] },
  imports: { label: "Imports", actions: ["IMPORT_PLACES"] },
  users: {
    label: "Users",
    actions: [
      "POST_USER",
      "PATCH_USER",
      "DELETE_USER",
      "PATCH_USER_PASSWORD",
      "PATCH_OWN_PASSWORD",
      "POST_ACCOUNT_NOTIFICATION",
      "POST_API_KEY",
      "DELETE_API_KEY",
      "POST_ACCESS_KEY",
      "DELETE_ACCESS_KEY",
      "ENROL_TWO_FACTOR",
      "RESET_TWO_FACTOR",
      "REPLACE_RECOVERY_CODES",
    ],
  },
  subscriptions: { label: "Subscriptions", actions: ["PATCH_SUBSCRIPTIONS"] },
  bills: { label: "Bills", actions: ["POST_BILL", "VOID_BILL", "PATCH_BILLING_ORGANIZATION"], role: "accountsAdministrator" },
  settings: { label: "Settings", actions: ["PATCH_SYSTEM_CONFIG"], role: "systemAdministrator" },
  services: {
    label: "Services and messages",
    actions: ["SERVICE_ENABLE", "SERVICE_DISABLE", "SERVICE_RUN", "SEND_DEBUG", "POST_SYSTEM_MESSAGE", "MUTE_SYSTEM_MESSAGE"],
  },
  downloads: { label: "Downloads", actions: ["DOWNLOAD_FILES", "REQUEST_HARMONICS", "DELETE_DOWNLOAD", "REQUEST_FILES"] },
  signIns: {
    label: "Sign-ins",
    actions: [
      "LOGIN",
      "LOGIN_FAILED",
      "LOGOUT",
      "SESSION_REFRESH",
      "SESSION_REUSED",
      "END_SESSION",
      "USE_RECOVERY_CODE",
      "PASSCODE_LOCKED",
    ],
    isAside: true,
  },
  connections: { label: "Connections of nodes", actions: ["NODE_BIRTH", "NODE_DEATH", "NODE_REBIRTH_REQUESTED"], isAside: true },
  verdicts: { label: "Verdicts of nodes", actions: ["NODE_VERDICT_CHANGED"], isAside: true },
  files: {
    label: "Files and events of nodes",
    actions: ["POST_NODE_FILE", "POST_CUSTOMER_GP_EVENT", "POST_CUSTOMER_GP_WAVEFORM", "EXTRACT_FILE"],
    isAside: true,
  },
} as const satisfies Record<string, Kind>;

export type ChangeKind = keyof typeof changeKinds;
export type ActivityAction = (typeof changeKinds)[ChangeKind]["actions"][number];

export const changeKindNames = Object.keys(changeKinds) as ChangeKind[];
const kinds: Readonly<Record<ChangeKind, Kind>> = changeKinds;

/** Listed only when they are asked for. */
export const asideKinds = changeKindNames.filter((name) => kinds[name].isAside);

/** Of a kind, or of all that is listed unasked. */
export const actionsOf = (kind: ChangeKind | undefined): readonly string[] =>
  kind === undefined ? changeKindNames.flatMap((name) => (asideKinds.includes(name) ? [] : kinds[name].actions)) : kinds[kind].actions;

export const allActions = changeKindNames.flatMap((name): readonly ActivityAction[] => changeKinds[name].actions);

const roles = new Map(changeKindNames.flatMap((name) => kinds[name].actions.map((action) => [action, kinds[name].role])));

/** Who may see the values that an action changed; undefined when everyone on the staff may. */
export const roleForValues = (action: string): StaffRole | undefined => roles.get(action);

const RecordedValues = z.nullable(z.record(z.string(), z.unknown()));

/** What someone changed, with the values that differ. */
export const Change = z.object({
  id: z.int(),
  timestamp: EpochSeconds,
  actorType: z.string(),
  actor: z.string(),
  action: z.string(),
  /** Its kind and number, such as `node/10604`. */
  object: z.string(),
  /** Of a note its place, such as `location/7`; of a deployment task its number, such as `task/12`; else null. */
  within: z.nullable(z.string()),
  description: z.string(),
  /** By name; null where nothing was recorded, where there was nothing yet, or where the reader lacks the role. */
  before: RecordedValues,
  after: RecordedValues,
});
export type Change = z.infer<typeof Change>;

export const changesPerPage = 25;
export const maxChangesPerPage = 1_000;

const seconds = (name: string) =>
  z.optional(z.pipe(z.string().check(z.regex(/^\d{1,11}$/, `${name} is a time in seconds since 1970`)), z.transform(Number)));

export const getChanges = endpoint("GET /api/changes", {
  access: "staff",
  summary: "What was changed, newest first, with old and new values; sign-ins, connections and files only when their kind is asked for",
  query: z.strictObject({
    kind: z.optional(z.enum(changeKindNames, `kind is one of ${changeKindNames.join(", ")}`)),
    action: z.optional(z.enum(allActions, "action is the name of an action, such as PATCH_NODE")),
    /** Who did it. */
    actor: z.optional(z.string().check(z.regex(/^\P{Cc}{1,64}$/u, "actor has 1 to 64 characters"))),
    object: z.optional(
      z
        .string()
        .check(
          z.regex(
            /^(node|user|location|facility|customer|note|incident|batch|bulk)\/\d{1,15}$/,
            "object is a kind and a number, such as node/10604",
          ),
        ),
    ),
    /** From this time on, and before that one. */
    from: seconds("from"),
    to: seconds("to"),
    /** Only those older than the one with this id. */
    before: z.optional(z.pipe(z.string().check(z.regex(/^[1-9]\d{0,14}$/, "before is the id of a change")), z.transform(Number))),
    limit: z.optional(
      z.pipe(
        z
          .string()
          .check(
            z.refine(
              (text) => /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= maxChangesPerPage,
              `limit is a whole number from 1 to ${maxChangesPerPage}`,
            ),
          ),
        z.transform(Number),
      ),
    ),
  }),
  data: z.array(Change),
});

export const getChangePeople = endpoint("GET /api/changes/people", {
  access: "staff",
  summary: "Who changed something, by name",
  data: z.array(z.object({ actor: z.string() })),
});
