import { getScalarHistory } from "@busbar/contract/telemetry/scalar-history.ts";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "#api/api-context.ts";

const refreshEveryMs = 10_000;

/** DSH-11: the latest scalars, newest first, asked again every 10 s. */
export function useScalarHistory(serial: string) {
  const call = useApi();
  return useQuery({
    queryKey: ["scalar-history", serial],
    queryFn: ({ signal }) => call(getScalarHistory, { params: { serial }, query: {} }, { signal }),
    refetchInterval: refreshEveryMs,
  });
}
