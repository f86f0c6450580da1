import { measuringNodeTypes } from "@busbar/contract/values/option-lists.ts";
import {
  LocationForm,
  harmonicSignatureHelp,
  hasSecondaryNode,
  locationProblems,
  nameplateNames,
  type Location,
} from "@busbar/contract/directory/locations.ts";
import type { FaultLibraryFlag } from "@busbar/contract/alarms/fault-library.ts";
import { readPlainNumber } from "@busbar/contract/values/plain-number.ts";
import { WiringReason } from "@busbar/contract/directory/nodes.ts";
import type { FieldErrors, Resolver } from "react-hook-form";
import * as z from "zod/mini";
import { instantOf, type EnteredInstant } from "#lib/entered-instant.ts";

type NameplateName = (typeof nameplateNames)[number];

/** What the form holds: everything as it is typed. */
export interface LocationValues extends Record<NameplateName, string> {
  name: string;
  assetLocationNumber: string;
  customerXRefId: string;
  equipmentType: string;
  nodeSerialNumber: string;
  secondaryNodeSerialNumber: string;
  timezone: string;
  equipmentStart: string;
  billingStartDate: string;
  billingEndDate: string;
  paidThruDate: string;
  notifyMissedData: boolean;
  starter: string;
  loadApplication: string;
  voltageTapLocation: string;
  ctLocation: string;
  channels: string;
  faultLibraryAlertFlags: Record<string, boolean>;
  harmonicSignatures: { name: string; frequencies: string }[];
  /** Asked for where a node comes that is Deployed already. */
  wiringReason: string;
}

/** The zone in which times are read until one is chosen. */
export const zoneOrUtc = (timezone: string): string => timezone || "UTC";

/** A location's values, or those of a new one (CUS-09): its flags are the defaults where it says nothing (CUS-14). */
export function locationValues(
  location: Location | undefined,
  flags: readonly FaultLibraryFlag[],
  entered: EnteredInstant,
): LocationValues {
  const { harmonicSignatures = [] } = location ?? {};
  const nameplate = Object.fromEntries(nameplateNames.map((name) => [name, String(location?.[name] ?? "")])) as Record<
    NameplateName,
    string
  >;
  return {
    name: location?.name ?? "",
    assetLocationNumber: location?.assetLocationNumber ?? "",
    customerXRefId: location?.customerXRefId ?? "",
    equipmentType: location?.equipmentType ?? "InductionMotor",
    nodeSerialNumber: location?.nodeSerialNumber ?? "",
    secondaryNodeSerialNumber: location?.secondaryNodeSerialNumber ?? "",
    timezone: location?.timezone ?? "",
    equipmentStart: entered.text,
    billingStartDate: location?.billingStartDate ?? "",
    billingEndDate: location?.billingEndDate ?? "",
    paidThruDate: location?.paidThruDate ?? "",
    notifyMissedData: location?.notifyMissedData ?? true,
    starter: location?.starter ?? "",
    loadApplication: location?.loadApplication ?? "",
    voltageTapLocation: location?.voltageTapLocation ?? "",
    ctLocation: location?.ctLocation ?? "",
    channels: location?.channels ?? "",
    ...nameplate,
    faultLibraryAlertFlags: flagsOf(location, flags),
    harmonicSignatures: harmonicSignatures.map(([name, frequencies]) => ({ name, frequencies })),
    wiringReason: "",
  };
}

export interface LocationRules {
  /** The instant that the form began with. */
  entered: EnteredInstant;
  nodeTypeOf: (serial: string) => string | undefined;
  /** Whether a node is Deployed once it is placed. */
  isDeployed: (serial: string) => boolean;
  /** What is stored. A new location is sent without flags: the defaults hold. */
  location: Location | undefined;
}

/** Whether a node comes that is Deployed already, and whose wiring here no one has judged (decision 0047). */
export function asksForWiringReason(
  { nodeSerialNumber: serial, equipmentType }: Pick<LocationValues, "nodeSerialNumber" | "equipmentType">,
  { nodeTypeOf, isDeployed, location }: Omit<LocationRules, "entered">,
): boolean {
  const isComing = serial !== "" && serial !== location?.nodeSerialNumber && serial !== location?.secondaryNodeSerialNumber;
  return isComing && isDeployed(serial) && equipmentType !== "DCMotor" && measuringNodeTypes.includes(nodeTypeOf(serial) ?? "");
}

