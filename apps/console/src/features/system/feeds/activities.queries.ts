import { getActivities, getLiveActivity, getRecentLogins } from "@busbar/contract/system/feeds.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useApi } from "#api/api-context.ts";

export interface ActivityQuery {
  from: number;
  count: number;
  actor?: string;
  action?: string;
  /** Where the reader began; empty for what there is now. */
  upTo: string;
}

export function useActivities({ from, count, upTo, ...filter }: ActivityQuery) {
  const call = useApi();
  const query = { from: String(from), count: String(count), ...filter, ...(upTo === "" ? {} : { upTo }) };
  return useQuery({
    queryKey: ["activities", query],
    queryFn: ({ signal }) => call(getActivities, { query }, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function useRecentLogins(count: number) {
  const call = useApi();
  return useQuery({
    queryKey: ["recent-logins", count],
    queryFn: ({ signal }) => call(getRecentLogins, { query: { count: String(count) } }, { signal }),
    placeholderData: keepPreviousData,
  });
}

const liveEveryMs = 10_000;

/** SYS-06: polled every 10 s. */
export function useLiveActivity() {
  const call = useApi();
  return useQuery({
    queryKey: ["live-activity"],
    queryFn: ({ signal }) => call(getLiveActivity, {}, { signal }),
    refetchInterval: liveEveryMs,
  });
}
