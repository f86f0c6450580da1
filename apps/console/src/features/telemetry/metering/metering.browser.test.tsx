import { MantineProvider } from "@mantine/core";
import type { PlotNote } from "@busbar/contract/directory/location-notes.ts";
import type { Metering } from "@busbar/contract/telemetry/metering.ts";
import type { NodeWiring } from "@busbar/contract/telemetry/node-wiring.ts";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { afterEach, describe, expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { MeteringScreen } from "./metering.tsx";

afterEach(() => void vi.useRealTimers());

const getMetering = "GET /locations/{id}/metering";
const deleteMetering = "DELETE /nodes/{serial}/metering";
const getRaw = "GET /nodes/{serial}/metering/raw";
const getWiring = "GET /nodes/{serial}/wiring";

const rightWiring: NodeWiring = {
  serialNumber: "10101",
  outcome: "right",
  sentence: "The wiring is right: each current follows the voltage of its own phase.",
  actions: [],
  candidates: [],
  notShown: [],
  timestamp: 1_790_000_000,
  timezone: "UTC",
  currentNoise: 1,
  values: null,
  is: null,
  ought: null,
};

function reading(changes: Partial<Metering> = {}): Metering {
  const now = Math.floor(Date.now() / 1000);
  return {
    locationId: 7,
    name: "Feed Pump 1",
    siteName: "North",
    facilityName: "North Works",
    type: "InductionMotor",
    displayEquipmentType: "Induction Motor",
    timezone: "UTC",
    serialNumber: "10101",
    connectedStatus: "Connected",
    meteringStatus: "Metering",
    meterString: "LF 60 Hz",
    fieldSerialNumber: null,
    fieldConnectedStatus: null,
    fieldMeteringStatus: null,
    fieldMeterString: null,
    timestamp: now,
    displayTimestamp: "2026-11-21 06:00:00 UTC",
    totalsTimestamp: now - 7,
    fieldTimestamp: null,
    averagesTimestamp: now - 20,
    readingInterval: 10,
    isRunning: true,
    isLineToNeutral: false,
    showLineFrequency: true,
    showPowerFactorInPlaceOfHp: false,
    showPowerModule: true,
    showPhaseSplitModule: true,
    showAveragePowerModule: true,
    showFieldModule: false,
    lineFrequency: 60.0149,
    runningTimeDays: 1.5,
    current: 100.126,
    current1: 101,
    current2: 100,
    current3: null,
    voltage: 480,
    voltage1: 480.1,
    voltage2: 480,
    voltage3: 479.95,
    fieldCurrent: null,
    fieldVoltage: null,
    powerKw: 70.667,
    powerKw1: 23.5,
    powerKw2: 23.6,
    powerKw3: -0.004,
    hp: 90.0286,
    powerKva: 83.1384,
    powerKvaR: 43.7959,
    powerFactor: 0.85,
    powerFactor1: 0.85,
    powerFactor2: 0.851,
    powerFactor3: 1,
    powerTodayAverageKw: 65.256,
    powerTodayPeakKw: 72.1,
    powerDailyAverageKw: 60,
    powerDailyPeakKw: 75.999,
    loadPercent: 90,
    voltageImbalance: 0.01,
    currentImbalance: 1.234,
    phaseSplit1: 33.3,
    phaseSplit2: 29.43,
    phaseSplit3: 37.27,
    ampHours: 12,
    kilowattHours: 1_696.4,
    kilovarHours: 1_051,
    limits: {
      currentNoise: 0,
      currentNameplate: null,
      currentOver: null,
      voltageNameplate: null,
      voltageUnder: null,
      voltageOver: null,
      powerNameplateKw: null,
    },
    phasors: null,
    ...changes,
  };
}

async function show(answers: Parameters<typeof fakeApi>[0], serial = "10101", notes: readonly PlotNote[] = []) {
  const api = fakeApi({ [getWiring]: () => rightWiring, ...answers });
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient()}>
        <ApiContext value={api.call}>
          <MeteringScreen locationId="7" serial={serial} notes={notes} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { api, screen };
}
const polls = (api: ReturnType<typeof fakeApi>) => api.asked.filter(({ endpoint }) => endpoint === getMetering);

