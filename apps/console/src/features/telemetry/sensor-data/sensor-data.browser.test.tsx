import type { SensorDataRecord } from "@busbar/contract/telemetry/sensor-data.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { SensorData } from "./sensor-data.tsx";

const getRecord = "GET /node-dashboard/{serial}/sensordata/{type}";
const getLimits = "GET /trends";
const limits = () => ({
  fromTimestamp: first,
  toTimestamp: first + 900,
  series: [
    {
      quantity: "voltage",
      limits: [
        { line: "Nameplate voltage", value: 480, kind: "nameplate" },
        { line: "Over-voltage", value: 528, kind: "limit" },
        { line: "Under-voltage", value: 432, kind: "limit" },
      ],
    },
    {
      quantity: "powerKw",
      limits: [
        { line: "Nameplate power", value: 11, kind: "nameplate" },
        { line: "Over-power", value: 12, kind: "limit" },
      ],
    },
    { quantity: "voltageImbalance", limits: [{ line: "Voltage imbalance", value: 3, kind: "limit" }] },
  ],
});
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
  const api = fakeApi({
    [getRecord]: () => record(first, { voltageAvg: 480.5, harmonicV1_005: 2, harmonicI1_005: 3 }),
    [getLimits]: limits,
  });
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
  await expect.element(screen.getByText("480.5 V")).toBeVisible();
  await screen.getByLabelText("Channel").selectOptions("I1");

  const { promise, resolve } = Promise.withResolvers<SensorDataRecord>();
  api.answers[getRecord] = () => promise;
  await screen.rerender(page("next"));
  await expect.poll(() => api.asked.filter(({ endpoint }) => endpoint === getRecord).length).toBe(2);
  await expect.element(screen.getByText("480.5 V")).toBeVisible();
  expect(addresses).toEqual([]);
  resolve(record(first + 900, { voltageAvg: 481.5, harmonicV1_005: 4 }));
  await expect.element(screen.getByText("481.5 V")).toBeVisible();
  expect(addresses).toEqual([first + 900]);
  // This record has no currents: the bars show what it has.
  await expect.element(screen.getByRole("img", { name: /^Harmonics of V1 by order/ })).toBeVisible();
});

test("values have their limits beside them, and a record without them says why", async () => {
  const data = {
    npVoltage: 480,
    voltage2Avg: 481,
    voltage2Min: 470,
    voltage2Max: 492,
    voltageImbalance: 0.9,
    interval: 900,
    powerKwAvg: 5,
    powerKwMin: 4,
    powerKwMax: 6,
  };
  const api = fakeApi({ [getRecord]: () => record(first, data), [getLimits]: limits });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={queries}>
        <ApiContext value={api.call}>
          <SensorData serial="10234" timestamp={first} offset="current" onRecord={() => undefined} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  await expect
    .element(screen.getByRole("row", { name: "Voltage, lines 2-3 voltage2 V 481 470 492 480 Over-voltage 528 Under-voltage 432" }))
    .toBeVisible();
  const { series, ...span } = api.asked.find(({ endpoint }) => endpoint === getLimits)!.input["query"] as Record<string, string>;
  expect(span).toEqual({ from: String(first), to: String(first + 900), points: "1" });
  expect(series).toMatch(/^10234:\w+(,10234:\w+)*$/);
  await expect.element(screen.getByRole("row", { name: /powerKw kW 5(\.0+)? 4(\.0+)? 6(\.0+)? 11(\.0+)? Over-power 12/ })).toBeVisible();
  await expect.element(screen.getByText("limit 3 %")).toBeVisible();
  await expect.element(screen.getByText("900 s")).toBeVisible();
  api.answers[getLimits] = () => {
    throw new ApiError(503, "", "The database is away");
  };
  await queries.resetQueries();
  await expect.element(screen.getByText("The limits could not be loaded: The database is away")).toBeVisible();
});

test.each([400, 404])("an address that leads past the records leads back once, and to the nodes: %d", async (status) => {
  const api = fakeApi({ [getRecord]: () => Promise.reject(new ApiError(status, "", "There is no such record")) });
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={api.call}>
          <SensorData serial="10234" timestamp={first} offset="next" onRecord={() => undefined} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const back = screen.getByRole("link", { name: "Back to the record" });
  await expect.element(back).toHaveAttribute("href", `#/node-dashboard/10234/sensordata/${first}/current`);
  await expect.element(screen.getByRole("link", { name: "All nodes" })).toHaveAttribute("href", "#/nodes");
  expect(back.elements()).toHaveLength(1);
});
