import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { theme } from "#ui/theme.ts";
import { ScalarSparkline } from "./scalar-sparkline.tsx";

const height = 44;

/** @param amps of phase 1; the others lack a little of it */
async function show(amps: readonly number[], noise: number | undefined) {
  const rows = amps.map((current1, index) => ({
    timestamp: 1_770_000_000 - 10 * index,
    version: 1,
    flag: 0,
    lineFrequency: 60,
    current1,
    current2: current1 - 0.05,
    current3: current1 - 0.1,
    voltage1: 480,
    voltage2: 481,
    voltage3: 479,
  }));
  const api = fakeApi({ "GET /nodes/{serial}/realtime": () => rows });
  const onOpen = vi.fn<() => void>();
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient()}>
        <ApiContext value={api.call}>
          <ScalarSparkline serial="10001" noise={noise} onOpen={onOpen} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const drawing = screen.getByRole("img", { name: /^Current: / });
  await expect.element(drawing).toBeVisible();
  const heights = [...drawing.element().querySelectorAll("path")].flatMap((path) =>
    [...path.getAttribute("d")!.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y)),
  );
  return { screen, onOpen, drawing, spread: Math.max(...heights) - Math.min(...heights) };
}

test("A-29 currents that are noise lie flat and say no load", async () => {
  const { screen, drawing, spread, onOpen } = await show([0.2, 0.12, 0.45, 0.3], 0.5);
  expect(spread).toBeLessThan(height / 10);
  await expect.element(screen.getByText("Current, A, no load")).toBeVisible();
  await expect.element(drawing).toHaveAccessibleName(/I1 0\.12 to 0\.45 A, .+, no load$/);
  await expect.element(screen.getByText("Voltage, line to line, V", { exact: true })).toBeVisible();
  await screen.getByRole("button", { name: /^Recent scalar history/ }).click();
  expect(onOpen).toHaveBeenCalledOnce();
});

test.each([
  { amps: [0.2, 0.12, 0.51, 0.3], noise: 0.5, what: "one that is not" },
  { amps: [0.2, 0.12, 0.45, 0.3], noise: undefined, what: "a noise that is not known" },
])("currents with $what fill the height", async ({ amps, noise }) => {
  const { screen, spread } = await show(amps, noise);
  expect(spread).toBeGreaterThan(height / 2);
  await expect.element(screen.getByText("Current, A", { exact: true })).toBeVisible();
});
