import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { changedByPlace } from "./changed-by-place.ts";
import { EntityId, EntityNumber } from "../values/entity-id.ts";
import { customerTypes } from "../values/option-lists.ts";
import { listWithOwnCalls, noneYet, ownFields } from "../values/own-fields.ts";
import { Passcode } from "../access/passcode.ts";
import { ConfirmedCounts, ExpectedRevision } from "../values/revision.ts";

const emailDomain = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;

// CUS-04
const customerFields = {
  code: z
    .string("Code is required")
    .check(z.regex(/^[a-z]{2,}$/, "Code is at least 2 lowercase letters"), z.maxLength(63, "Code has at most 63 letters")),
  name: z
    .string("Name is required")
    .check(
      z.trim(),
      z.regex(
        /^[A-Za-z][A-Za-z0-9,. ]{2,}$/,
        "Name starts with a letter, then has letters, digits, commas, periods and spaces, at least 3 characters",
      ),
      z.maxLength(120, "Name has at most 120 characters"),
    ),
  type: z.enum(customerTypes, "Type is Revenue or Internal"),
  enableDataTransfer: z.boolean("enableDataTransfer is true or false"),
  requireDivisionFacilityLocation: z.boolean("requireDivisionFacilityLocation is true or false"),
  emailDomains: z.array(z.string(), "emailDomains is a list of texts").check(
    z.refine(
      (domains) => domains.every((domain) => emailDomain.test(domain)),
      "An e-mail domain looks like works.example, in small letters",
    ),
    z.maxLength(50, "A customer has at most 50 e-mail domains"),
    z.refine((domains) => new Set(domains).size === domains.length, "Each e-mail domain is listed once"),
  ),
};

/** The form's values, and the fields of a customer on the wire. */
export const CustomerForm = z.object(customerFields);
export type CustomerForm = z.infer<typeof CustomerForm>;

const lists = { facilities: listWithOwnCalls("facilities"), decommissionedNodes: listWithOwnCalls("decommissionedNodes") };

export const NewCustomer = z.strictObject({
  ...customerFields,
  ...lists,
  id: noneYet("id"),
  type: z._default(customerFields.type, "Revenue"),
  enableDataTransfer: z._default(customerFields.enableDataTransfer, false),
  requireDivisionFacilityLocation: z._default(customerFields.requireDivisionFacilityLocation, false),
  emailDomains: z._default(customerFields.emailDomains, []),
});
export type NewCustomer = z.output<typeof NewCustomer>;

export const customerOwnFields = { id: EntityNumber };

/** The code may be sent along, but never be another one. */
export const CustomerPatch = z.strictObject({
  ...z.partial(CustomerForm).shape,
  ...ownFields(customerOwnFields),
  ...lists,
  revision: ExpectedRevision,
});
export type CustomerPatch = z.output<typeof CustomerPatch>;

/** A customer without what hangs on it. */
// Stored rows may be older than a rule: what is shown is not checked like what is entered.
export const SavedCustomer = z.object({
  id: z.number(),
  ...customerFields,
  code: z.string(),
  name: z.string(),
  emailDomains: z.array(z.string()),
  revision: z.number(),
});
export type SavedCustomer = z.infer<typeof SavedCustomer>;

export const createCustomer = endpoint("POST /api/customers", {
  access: "staff",
  summary: "Add a customer",
  changes: changedByPlace,
  body: NewCustomer,
  data: SavedCustomer,
});

export const updateCustomer = endpoint("PATCH /api/customers/{id}", {
  access: "staff",
  summary: "Change a customer: the fields that are given, never the code",
  changes: changedByPlace,
  params: z.object({ id: EntityId }),
  body: CustomerPatch,
  data: SavedCustomer,
});

export const deleteCustomer = endpoint("DELETE /api/customers/{id}/2fa/{code}", {
  access: "staff",
  summary: "Delete a customer with its facilities and locations; with confirm only while their numbers are these",
  changes: changedByPlace,
  params: z.object({ id: EntityId, code: Passcode }),
  query: z.strictObject({
    confirm: z.optional(ConfirmedCounts(2, "confirm is the numbers of facilities and locations that go with the customer, such as 2,14")),
  }),
  data: z.object({ deleted: z.literal(true), facilities: z.number(), locations: z.number(), freedNodes: z.array(z.string()) }),
});
