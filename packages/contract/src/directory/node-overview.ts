import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { deploymentStatuses } from "../values/option-lists.ts";
import { SerialNumber } from "../values/serial-number.ts";

const time = z.nullable(EpochSeconds);
const status = z.enum(deploymentStatuses);

export const OpenAlarm = z.object({
  kind: z.string(),
  raisedTimestamp: EpochSeconds,
  /** In words; null where an alarm has no figure. */
  measured: z.nullable(z.string()),
});
export type OpenAlarm = z.infer<typeof OpenAlarm>;

/** What a node or a relay reported, or what the platform made of its values. */
export const NodeEventLine = z.object({
  timestamp: EpochSeconds,
  kind: z.string(),
  phase: z.nullable(z.string()),
  /** In words; null where the event has no figure. */
  measured: z.nullable(z.string()),
  /** Of its event file. */
  fileName: z.nullable(z.string()),
});
export type NodeEventLine = z.infer<typeof NodeEventLine>;

/** A stay of the node at a location, with the nodes that were there before and after it. */
export const NodePlace = z.object({
  /** Null for a location that was deleted. */
  locationId: z.nullable(z.number()),
  customerName: z.string(),
  facilityName: z.string(),
  locationName: z.string(),
  isSecondary: z.boolean(),
  fromTimestamp: EpochSeconds,
  toTimestamp: time,
  nodeSerialNumberBefore: z.nullable(z.string()),
  nodeSerialNumberAfter: z.nullable(z.string()),
});
export type NodePlace = z.infer<typeof NodePlace>;

export const ConfigChangeLine = z.object({
  timestamp: EpochSeconds,
  username: z.string(),
  key: z.string(),
  oldValue: z.string(),
  newValue: z.string(),
  /** How it ended: see `networkConfigResults`. */
  result: z.string(),
});
export type ConfigChangeLine = z.infer<typeof ConfigChangeLine>;

export const ChangeLine = z.object({ timestamp: EpochSeconds, actorType: z.string(), actor: z.string(), description: z.string() });
export type ChangeLine = z.infer<typeof ChangeLine>;

export const NoteLine = z.object({ id: z.number(), timestamp: EpochSeconds, note: z.string() });
export type NoteLine = z.infer<typeof NoteLine>;

/** How far the deployment of a node is. */
export const TaskProgress = z.object({
  completed: z.number(),
  total: z.number(),
  /** The first task that is not completed. */
  taskTemplateId: z.nullable(z.number()),
  name: z.nullable(z.string()),
});
export type TaskProgress = z.infer<typeof TaskProgress>;

/** What the page of a node shows of what is recorded; each list newest first, and no longer than what one looks through. */
export const NodeOverview = z.object({
  serialNumber: z.string(),
  type: z.string(),
  container: z.string(),
  currentDeploymentStatus: status,
  newDeploymentStatus: status,
  newDeploymentStatusUpdateTimestamp: EpochSeconds,
  deploymentIssue: z.boolean(),
  deploymentIssueDetails: z.string(),
  dataInterval: z.number(),
  scalarInterval: z.number(),

  /** Null and names of the last known place for a node at no location. */
  customerId: z.nullable(z.number()),
  customerName: z.string(),
  facilityId: z.nullable(z.number()),
  facilityName: z.string(),
  locationId: z.nullable(z.number()),
  locationName: z.string(),
  isSecondary: z.boolean(),
  /** The location's zone; null for a node at no location, whose day is UTC's. */
  timezone: z.nullable(z.string()),
  /** Other nodes of the location. */
  nodesBeside: z.array(z.object({ serialNumber: z.string(), isSecondary: z.boolean(), connected: z.boolean() })),

  /** Other nodes in service at the facility, and how many of them are connected: whether the node is alone with what it has. */
  othersAtFacility: z.object({ total: z.number(), connected: z.number() }),

  connected: z.boolean(),
  /** Since when it is as it is; null for a node that never connected. */
  connectionChangedTimestamp: time,
  lastScalarTimestamp: time,
  lastDatafileTimestamp: time,

  openAlarms: z.array(OpenAlarm),
  events: z.array(NodeEventLine),
  places: z.array(NodePlace),
  /** When the node last reported its configuration, and how many values; null while it has not. */
  configTimestamp: time,
  configValueCount: z.nullable(z.number()),
  configChanges: z.array(ConfigChangeLine),
  tasks: TaskProgress,
  /** Of the location. */
  notes: z.array(NoteLine),
  changes: z.array(ChangeLine),
  /** Times when the platform asked the node for its birth. */
  requests: z.array(z.object({ timestamp: EpochSeconds, description: z.string() })),

  /** Neighbours by serial number. */
  previousSerialNumber: z.nullable(z.string()),
  nextSerialNumber: z.nullable(z.string()),
});
export type NodeOverview = z.infer<typeof NodeOverview>;

export const getNodeOverview = endpoint("GET /api/nodes/{serial}/overview", {
  access: "staff",
  summary: "What is recorded of one node: place, connection, open alarms, last events, places, configuration, tasks, notes and changes",
  params: z.object({ serial: SerialNumber }),
  data: NodeOverview,
});
