import type { SensorDataRecord } from "@busbar/contract/telemetry/sensor-data.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import "@mantine/core/styles.css";
import { ApiContext } from "#api/api-context.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { SensorData } from "./sensor-data.tsx";

const getRecord = "GET /node-dashboard/{serial}/sensordata/{type}";
const first = 1_790_000_100;

const record = (timestamp: number, sensorData: SensorDataRecord["sensorData"]): SensorDataRecord => ({
  serialNumber: "10234",
  timestamp,
  sourceFile: `10234_${timestamp}`,
  isSourceFileKept: true,
  processed: true,
  dataAnalysisServiceProcessed: true,
  failedReason: null,
  sensorData,
  location: "Feed Pump 1",
  timezone: "UTC",
  previousTimestamp: null,
  nextTimestamp: null,
});

test("SEN-02 the record before stays in sight until the next one is there, and only the new one changes the address", async () => {
  const api = fakeApi({ [getRecord]: () => record(first, { voltageAvg: 480.5, harmonicV1_005: 2, harmonicI1_005: 3 }) });
  const queries = new QueryClient();
  const addresses: number[] = [];
  const page = (offset: "current" | "next") => (
    <MantineProvider theme={theme}>
      <QueryClientProvider client={queries}>
        <ApiContext value={api.call}>
          <SensorData serial="10234" timestamp={first} offset={offset} onRecord={(timestamp) => addresses.push(timestamp)} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>
  );
  const screen = await render(page("current"));
  await expect.element(screen.getByText("480.5")).toBeVisible();
  await screen.getByLabelText("Channel").selectOptions("I1");

  const { promise, resolve } = Promise.withResolvers<SensorDataRecord>();
  api.answers[getRecord] = () => promise;
  await screen.rerender(page("next"));
  await expect.poll(() => api.asked.length).toBe(2);
  await expect.element(screen.getByText("480.5")).toBeVisible();
  expect(addresses).toEqual([]);
  resolve(record(first + 900, { voltageAvg: 481.5, harmonicV1_005: 4 }));
  await expect.element(screen.getByText("481.5")).toBeVisible();
  expect(addresses).toEqual([first + 900]);
  // This record has no currents: the bars show what it has.
  await expect.element(screen.getByRole("img", { name: /^Harmonics of V1 by order/ })).toBeVisible();
});
