import { getCustomerNames } from "@busbar/contract/directory/customer-names.ts";
import { getApiKeys, getUserKeys } from "@busbar/contract/access/user-keys.ts";
import { getUserSessions, getUsers } from "@busbar/contract/access/users.ts";
import { useApiQuery } from "#api/use-api-query.ts";

export const useUsers = () => useApiQuery(getUsers, {});

export const useCustomerNames = () => useApiQuery(getCustomerNames, {});

export const useLoginHistory = (userId: number) => useApiQuery(getUserSessions, { params: { id: String(userId) } });

/** USR-09: the list as the texts have it, and what else is known of both kinds of keys. */
export function useUserKeys(userId: number) {
  const input = { params: { id: String(userId) } };
  return { apiKeys: useApiQuery(getApiKeys, input), details: useApiQuery(getUserKeys, input) };
}
