import * as z from "zod/mini";
import { Passcode } from "../access/passcode.ts";
import { endpoint } from "../endpoint.ts";
import { deploymentStatuses } from "../values/option-lists.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { ShownRevision } from "../values/revision.ts";
import { SerialNumber } from "../values/serial-number.ts";
import { changedByPlace } from "./changed-by-place.ts";
import { nodeThresholdNames, type NodeThreshold } from "./node-fields.ts";

/** What the new node takes over from the old one: what says how the machine is watched, not what the device is or why it was silenced. */
export const swappedFields = [
  "container",
  "dataPointInterval",
  ...(Object.keys(nodeThresholdNames) as NodeThreshold[]),
  "notifyOnConnect",
  "notifyOnCurrentAboveNoise",
  "monitorDataPointAlerts",
  "monitorDailyProgress",
  "monitorMissingData",
  "showRawPower",
  "eventsReportScan",
  "trendingReportScan",
  "voltageHatReportScan",
  "currentHatReportScan",
  "activeVa",
  "activeVb",
  "activeVc",
  "activeIa",
  "activeIb",
  "activeIc",
  "activePa",
  "activePb",
  "activePc",
] as const;
export type SwappedField = (typeof swappedFields)[number];

/** What stays with the old node, where it is on: it was about that device, or about its failure. */
export const keptFlags = [
  "nameplateValid",
  "poeEnabled",
  "disableMonitoring",
  "pauseNotifications",
  "pauseConnectivityNotifications",
  "deploymentIssue",
] as const;
export type KeptFlag = (typeof keptFlags)[number];

/** What the old node may become. Decommissioned: at the customer and facility that it leaves. */
export const oldNodeStatuses = ["Unassigned", "Pre-Deployment", "Decommissioned"] as const;
export type OldNodeStatus = (typeof oldNodeStatuses)[number];

export const longestSwapReason = 500;

/** What a swap would do, old and new value of all that changes. */
export const SwapPlan = z.object({
  oldSerialNumber: z.string(),
  type: z.string(),
  oldRevision: z.number(),
  customerName: z.string(),
  facilityName: z.string(),
  locationName: z.string(),
  isSecondary: z.boolean(),
  /** Not archived, of the location: they stay there. */
  noteCount: z.number(),
  /** Open deployment tasks of the old node that someone wrote notes to: the new node gets these. */
  taskNoteCount: z.number(),
  keptFlags: z.array(z.enum(keptFlags)),
  newSerialNumber: z.nullable(z.string()),
  /** Null where there is no such node yet: it is added by the swap. */
  newNode: z.nullable(
    z.object({
      revision: z.number(),
      connected: z.boolean(),
      currentDeploymentStatus: z.enum(deploymentStatuses),
      deploymentTaskType: z.nullable(z.string()),
      /** Completed at an earlier place: they are open again. */
      reopenedTaskCount: z.number(),
    }),
  ),
  /** Why these two cannot be swapped; null when they can. */
  problem: z.nullable(z.string()),
  /** Of the new node: what differs, as it is and as it becomes. */
  fields: z.array(z.object({ field: z.enum(swappedFields), from: z.string(), to: z.string() })),
  /** The old node's last known configuration; `present` is what the new one last reported, null where it did not. */
  config: z.array(z.object({ key: z.string(), value: z.string(), present: z.nullable(z.string()) })),
});
export type SwapPlan = z.infer<typeof SwapPlan>;

/** `sent` and `unknown`: the value may have reached the node, which is asked before anything is sent again. `left`: someone wants it as it is. */
export const swapValueStates = ["waiting", "sent", "confirmed", "refused", "unknown", "left"] as const;
export type SwapValueState = (typeof swapValueStates)[number];

/** Whether nothing is to be copied any more. */
export const isSwapCopied = ({ values }: { values: readonly { state: SwapValueState }[] }): boolean =>
  values.every(({ state }) => state === "confirmed" || state === "left");

