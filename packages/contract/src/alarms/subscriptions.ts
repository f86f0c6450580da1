import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { subscriptionFrequencies } from "../values/option-lists.ts";
import { EntityId, EntityNumber } from "../values/entity-id.ts";

const frequency = z.nullable(
  z.enum(subscriptionFrequencies, `frequency is one of ${subscriptionFrequencies.join(", ")}, or null for none`),
);

/** What someone gets of a facility that they subscribe to: the user's own flags say it, for all of them. */
const wanted = {
  activeStatus: z.string(),
  /** Gets messages of all of the customer's facilities at once, but where a frequency of their own is chosen. */
  autoSubscribeAllFacilities: z.boolean(),
  receiveDailyReport: z.boolean(),
  receiveConnectivityNotifications: z.boolean(),
  receiveFaultLibraryNotifications: z.boolean(),
};

/** The chosen frequency; null for none. */
const chosen = z.nullable(z.enum(subscriptionFrequencies));

export const UserSubscriptions = z.object({
  userId: z.number(),
  username: z.string(),
  ...wanted,
  /** All that can concern the user: of the own customer, for internal users of everyone. By name. */
  facilities: z.array(
    z.object({ facilityId: z.number(), facilityName: z.string(), customerName: z.string(), isOwnCustomer: z.boolean(), frequency: chosen }),
  ),
});
export type UserSubscriptions = z.infer<typeof UserSubscriptions>;

export const FacilitySubscriptions = z.object({
  facilityId: z.number(),
  facilityName: z.string(),
  customerName: z.string(),
  /** The users of the customer, then internal users of others. By name. */
  users: z.array(
    z.object({
      userId: z.number(),
      username: z.string(),
      firstName: z.string(),
      lastName: z.string(),
      isOwnCustomer: z.boolean(),
      ...wanted,
      frequency: chosen,
    }),
  ),
});
export type FacilitySubscriptions = z.infer<typeof FacilitySubscriptions>;

/** Of one save. */
const mostChanges = 1_000;
const changesOf = <Id extends "facilityId" | "userId">(id: Id) => {
  const change = z.strictObject({
    [id]: EntityNumber,
    frequency,
    /** What the person saw: someone else's change meanwhile is not overwritten. */
    previous: frequency,
  } as { [Key in Id]: typeof EntityNumber } & { frequency: typeof frequency; previous: typeof frequency });
  return z.strictObject({
    changes: z.array(change, "changes is a list").check(
      z.minLength(1, "Change at least one"),
      z.maxLength(mostChanges, `At most ${mostChanges} changes at once`),
      z.refine((list) => new Set(list.map((each) => (each as Record<Id, number>)[id])).size === list.length, `Each ${id} is listed once`),
    ),
  });
};

const changes = [
  "/users/{id}/subscriptions",
  "/facilities/{id}/subscriptions",
  "/facilities/{id}/overview",
  "/subscriptions/report",
] as const;

export const getUserSubscriptions = endpoint("GET /api/users/{id}/subscriptions", {
  access: "staff",
  summary: "Which facilities' messages a user gets, how often, and those that could be chosen",
  params: z.object({ id: EntityId }),
  data: UserSubscriptions,
});

export const updateUserSubscriptions = endpoint("PATCH /api/users/{id}/subscriptions", {
  access: "staff",
  summary: "Subscribes a user to facilities, or ends that; refused when one of them is not as it was",
  changes,
  params: z.object({ id: EntityId }),
  body: changesOf("facilityId"),
  data: UserSubscriptions,
});

export const getFacilitySubscriptions = endpoint("GET /api/facilities/{id}/subscriptions", {
  access: "staff",
  summary: "Who gets a facility's messages, how often, and who could",
  params: z.object({ id: EntityId }),
  data: FacilitySubscriptions,
});

export const updateFacilitySubscriptions = endpoint("PATCH /api/facilities/{id}/subscriptions", {
  access: "staff",
  summary: "Subscribes users to a facility, or ends that; refused when one of them is not as it was",
  changes,
  params: z.object({ id: EntityId }),
  body: changesOf("userId"),
  data: FacilitySubscriptions,
});
