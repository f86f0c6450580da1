import * as z from "zod/mini";
import { preparedEndpoint } from "../endpoint.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { NodeVerdict } from "./node-verdicts.ts";

/** Everything that the dashboard shows of one node. Timestamps are epoch seconds, null when there was none yet. */
export const DashboardNode = z.object({
  serialNumber: z.string(),
  type: z.string(),
  nodeConnected: z.boolean(),
  /** Whether it ever was. */
  hasConnected: z.boolean(),
  notifyOnConnect: z.boolean(),
  customerCode: z.string(),
  customerName: z.string(),
  facilityName: z.string(),
  locationName: z.string(),
  locationId: z.nullable(z.number()),
  /** The location's zone; null for a node at no location, whose day is UTC's. */
  timezone: z.nullable(z.string()),
  currentDeploymentStatus: z.string(),
  newDeploymentStatus: z.string(),
  lastScalarTimestamp: z.nullable(EpochSeconds),
  /** The last value of each metric: a node may send only what changed. */
  lastScalarData: z.string(),
  /** When the oldest of these values was reported. */
  oldestValueTimestamp: z.nullable(EpochSeconds),
  /** Scalars of the local day that the node skipped. */
  missingScalarStreamCount: z.number(),
  /** Scalars of the local day that could not be received because the platform was away: no fault of the node. */
  platformMissedScalarCount: z.number(),
  /** The sensor icon: null while the node has not said, else whether its voltage and current sensors are well. */
  voltaSensor: z.nullable(z.boolean()),
  lastOneSecondFileTimestamp: z.nullable(EpochSeconds),
  lastDatafileTimestamp: z.nullable(EpochSeconds),
  missingDatafileCount: z.number(),
  lastExternalFileTimestamp: z.nullable(EpochSeconds),
  eventCount: z.number(),
  meterConnected: z.boolean(),
  /** Seconds between data files. */
  dataInterval: z.number(),
  /** Seconds between scalars: what "late" means for this node. */
  scalarInterval: z.number(),
  /** What is wrong with the node; null until it was judged for the first time. */
  verdict: z.nullable(NodeVerdict),
});
export type DashboardNode = z.infer<typeof DashboardNode>;

/** The fields that telemetry moves; a change answer carries only these unless something else changed too. */
export const liveDashboardFields = [
  "nodeConnected",
  "hasConnected",
  "lastScalarTimestamp",
  "lastScalarData",
  "oldestValueTimestamp",
  "missingScalarStreamCount",
  "platformMissedScalarCount",
  "voltaSensor",
  "lastOneSecondFileTimestamp",
  "lastDatafileTimestamp",
  "missingDatafileCount",
  "lastExternalFileTimestamp",
  "eventCount",
  "meterConnected",
] as const satisfies readonly (keyof DashboardNode)[];

const wholeNode = Object.keys(DashboardNode.shape);
const hasAll = (node: object, fields: readonly string[]): boolean => fields.every((field) => field in node);

export const NodeDashboard = z
  .object({
    /**
     * By serial number. With `isFull` every node, whole. Else only nodes that changed since the asked revision, each with all
     * its fields or only with `liveDashboardFields`.
     */
    dashboardNodeMap: z.record(z.string(), z.partial(DashboardNode)),
    /** Epoch seconds. */
    serverStartUpTime: EpochSeconds,
    requestsServed: z.number(),
    /** Send it back as `since` to receive only what changed. */
    revision: z.string(),
    isFull: z.boolean(),
    /** Serial numbers that are gone since the asked revision; always empty with `isFull`. */
    removed: z.array(z.string()),
    /** Epoch seconds of the database's state that this answer shows. */
    asOf: z.number(),
    /** True when the database cannot be reached and this is the last snapshot. */
    isStale: z.boolean(),
  })
  .check(
    z.refine(
      ({ isFull, dashboardNodeMap }) =>
        Object.values(dashboardNodeMap).every((node) => hasAll(node, wholeNode) || (!isFull && hasAll(node, liveDashboardFields))),
      "A node has all its fields, or in a change those that telemetry moves",
    ),
  );
export type NodeDashboard = z.infer<typeof NodeDashboard>;

export const getNodeDashboard = preparedEndpoint("GET /api/node-dashboard", {
  access: "staff",
  summary: "The live fleet: the whole map, or with `since` only what changed",
  query: z.strictObject({
    since: z.optional(z.string().check(z.regex(/^\d{1,20}$/, "since is a revision from an earlier answer"))),
  }),
  data: NodeDashboard,
  servesStale: true,
});
