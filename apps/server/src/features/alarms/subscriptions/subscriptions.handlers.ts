import type { Handlers } from "#http/endpoints.ts";
import type { Subscriptions } from "./subscriptions.service.ts";

export function subscriptionsHandlers(subscriptions: Subscriptions) {
  return {
    getUserSubscriptions: ({ params }) => subscriptions.ofUser(params.id),
    updateUserSubscriptions: ({ params, body }, { caller }) => subscriptions.changeOfUser(caller, params.id, body.changes),
    getFacilitySubscriptions: ({ params }) => subscriptions.ofFacility(params.id),
    updateFacilitySubscriptions: ({ params, body }, { caller }) => subscriptions.changeOfFacility(caller, params.id, body.changes),
  } satisfies Partial<Handlers>;
}
