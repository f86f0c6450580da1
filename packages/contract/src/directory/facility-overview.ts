import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { EntityId } from "../values/entity-id.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { Gravity } from "../values/gravity.ts";

/** What is wrong with a node, as `NodeVerdict` of its room. */
const Verdict = z.object({ kind: z.string(), gravity: Gravity, sentence: z.string(), since: z.nullable(EpochSeconds) });

export const FacilityNode = z.object({
  serialNumber: z.string(),
  type: z.string(),
  currentDeploymentStatus: z.string(),
  locationId: z.number(),
  locationName: z.string(),
  isSecondary: z.boolean(),
  connected: z.boolean(),
  lastScalarTimestamp: z.nullable(EpochSeconds),
  openAlarmCount: z.number(),
  /** Null until the node was judged for the first time. */
  verdict: z.nullable(Verdict),
});
export type FacilityNode = z.infer<typeof FacilityNode>;

/** Nodes of one facility that were lost together. */
export const FacilityOutage = z.object({
  fromTimestamp: EpochSeconds,
  /** When the last of them was back; null while one is not. */
  toTimestamp: z.nullable(EpochSeconds),
  nodeCount: z.number(),
});
export type FacilityOutage = z.infer<typeof FacilityOutage>;

export const FacilitySubscriber = z.object({
  userId: z.number(),
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  frequency: z.string(),
});
export type FacilitySubscriber = z.infer<typeof FacilitySubscriber>;

/** What the page of a facility shows. */
export const FacilityOverview = z.object({
  id: z.number(),
  facilityName: z.string(),
  siteName: z.string(),
  division: z.string(),
  customerId: z.number(),
  customerName: z.string(),
  /** Of its locations, each once. */
  timezones: z.array(z.object({ timezone: z.string() })),
  locationCount: z.number(),
  /** By serial number. */
  nodes: z.array(FacilityNode),
  /** Of the last 30 days, newest first. */
  outages: z.array(FacilityOutage),
  managers: z.array(z.object({ userId: z.number(), username: z.string(), firstName: z.string(), lastName: z.string() })),
  subscribers: z.array(FacilitySubscriber),
});
export type FacilityOverview = z.infer<typeof FacilityOverview>;

export const getFacilityOverview = endpoint("GET /api/facilities/{id}/overview", {
  access: "staff",
  summary: "A facility with its nodes and what is wrong with them, its outages, and the people who are notified",
  params: z.object({ id: EntityId }),
  data: FacilityOverview,
});
