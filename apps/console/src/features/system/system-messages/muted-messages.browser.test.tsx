import type { MutedMessage } from "@busbar/contract/system/system-messages.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { serverClock } from "#lib/server-clock.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { MutedMessages } from "./muted-messages.tsx";

const now = Math.floor(serverClock.secondsAt(Date.now()));
const muted: MutedMessage = {
  id: 7,
  kind: "warning",
  timestamp: now - 60,
  displayTimestamp: "2026-11-21 01:00:12 UTC",
  source: "log",
  message: `node 18003: CLOCK_DRIFT ${"x".repeat(2_000)}`,
  count: 1_204,
  firstTimestamp: now - 7_200,
  subject: { kind: "node", id: "18003" },
  mutedUntilTimestamp: now + 9_000,
  mutedBy: "ann",
};

async function show(answers: Record<string, (options: { body?: unknown }) => unknown>) {
  return render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={fakeApi(answers).call}>
          <MutedMessages />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

test.each([1_440, 390])("A-08 a muted message says who muted it and for how long, and a press ends that, at %d px", async (width) => {
  await page.viewport(width, 900);
  const messages = [muted];
  const screen = await show({
    "GET /system/messages/muted": () => [...messages],
    "POST /system/messages/{id}/mute": ({ body }) => {
      expect(body).toEqual({ hours: 0 });
      messages.pop();
      return { mutedUntilTimestamp: null };
    },
  });
  await expect.element(screen.getByRole("link", { name: "Node 18003" })).toHaveAttribute("href", "#/nodes/18003");
  await expect.element(screen.getByRole("link", { name: "Warning" })).toHaveAttribute("href", "#/system/warnings");
  await expect.element(screen.getByText("ann")).toBeVisible();
  await expect.element(screen.getByText(/^in 2 h/)).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  await screen.getByRole("button", { name: /^End now: mute of node 18003/ }).click();
  await expect.element(screen.getByText("No message is muted")).toBeVisible();
});

test("A-08 muted messages load, and fail in words with another try", async () => {
  const answer = Promise.withResolvers<never>();
  let isAway = true;
  const screen = await show({ "GET /system/messages/muted": () => (isAway ? answer.promise : []) });
  await expect.element(screen.getByText("Loading the muted messages")).toBeInTheDocument();
  answer.reject(new ApiError(503, "UNAVAILABLE", "The database is away"));
  await expect.element(screen.getByText("The database is away")).toBeVisible();
  isAway = false;
  await screen.getByRole("button", { name: /try again|retry/i }).click();
  await expect.element(screen.getByText("No message is muted")).toBeVisible();
});
