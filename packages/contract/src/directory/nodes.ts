import * as z from "zod/mini";
import { endpoint, preparedEndpoint } from "../endpoint.ts";
import { changedByPlace } from "./changed-by-place.ts";
import { EntityId } from "../values/entity-id.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { forcedTimestamp, newNodeDefaults, nodeChoiceFields, nodePlainFields } from "./node-fields.ts";
import { deploymentStatuses } from "../values/option-lists.ts";
import { noneYet, ownFields } from "../values/own-fields.ts";
import { ExpectedRevision } from "../values/revision.ts";
import { SerialNumber } from "../values/serial-number.ts";

/** Where a node is. Null and empty for a node at no location; a decommissioned one has the names of where it retired. */
const placeFields = {
  /** Primary or secondary node of a location. */
  isAssigned: z.boolean(),
  customerId: z.nullable(z.number()),
  customerCode: z.string(),
  customerName: z.string(),
  facilityId: z.nullable(z.number()),
  facilityName: z.string(),
  locationId: z.nullable(z.number()),
  locationName: z.string(),
  /** 1 primary, 2 secondary. */
  slot: z.nullable(z.number()),
  timezone: z.nullable(z.string()),
};

const status = z.enum(deploymentStatuses);
/** Statuses and since when, or from when on, in epoch seconds. */
export const nodeStatusFields = {
  newDeploymentStatus: status,
  newDeploymentStatusUpdateTimestamp: EpochSeconds,
  currentDeploymentStatus: status,
  currentDeploymentStatusUpdateTimestamp: EpochSeconds,
};

const reportedFields = {
  /** NFM-02: as the node reported them. */
  macAddress: z.nullable(z.string()),
  ipAddress: z.nullable(z.string()),
  /** Connected to the platform now. */
  connected: z.boolean(),
  /** Deployment tasks that are not completed. */
  openTaskCount: z.number(),
  /** Its wiring ought to be judged, and was not found right at this location (task B2). */
  lacksWiringVerdict: z.boolean(),
  /** What task B2 took of its wiring here, in a sentence; empty before it. */
  wiringVerdict: z.string(),
};

/** Whole, as the form edits it. */
export const Node = z.object({
  id: z.number(),
  serialNumber: z.string(),
  type: z.string(),
  nodeHardwareVersion: z.nullable(z.string()),
  viModuleHardwareVersion: z.nullable(z.string()),
  deploymentTaskType: z.nullable(z.string()),
  ...nodePlainFields,
  container: z.string(),
  ...nodeStatusFields,
  ...reportedFields,
  ...placeFields,
  revision: z.number(),
});
export type Node = z.infer<typeof Node>;

/**
 * What the list shows of a node: 10,000 of them are one answer, so these stay with `GET /nodes/{serial}/details`. A new field is in
 * the list unless it is named here.
 */
export const NodeListRow = z.omit(Node, {
  nodeHardwareVersion: true,
  viModuleHardwareVersion: true,
  unassignedCustomer: true,
  unassignedFacility: true,
  unassignedLocation: true,
  poeEnabled: true,
  disableMonitoring: true,
  monitorDataPointAlerts: true,
  monitorDailyProgress: true,
  monitorMissingData: true,
  pauseNotifications: true,
  pauseConnectivityNotifications: true,
  pauseConnectivityNotificationsReason: true,
  pauseConnectivityNotificationsUrl: true,
  eventsReportScan: true,
  trendingReportScan: true,
  voltageHatReportScan: true,
  currentHatReportScan: true,
  deploymentIssueDetails: true,
  activePa: true,
  activePb: true,
  activePc: true,
  shortTermOverCurrentAveragingPeriod: true,
  longTermOverCurrentThreshold: true,
  longTermOverCurrentAveragingPeriod: true,
  underVoltageThreshold: true,
  lossOfPhaseTransientThreshold: true,
  stopEventOfInterestThreshold: true,
  viMinimumVoltageThreshold: true,
  macAddress: true,
  ipAddress: true,
  openTaskCount: true,
  lacksWiringVerdict: true,
  wiringVerdict: true,
});
export type NodeListRow = z.infer<typeof NodeListRow>;