const orNone = (text: string): string | null => (text.trim() === "" ? null : text.trim());
const numberOrNone = (text: string): number | string | null => (text.trim() === "" ? null : readPlainNumber(text));

type ReadLocation = { location: LocationForm; errors: undefined } | { location: undefined; errors: FieldErrors<LocationValues> };

/** The same schema and rules as the server's; what the form holds becomes what is sent. */
export function readLocation(values: LocationValues, rules: LocationRules): ReadLocation {
  const { entered, nodeTypeOf, location } = rules;
  const { equipmentStart, harmonicSignatures, faultLibraryAlertFlags, wiringReason, ...rest } = values;
  const start = instantOf(equipmentStart, zoneOrUtc(values.timezone), entered);
  const result = LocationForm.safeParse({
    ...rest,
    ...Object.fromEntries(nameplateNames.map((name) => [name, numberOrNone(values[name])])),
    nodeSerialNumber: orNone(values.nodeSerialNumber),
    // CUS-11: not requested, not sent
    secondaryNodeSerialNumber: hasSecondaryNode(values.equipmentType) ? orNone(values.secondaryNodeSerialNumber) : null,
    equipmentStartTimestamp: "timestamp" in start ? Math.floor(start.timestamp) : -1,
    billingStartDate: orNone(values.billingStartDate),
    billingEndDate: orNone(values.billingEndDate),
    paidThruDate: orNone(values.paidThruDate),
    channels: orNone(values.channels),
    faultLibraryAlertFlags: location ? faultLibraryAlertFlags : {},
    harmonicSignatures: harmonicSignatures.map(({ name, frequencies }) => [name, frequencies]),
  });
  const reason = WiringReason.check(
    z.refine(
      (text) => text.trim() !== "" || !asksForWiringReason(values, rules),
      "Say why the node is Deployed here without a wiring verdict",
    ),
  ).safeParse(wiringReason);
  const reasonProblems = (reason.error?.issues ?? []).map(({ message }) => ({ path: ["wiringReason"], message }));
  const problems: Problem[] = result.success
    ? [
        ...reasonProblems,
        ...locationProblems(result.data, nodeTypeOf, location && differing(location, result.data)).map(({ field, message }) => ({
          path: [field],
          message,
        })),
      ]
    : result.error.issues;
  if (result.success && problems.length === 0) return { location: result.data, errors: undefined };
  return { location: undefined, errors: errorsOf(problems, "problem" in start ? start.problem : undefined) };
}

export function locationResolver(rules: LocationRules): Resolver<LocationValues> {
  return (values) => {
    const { errors } = readLocation(values, rules);
    return errors ? { values: {}, errors } : { values, errors: {} };
  };
}

interface Problem {
  path: readonly PropertyKey[];
  message: string;
}

function errorsOf(problems: readonly Problem[], problemOfStart: string | undefined): FieldErrors<LocationValues> {
  const errors: Record<string, unknown> = {};
  for (const { path, message } of problems) {
    const [field, index, part] = path as [string, number?, number?];
    if (field === "equipmentStartTimestamp") errors["equipmentStart"] ??= { type: "rule", message: problemOfStart ?? message };
    else if (field === "harmonicSignatures" && index !== undefined) {
      const rows = (errors[field] ??= []) as Record<string, unknown>[];
      const row = (rows[index] ??= {});
      row[part === 1 ? "frequencies" : "name"] ??= { type: "rule", message: harmonicSignatureHelp };
    } else errors[field] ??= { type: "rule", message };
  }
  return errors;
}

/** The fields of `next` that differ: what no one changed is not sent, so that it cannot undo what someone else did. */
export function changedOf(location: Location, next: LocationForm, flags: readonly FaultLibraryFlag[]): Partial<LocationForm> {
  // The form ticks the defaults where the location says nothing.
  const shown = { ...location, faultLibraryAlertFlags: flagsOf(location, flags) };
  return Object.fromEntries(Object.entries(next).filter(([field, value]) => !isSame(shown[field as keyof Location], value)));
}

/** Names of the fields that are not as they are stored. */
const differing = (location: Location, next: LocationForm): string[] =>
  Object.keys(next).filter((field) => !isSame(location[field as keyof LocationForm], next[field as keyof LocationForm]));

const isSame = (a: unknown, b: unknown) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

function flagsOf(location: Location | undefined, flags: readonly FaultLibraryFlag[]): Record<string, boolean> {
  return Object.fromEntries(flags.map(({ name, value }) => [name, location?.faultLibraryAlertFlags[name] ?? value]));
}

const sorted = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;
