import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";

/** A node as its customer's programs see it. Times in epoch seconds. */
export const CustomerNode = z.object({
  serialNumber: z.int(),
  /** 1 the primary node of the location, 2 the secondary one. */
  slot: z.int(),
  type: z.string(),
  currentDeploymentStatus: z.string(),
  isConnected: z.boolean(),
  lastScalarTimestamp: z.nullable(EpochSeconds),
});

export const CustomerLocation = z.object({
  id: z.int(),
  name: z.string(),
  facilityId: z.int(),
  facilityName: z.string(),
  siteName: z.string(),
  assetLocationNumber: z.string(),
  equipmentType: z.string(),
  timezone: z.string(),
  nodes: z.array(CustomerNode),
});
export type CustomerLocation = z.infer<typeof CustomerLocation>;

export const getCustomerLocations = endpoint("GET /api/customer/locations", {
  alsoV2: true,
  access: "staff",
  apiKeyScope: "read",
  summary: "For a customer's program with a key: the customer's locations and their nodes",
  data: z.array(CustomerLocation),
});