export const longestWiringReason = 500;
/** Why a node becomes Deployed without a wiring verdict; kept with the activity of the change. */
export const WiringReason = z
  .string("Reason is a text")
  .check(
    z.maxLength(longestWiringReason, `Reason has at most ${longestWiringReason} characters`),
    z.regex(/^\P{Cc}*$/u, "Reason is one line"),
  );

const choices = nodeChoiceFields();

/** NFM-03, NFM-06. The current status becomes the requested one; a forced timestamp says since when. */
export const NewNode = z.strictObject({
  serialNumber: SerialNumber,
  ...nodePlainFields,
  ...(Object.fromEntries(
    Object.entries({ ...choices, ...nodePlainFields })
      .filter(([name]) => name in newNodeDefaults)
      .map(([name, schema]) => [name, z._default(schema as z.ZodMiniType, newNodeDefaults[name as keyof typeof newNodeDefaults])]),
  ) as unknown as Defaulted),
  newDeploymentStatusUpdateTimestamp: z._default(forcedTimestamp, null),
  // NFM-07: the same as what is requested
  currentDeploymentStatus: z.optional(status),
  currentDeploymentStatusUpdateTimestamp: z.optional(forcedTimestamp),
  id: noneYet("id"),
  macAddress: noneYet("macAddress"),
  ipAddress: noneYet("ipAddress"),
});
export type NewNode = z.output<typeof NewNode>;

type WithDefaults = typeof choices & Omit<typeof nodePlainFields, "container">;
type Defaulted = { [Name in keyof WithDefaults]: z.ZodMiniDefault<WithDefaults[Name]> };

/** See `ownFields`. */
export const nodeOwnFields = {
  id: z.number(),
  currentDeploymentStatus: status,
  currentDeploymentStatusUpdateTimestamp: z.number(),
  ...reportedFields,
  ...placeFields,
};

/**
 * The fields that are given. A choice may be what the node already has, in no list though it be: the server looks.
 * `newDeploymentStatusUpdateTimestamp` forces when the requested status becomes current; null is the next midnight.
 */
export const NodePatch = z.strictObject({
  ...ownFields(nodeOwnFields),
  ...z.partial(z.object(nodePlainFields)).shape,
  serialNumber: z.optional(SerialNumber),
  type: z.optional(z.string("Type is one of the list")),
  nodeHardwareVersion: z.optional(z.nullable(z.string("Node hardware version is one of the list"))),
  viModuleHardwareVersion: z.optional(z.nullable(z.string("VI module hardware version is one of the list"))),
  deploymentTaskType: z.optional(z.nullable(z.string("Deployment task version is one of the list"))),
  newDeploymentStatus: z.optional(z.enum(deploymentStatuses, "Deployment status is one of the list")),
  newDeploymentStatusUpdateTimestamp: z.optional(forcedTimestamp),
  wiringReason: z.optional(WiringReason),
  revision: ExpectedRevision,
});
export type NodePatch = z.output<typeof NodePatch>;

export const getNodes = preparedEndpoint("GET /api/nodes", {
  access: "staff",
  summary: "Every node with its place and status, as the list shows it; 304 when nothing changed",
  data: z.array(NodeListRow),
});

export const getNodeContainers = endpoint("GET /api/node-containers", {
  access: "staff",
  summary: "The containers that nodes have, by name",
  data: z.array(z.string()),
});

export const getNode = endpoint("GET /api/nodes/{serial}/details", {
  access: "staff",
  summary: "One node, whole, by its serial number",
  params: z.object({ serial: SerialNumber }),
  data: Node,
});

// Lists, trees and forms that a node shows in.
const changedByNode = [...changedByPlace, "/node-containers", "/nodes/{serial}/tasks"] as const;

export const createNode = endpoint("POST /api/nodes", {
  access: "staff",
  summary: "Add a node",
  changes: changedByNode,
  body: NewNode,
  data: Node,
});

export const updateNode = endpoint("PATCH /api/nodes/{id}", {
  access: "staff",
  summary: "Change a node, by its id: the fields that are given",
  changes: changedByNode,
  params: z.object({ id: EntityId }),
  body: NodePatch,
  data: Node,
});
