import { getSensorData, type SensorDataOffset } from "@busbar/contract/telemetry/sensor-data.ts";
import { getTrends, seriesText, type TrendSeries } from "@busbar/contract/telemetry/trends.ts";
import { useApiQuery, usePutAnswer } from "#api/use-api-query.ts";
import { limitedQuantities } from "./key-words.ts";

const pendingMs = 5_000;
const inputOf = (serial: string, timestamp: number, offset: SensorDataOffset) => ({
  params: { serial, type: offset },
  query: { offset: String(timestamp) },
});

/** SEN-01. The record is kept under its own time as well, where the screen goes on to. */
export function useSensorData(serial: string, timestamp: number, offset: SensorDataOffset) {
  const put = usePutAnswer();
  return useApiQuery(getSensorData, inputOf(serial, timestamp, offset), {
    onAnswer: (record) => {
      if (record.timestamp !== timestamp || offset !== "current")
        put(getSensorData, inputOf(serial, record.timestamp, "current"), () => record);
    },
    refetchInterval: ({ state }) => (state.data?.processed === null ? pendingMs : false),
    // Who steps from record to record compares them: the one before stays until the next one is there.
    placeholderData: (before) => (before?.serialNumber === serial ? before : undefined),
  });
}

/** Nameplate and thresholds by quantity, of the node as it is now. */
export type Limits = ReadonlyMap<string, TrendSeries["limits"]>;

const usualSeconds = 900;

export function useLimits(serialNumber: string, timestamp: number) {
  const series = seriesText(limitedQuantities.map((quantity) => ({ serialNumber, quantity })));
  return useApiQuery(
    getTrends,
    { query: { series, from: String(timestamp), to: String(timestamp + usualSeconds), points: "1" } },
    { select: (answer): Limits => new Map(answer.series.map(({ quantity, limits }) => [quantity, limits])), isPreviousKept: true },
  );
}
