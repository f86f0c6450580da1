import { getCustomers } from "@busbar/contract/directory/customer-tree.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "#api/api-context.ts";
import type { Client } from "#api/client.ts";

/** Whatever changes a customer, facility or location makes this query old. */
const customersKey = ["customers"];
/** Somebody else's changes, and statuses that come into effect by themselves. */
const refreshEveryMs = 30_000;

/** The whole tree; asked again it costs next to nothing as long as nothing changed. */
export function useCustomers() {
  const call = useApi();
  const queries = useQueryClient();
  return useQuery({
    queryKey: customersKey,
    queryFn: ({ signal }) => call(getCustomers, {}, { signal, known: queries.getQueryData<object>(customersKey) }),
    structuralSharing: false,
    refetchInterval: refreshEveryMs,
  });
}

/** Makes a change and shows the tree as it is then. */
export function useDirectoryChange() {
  const call = useApi();
  const queries = useQueryClient();
  return async function change<T>(make: (call: Client) => Promise<T>): Promise<T> {
    try {
      return await make(call);
    } finally {
      // Also after a refusal: it may tell of something that this page does not show yet.
      void queries.invalidateQueries({ queryKey: customersKey });
    }
  };
}
