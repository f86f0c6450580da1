import type { SystemMessage, WarningSummary } from "@busbar/contract/system/system-messages.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { beforeEach, expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { serverClock } from "#lib/server-clock.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { SystemMessages } from "./system-messages.tsx";

const now = Math.floor(serverClock.secondsAt(Date.now()));
const message = (text: string, part: Partial<SystemMessage> = {}): SystemMessage => ({
  timestamp: now - 60,
  displayTimestamp: "2026-11-21 01:00:12 UTC",
  source: "log",
  message: text,
  count: 1,
  firstTimestamp: now - 60,
  subject: null,
  mutedUntilTimestamp: null,
  mutedBy: null,
  ...part,
});

const seen = vi.fn<(id: number | null) => void>();
beforeEach(() => seen.mockClear());

/** The page in front of a server that holds these warnings. */
async function show(
  warnings: Record<string, SystemMessage>,
  seenThrough: number | null = null,
  element = <SystemMessages kind="warning" />,
) {
  const figures = ["memoryAvailableMb", "memoryUsedMb", "memoryFreeMb", "diskAvailableGb", "diskUsedGb", "diskFreeGb"];
  const shares = ["minDiskFreePercent", "maxDiskFreePercent", "avgDiskFreePercent"];
  const summary = {
    ...Object.fromEntries([...figures, ...shares].map((name) => [name, 1])),
    warningCountLifetime: 9,
    warningLastTimestamp: now,
    warningCountSinceNotice: 9,
    warningCountOverflow: 0,
    warningLastDisplayTimestamp: null,
    seenThrough,
    warnings,
  } as WarningSummary;
  const api = fakeApi({
    "GET /system/warnings": () => structuredClone(summary),
    "POST /system/messages/{id}/mute": ({ params, body }: { params?: { id: string }; body?: { hours: number } }) => {
      const mutedUntilTimestamp = body?.hours ? now + body.hours * 3_600 : null;
      summary.warnings[params?.id ?? ""]!.mutedUntilTimestamp = mutedUntilTimestamp;
      return { mutedUntilTimestamp };
    },
    "POST /system/messages/seen": ({ body }: { body?: { id: number } }) => {
      summary.seenThrough = body?.id ?? null;
      seen(summary.seenThrough);
      return { seenThrough: summary.seenThrough };
    },
  });
  return render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient()}>
        <ApiContext value={api.call}>{element}</ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

test("A-08 a row links what it is about, says how often and since when, and is above the form", async () => {
  const screen = await show({
    "7": message("node 18003: CLOCK_DRIFT", { count: 1_204, firstTimestamp: now - 7_200, subject: { kind: "node", id: "18003" } }),
    "6": message("file 18003_20261121T010000Z_D0900.txt: set aside", {
      subject: { kind: "file", id: "18003_20261121T010000Z_D0900.txt d9b057166c64" },
    }),
  });
  const rows = screen.getByRole("list", { name: "Warnings" }).getByRole("listitem");
  await expect.poll(() => rows.nth(0).element().textContent).toContain("1,204 times since");
  await expect.element(screen.getByRole("link", { name: "Node 18003" })).toHaveAttribute("href", "#/nodes/18003");
  await expect
    .element(screen.getByRole("link", { name: "File 18003_20261121T010000Z_D0900.txt" }))
    .toHaveAttribute("href", "#/node-dashboard/files/18003_20261121T010000Z_D0900.txt");
  const [row, form] = [rows.nth(0).element(), screen.getByRole("form", { name: "Post a message" }).element()];
  expect(row.compareDocumentPosition(form) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

test("A-08 a muted row goes behind a line of its own, and comes back", async () => {
  const screen = await show({ "7": message("the broker is slow"), "6": message("the disk is full") });
  await screen.getByRole("button", { name: "Mute…" }).first().click();
  await screen.getByRole("menuitem", { name: "For a day" }).click();
  await screen.getByText("1 muted").click();
  const listed = screen.getByRole("list", { name: "Warnings", exact: true }).getByRole("listitem");
  await expect.poll(() => listed.element().textContent).toContain("the disk is full");
  const muted = screen.getByRole("list", { name: "Muted: warnings" });
  await expect.poll(() => muted.getByRole("listitem").element().textContent).toContain("the broker is slow");
  await muted.getByRole("button", { name: "Unmute" }).click();
  await expect.element(screen.getByText("1 muted")).not.toBeInTheDocument();
});

test("A-08 what came since the person looked is marked and counted, stays so while the page is open, and is seen then", async () => {
  const screen = await show({ "7": message("the broker is slow"), "6": message("the disk is full") }, 6);
  const rows = screen.getByRole("list", { name: "Warnings" }).getByRole("listitem");
  await expect.poll(() => seen.mock.calls).toEqual([[7]]);
  await expect.element(screen.getByText("1 new since you looked")).toBeVisible();
  await expect.element(rows.nth(0).getByText("New", { exact: true })).toBeVisible();
  await expect.element(rows.nth(1).getByText("New", { exact: true })).not.toBeInTheDocument();
});

test("A-08 at the first look nothing is new", async () => {
  const screen = await show({ "7": message("the broker is slow") });
  await expect.poll(() => seen.mock.calls).toEqual([[7]]);
  await expect.element(screen.getByText("New", { exact: true })).not.toBeInTheDocument();
});
