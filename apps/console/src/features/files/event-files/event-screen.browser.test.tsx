import type { EventWithFiles } from "@busbar/contract/files/recorded-events.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { userEvent } from "vitest/browser";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { noEventFilter } from "./event-filter.ts";
import { EventScreen } from "./event-screen.tsx";

const call = "GET /events/{eventName}";
const name = "11001_20261122T054000Z_E0001";
const earlier = "11001_20261122T030000Z_E0001";
const later = "11001_20261122T060000Z_E0001";

/** Its only file has not been read: the other one of its pair is missing. */
const event: EventWithFiles = {
  eventName: name,
  serialNumber: "11001",
  timestamp: Date.UTC(2026, 10, 22, 5, 40) / 1000,
  timezone: null,
  customerId: null,
  customerName: "",
  facilityId: null,
  facilityName: "",
  locationId: null,
  locationName: "",
  eventKind: null,
  words: "",
  status: "incomplete",
  reason: `Waits for ${name}.cfg`,
  durationSeconds: null,
  largestCurrent: null,
  lowestVoltage: null,
  picture: null,
  files: [{ fileName: `${name}.dat`, processed: null, failedReason: null, size: 700, receivedTimestamp: 1_795_325_000 }],
  waveformFileName: null,
  earlierEventName: earlier,
  laterEventName: later,
};

async function show(api: ReturnType<typeof fakeApi>) {
  const gone: string[] = [];
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={api.call}>
          <input aria-label="A field" />
          <EventScreen
            eventName={name}
            filter={{ ...noEventFilter, kind: "trip" }}
            range={undefined}
            onRange={() => undefined}
            onGo={(href) => gone.push(href)}
          />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { screen, gone };
}

test("an event without figures says what it waits for, and its neighbours keep the filter, by link and by key", async () => {
  const api = fakeApi({ [call]: () => event });
  const { screen, gone } = await show(api);
  await expect.element(screen.getByRole("heading", { level: 1 })).toBeVisible();
  const shown = screen.container.textContent;
  for (const text of ["Event at Node 11001", `Waits for ${name}.cfg`, "At no location", "A file is missing", "The event has no report"])
    expect(shown).toContain(text);
  await expect
    .element(screen.getByRole("link", { name: "Previous", exact: true }))
    .toHaveAttribute("href", `#/events/${earlier}?kind=trip`);
  await expect.element(screen.getByRole("link", { name: "Next", exact: true })).toHaveAttribute("href", `#/events/${later}?kind=trip`);
  expect(api.asked[0]?.input).toEqual({ params: { eventName: name }, query: { kind: "trip" } });
  await userEvent.keyboard("n");
  await userEvent.keyboard("p");
  // What is typed into a field is text.
  await screen.getByLabelText("A field").click();
  await userEvent.keyboard("np");
  expect(gone).toEqual([`#/events/${later}?kind=trip`, `#/events/${earlier}?kind=trip`]);
});

test("an event that is not there leads to those of its node, an address that names none to all; another failure is tried again", async () => {
  let failure = new ApiError(503, "", "The database is away");
  const api = fakeApi({
    [call]: () => {
      throw failure;
    },
  });
  const { screen } = await show(api);
  await expect.element(screen.getByText("The database is away")).toBeVisible();
  failure = new ApiError(404, "", `Event ${name} was not found`);
  await screen.getByRole("button", { name: "Try again" }).click();
  await expect.element(screen.getByText(`Event ${name} was not found`)).toBeVisible();
  await expect.element(screen.getByRole("link", { name: "Events of this node" })).toHaveAttribute("href", "#/events?text=11001");
  await screen.unmount();

  failure = new ApiError(400, "INVALID", "An event is named like its files");
  const { screen: unnamed } = await show(api);
  await expect.element(unnamed.getByText("An event is named like its files")).toBeVisible();
  await expect.element(unnamed.getByRole("link", { name: "All events" })).toHaveAttribute("href", "#/events");
});
