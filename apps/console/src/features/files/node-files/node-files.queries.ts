import { getNodeFilesSummary } from "@busbar/contract/files/node-files.ts";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "#api/api-context.ts";

/** Whose files they are. */
export function useNodeFilesSummary(serial: string) {
  const call = useApi();
  return useQuery({
    queryKey: ["node-files-summary", serial],
    queryFn: ({ signal }) => call(getNodeFilesSummary, { params: { serial } }, { signal }),
  });
}