export const NodeSwap = z.object({
  id: z.number(),
  oldSerialNumber: z.string(),
  newSerialNumber: z.string(),
  customerName: z.string(),
  facilityName: z.string(),
  locationName: z.string(),
  isSecondary: z.boolean(),
  timestamp: EpochSeconds,
  /** Of the location; null once it is gone. */
  timezone: z.nullable(z.string()),
  /** Who swapped. */
  username: z.string(),
  reason: z.string(),
  oldNodeStatus: z.enum(oldNodeStatuses),
  /** The new node is still where it was put. */
  isCurrent: z.boolean(),
  /** The new node is connected: its configuration can be copied now. */
  connected: z.boolean(),
  /** A process copies the configuration at this moment. */
  isCopying: z.boolean(),
  /** Why copying ended before its time; empty when it did not. */
  pauseReason: z.string(),
  values: z.array(z.object({ key: z.string(), value: z.string(), state: z.enum(swapValueStates), detail: z.string() })),
});
export type NodeSwap = z.infer<typeof NodeSwap>;

export const reasonOfSwap = z
  .string("Reason is a text")
  .check(
    z.trim(),
    z.minLength(3, "Reason has at least 3 characters"),
    z.maxLength(longestSwapReason, `Reason has at most ${longestSwapReason} characters`),
    z.regex(/^\P{Cc}*$/u, "Reason is one line of text"),
  );
const OldNodeStatus = z.enum(oldNodeStatuses, `oldNodeStatus is one of ${oldNodeStatuses.join(", ")}`);

export const NewNodeSwap = z.strictObject({
  newSerialNumber: SerialNumber,
  /** The node does not exist yet and is added, of the old one's type. */
  isNew: z.boolean("isNew is true or false"),
  oldNodeStatus: OldNodeStatus,
  reason: reasonOfSwap,
  /** As the nodes were shown: who changed meanwhile what the swap moves is named. */
  oldRevision: ShownRevision("oldRevision"),
  newRevision: ShownRevision("newRevision"),
  /** Copies the configuration at once; without it, that waits. */
  code: z.optional(Passcode),
});
export type NewNodeSwap = z.output<typeof NewNodeSwap>;

const changedBySwap = [
  ...changedByPlace,
  "/node-containers",
  "/nodes/{serial}/tasks",
  "/nodes/{serial}/notes",
  "/nodes/{serial}/swap",
  "/nodes/{serial}/swapplan",
] as const;

export const getSwapPlan = endpoint("GET /api/nodes/{serial}/swapplan", {
  access: "staff",
  summary: "What swapping a node for another one would do, and why it cannot be done where it cannot",
  params: z.object({ serial: SerialNumber }),
  query: z.strictObject({ newSerialNumber: z.optional(SerialNumber) }),
  data: SwapPlan,
});

export const getNodeSwap = endpoint("GET /api/nodes/{serial}/swap", {
  access: "staff",
  summary: "The last swap of a node, of the old and of the new one alike, and how far the configuration is copied",
  params: z.object({ serial: SerialNumber }),
  data: z.object({ swap: z.nullable(NodeSwap) }),
});

export const swapNode = endpoint("POST /api/nodes/{serial}/swap", {
  access: "staff",
  summary:
    "Puts another node in a node's place (RMA): place, thresholds, flags and tasks at once, the configuration as the node confirms it",
  changes: changedBySwap,
  params: z.object({ serial: SerialNumber }),
  body: NewNodeSwap,
  data: NodeSwap,
});

export const copySwapConfig = endpoint("POST /api/nodes/{serial}/swap/config", {
  access: "staff",
  summary: "Copies what the new node of a swap has not confirmed yet; one passcode for all values",
  changes: ["/nodes/{serial}/swap", "/nodes/{serial}/overview"],
  params: z.object({ serial: SerialNumber }),
  body: z.strictObject({ code: Passcode }),
  data: NodeSwap,
});

export const leaveSwapConfig = endpoint("DELETE /api/nodes/{serial}/swap/config", {
  access: "staff",
  summary: "Leaves what the new node of a swap has not confirmed as the node has it: nothing of it is to be copied any more",
  changes: ["/nodes/{serial}/swap"],
  params: z.object({ serial: SerialNumber }),
  data: NodeSwap,
});
