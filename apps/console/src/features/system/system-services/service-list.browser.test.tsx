import type { Service, WaitingWork } from "@busbar/contract/system/system-services.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { ServiceList } from "./service-list.tsx";

// What is shown as so long ago stays so, however long a test takes.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

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
  durationsOfLastRuns: [1, 3_600.123],
  failuresOfLastRuns: [true, false],
  lastWork: { did: "Packed 3 downloads", timestamp: 1_790_000_000 },
  waiting: null,
  ...change,
});

async function show(services: Record<string, Service> | Promise<Record<string, Service>>, waiting: readonly WaitingWork[] = []) {
  return render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient()}>
        <ApiContext value={fakeApi({ "GET /system/services": () => services, "GET /system/services/{name}/waiting": () => waiting }).call}>
          <ServiceList />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

test("SYS-03 a service that fails says so and since when, whatever else it does", async () => {
  await page.viewport(1_440, 900);
  const failingSince = Date.now() / 1000 - 3_720;
  const screen = await show({
    Broken: service({ failingSince, logEntry: "no paper" }),
    Trying: service({ failingSince, isRunning: true }),
    Fine: service({}),
    Switched: service({ failingSince, isEnabled: false }),
    Ingest: service({ isScheduledService: false, isRunning: true, timestampNextRun: null }),
  });
  await expect.element(screen.getByRole("row", { name: /Broken/ }).getByText("Failing")).toBeVisible();
  await expect.element(screen.getByRole("row", { name: /Broken/ }).getByText("for 1h 2m")).toBeVisible();
  await expect.element(screen.getByRole("row", { name: /Trying/ }).getByText("failing for 1h 2m")).toBeVisible();
  await expect.element(screen.getByRole("row", { name: /Fine/ }).getByText("Idle")).toBeVisible();
  await expect.element(screen.getByRole("row", { name: /Switched/ }).getByText("Disabled")).toBeVisible();
  await expect.element(screen.getByRole("row", { name: /Switched/ }).getByText(/for 1h/)).not.toBeInTheDocument();
  // Neither what is stopped already, nor what always runs.
  await screen.getByRole("button", { name: "Stop all" }).click();
  await expect.element(screen.getByRole("button", { name: "Stop 3 services" })).toBeVisible();
});

test("A-62 of what waits, all of which is listed, no part is called the oldest; what waits no more is said", async () => {
  await page.viewport(1_440, 900);
  const waiting = { count: 1, since: 1_790_000_000, nextTry: null };
  const item = { kind: "file", item: "a.txt", reason: "No room", tries: 1, since: 1_790_000_000, nextTry: null };
  const open = async (items: readonly WaitingWork[]) => {
    const screen = await show({ Busy: service({ waiting }) }, items);
    await screen.getByRole("button", { name: /waiting for Busy$/ }).click();
    return screen;
  };
  const listed = await open([item]);
  await expect.element(listed.getByText("No room")).toBeVisible();
  expect(listed.getByText(/The oldest/).elements()).toEqual([]);
  await listed.unmount();
  await expect.element((await open([])).getByText("Nothing waits any more")).toBeVisible();
});

test.each([1_440, 390])("A-62 what waits, since when and why, is listed, at %d px", async (width) => {
  await page.viewport(width, 900);
  const since = Math.floor(Date.now() / 1000) - 7_500;
  const file = {
    kind: "file",
    item: "10701_20260106T143000Z_D0900.txt 1a2b3c4d5e6f",
    reason: "EISDIR: illegal operation",
    tries: 4,
    since,
    nextTry: since + 7_600,
  };
  const request = {
    kind: "request to node",
    item: "10701",
    reason: "Waits for the node to connect",
    tries: 0,
    since: since + 5,
    nextTry: null,
  };
  const screen = await show({ Busy: service({ waiting: { count: 20_450, since, nextTry: since + 7_600 } }), Fine: service({}) }, [
    file,
    request,
  ]);
  if (width === 390) await screen.getByRole("button", { name: /^Busy/ }).click();
  const button = screen.getByRole("button", { name: /^20,450, for .*: waiting for Busy$/ });
  await expect.element(button).toHaveTextContent("20,450, for 2h 5m");
  await button.click();
  const dialog = screen.getByRole("dialog", { name: "Waiting for Busy" });
  await expect.element(dialog.getByText("The oldest 2 of 20,450:")).toBeVisible();
  await expect.element(dialog.getByRole("link", { name: `File ${file.item.split(" ")[0]}`, exact: true })).toBeVisible();
  for (const text of [file.reason, "4", "request to node 10701", request.reason, "0"])
    await expect.element(dialog.getByText(text, { exact: true })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});

test.each([1_440, 390])(
  "SYS-03 what a service did last is in words, its last runs are drawn, and what waits says when it is tried, at %d px",
  async (width) => {
    await page.viewport(width, 900);
    const now = Date.now() / 1000;
    const idle = service({
      countProcessedLastRun: 0,
      timestampLastFinished: now - 5,
      lastWork: { did: "Packed 3 downloads", timestamp: now - 200 },
    });
    const durationsOfLastRuns = [...Array.from({ length: 58 }, () => 0), 0.25, 2];
    const failuresOfLastRuns = durationsOfLastRuns.map((seconds) => seconds === 2);
    const waiting = { count: 2, since: Math.floor(now) - 7_500, nextTry: Math.floor(now) + 610 };
    const screen = await show({ Packer: { ...idle, durationsOfLastRuns, failuresOfLastRuns, waiting } });
    if (width === 390) await screen.getByRole("button", { name: /^Packer/ }).click();
    await expect.element(screen.getByText("Nothing to do. 3m ago: Packed 3 downloads")).toBeVisible();
    await expect.element(screen.getByText("next try in 10m")).toBeVisible();
    const plot = screen.getByRole("img", { name: "The last 60 runs took 0.00 s to 2.00 s, 1 failed" });
    await expect.element(plot).toBeVisible();
    const bars = [...plot.element().querySelectorAll("path")].map((bar) => bar.getBBox().height);
    expect(bars.map(Math.round)).toEqual([...Array.from({ length: 58 }, () => 1), 2, 18]);
  },
);

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
    if (width === 390) {
      for (const name of [/^Endless/, /^Wordy/, /^Hostile/]) await screen.getByRole("button", { name }).click();
    }
    await expect.element(screen.getByText("x".repeat(1_000))).toBeVisible();
    await expect.element(screen.getByText(markup)).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    const services = screen.getByRole(width === 390 ? "list" : "table", { name: "Services" });
    expect(services.element().getBoundingClientRect().width).toBeLessThanOrEqual(width);
    expect(document.title).not.toBe("hacked");
  });
});

