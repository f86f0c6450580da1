import { bulkFieldLabels, bulkLocationFields, bulkNodeFields, type BulkKind } from "@busbar/contract/directory/bulk-changes.ts";
import type { FaultLibraryFlag } from "@busbar/contract/alarms/fault-library.ts";
import { WiringReason } from "@busbar/contract/directory/nodes.ts";
import type { MoveTarget } from "@busbar/contract/directory/locations.ts";
import { nodeFlagNames, nodeThresholdNames } from "@busbar/contract/directory/node-fields.ts";
import {
  deploymentTaskTypeLabels,
  deploymentTaskTypes,
  requestableDeploymentStatuses,
  subscriptionFrequencies,
  timezones,
  type SubscriptionFrequency,
} from "@busbar/contract/values/option-lists.ts";
import { readPlainNumber } from "@busbar/contract/values/plain-number.ts";
import * as z from "zod/mini";
import type { BulkOrderInput } from "./bulk-changes.queries.ts";

interface Choice {
  value: string;
  label: string;
}

/** A field that many can have the same of. */
export interface BulkField {
  name: string;
  label: string;
  group: string;
  schema: z.ZodMiniType;
  /** Where it is one of a few. */
  choices?: readonly Choice[];
  unit?: string;
  help?: string;
  /** What is typed or chosen as the wire has it. */
  read: (text: string) => unknown;
}

const asTyped = (text: string) => text;
const yesOrNo: readonly Choice[] = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
];
const none = "none";

/** What each field is beside its label and its rule. */
function partsOf(name: string, { _zod }: z.ZodMiniType): Pick<BulkField, "group" | "read"> & Partial<BulkField> {
  const group = groupOf(name);
  if (name === "dataPointInterval") return { group, read: readPlainNumber, unit: "s", help: "Seconds, at least 60" };
  if (name === "newDeploymentStatus") {
    const help = "From the next midnight of each node's place on";
    return { group, read: asTyped, help, choices: requestableDeploymentStatuses.map((value) => ({ value, label: value })) };
  }
  if (name === "deploymentTaskType") {
    const types = deploymentTaskTypes.map((value) => ({ value, label: `${value} (${deploymentTaskTypeLabels[value]})` }));
    return { group, read: (text) => (text === none ? null : text), choices: [...types, { value: none, label: "None" }] };
  }
  if (_zod.def.type === "boolean") return { group, ...flag };
  return { group, read: _zod.def.type === "number" ? readPlainNumber : asTyped };
}

function groupOf(name: string): string {
  if (name in nodeThresholdNames) return "Thresholds";
  if (name in nodeFlagNames) return "Flags";
  return name.startsWith("pause") ? "Pause of notifications" : "Node";
}

const flag = { read: (text: string) => text === "yes", choices: yesOrNo, schema: z.boolean() };
const sameWord = (value: string): Choice => ({ value, label: value });

export const nodeFields: readonly BulkField[] = Object.keys(bulkFieldLabels).flatMap((name) => {
  const schema = (bulkNodeFields as Record<string, z.ZodMiniType>)[name];
  return schema ? [{ name, label: bulkFieldLabels[name] ?? name, schema, ...partsOf(name, schema) }] : [];
});

export const locationFields = (alerts: readonly FaultLibraryFlag[]): BulkField[] => [
  {
    name: "timezone",
    label: bulkFieldLabels["timezone"]!,
    group: "Location",
    schema: bulkLocationFields.timezone,
    read: asTyped,
    choices: timezones.map(sameWord),
  },
  { name: "notifyMissedData", label: bulkFieldLabels["notifyMissedData"]!, group: "Location", ...flag },
  ...alerts.map(({ name, display_name, notes }) => ({
    name: `${alertPrefix}${name}`,
    label: `Alert: ${display_name}`,
    group: "Fault Library Alerts",
    help: notes,
    ...flag,
  })),
];
const alertPrefix = "faultLibraryAlertFlags.";

export const facilityFields = (facilities: readonly MoveTarget[]): BulkField[] =>
  facilities.map(({ facilityId, facilityName, customerName }) => ({
    name: String(facilityId),
    label: `${facilityName} (${customerName})`,
    group: customerName,
    schema: z.nullable(z.enum(subscriptionFrequencies)),
    read: (text) => (text === none ? null : text),
    choices: [...subscriptionFrequencies.map(sameWord), { value: none, label: "None" }],
  }));

/** What the server is asked for; `values` by the names of fields. */
export function orderOf(
  kind: BulkKind,
  chosen: readonly string[],
  values: readonly (readonly [string, unknown])[],
  wiringReason = "",
): BulkOrderInput {
  if (kind === "nodes") {
    const reason = wiringReason === "" ? {} : { wiringReason };
    return { nodes: { serialNumbers: [...chosen], values: Object.fromEntries(values), ...reason } };
  }
  const ids = chosen.map(Number);
  if (kind === "subscriptions") {
    const facilities = values.map(([id, frequency]) => ({ facilityId: Number(id), frequency: frequency as SubscriptionFrequency | null }));
    return { subscriptions: { userIds: ids, facilities } };
  }
  const isAlert = (name: string) => name.startsWith(alertPrefix);
  const flags = values.filter(([name]) => isAlert(name)).map(([name, value]) => [name.slice(alertPrefix.length), value]);
  const plain = Object.fromEntries(values.filter(([name]) => !isAlert(name)));
  const alerts = flags.length > 0 ? { faultLibraryAlertFlags: Object.fromEntries(flags) as Record<string, boolean> } : {};
  return { locations: { locationIds: ids, values: { ...plain, ...alerts } } };
}

/** A field and what it is to become, as it is entered. */
export interface WantedField {
  id: number;
  name: string;
  text: string;
  /** Beside Deployed: of nodes that have no wiring verdict. */
  wiringReason: string;
}

export const takesWiringReason = ({ name, text }: WantedField): boolean => name === "newDeploymentStatus" && text === "Deployed";

export const wiringReasonProblem = (text: string): string | undefined => z.safeParse(WiringReason, text).error?.issues[0]?.message;

/** The value of the wire, or why it cannot be. */
export function readField({ read, schema, choices }: BulkField, text: string): { value: unknown } | { problem: string } {
  if (choices && text === "") return { problem: "Choose one" };
  const value = read(text);
  const { error } = z.safeParse(schema, value);
  return error ? { problem: error.issues[0]?.message ?? "This is not valid" } : { value };
}
