import * as z from "zod/mini";

const largestId = 2_147_483_647;

/** The number of a customer, facility, location or user in an address. */
export const EntityId = z.pipe(
  z
    .string()
    .check(z.refine((text) => /^[1-9]\d{0,9}$/.test(text) && Number(text) <= largestId, "An id is a whole number from 1 to 2147483647")),
  z.transform(Number),
);

/** The same in a body. */
export const EntityNumber = z
  .int("An id is a whole number")
  .check(z.minimum(1, "An id is at least 1"), z.maximum(largestId, "This id is too large"));
