import { getAccount, getOwnSessions } from "@busbar/contract/access/account.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "#api/api-context.ts";

const accountEveryMs = 10_000;

export function useAccount() {
  const call = useApi();
  // Also a screen that asks for nothing hears within ten seconds that its session is over.
  return useQuery({ queryKey: ["account"], queryFn: ({ signal }) => call(getAccount, {}, { signal }), refetchInterval: accountEveryMs });
}

/** @param isPossible false while a second factor must be set up before anything else */
export function useOwnSessions(isPossible: boolean) {
  const call = useApi();
  return useQuery({
    queryKey: ["account", "sessions"],
    queryFn: ({ signal }) => call(getOwnSessions, {}, { signal }),
    enabled: isPossible,
  });
}

/** Asks again for the own account and sessions; everything else too once the person may see it. */
export function useReloadAccount(): (all?: boolean) => Promise<void> {
  const queries = useQueryClient();
  return (all = false) => (all ? queries.invalidateQueries() : queries.invalidateQueries({ queryKey: ["account"] }));
}
