import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { changedByPlace } from "./changed-by-place.ts";
import { WiringReason } from "./nodes.ts";
import { EntityId, EntityNumber } from "../values/entity-id.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { faultLibraryFlagName } from "../alarms/fault-library.ts";
import {
  ctLocations,
  equipmentTypes,
  equipmentTypesWithSecondaryNode,
  isRelayNodeType,
  loadApplications,
  starters,
  timezones,
  voltageTapLocations,
} from "../values/option-lists.ts";
import { Passcode } from "../access/passcode.ts";
import { numberError } from "../values/plain-number.ts";
import { listWithOwnCalls, noneYet } from "../values/own-fields.ts";
import { ExpectedRevision } from "../values/revision.ts";
import { serialNumberPattern } from "../values/serial-number.ts";

// CUS-10
export const locationNameHelp = "At least 2 characters containing letters, numbers and spaces. Can contain period and comma.";
// CUS-15
export const harmonicSignatureHelp = "Please correct information in boxes with red borders";

const oneLine = (label: string, most: number) =>
  z
    .string(`${label} is a text`)
    .check(z.trim(), z.maxLength(most, `${label} has at most ${most} characters`), z.regex(/^\P{Cc}*$/u, `${label} is one line of text`));

function isCalendarDay(text: string): boolean {
  const match = /^(19|20)\d\d-\d\d-\d\d$/.exec(text);
  return match !== null && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);
}
const day = (label: string) =>
  z.nullable(z.string(`${label} is a day, YYYY-MM-DD`).check(z.refine(isCalendarDay, `${label} is a day, YYYY-MM-DD`)));

const serialOrNone = (label: string) =>
  z.nullable(z.string(`${label} is a serial number`).check(z.regex(serialNumberPattern, `${label} is 5 digits, the first not 0`)));

/** A nameplate number with its range; whole ones have no decimals. */
function nameplate(label: string, least: number, most: number, { isWhole = false } = {}) {
  return z.nullable(
    z.number(numberError(label)).check(
      z.minimum(least, `${label} is from ${least} to ${most}`),
      z.maximum(most, `${label} is from ${least} to ${most}`),
      z.refine((value) => !isWhole || Number.isInteger(value), `${label} is a whole number`),
    ),
  );
}

const nameplateFields = {
  npVoltage: nameplate("Voltage", 0, 40_000),
  npCurrent: nameplate("Current", 0, 10_000),
  npHp: nameplate("Horse power", 0, 50_000),
  npRpm: nameplate("Speed", 0, 20_000),
  npPoles: nameplate("Poles", 0, 96, { isWhole: true }),
  npRotorBars: nameplate("Rotor bars", 0, 500, { isWhole: true }),
  npServiceFactor: nameplate("Service factor", 0.5, 2),
};
export const nameplateNames = Object.keys(nameplateFields) as (keyof typeof nameplateFields)[];

const signatureName = /^[A-Za-z0-9 _-]{1,60}$/;
// Six decimals: a number of more would be written back with an exponent.
const signedDecimal = String.raw`[+-]?(?:\d{1,9}(?:\.\d{0,6})?|\.\d{1,6})`;
const signedDecimals = new RegExp(`^${signedDecimal}(?:;${signedDecimal})*$`);

/** CUS-15: a signature's name and its frequencies in Hz, semicolons between. */
export const HarmonicSignature = z.tuple([
  z.string(harmonicSignatureHelp).check(z.refine((name) => signatureName.test(name) && name.trim() !== "", harmonicSignatureHelp)),
  z
    .string(harmonicSignatureHelp)
    .check(z.regex(signedDecimals, harmonicSignatureHelp), z.maxLength(1_000, "At most 1000 characters of frequencies")),
]);
export type HarmonicSignature = z.infer<typeof HarmonicSignature>;

