import type { Handlers } from "#http/endpoints.ts";
import type { Subscriptions } from "./subscriptions.service.ts";

type Names = "getUserSubscriptions" | "updateUserSubscriptions" | "getFacilitySubscriptions" | "updateFacilitySubscriptions";

export function subscriptionsHandlers(subscriptions: Subscriptions): Pick<Handlers, Names> {
  return {
    getUserSubscriptions: ({ params }) => subscriptions.ofUser(params.id),
    updateUserSubscriptions: ({ params, body }, { caller }) => subscriptions.changeOfUser(caller, params.id, body.changes),
    getFacilitySubscriptions: ({ params }) => subscriptions.ofFacility(params.id),
    updateFacilitySubscriptions: ({ params, body }, { caller }) => subscriptions.changeOfFacility(caller, params.id, body.changes),
  };
}
