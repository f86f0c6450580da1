import { getSensorData } from "@busbar/contract/telemetry/sensor-data.ts";
import type { SensorDataOffset } from "@busbar/contract/telemetry/sensor-data.ts";
import { useApiQuery, usePutAnswer } from "#api/use-api-query.ts";

const pendingMs = 5_000;
const inputOf = (serial: string, timestamp: number, offset: SensorDataOffset) => ({
  params: { serial, type: offset },
  query: { offset: String(timestamp) },
});

/** SEN-01. The record is kept under its own time as well, where the screen goes on to. */
export function useSensorData(serial: string, timestamp: number, offset: SensorDataOffset) {
  const put = usePutAnswer();
  return useApiQuery(getSensorData, inputOf(serial, timestamp, offset), {
    read: (record) => {
      if (record.timestamp !== timestamp || offset !== "current")
        put(getSensorData, inputOf(serial, record.timestamp, "current"), () => record);
      return record;
    },
    refetchInterval: ({ state }) => (state.data?.processed === null ? pendingMs : false),
    // Who steps from record to record compares them: the one before stays until the next one is there.
    placeholderData: (before) => (before?.serialNumber === serial ? before : undefined),
  });
}