const locationFields = {
  name: z
    .string(locationNameHelp)
    .check(z.trim(), z.regex(/^[A-Za-z0-9][A-Za-z0-9 .,]+$/, locationNameHelp), z.maxLength(120, "Name has at most 120 characters")),
  assetLocationNumber: oneLine("Asset location number", 100),
  customerXRefId: oneLine("Customer cross reference", 100),
  equipmentType: z.enum(equipmentTypes, "Equipment type is required: one of the list"),
  nodeSerialNumber: serialOrNone("Node serial number"),
  secondaryNodeSerialNumber: serialOrNone("Secondary node serial number"),
  timezone: z.enum(timezones, "Time zone is required: one of the list"),
  equipmentStartTimestamp: z
    .int("Equipment start is a whole number of epoch seconds")
    .check(z.minimum(0, "Equipment start is in 1970 to 2059"), z.maximum(2_840_227_200, "Equipment start is in 1970 to 2059")),
  billingStartDate: day("Billing start date"),
  billingEndDate: day("Billing end date"),
  paidThruDate: day("Paid thru date"),
  notifyMissedData: z.boolean("notifyMissedData is true or false"),
  starter: z.enum(starters, "Starter is one of the list"),
  loadApplication: z.enum(loadApplications, "Load application is one of the list"),
  voltageTapLocation: z.enum(voltageTapLocations, "Voltage tap location is one of the list"),
  ctLocation: z.enum(ctLocations, "CT location is one of the list"),
  channels: z.nullable(oneLine("Channels", 100)),
  ...nameplateFields,
  faultLibraryAlertFlags: z.record(
    z.string().check(z.regex(faultLibraryFlagName, "A flag's name is a lowercase letter, then letters and digits")),
    z.boolean("A flag is true or false"),
    "faultLibraryAlertFlags is a map of name to true or false",
  ),
  harmonicSignatures: z.array(HarmonicSignature, "harmonicSignatures is a list of pairs of name and frequencies").check(
    z.maxLength(50, "A location has at most 50 harmonic signatures"),
    z.refine((pairs) => new Set(pairs.map(([name]) => name)).size === pairs.length, "Each harmonic signature has a name of its own"),
  ),
};

/** Every field that a form has and a request may write. */
export const LocationForm = z.object(locationFields);
export type LocationForm = z.infer<typeof LocationForm>;

export const NewLocation = z.strictObject({
  ...locationFields,
  assetLocationNumber: z._default(locationFields.assetLocationNumber, ""),
  customerXRefId: z._default(locationFields.customerXRefId, ""),
  nodeSerialNumber: z._default(locationFields.nodeSerialNumber, null),
  secondaryNodeSerialNumber: z._default(locationFields.secondaryNodeSerialNumber, null),
  // Absent: now
  equipmentStartTimestamp: z.optional(locationFields.equipmentStartTimestamp),
  billingStartDate: z._default(locationFields.billingStartDate, null),
  billingEndDate: z._default(locationFields.billingEndDate, null),
  paidThruDate: z._default(locationFields.paidThruDate, null),
  notifyMissedData: z._default(locationFields.notifyMissedData, true),
  starter: z._default(locationFields.starter, ""),
  loadApplication: z._default(locationFields.loadApplication, ""),
  voltageTapLocation: z._default(locationFields.voltageTapLocation, ""),
  ctLocation: z._default(locationFields.ctLocation, ""),
  channels: z._default(locationFields.channels, null),
  npVoltage: z._default(nameplateFields.npVoltage, null),
  npCurrent: z._default(nameplateFields.npCurrent, null),
  npHp: z._default(nameplateFields.npHp, null),
  npRpm: z._default(nameplateFields.npRpm, null),
  npPoles: z._default(nameplateFields.npPoles, null),
  npRotorBars: z._default(nameplateFields.npRotorBars, null),
  npServiceFactor: z._default(nameplateFields.npServiceFactor, null),
  faultLibraryAlertFlags: z._default(locationFields.faultLibraryAlertFlags, {}),
  harmonicSignatures: z._default(locationFields.harmonicSignatures, []),
  id: noneYet("id"),
  nodes: listWithOwnCalls("nodes"),
  wiringReason: z.optional(WiringReason),
});
export type NewLocation = z.output<typeof NewLocation>;

export const LocationPatch = z.strictObject({
  ...z.partial(LocationForm).shape,
  id: z.optional(EntityNumber),
  nodes: listWithOwnCalls("nodes"),
  wiringReason: z.optional(WiringReason),
  revision: ExpectedRevision,
});
export type LocationPatch = z.output<typeof LocationPatch>;

export interface LocationProblem {
  field: keyof LocationForm;
  message: string;
}

