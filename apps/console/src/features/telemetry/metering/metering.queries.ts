import { getMetering, getRawMetering, resetMetering } from "@busbar/contract/telemetry/metering.ts";
import { getNodeWiring } from "@busbar/contract/telemetry/node-wiring.ts";
import { useApi } from "#api/api-context.ts";
import { useApiQuery, useGathered } from "#api/use-api-query.ts";
import { addToTrend, type TrendPoint } from "./trend.ts";

const pollMs = 1_000;
const retryMs = 5_000;

export interface MeteringChoice {
  isLive: boolean;
  isLineToNeutral: boolean;
}

/** MET-01: asked every second while live; a failing poll slows down and keeps what there is. */
export function useMetering(locationId: string, { isLive, isLineToNeutral }: MeteringChoice) {
  const { gather } = useTrendOf(locationId);
  const query = { string: "true" as const, ...(isLineToNeutral ? { doLineToNeutral: "true" as const } : {}) };
  return useApiQuery(
    getMetering,
    { params: { id: locationId }, query },
    {
      onAnswer: (metering) => gather((trend) => addToTrend(trend, metering)),
      refetchInterval: ({ state }) => isLive && (state.status === "error" || state.fetchFailureCount > 0 ? retryMs : pollMs),
      refetchOnWindowFocus: isLive,
      retry: false,
      isPreviousKept: true,
    },
  );
}

const glanceMs = 10_000;

/** What the meter shows, now and then: no node publishes more for it. */
export function useMeterGlance(locationId: string | undefined) {
  return useApiQuery(
    getMetering,
    { params: { id: locationId ?? "" }, query: { watch: "false" } },
    { enabled: locationId !== undefined, refetchInterval: glanceMs },
  );
}

const noTrend: TrendPoint[] = [];
const useTrendOf = (locationId: string) => useGathered(getMetering, { params: { id: locationId }, query: {} }, noTrend);

/** The values of the last minute, as the polls brought them. */
export function useTrend(locationId: string): TrendPoint[] {
  return useTrendOf(locationId).gathered;
}

/** MET-03: what was shown is forgotten with what the server forgot. */
export function useResetMetering(locationId: string) {
  const { gather } = useTrendOf(locationId);
  const call = useApi();
  return async (serial: string): Promise<void> => {
    await call(resetMetering, { params: { serial } });
    gather(() => noTrend);
  };
}

const wiringMs = 5_000;

/** Whether its inputs are wired right, as its last values show. */
export function useNodeWiring(serial: string, isLive: boolean) {
  return useApiQuery(getNodeWiring, { params: { serial } }, { refetchInterval: isLive && wiringMs });
}

const rawRefreshMs = 2_000;

export function useRawMetering(serial: string) {
  return useApiQuery(getRawMetering, { params: { serial } }, { refetchInterval: rawRefreshMs });
}
