import { getScalarHistory } from "@busbar/contract/telemetry/scalar-history.ts";
import { useApiQuery } from "#api/use-api-query.ts";

const refreshEveryMs = 10_000;

/** DSH-11: the latest scalars, newest first, asked again every 10 s. */
export function useScalarHistory(serial: string) {
  return useApiQuery(getScalarHistory, { params: { serial }, query: {} }, { refetchInterval: refreshEveryMs });
}
