import { getNetworkConfigLog, maxNetworkConfigEntries } from "@busbar/contract/telemetry/network-config-log.ts";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useApi } from "#api/api-context.ts";

const pageSize = 200;

/** The newest entries that match; older ones page by page. */
export function useNetworkConfigLog(filter: string) {
  const call = useApi();
  return useInfiniteQuery({
    queryKey: ["network-config-log", filter],
    queryFn: ({ pageParam, signal }) =>
      call(
        getNetworkConfigLog,
        {
          query: {
            limit: String(pageSize),
            ...(filter === "" ? {} : { filter }),
            ...(pageParam === undefined ? {} : { before: String(pageParam) }),
          },
        },
        { signal },
      ),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.length < pageSize ? undefined : last.at(-1)?.id),
    placeholderData: keepPreviousData,
  });
}

/** Every entry that matches, for a file. */
export function useAllNetworkConfigEntries(filter: string) {
  const call = useApi();
  return async () => {
    const entries = [];
    for (let before: number | undefined; ;) {
      const page = await call(getNetworkConfigLog, {
        query: {
          limit: String(maxNetworkConfigEntries),
          ...(filter === "" ? {} : { filter }),
          ...(before === undefined ? {} : { before: String(before) }),
        },
      });
      entries.push(...page);
      if (page.length < maxNetworkConfigEntries) return entries;
      before = page.at(-1)?.id;
    }
  };
}
