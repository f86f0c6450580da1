import {
  getFacilitySubscriptions,
  getUserSubscriptions,
  updateFacilitySubscriptions,
  updateUserSubscriptions,
  type FacilitySubscriptions,
  type UserSubscriptions,
} from "@busbar/contract/alarms/subscriptions.ts";
import { useApi } from "#api/api-context.ts";
import { useApiQuery, usePutAnswer } from "#api/use-api-query.ts";
import type { SubscriptionChange } from "./subscription-list.tsx";

/** Both sides are kept as the save answered them, before anyone asks again. */
export function useUserSubscriptions(userId: number) {
  const call = useApi();
  const put = usePutAnswer();
  const input = { params: { id: String(userId) } };
  return {
    ...useApiQuery(getUserSubscriptions, input),
    save: async (changes: SubscriptionChange[]): Promise<UserSubscriptions> => {
      const body = { changes: changes.map(({ id, ...change }) => ({ facilityId: id, ...change })) };
      const saved = await call(updateUserSubscriptions, { ...input, body });
      put(getUserSubscriptions, input, () => saved);
      return saved;
    },
  };
}

export function useFacilitySubscriptions(facilityId: number) {
  const call = useApi();
  const put = usePutAnswer();
  const input = { params: { id: String(facilityId) } };
  return {
    ...useApiQuery(getFacilitySubscriptions, input),
    save: async (changes: SubscriptionChange[]): Promise<FacilitySubscriptions> => {
      const body = { changes: changes.map(({ id, ...change }) => ({ userId: id, ...change })) };
      const saved = await call(updateFacilitySubscriptions, { ...input, body });
      put(getFacilitySubscriptions, input, () => saved);
      return saved;
    },
  };
}
