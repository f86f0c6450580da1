import { getSensorData } from "@busbar/contract/telemetry/sensor-data.ts";
import type { SensorDataOffset } from "@busbar/contract/telemetry/sensor-data.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "#api/api-context.ts";

const pendingMs = 5_000;
const keyOf = (serial: string, timestamp: number, offset: SensorDataOffset) => ["sensor-data", serial, timestamp, offset];

/** SEN-01. The record is kept under its own time as well, where the screen goes on to. */
export function useSensorData(serial: string, timestamp: number, offset: SensorDataOffset) {
  const call = useApi();
  const queries = useQueryClient();
  return useQuery({
    queryKey: keyOf(serial, timestamp, offset),
    queryFn: async ({ signal }) => {
      const record = await call(getSensorData, { params: { serial, type: offset }, query: { offset: String(timestamp) } }, { signal });
      if (record.timestamp !== timestamp || offset !== "current") queries.setQueryData(keyOf(serial, record.timestamp, "current"), record);
      return record;
    },
    refetchInterval: ({ state }) => (state.data?.processed === null ? pendingMs : false),
    // Who steps from record to record compares them: the one before stays until the next one is there.
    placeholderData: (before) => (before?.serialNumber === serial ? before : undefined),
  });
}