describe("A-32 services on a telephone", () => {
  const many = () => ({
    ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`Job${index}`, service({})])),
    Broken: service({ failingSince: Date.now() / 1000 - 3_720, logEntry: "no paper" }),
    Ingest: service({ isScheduledService: false, isRunning: true, timestampNextRun: null }),
    Off: service({ isEnabled: false }),
    New: service({ timestampLastFinished: null, timestampNextRun: Date.now() / 1000 + 1_000 }),
  });

  test("are a list of compact rows: name, state as shape and word, and one line of when they run", async () => {
    await page.viewport(390, 844);
    const screen = await show(many());
    await expect.element(screen.getByRole("list", { name: "Services" })).toBeVisible();
    const rows = screen.getByRole("button", { expanded: false }).elements();
    expect(rows).toHaveLength(Object.keys(many()).length);
    for (const row of rows) {
      expect(row.getBoundingClientRect().height).toBeLessThan(60);
      expect(row.getBoundingClientRect().height).toBeGreaterThanOrEqual(44);
      expect(row.querySelector(".service-state svg")).not.toBeNull();
    }
    await expect.element(screen.getByRole("button", { name: /^Job0 Idle Last ran .+ ago next in approx / })).toBeVisible();
    await expect.element(screen.getByRole("button", { name: /^Broken Failing for 1h 2m Last ran / })).toBeVisible();
    await expect.element(screen.getByRole("button", { name: /^Ingest Always on continuous$/ })).toBeVisible();
    await expect.element(screen.getByRole("button", { name: /^Off Disabled every 5m$/ })).toBeVisible();
    await expect.element(screen.getByRole("button", { name: /^New Idle First run in approx 1\dm$/ })).toBeVisible();
  });

  test("open to every field and action, by tap and by keyboard", async () => {
    await page.viewport(390, 844);
    const screen = await show({ Broken: many().Broken, Off: many().Off });
    const row = screen.getByRole("button", { name: /^Broken/ });
    await row.click();
    await expect.element(row).toHaveAttribute("aria-expanded", "true");
    const facts = document.getElementById(row.element().getAttribute("aria-controls")!)!;
    expect(Array.from(facts.querySelectorAll("dt"), (term) => term.textContent)).toEqual([
      "Waiting",
      "Interval",
      "Last Run",
      "Lifetime",
      "Duration",
      "Average",
      "Last Finished",
      "Next Run",
      "Actions",
    ]);
    await expect.element(screen.getByText("no paper")).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "disable Broken" })).toBeVisible();
    await row.click();
    await expect.element(screen.getByText("no paper")).not.toBeInTheDocument();
    (row.element() as HTMLElement).focus();
    await userEvent.keyboard("{Tab}{Enter}");
    await expect.element(screen.getByRole("button", { name: /^Off/ })).toHaveAttribute("aria-expanded", "true");
    await userEvent.keyboard("{Tab}");
    await expect.element(screen.getByRole("button", { name: "enable Off" })).toHaveFocus();
  });

  test.each([1_440, 390])("are where their shapes were while they loaded, at %d px", async (width) => {
    await page.viewport(width, 844);
    const { promise, resolve } = Promise.withResolvers<Record<string, Service>>();
    const screen = await show(promise);
    await expect.element(screen.getByText("Loading the services")).toBeInTheDocument();
    const tops = (selector: string) =>
      Array.from(screen.container.querySelectorAll(selector), (row) => row.getBoundingClientRect().top).slice(0, 5);
    const before = tops(".loading-row, .loading-cells");
    resolve(many());
    await expect.element(screen.getByText("Job0")).toBeVisible();
    const after = tops(width === 390 ? "li" : "tbody tr:not(.detail-row)");
    expect(after).toHaveLength(5);
    after.forEach((top, index) => expect(Math.abs(top - before[index]!)).toBeLessThan(1));
  });
});
