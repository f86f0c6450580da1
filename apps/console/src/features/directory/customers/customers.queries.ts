import { getCustomers } from "@busbar/contract/directory/customer-tree.ts";
import { find } from "@busbar/contract/system/find.ts";
import { useApiQuery } from "#api/use-api-query.ts";

/** Someone else's changes, and statuses that come into effect by themselves. */
const refreshEveryMs = 30_000;

/** The whole tree; asked again it costs next to nothing as long as nothing changed. */
export const useCustomers = () => useApiQuery(getCustomers, {}, { refetchInterval: refreshEveryMs });

export const useFound = (text: string, isAsked: boolean) => useApiQuery(find, { query: { text } }, { enabled: isAsked });