test("NOT-04 notes of the location are on the trend, but not those of a node that is elsewhere", async () => {
  const flags = { showInVoltagePlot: false, showInCurrentPlot: true, showInAccumulatedAmpHoursPlot: false };
  // Always the same one: however long the plot takes to load, it has one value.
  const only = reading();
  const notes = [{ id: 1, timestamp: only.timestamp!, note: "Fan belt changed", ...flags }];
  const { screen } = await show({ [getMetering]: () => only }, "10101", notes);
  await expect
    .element(screen.getByRole("img", { name: /^Currents of the last minute: 1 value .*; note: Fan belt changed$/ }))
    .toBeVisible();
  expect(screen.getByRole("img", { name: /^Power of the last minute: .*kW$/ }).elements()).toHaveLength(1);
  const elsewhere = await show({ [getMetering]: () => only }, "10999", notes);
  await expect.element(elsewhere.screen.getByRole("img", { name: /^Currents of the last minute: 1 value .* A$/ }).first()).toBeVisible();
});

describe("what is shown before there are values", () => {
  test("MET-04 Loading... while waiting for the first answer, Waiting... without a meter string", async () => {
    const answer = Promise.withResolvers<Metering>();
    const { screen } = await show({ [getMetering]: () => answer.promise });
    await expect.element(screen.getByText("Loading...").first()).toBeVisible();
    answer.resolve(reading({ meterString: null, meteringStatus: "Waiting", timestamp: null }));
    await expect.element(screen.getByText("Waiting...")).toBeVisible();
    expect(screen.container.textContent).not.toContain("Loading...");
    expect(screen.getByRole("region").elements()).toHaveLength(0);
  });

  test("MET-04 a failure in the exact words; what was there stays, with its age", async () => {
    let fails = true;
    const { screen } = await show({
      [getMetering]: () => {
        if (fails) throw new ApiError(503, "UNAVAILABLE", "The database is away");
        return reading();
      },
    });
    await expect.element(screen.getByText("Failed to load metering for 10101. The database is away")).toBeVisible();
    fails = false;
    await screen.getByRole("button", { name: "Try again" }).click();
    await expect.element(screen.getByRole("region", { name: "Phases" })).toBeVisible();
    fails = true;
    await expect.element(screen.getByText(/^Failed to load metering for 10101\. The database is away Last updated/)).toBeVisible();
    await expect.element(screen.getByRole("region", { name: "Phases" })).toBeVisible();
  });

  test("MET-04 U-10 a location that is not there leads to the customers, and is not asked for again by hand", async () => {
    const { screen } = await show({ [getMetering]: () => Promise.reject(new ApiError(404, "NOT_FOUND", "Location 7 was not found")) });
    await expect.element(screen.getByText("Failed to load metering for 10101. Location 7 was not found")).toBeVisible();
    await expect.element(screen.getByRole("link", { name: "All customers" })).toHaveAttribute("href", "#/customers");
    await expect.element(screen.getByRole("button", { name: "Try again" })).not.toBeInTheDocument();
  });
});

test("COM-07 MET-05 readings have 0 to 2 decimals; what was not measured is a dash", async () => {
  const { screen } = await show({ [getMetering]: () => reading() });
  const phases = screen.getByRole("region", { name: "Phases" });
  await expect.element(phases).toBeVisible();
  const cells = [...phases.element().querySelectorAll("tbody tr")].map((row) =>
    [...row.querySelectorAll("td")].map((cell) => cell.textContent),
  );
  expect(cells).toEqual([
    ["100.13", "101", "100", "–"],
    ["480", "480.1", "480", "479.95"],
    ["70.67", "23.5", "23.6", "0"],
    ["0.85", "0.85", "0.85", "1"],
  ]);
  const values = (name: string) =>
    [...screen.getByRole("region", { name }).element().querySelectorAll("dl > div")].map((row) =>
      row.textContent?.replaceAll(/\s+/g, " ").trim(),
    );
  expect(values("Power")).toEqual([
    "Power70.67 kW",
    "Shaft power90.03 hp",
    "Apparent power83.14 kVA",
    "Reactive power43.8 kVAr",
    "Load90 %",
  ]);
  expect(values("Supply")).toEqual(["Line frequency60.01 Hz", "Voltage imbalance0.01 %", "Current imbalance1.23 %"]);
  expect(values("Phase split")).toEqual(["Phase 133.3 %", "Phase 229.43 %", "Phase 337.27 %"]);
  expect(values("Average power")).toEqual(["Today, average65.26 kW", "Today, peak72.1 kW", "Daily, average60 kW", "Daily, peak76 kW"]);
  expect(values("Since the last reset")).toEqual(["Running time1.5 days", "Charge12 Ah", "Energy1696.4 kWh", "Reactive energy1051 kVArh"]);
});

