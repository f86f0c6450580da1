import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { changedByPlace } from "./changed-by-place.ts";
import { EntityId } from "../values/entity-id.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { SerialNumber } from "../values/serial-number.ts";

const required = (label: string) =>
  z
    .string(`${label} is required`)
    .check(
      z.trim(),
      z.minLength(1, `${label} is required`),
      z.maxLength(120, `${label} has at most 120 characters`),
      z.regex(/^\P{Cc}*$/u, `${label} is one line of text`),
    );

// CUS-18
export const NewDecommissionedNode = z.strictObject({
  serialNumber: SerialNumber,
  facilityName: required("Facility name"),
  siteName: required("Site name"),
});
export type NewDecommissionedNode = z.infer<typeof NewDecommissionedNode>;

export const DecommissionedNode = z.object({
  serialNumber: z.string(),
  facilityName: z.string(),
  siteName: z.string(),
  /** Where the node was last; empty when it was nowhere. */
  retiredCustomer: z.string(),
  retiredFacility: z.string(),
  retiredLocation: z.string(),
  /** Epoch seconds. */
  decommissionedTimestamp: EpochSeconds,
});
export type DecommissionedNode = z.infer<typeof DecommissionedNode>;

export const createDecommissionedNode = endpoint("POST /api/customers/{id}/decommissionednodes", {
  access: "staff",
  summary: "Retire a node that is at no location",
  changes: changedByPlace,
  params: z.object({ id: EntityId }),
  body: NewDecommissionedNode,
  data: DecommissionedNode,
});

export const deleteDecommissionedNode = endpoint("DELETE /api/customers/{id}/decommissionednodes/{serial}", {
  access: "staff",
  summary: "Take a node back from the retired ones: it is Unassigned then",
  changes: changedByPlace,
  params: z.object({ id: EntityId, serial: SerialNumber }),
  data: z.object({ deleted: z.literal(true) }),
});
