import { getAccount, getOwnSessions } from "@busbar/contract/access/account.ts";
import { useApiQuery } from "#api/use-api-query.ts";

const accountEveryMs = 10_000;

// Also a screen that requests nothing hears within ten seconds that its session is over.
export const useAccount = () => useApiQuery(getAccount, {}, { refetchInterval: accountEveryMs });

/** @param isPossible false while a second factor must be set up before anything else */
export const useOwnSessions = (isPossible: boolean) => useApiQuery(getOwnSessions, {}, { enabled: isPossible });
