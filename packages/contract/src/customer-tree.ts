import * as z from "zod/mini";
import { SavedCustomer } from "./customers.ts";
import { DecommissionedNode } from "./decommissioned-nodes.ts";
import { preparedEndpoint } from "./endpoint.ts";
import { SavedFacility } from "./facilities.ts";

/** A node as customers and locations show it. */
export const TreeNode = z.object({
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
export type TreeNode = z.infer<typeof TreeNode>;

const isoDate = z.nullable(z.string());
const nameplateNumber = z.nullable(z.number());

/** A location with everything that its form shows. Dates are `yyyy-mm-dd`. */
export const TreeLocation = z.object({
  id: z.number(),
  name: z.string(),
  assetLocationNumber: z.string(),
  customerXRefId: z.string(),
  equipmentType: z.string(),
  nodeSerialNumber: z.nullable(z.string()),
  secondaryNodeSerialNumber: z.nullable(z.string()),
  /** The primary node first, the secondary second. */
  nodes: z.array(TreeNode),
  timezone: z.string(),
  /** Epoch seconds. */
  equipmentStartTimestamp: z.number(),
  billingStartDate: isoDate,
  billingEndDate: isoDate,
  paidThruDate: isoDate,
  notifyMissedData: z.boolean(),
  starter: z.string(),
  loadApplication: z.string(),
  voltageTapLocation: z.string(),
  ctLocation: z.string(),
  channels: z.nullable(z.string()),
  npVoltage: nameplateNumber,
  npCurrent: nameplateNumber,
  npHp: nameplateNumber,
  npRpm: nameplateNumber,
  npPoles: nameplateNumber,
  npRotorBars: nameplateNumber,
  npServiceFactor: nameplateNumber,
});
export type TreeLocation = z.infer<typeof TreeLocation>;

export const Facility = z.object({ ...SavedFacility.shape, locations: z.array(TreeLocation) });
export type Facility = z.infer<typeof Facility>;

export const Customer = z.object({
  ...SavedCustomer.shape,
  facilities: z.array(Facility),
  decommissionedNodes: z.array(DecommissionedNode),
});
export type Customer = z.infer<typeof Customer>;

export const getCustomers = preparedEndpoint({
  versions: ["v1"],
  method: "GET",
  path: "/customers",
  access: "staff",
  summary: "Every customer with its facilities, their locations and nodes, and its decommissioned nodes",
  data: z.array(Customer),
});