test("MET-05 each module is there only under its flag", async () => {
  const off = {
    showLineFrequency: false,
    showPowerModule: false,
    showPhaseSplitModule: false,
    showAveragePowerModule: false,
    showFieldModule: true,
    fieldVoltage: 240.123,
    fieldCurrent: 12.5,
    fieldSerialNumber: "10102",
    fieldConnectedStatus: "Connected",
    fieldMeteringStatus: "Metering",
  } as const;
  const { screen } = await show({ [getMetering]: () => reading(off) });
  await expect.element(screen.getByRole("region", { name: "Field" })).toBeVisible();
  const names = screen
    .getByRole("region")
    .elements()
    .map((region) => region.getAttribute("aria-label"));
  expect(names).toEqual(["Phases", "Field", "Since the last reset", "Last 60 seconds"]);
  await expect.element(screen.getByRole("region", { name: "Field" }).getByText(/^240\.12/)).toBeVisible();
  expect(screen.container.textContent).not.toContain("Line frequency");
});

test("MET-05 the power factor is shown in place of horse power", async () => {
  const { screen } = await show({ [getMetering]: () => reading({ showPowerFactorInPlaceOfHp: true, hp: null }) });
  const power = screen.getByRole("region", { name: "Power", exact: true });
  await expect.element(power.getByText("Power factor")).toBeVisible();
  expect(power.element().textContent).not.toContain("hp");
});