/**
 * The rules that look at several fields, for the form and for the server.
 * @param nodeTypeOf gives the type of a serial number, undefined when no such node is known
 * @param changed the fields that an edit changes: a rule is asked when it looks at one of them. A node may have left by itself
 * or become another one, and what it left behind must not keep other fields from being saved. All rules without it.
 */
export function locationProblems(
  location: LocationForm,
  nodeTypeOf: (serial: string) => string | undefined,
  changed?: readonly string[],
): LocationProblem[] {
  const isAsked = (...fields: (keyof LocationForm)[]) => changed === undefined || fields.some((field) => changed.includes(field));
  return [
    ...(isAsked("equipmentType", "nodeSerialNumber", "secondaryNodeSerialNumber") ? secondaryProblems(location) : []),
    ...(isAsked("nodeSerialNumber", "secondaryNodeSerialNumber", ...nameplateNames) && isRelayLocation(location, nodeTypeOf)
      ? nameplateNames.filter((name) => location[name] === null).map((field) => ({ field, message: "Required for a relay node" }))
      : []),
    ...(isAsked("billingStartDate", "billingEndDate") ? billingProblems(location) : []),
  ];
}

// CUS-11
function secondaryProblems(location: LocationForm): LocationProblem[] {
  const { nodeSerialNumber: primary, secondaryNodeSerialNumber: secondary } = location;
  if (!hasSecondaryNode(location.equipmentType)) {
    if (secondary === null) return [];
    return [{ field: "secondaryNodeSerialNumber", message: "Only DCMotor and SynchronousMotor have a secondary node" }];
  }
  if (secondary === null)
    return [{ field: "secondaryNodeSerialNumber", message: `A secondary node is required for ${location.equipmentType}` }];
  if (primary === null) return [{ field: "nodeSerialNumber", message: "A secondary node needs a primary node" }];
  if (primary !== secondary) return [];
  return [{ field: "secondaryNodeSerialNumber", message: "The secondary node must be another one than the primary" }];
}

function billingProblems({ billingStartDate: start, billingEndDate: end }: LocationForm): LocationProblem[] {
  if (start === null || end === null || end >= start) return [];
  return [{ field: "billingEndDate", message: "Billing end date is not before the start date" }];
}
// CUS-11
export function hasSecondaryNode(equipmentType: string): boolean {
  return (equipmentTypesWithSecondaryNode as readonly string[]).includes(equipmentType);
}

/** Whether a node is Deployed once it is placed: then its awaited change to Unassigned is cancelled. */
export const isDeployedOncePlaced = ({
  currentDeploymentStatus: current,
  newDeploymentStatus: next,
}: Pick<AvailableNode, "currentDeploymentStatus" | "newDeploymentStatus">): boolean =>
  next === "Deployed" || (next === "Unassigned" && current === "Deployed");

/** CUS-12: whether one of the location's nodes is a relay, which makes the nameplate required. */
export function isRelayLocation(
  { nodeSerialNumber, secondaryNodeSerialNumber }: Pick<LocationForm, "nodeSerialNumber" | "secondaryNodeSerialNumber">,
  nodeTypeOf: (serial: string) => string | undefined,
): boolean {
  return [nodeSerialNumber, secondaryNodeSerialNumber].some((serial) => serial !== null && isRelayNodeType(nodeTypeOf(serial) ?? ""));
}

/** A node as a location and the customer tree show it. */
export const LocationNode = z.object({
  serialNumber: z.string(),
  type: z.string(),
  container: z.string(),
  currentDeploymentStatus: z.string(),
  newDeploymentStatus: z.string(),
  deploymentTaskType: z.nullable(z.string()),
  monitorDailyProgress: z.boolean(),
  monitorMissingData: z.boolean(),
  monitorDataPointAlerts: z.boolean(),
});
export type LocationNode = z.infer<typeof LocationNode>;

// Stored rows may be older than a rule: what is shown is not checked like what is entered.
export const Location = z.object({
  id: z.number(),
  ...locationFields,
  name: z.string(),
  equipmentType: z.string(),
  timezone: z.string(),
  starter: z.string(),
  loadApplication: z.string(),
  voltageTapLocation: z.string(),
  ctLocation: z.string(),
  harmonicSignatures: z.array(z.tuple([z.string(), z.string()])),
  /** The primary node first, the secondary second. */
  nodes: z.array(LocationNode),
  revision: z.number(),
});
export type Location = z.infer<typeof Location>;

