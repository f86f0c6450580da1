import { getMetering, getRawMetering, resetMetering } from "@busbar/contract/telemetry/metering.ts";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "#api/api-context.ts";
import { addToTrend } from "./trend.ts";
import type { TrendPoint } from "./trend.ts";

const pollMs = 1_000;
const retryMs = 5_000;

export interface MeteringChoice {
  isLive: boolean;
  isLineToNeutral: boolean;
}

const trendKey = (locationId: string) => ["metering-trend", locationId];

/** MET-01: asked every second while live; a failing poll slows down and keeps what there is. */
export function useMetering(locationId: string, { isLive, isLineToNeutral }: MeteringChoice) {
  const call = useApi();
  const queries = useQueryClient();
  return useQuery({
    queryKey: ["metering", locationId, isLineToNeutral],
    queryFn: async ({ signal }) => {
      const query = { string: "true" as const, ...(isLineToNeutral ? { doLineToNeutral: "true" as const } : {}) };
      const metering = await call(getMetering, { params: { id: locationId }, query }, { signal });
      queries.setQueryData<TrendPoint[]>(trendKey(locationId), (trend = []) => addToTrend(trend, metering));
      return metering;
    },
    refetchInterval: (query) => isLive && (query.state.status === "error" || query.state.fetchFailureCount > 0 ? retryMs : pollMs),
    refetchOnWindowFocus: isLive,
    retry: false,
    placeholderData: keepPreviousData,
  });
}

const noTrend: TrendPoint[] = [];

/** The values of the last minute, as the polls brought them. */
export function useTrend(locationId: string): TrendPoint[] {
  const { data } = useQuery<TrendPoint[]>({ queryKey: trendKey(locationId), queryFn: () => noTrend, enabled: false });
  return data ?? noTrend;
}

/** MET-03: what was shown is forgotten with what the server forgot. */
export function useResetMetering(locationId: string) {
  const call = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (serial: string) => call(resetMetering, { params: { serial } }),
    onSuccess: () => {
      queries.setQueryData(trendKey(locationId), noTrend);
      return queries.invalidateQueries({ queryKey: ["metering", locationId] });
    },
  });
}

const rawRefreshMs = 2_000;

export function useRawMetering(serial: string) {
  const call = useApi();
  return useQuery({
    queryKey: ["raw-metering", serial],
    queryFn: ({ signal }) => call(getRawMetering, { params: { serial } }, { signal }),
    refetchInterval: rawRefreshMs,
  });
}
