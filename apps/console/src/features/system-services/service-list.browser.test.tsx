import type { Service } from "@busbar/contract/system-services.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { describe, expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import "@mantine/core/styles.css";
import "#ui/base.css";
import { ApiContext } from "#api/api-context.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { ServiceList } from "./service-list.tsx";

const service = (change: Partial<Service>): Service => ({
  isEnabled: true,
  isScheduledService: true,
  isRunning: false,
  interval: 300,
  countProcessedLastRun: 2_147_483_647,
  countProcessedLifetime: 9_007_199_254_740_991,
  logEntry: "",
  durationLastRun: 3_600.123,
  durationAverage: 1.5,
  timestampLastFinished: 1_790_000_000,
  timestampNextRun: 1_790_000_300,
  failingSince: null,
  ...change,
});

async function show(services: Record<string, Service>) {
  return render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient()}>
        <ApiContext value={fakeApi({ "GET /system/services": () => services }).call}>
          <ServiceList />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

test("SYS-03 a service that fails says so and since when, whatever else it does", async () => {
  const failingSince = Date.now() / 1000 - 3_720;
  const screen = await show({
    Broken: service({ failingSince, logEntry: "no paper" }),
    Trying: service({ failingSince, isRunning: true }),
    Fine: service({}),
    Switched: service({ failingSince, isEnabled: false }),
  });
  await expect.element(screen.getByRole("row", { name: /Broken/ }).getByText("Failing")).toBeVisible();
  await expect.element(screen.getByRole("row", { name: /Broken/ }).getByText("for 1h 2m")).toBeVisible();
  await expect.element(screen.getByRole("row", { name: /Trying/ }).getByText("failing for 1h 2m")).toBeVisible();
  await expect.element(screen.getByRole("row", { name: /Fine/ }).getByText("Idle")).toBeVisible();
  await expect.element(screen.getByRole("row", { name: /Switched/ }).getByText("Disabled")).toBeVisible();
  await expect.element(screen.getByRole("row", { name: /Switched/ }).getByText(/for 1h/)).not.toBeInTheDocument();
});

describe("SYS-01 services with long log entries", () => {
  test.each([
    [1_440, 900],
    [390, 844],
  ])("stay within a page of %d by %d, whole and as text", async (width, height) => {
    await page.viewport(width, height);
    const markup = `<img src=x onerror="document.title='hacked'">`;
    const screen = await show({
      Endless: service({ logEntry: "x".repeat(1_000) }),
      Wordy: service({ logEntry: "no paper in the tray ".repeat(47) }),
      Hostile: service({ logEntry: markup, isRunning: true }),
    });
    await expect.element(screen.getByText("x".repeat(1_000))).toBeVisible();
    await expect.element(screen.getByText(markup)).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    expect(screen.getByRole("table", { name: "Services" }).element().getBoundingClientRect().width).toBeLessThanOrEqual(width);
    expect(document.title).not.toBe("hacked");
  });
});
