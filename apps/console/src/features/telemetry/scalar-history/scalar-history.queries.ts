import { getScalarHistory } from "@busbar/contract/telemetry/scalar-history.ts";
import { useApiQuery } from "#api/use-api-query.ts";

const refreshEveryMs = 10_000;

/** DSH-11: the latest scalars, newest first, asked again every 10 s; those before a time are asked for once. */
export function useScalarHistory(serial: string, before?: number) {
  return useApiQuery(
    getScalarHistory,
    { params: { serial }, query: before === undefined ? {} : { before: String(before) } },
    before === undefined ? { refetchInterval: refreshEveryMs } : {},
  );
}
