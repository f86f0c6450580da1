import type { Mute, Pause } from "@busbar/contract/alarms/mutes.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { serverClock } from "#lib/server-clock.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { MutedScreen } from "./muted-screen.tsx";

const now = Math.floor(serverClock.secondsAt(Date.now()));
const mute: Mute = {
  id: 7,
  kind: "facility",
  objectId: 12,
  customerName: "Alder Pumping",
  facilityName: "North Works",
  locationName: "",
  timezone: "America/Chicago",
  nodeCount: 40,
  reason: "Works on the switch",
  username: "ann",
  fromTimestamp: now - 600,
  untilTimestamp: now + 9_000,
};
const pause: Pause = {
  serialNumber: "10604",
  customerName: "Alder Pumping",
  facilityName: "North Works",
  locationName: "Feed Pump 1",
  disableMonitoring: false,
  pauseNotifications: true,
  pauseConnectivityNotifications: true,
  pauseConnectivityNotificationsReason: "Modem on order",
  pauseConnectivityNotificationsUrl: "https://tickets.example/7",
};

async function show(answers: Record<string, () => unknown>) {
  const api = fakeApi(answers);
  return render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={api.call}>
          <MutedScreen />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

test("what is muted and what is paused are listed, each mute with an end that a press brings forward", async () => {
  const mutes = [mute];
  const screen = await show({
    "GET /mutes": () => [...mutes],
    "GET /mutes/pauses": () => ({ total: 1, nodes: [pause] }),
    "DELETE /mutes/{id}": () => {
      mutes.pop();
      return { id: 7 };
    },
  });
  const pauses = "Notifications (Analytics) paused, Connectivity notifications paused";
  for (const text of ["Facility North Works", "Works on the switch", "ann", "in 2 h", "10604", pauses])
    await expect.element(screen.getByText(text, { exact: true }).first()).toBeVisible();
  await expect.element(screen.getByText(/Modem on order/)).toBeVisible();
  const [what] = screen.getByRole("table", { name: "Mutes" }).getByRole("rowheader").elements();
  expect(what?.textContent).toBe("Facility North WorksAlder Pumping");
  await screen.getByRole("button", { name: "End now: mute of facility North Works" }).click();
  await expect.element(screen.getByText("Nothing is muted")).toBeVisible();
});

test("characters of a reason that turn or hide its words are drawn as symbols", async () => {
  const screen = await show({
    "GET /mutes": () => [{ ...mute, reason: "ok\u202egnp.exe" }],
    "GET /mutes/pauses": () => ({ total: 1, nodes: [{ ...pause, pauseConnectivityNotificationsReason: "no\u200bmodem" }] }),
  });
  await expect.element(screen.getByText("ok‹U+202E›gnp.exe")).toBeVisible();
  await expect.element(screen.getByText(/no‹U\+200B›modem/)).toBeVisible();
});

test("the page says that nothing is muted, that it is loading, and what failed", async () => {
  const { promise, resolve } = Promise.withResolvers<Mute[]>();
  const screen = await show({
    "GET /mutes": () => promise,
    "GET /mutes/pauses": () => {
      throw new ApiError(503, "UNAVAILABLE", "The database is away");
    },
  });
  await expect.element(screen.getByText("Loading the mutes")).toBeInTheDocument();
  await expect.element(screen.getByRole("alert").getByText("The database is away")).toBeVisible();
  resolve([]);
  await expect.element(screen.getByText("Nothing is muted")).toBeVisible();
});
