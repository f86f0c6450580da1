import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";

export const CustomerName = z.object({ id: z.int(), code: z.string(), name: z.string() });
export type CustomerName = z.infer<typeof CustomerName>;

export const getCustomerNames = endpoint("GET /api/customers/names", {
  access: "staff",
  summary: "Codes and names of all customers, by name, without their facilities",
  data: z.array(CustomerName),
});