describe("MET-04 four states look different", () => {
  test.each([
    [
      "not connected",
      { connectedStatus: "Not connected", meteringStatus: "Not metering" },
      "Not connected, Not metering",
      ["Node 10101 is not connected. These are its last values."],
    ],
    [
      "not metering",
      { meteringStatus: "Not metering" },
      "Connected, Not metering",
      ["Node 10101 is connected and sends no meter values. These are its last values."],
    ],
    ["zero", { current: 0, isRunning: false }, "Connected, Metering, zero, Stopped", []],
    ["metering", {}, "Connected, Metering, Running", []],
    ["metering, and not known whether it runs", { isRunning: null }, "Connected, Metering", []],
  ] as const)("MET-04 %s", async (_name, changes, word, sentence) => {
    const { screen } = await show({ [getMetering]: () => reading(changes) });
    const words = () => [...document.querySelectorAll(".meter-status > *")].map(({ textContent }) => textContent.trim()).join(", ");
    await expect.poll(words).toBe(word);
    expect(
      screen
        .getByRole("alert")
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(sentence);
  });
});

test("MET-01 MET-02 polls every second while Live Metering is checked; Line to Neutral is requested", async () => {
  vi.useFakeTimers();
  const { api, screen } = await show({ [getMetering]: () => reading() });
  const count = () => polls(api).length;
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  const box = (name: string) => screen.getByRole("checkbox", { name }).element() as HTMLInputElement;
  await pass(3_100);
  expect(count()).toBe(4);
  expect(polls(api)[0]?.input).toEqual({ params: { id: "7" }, query: { string: "true" } });
  box("Line to Neutral").click();
  await pass(100);
  expect(polls(api).at(-1)?.input).toEqual({ params: { id: "7" }, query: { string: "true", doLineToNeutral: "true" } });
  box("Live Metering").click();
  await pass(100);
  const before = count();
  await pass(10_000);
  expect(count()).toBe(before);
  box("Live Metering").click();
  await pass(2_100);
  expect(count()).toBe(before + 2);
});

test("MET-03 a reset is confirmed, sent for the node of the address, and reported; a refusal stays in its dialog", async () => {
  let isRefused = true;
  const { api, screen } = await show({
    [getMetering]: () => reading(),
    [deleteMetering]: () => {
      if (isRefused) throw new ApiError(503, "UNAVAILABLE", "Node 10101 is not connected");
      return { reset: true };
    },
  });
  await screen.getByRole("button", { name: "Reset", exact: true }).click();
  const dialog = screen.getByRole("dialog", { name: "Reset metering of node 10101?" });
  await dialog.getByRole("button", { name: "Reset metering" }).click();
  await expect.element(dialog.getByText("Node 10101 is not connected")).toBeVisible();
  isRefused = false;
  await dialog.getByRole("button", { name: "Reset metering" }).click();
  await expect.element(screen.getByText(/^Metering of node 10101 was reset/)).toBeVisible();
  expect(api.asked.filter(({ endpoint }) => endpoint === deleteMetering).map(({ input }) => input)).toEqual([
    { params: { serial: "10101" } },
    { params: { serial: "10101" } },
  ]);
});

test("MET-06 the raw values are unrounded under their own names", async () => {
  const { screen } = await show({
    [getMetering]: () => reading(),
    [getRaw]: () => ({
      serialNumber: "10101",
      connectedStatus: "Connected",
      lastScalarData: "1,1,1795262102313,60",
      metrics: [
        { name: "Meter/kW", value: 70.66712345, unit: "kW", timestamp: Date.now() / 1000 },
        { name: "Meter/Field V", value: null, unit: "V", timestamp: null },
      ],
    }),
  });
  await screen.getByRole("button", { name: "Raw" }).click();
  const dialog = screen.getByRole("dialog", { name: "Raw metering of 10101" });
  await expect.element(dialog.getByText("1,1,1795262102313,60")).toBeVisible();
  const rows = [...dialog.element().querySelectorAll("tbody tr")].map((row) => [...row.children].map((cell) => cell.textContent));
  expect(rows).toEqual([
    ["Meter/kW", "70.66712345", "kW", expect.stringMatching(/^(just now|\d+ seconds? ago)$/)],
    ["Meter/Field V", "–", "V", ""],
  ]);
});

test("a node that is not at this location is distinguished from the one whose meter it is", async () => {
  const { screen } = await show({ [getMetering]: () => reading() }, "10999");
  await expect.element(screen.getByText("Node 10999 is not at this location; what is shown is the meter of node 10101.")).toBeVisible();
});

test("late readings fade and say so", async () => {
  const now = Math.floor(Date.now() / 1000);
  const { screen } = await show({ [getMetering]: () => reading({ timestamp: now - 31, totalsTimestamp: now - 30 }) });
  await expect.element(screen.getByRole("region", { name: "Phases" })).toHaveClass(/meter-late/);
  await expect.element(screen.getByRole("region", { name: "Phases" }).getByText("late")).toBeVisible();
  await expect.element(screen.getByRole("region", { name: "Since the last reset" })).not.toHaveClass(/meter-late/);
});

test.each([
  { beyond: 0, isLate: false },
  { beyond: 1, isLate: true },
])("MET-05 A-63 three intervals, of totals three minutes, and $beyond s more: late $isLate", async ({ beyond, isLate }) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const now = Math.floor(Date.now() / 1000);
  const [timestamp, totalsTimestamp] = [now - 30 - beyond, now - 180 - beyond];
  const times = { timestamp, fieldTimestamp: timestamp, totalsTimestamp, averagesTimestamp: totalsTimestamp, showFieldModule: true };
  const { screen } = await show({ [getMetering]: () => reading(times) });
  for (const name of ["Phases", "Field", "Since the last reset", "Average power"]) {
    const module = screen.getByRole("region", { name });
    await expect.poll(() => module.query()?.classList.contains("meter-late")).toBe(isLate);
  }
});

