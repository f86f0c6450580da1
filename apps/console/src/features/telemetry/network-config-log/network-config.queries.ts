import { getNetworkConfigLog, maxNetworkConfigEntries } from "@busbar/contract/telemetry/network-config-log.ts";
import { useAllRows, useApiPages } from "#api/use-api-query.ts";

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
export const useAllNetworkConfigEntries = (filter: string) =>
  useAllRows(
    (call, before: number | undefined) => call(getNetworkConfigLog, pageOf(filter, maxNetworkConfigEntries, before)),
    (last) => (last.length < maxNetworkConfigEntries ? undefined : last.at(-1)?.id),
  );
