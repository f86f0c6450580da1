import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { changedByPlace } from "./changed-by-place.ts";
import { EntityId, EntityNumber } from "../values/entity-id.ts";
import { divisions, facilityTypes, groundingTypes } from "../values/option-lists.ts";
import { listWithOwnCalls, noneYet, ownFields } from "../values/own-fields.ts";
import { Passcode } from "../access/passcode.ts";
import { ConfirmedCounts, ExpectedRevision, ExpectedRevisionQuery } from "../values/revision.ts";

const placeName = (label: string) =>
  z
    .string(`${label} is required`)
    .check(
      z.trim(),
      z.regex(
        /^[A-Za-z0-9][A-Za-z0-9 ,_.-]{2,}$/,
        `${label} starts with a letter or digit, then has letters, digits, spaces and , _ . - and at least 3 characters`,
      ),
      z.maxLength(120, `${label} has at most 120 characters`),
    );

const decimals = /^[+-]?\d{1,3}(\.\d{1,12})?,[+-]?\d{1,3}(\.\d{1,12})?$/;

function isOnEarth(text: string): boolean {
  const [latitude = 0, longitude = 0] = text.split(",").map(Number);
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
}

const noManagersYet = "managers of a new facility are set once it is there";

// CUS-05
const facilityFields = {
  name: placeName("Name"),
  siteName: placeName("Site name"),
  customerXRefId: z
    .string("Customer cross reference is a text")
    .check(
      z.trim(),
      z.maxLength(100, "Customer cross reference has at most 100 characters"),
      z.regex(/^\P{Cc}*$/u, "Customer cross reference is one line of text"),
    ),
  division: z.enum(divisions, "Division is one of the list"),
  groundingType: z.enum(groundingTypes, "Grounding type is one of the list"),
  type: z.enum(facilityTypes, "Type is one of the list"),
  facilityLocation: z.string("Facility location is a text").check(
    z.trim(),
    z.refine((text) => text === "" || decimals.test(text), "Facility location is latitude,longitude as signed decimals"),
    z.refine((text) => !decimals.test(text) || isOnEarth(text), "Latitude is from -90 to 90, longitude from -180 to 180"),
  ),
};

/** The form's values, and the fields of a facility on the wire. */
export const FacilityForm = z.object(facilityFields);
export type FacilityForm = z.infer<typeof FacilityForm>;

/** What a customer with `requireDivisionFacilityLocation` requires in addition. */
export const RequiredPlace = z.object({
  division: facilityFields.division.check(z.refine((division) => division !== "", "Division is required for this customer")),
  facilityLocation: facilityFields.facilityLocation.check(
    z.refine((position) => position !== "", "Facility location is required for this customer"),
  ),
});

/** An edit is asked for them when it changes one: a customer that wants them since yesterday keeps nothing else from being saved. */
export const isRequiredPlaceField = (field: string): boolean => Object.hasOwn(RequiredPlace.shape, field);

const lists = { locations: listWithOwnCalls("locations") };

export const NewFacility = z.strictObject({
  ...facilityFields,
  ...lists,
  managers: z.optional(z.array(EntityNumber, noManagersYet).check(z.maxLength(0, noManagersYet))),
  id: noneYet("id"),
  customerXRefId: z._default(facilityFields.customerXRefId, ""),
  division: z._default(facilityFields.division, ""),
  groundingType: z._default(facilityFields.groundingType, ""),
  type: z._default(facilityFields.type, "Inherit from Customer"),
  facilityLocation: z._default(facilityFields.facilityLocation, ""),
});
export type NewFacility = z.output<typeof NewFacility>;

/** Managers are set by a call of their own. */
export const facilityOwnFields = {
  id: EntityNumber,
  customerId: EntityNumber,
  managers: z.array(EntityNumber, "managers is a list of user ids").check(z.maxLength(200, "A facility has at most 200 managers")),
};

export const FacilityPatch = z.strictObject({
  ...z.partial(FacilityForm).shape,
  ...ownFields(facilityOwnFields),
  ...lists,
  revision: ExpectedRevision,
});
export type FacilityPatch = z.output<typeof FacilityPatch>;

/** A facility without what hangs on it. */
// Stored rows may be older than a rule: what is shown is not checked like what is entered.
export const SavedFacility = z.object({
  id: z.number(),
  customerId: z.number(),
  ...facilityFields,
  name: z.string(),
  siteName: z.string(),
  customerXRefId: z.string(),
  facilityLocation: z.string(),
  /** Ids of users of the customer. */
  managers: z.array(z.number()),
  revision: z.number(),
});
export type SavedFacility = z.infer<typeof SavedFacility>;

const customerParams = { id: EntityId };
const facilityParams = { id: EntityId, facilityId: EntityId };

export const createFacility = endpoint("POST /api/customers/{id}/facilities", {
  access: "staff",
  summary: "Add a facility to a customer",
  changes: changedByPlace,
  params: z.object(customerParams),
  body: NewFacility,
  data: SavedFacility,
});

export const updateFacility = endpoint("PATCH /api/customers/{id}/facilities/{facilityId}", {
  access: "staff",
  summary: "Change a facility: the fields that are given",
  changes: changedByPlace,
  params: z.object(facilityParams),
  body: FacilityPatch,
  data: SavedFacility,
});

export const deleteFacility = endpoint("DELETE /api/customers/{id}/facilities/{facilityId}/2fa/{code}", {
  access: "staff",
  summary: "Delete a facility with its locations; with confirm only while their number is this",
  changes: changedByPlace,
  params: z.object({ ...facilityParams, code: Passcode }),
  query: z.strictObject({ confirm: z.optional(ConfirmedCounts(1, "confirm is the number of locations that go with the facility")) }),
  data: z.object({ deleted: z.literal(true), locations: z.number(), freedNodes: z.array(z.string()) }),
});

export const setFacilityManagers = endpoint("PATCH /api/customers/{id}/facilities/{facilityId}/managers", {
  access: "staff",
  summary: "Replace the managers of a facility: ids of users of its customer",
  changes: changedByPlace,
  params: z.object(facilityParams),
  query: z.strictObject({ revision: ExpectedRevisionQuery }),
  body: z.array(EntityNumber, "managers is a list of user ids").check(
    z.maxLength(200, "A facility has at most 200 managers"),
    z.refine((ids) => new Set(ids).size === ids.length, "managers names each user once"),
  ),
  data: SavedFacility,
});

/** What a move took along and left behind. */
export const FacilityMove = z.object({
  facilityId: z.number(),
  customerId: z.number(),
  locations: z.number(),
  nodes: z.number(),
  removedManagers: z.number(),
});
export type FacilityMove = z.infer<typeof FacilityMove>;

export const moveFacility = endpoint("PATCH /api/customers/{id}/facilities/{facilityId}/customers/{newCustomerId}", {
  access: "staff",
  summary: "Move a facility with its locations and nodes to another customer",
  changes: changedByPlace,
  params: z.object({ ...facilityParams, newCustomerId: EntityId }),
  data: FacilityMove,
});