describe("A-29 what noise is, and what the values are held against", () => {
  const limits = {
    currentNoise: 1.25,
    currentNameplate: 125,
    currentOver: 143.75,
    voltageNameplate: 480,
    voltageUnder: 441.6,
    voltageOver: 518.4,
    powerNameplateKw: 26.7,
  };
  const phasor = (magnitude: number, angle: number) => ({ magnitude, angle });
  const voltages = [phasor(277, 0), phasor(277, -120), phasor(277, 120)];
  const stopped = reading({
    limits,
    current: 0.02,
    current1: 0.02,
    current2: 0.02,
    current3: 0.02,
    powerKw1: 0,
    powerKw2: 0,
    powerKw3: 0,
    phasors: { voltages, currents: [phasor(0.02, 0), phasor(0.02, 0), phasor(0.02, 0)] },
  });
  const fillsOf = (element: Element) =>
    [...element.querySelectorAll<HTMLElement>(".meter-fill")].map(({ style }) => Number.parseFloat(style.width));

  test("A-29 at standstill currents fade and say no load: no bar, no split, no arrow", async () => {
    const { screen } = await show({ [getMetering]: () => stopped });
    const phases = screen.getByRole("region", { name: "Phases" });
    const current = phases.getByRole("row", { name: /^Current/ });
    await expect.poll(() => current.element().textContent).toMatch(/no load/);
    expect(fillsOf(current.element())).toEqual([0, 0, 0]);
    expect(current.element().querySelectorAll("td .meter-faded")).toHaveLength(4);
    await expect.poll(() => screen.getByRole("region", { name: "Phase split" }).element().textContent).toMatch(/no load/);
    expect(screen.getByRole("region", { name: "Phase split" }).element().textContent).not.toContain("33.3");
    const drawing = screen.getByRole("img", { name: /^Phasor diagram: .*; no load$/ });
    expect([...drawing.element().querySelectorAll("text")].map(({ textContent }) => textContent)).toEqual(["V1", "V2", "V3"]);
  });

  test("A-29 one phase at noise fades alone", async () => {
    const { screen } = await show({ [getMetering]: () => ({ ...stopped, current1: 80, current2: 79, current3: 1.25 }) });
    const current = screen.getByRole("region", { name: "Phases" }).getByRole("row", { name: /^Current/ });
    await expect.poll(() => current.element().textContent).not.toMatch(/no load/);
    expect(current.element().querySelectorAll("td .meter-faded")).toHaveLength(1);
    expect(fillsOf(current.element()).map((width) => width > 0)).toEqual([true, true, false]);
  });

  test("A-29 bars have the nameplate and the thresholds as marks, and are held against them, not against their neighbour", async () => {
    const half = reading({ limits, current1: 62.5, current2: 62.5, current3: 62.5 });
    const { screen } = await show({ [getMetering]: () => half });
    const row = (name: RegExp) => screen.getByRole("region", { name: "Phases" }).getByRole("row", { name });
    await expect.poll(() => row(/^Current/).element().textContent).toMatch(/nameplate 125, limit 143\.75/);
    const bar = row(/^Current/)
      .element()
      .querySelector(".meter-bar")!;
    const places = [...bar.querySelectorAll<HTMLElement>(".meter-mark")].map(
      ({ title, style }) => [title, Number.parseFloat(style.left)] as const,
    );
    expect(places.map(([title]) => title)).toEqual(["nameplate 125", "limit 143.75"]);
    // Half of the full load reaches half as far as the nameplate's mark.
    expect(fillsOf(bar)[0]! / places[0]![1]).toBeCloseTo(0.5, 5);
    await expect.poll(() => row(/^Voltage/).element().textContent).toMatch(/lowest 441\.6, nameplate 480, highest 518\.4/);
    await expect.poll(() => row(/^Power kW/).element().textContent).toMatch(/nameplate of a phase 26\.7/);
  });

  test("A-29 labels that would overlap are drawn apart", async () => {
    const same = [phasor(100, 0), phasor(100, 0), phasor(100, 0)];
    const { screen } = await show({ [getMetering]: () => reading({ phasors: { voltages: same, currents: same } }) });
    const drawing = screen.getByRole("img", { name: /^Phasor diagram/ });
    await expect.element(drawing).toBeVisible();
    const boxes = [...drawing.element().querySelectorAll("text")].map((text) => text.getBoundingClientRect());
    expect(boxes).toHaveLength(6);
    const isApart = (a: DOMRect, b: DOMRect) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
    for (const [index, box] of boxes.entries()) expect(boxes.slice(index + 1).every((other) => isApart(box, other))).toBe(true);
  });
});
