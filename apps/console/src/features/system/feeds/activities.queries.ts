import { getActivities, getLiveActivity, getRecentLogins } from "@busbar/contract/system/feeds.ts";
import { useApiQuery } from "#api/use-api-query.ts";

export interface ActivityQuery {
  from: number;
  count: number;
  actor?: string;
  action?: string;
  /** Where the reader began; empty for what there is now. */
  upTo: string;
}

export function useActivities({ from, count, upTo, ...filter }: ActivityQuery) {
  const query = { from: String(from), count: String(count), ...filter, ...(upTo === "" ? {} : { upTo }) };
  return useApiQuery(getActivities, { query }, { isPreviousKept: true });
}

export const useRecentLogins = (count: number) =>
  useApiQuery(getRecentLogins, { query: { count: String(count) } }, { isPreviousKept: true });

const liveEveryMs = 10_000;

/** SYS-06: polled every 10 s. */
export const useLiveActivity = () => useApiQuery(getLiveActivity, {}, { refetchInterval: liveEveryMs });
