import * as z from "zod/mini";
import { SavedCustomer } from "./customers.ts";
import { DecommissionedNode } from "./decommissioned-nodes.ts";
import { preparedEndpoint } from "../endpoint.ts";
import { SavedFacility } from "./facilities.ts";
import { Location } from "./locations.ts";

export const Facility = z.object({ ...SavedFacility.shape, locations: z.array(Location) });
export type Facility = z.infer<typeof Facility>;

export const Customer = z.object({
  ...SavedCustomer.shape,
  facilities: z.array(Facility),
  decommissionedNodes: z.array(DecommissionedNode),
});
export type Customer = z.infer<typeof Customer>;

export const getCustomers = preparedEndpoint("GET /api/customers", {
  access: "staff",
  summary: "Every customer with its facilities, their locations and nodes, and its decommissioned nodes",
  data: z.array(Customer),
});
