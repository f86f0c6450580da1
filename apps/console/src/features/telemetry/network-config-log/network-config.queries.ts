import { getNetworkConfigLog, maxNetworkConfigEntries } from "@busbar/contract/telemetry/network-config-log.ts";
import { useApi } from "#api/api-context.ts";
import { useApiPages } from "#api/use-api-query.ts";

const pageSize = 200;

const pageOf = (filter: string, limit: number, before: number | undefined) => ({
  query: {
    limit: String(limit),
    ...(filter === "" ? {} : { filter }),
    ...(before === undefined ? {} : { before: String(before) }),
  },
});

/** The newest entries that match; older ones page by page. */
export function useNetworkConfigLog(filter: string) {
  return useApiPages(
    getNetworkConfigLog,
    (before: number | undefined) => pageOf(filter, pageSize, before),
    (last) => (last.length < pageSize ? undefined : last.at(-1)?.id),
  );
}

/** Every entry that matches, for a file. */
export function useAllNetworkConfigEntries(filter: string) {
  const call = useApi();
  return async () => {
    const entries = [];
    for (let before: number | undefined; ;) {
      const page = await call(getNetworkConfigLog, pageOf(filter, maxNetworkConfigEntries, before));
      entries.push(...page);
      if (page.length < maxNetworkConfigEntries) return entries;
      before = page.at(-1)?.id;
    }
  };
}
