import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { ExpectedRevision } from "../values/revision.ts";
import { SerialNumber } from "../values/serial-number.ts";
import { changedByPlace } from "./changed-by-place.ts";
import { LocationForm } from "./locations.ts";
import { Node, WiringReason } from "./nodes.ts";

export const requestDeployed = endpoint("POST /api/nodes/{serial}/deployed", {
  access: "staff",
  summary:
    "Request Deployed from the next midnight of its place on, with the billing start of its location where that has none; without a wiring verdict it takes a reason",
  changes: [...changedByPlace, "/nodes/{serial}/tasks"],
  params: z.object({ serial: SerialNumber }),
  body: z.strictObject({
    billingStartDate: z.optional(LocationForm.shape.billingStartDate),
    wiringReason: z.optional(WiringReason),
    /** Of the node. */
    revision: ExpectedRevision,
  }),
  data: Node,
});