/** A node that was at a location, or is. */
export const NodePlacement = z.object({
  serialNumber: z.string(),
  isSecondary: z.boolean(),
  /** Where the location was then, as it was called when the node came. */
  customerName: z.string(),
  facilityName: z.string(),
  /** Epoch seconds; null while it is there. */
  fromTimestamp: EpochSeconds,
  toTimestamp: z.nullable(EpochSeconds),
});
export type NodePlacement = z.infer<typeof NodePlacement>;

/** A location with where it is and what hangs on it. */
export const PlacedLocation = z.object({
  ...Location.shape,
  customerId: z.number(),
  customerCode: z.string(),
  customerName: z.string(),
  facilityId: z.number(),
  facilityName: z.string(),
  noteCount: z.number(),
  /** Newest first. */
  nodeHistory: z.array(NodePlacement),
});
export type PlacedLocation = z.infer<typeof PlacedLocation>;

/** CUS-13: a node that is at no location and not decommissioned. */
export const AvailableNode = z.object({
  serialNumber: z.string(),
  type: z.string(),
  currentDeploymentStatus: z.string(),
  newDeploymentStatus: z.string(),
});
export type AvailableNode = z.infer<typeof AvailableNode>;

const facilityParams = { id: EntityId, facilityId: EntityId };
const locationParams = { ...facilityParams, locationId: EntityId };

export const getLocation = endpoint("GET /api/locations/{id}", {
  access: "staff",
  summary: "A location with its customer, facility and nodes",
  params: z.object({ id: EntityId }),
  data: PlacedLocation,
});

export const getAvailableNodes = endpoint("GET /api/locations/availablenodes", {
  access: "staff",
  summary: "Nodes that are at no location and not decommissioned, by serial number",
  data: z.array(AvailableNode),
});

// Whatever shows the tree, a node or a location.
const changedByLocation = [...changedByPlace, "/nodes/{serial}/tasks", "/nodes/{serial}/notes"] as const;

export const createLocation = endpoint("POST /api/customers/{id}/facilities/{facilityId}/locations", {
  access: "staff",
  summary: "Add a location (equipment) to a facility",
  changes: changedByLocation,
  params: z.object(facilityParams),
  body: NewLocation,
  data: Location,
});

export const updateLocation = endpoint("PATCH /api/customers/{id}/facilities/{facilityId}/locations/{locationId}", {
  access: "staff",
  summary: "Change a location: the fields that are given",
  changes: changedByLocation,
  params: z.object(locationParams),
  body: LocationPatch,
  data: Location,
});

export const deleteLocation = endpoint("DELETE /api/customers/{id}/facilities/{facilityId}/locations/{locationId}/2fa/{code}", {
  access: "staff",
  summary: "Delete a location with its notes; its nodes become free",
  changes: changedByLocation,
  params: z.object({ ...locationParams, code: Passcode }),
  data: z.object({ deleted: z.literal(true), freedNodes: z.array(z.string()), notes: z.number() }),
});

/** What a move took along. */
export const LocationMove = z.object({
  locationId: z.number(),
  customerId: z.number(),
  facilityId: z.number(),
  nodes: z.array(z.string()),
  notes: z.number(),
});
export type LocationMove = z.infer<typeof LocationMove>;

export const moveLocation = endpoint(
  "PATCH /api/customers/{id}/facilities/{facilityId}/locations/{locationId}/customers/{newCustomerId}/facilities/{newFacilityId}",
  {
    access: "systemAdministrator",
    summary: "Move a location with its nodes and notes to another facility",
    changes: changedByLocation,
    params: z.object({ ...locationParams, newCustomerId: EntityId, newFacilityId: EntityId }),
    data: LocationMove,
  },
);

/** The facilities that a location can move to, for the dialog's list. */
export const MoveTarget = z.object({
  customerId: z.number(),
  customerCode: z.string(),
  customerName: z.string(),
  facilityId: z.number(),
  facilityName: z.string(),
});
export type MoveTarget = z.infer<typeof MoveTarget>;

export const getMoveTargets = endpoint("GET /api/locations/movetargets", {
  access: "staff",
  summary: "Every facility with its customer, by their names",
  data: z.array(MoveTarget),
});
