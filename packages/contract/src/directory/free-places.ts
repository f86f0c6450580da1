import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { EntityNumber } from "../values/entity-id.ts";
import { deploymentTaskTypes } from "../values/option-lists.ts";
import { SerialNumber } from "../values/serial-number.ts";
import { changedByPlace } from "./changed-by-place.ts";
import { Node, WiringReason } from "./nodes.ts";

const taskType = z.enum(deploymentTaskTypes, `deploymentTaskType is one of ${deploymentTaskTypes.join(", ")}`);

/** A location that waits for its only node. */
export const FreePlace = z.object({
  locationId: z.int(),
  locationName: z.string(),
  facilityName: z.string(),
  customerName: z.string(),
  customerCode: z.string(),
  /** What a deployment here is, as far as the platform knows: whether the location had a node, and its facility has one. */
  deploymentTaskType: taskType,
});
export type FreePlace = z.infer<typeof FreePlace>;

/** So many are offered; whoever looks for another one types more of its name. */
export const mostFreePlaces = 50;

export const getFreePlaces = endpoint("GET /api/free-places", {
  access: "staff",
  summary: `Locations of one node that have none, by parts of the words of their customer, facility and name; at most ${mostFreePlaces}`,
  query: z.strictObject({
    text: z.optional(
      z.string("text is one line").check(z.maxLength(120, "text has at most 120 characters"), z.regex(/^\P{Cc}*$/u, "text is one line")),
    ),
  }),
  data: z.array(FreePlace),
});

export const takeFreePlace = endpoint("POST /api/nodes/{serial}/place", {
  access: "staff",
  summary: "Put a node that is at no location at one that has none; who is Deployed already gives a reason without a wiring verdict",
  changes: [...changedByPlace, "/nodes/{serial}/tasks", "/nodes/{serial}/notes"],
  params: z.object({ serial: SerialNumber }),
  body: z.strictObject({
    locationId: EntityNumber,
    /** For a node that has none yet. */
    deploymentTaskType: z.optional(taskType),
    wiringReason: z.optional(WiringReason),
  }),
  data: Node,
});
