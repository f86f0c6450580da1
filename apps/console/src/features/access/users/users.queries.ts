import { getCustomerNames } from "@busbar/contract/directory/customer-names.ts";
import { getApiKeys, getUserKeys } from "@busbar/contract/access/user-keys.ts";
import { getUserSessions, getUsers } from "@busbar/contract/access/users.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "#api/api-context.ts";

const usersKey = ["users"];

export function useUsers() {
  const call = useApi();
  return useQuery({
    queryKey: usersKey,
    queryFn: ({ signal }) => call(getUsers, {}, { signal }),
    // Ten thousand objects are not worth comparing: an answer replaces the one before.
    structuralSharing: false,
  });
}

/** Asks for the users again, after one was changed. */
export function useReloadUsers(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: usersKey });
}

export function useCustomerNames() {
  const call = useApi();
  return useQuery({ queryKey: ["customer-names"], queryFn: ({ signal }) => call(getCustomerNames, {}, { signal }) });
}

export function useLoginHistory(userId: number) {
  const call = useApi();
  return useQuery({
    queryKey: ["user-sessions", userId],
    queryFn: ({ signal }) => call(getUserSessions, { params: { id: String(userId) } }, { signal }),
  });
}

/** USR-09: the list as the texts have it, and what else is known of both kinds of keys. */
export function useUserKeys(userId: number) {
  const call = useApi();
  const params = { id: String(userId) };
  const apiKeys = useQuery({
    queryKey: ["user-keys", userId, "api"],
    queryFn: ({ signal }) => call(getApiKeys, { params }, { signal }),
  });
  const details = useQuery({
    queryKey: ["user-keys", userId, "details"],
    queryFn: ({ signal }) => call(getUserKeys, { params }, { signal }),
  });
  return { apiKeys, details };
}

export function useReloadKeys(userId: number): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ["user-keys", userId] });
}
