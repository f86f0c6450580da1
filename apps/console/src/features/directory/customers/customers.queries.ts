import { getCustomers } from "@busbar/contract/directory/customer-tree.ts";
import { useApiQuery } from "#api/use-api-query.ts";

/** Someone else's changes, and statuses that come into effect by themselves. */
const refreshEveryMs = 30_000;

/** The whole tree; asked again it costs next to nothing as long as nothing changed. */
export const useCustomers = () => useApiQuery(getCustomers, {}, { refetchInterval: refreshEveryMs });
