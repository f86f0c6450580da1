import type { RecordedEvent } from "@busbar/contract/files/recorded-events.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { noEventFilter, type EventFilter } from "./event-filter.ts";
import { EventInbox } from "./event-inbox.tsx";

const call = "GET /events";

const event: RecordedEvent = {
  eventName: "11001_20261122T054000Z_E0001",
  serialNumber: "11001",
  timestamp: Date.UTC(2026, 10, 22, 5, 40) / 1000,
  timezone: "America/Chicago",
  customerId: 1,
  customerName: "Quill Paper",
  facilityId: 2,
  facilityName: "North Works",
  locationId: 3,
  locationName: "Kiln Fan",
  eventKind: "trip",
  words: "AG T",
  status: "read",
  reason: null,
  durationSeconds: 1.42,
  largestCurrent: { value: 24_123, phase: "B" },
  lowestVoltage: { value: 212.4, phase: "C-A" },
  picture: btoa(String.fromCharCode(...Array.from({ length: 24 }, (_, index) => (index < 4 ? 100 : 128)))),
};
/** All that may be missing, and the longest that may be there. */
const bare: RecordedEvent = {
  ...event,
  eventName: "11001_20991231T235959Z_E9999",
  timestamp: Date.UTC(2099, 11, 31, 23, 59, 59) / 1000,
  timezone: null,
  customerId: null,
  customerName: "",
  facilityId: null,
  facilityName: "",
  locationId: null,
  locationName: "",
  eventKind: null,
  words: "W".repeat(120),
  status: "failed",
  reason: "R".repeat(200),
  durationSeconds: null,
  largestCurrent: null,
  lowestVoltage: null,
  picture: null,
};

function show(api: ReturnType<typeof fakeApi>, start: Partial<EventFilter> = {}) {
  function Inbox() {
    const [filter, setFilter] = useState<EventFilter>({ ...noEventFilter, ...start });
    return <EventInbox filter={filter} onType={setFilter} onFilter={setFilter} views={null} />;
  }
  return render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={api.call}>
          <Inbox />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

test("an event is one row of figures in words, and leads to its page with the filter", async () => {
  const soon = { ...event, eventName: "11001_20261122T054000Z_E0002", timestamp: Math.floor(Date.now() / 1000) + 240 };
  const api = fakeApi({ [call]: () => [event, bare, soon] });
  const screen = await show(api, { kind: "trip" });
  const textOf = (row: number) => screen.container.querySelectorAll("tbody tr")[row]?.textContent ?? "";
  await expect.poll(() => textOf(0)).toMatch(/2026-11-21 23:40:00 CST.*Kiln Fan.*▲ Trip.*AG T.*24\.1 kA B.*212 V C-A.*1\.4 s/);
  await expect
    .element(screen.getByRole("link", { name: "Event at Kiln Fan, 2026-11-21 23:40:00 CST" }))
    .toHaveAttribute("href", "#/events/11001_20261122T054000Z_E0001?kind=trip");
  await expect.element(screen.getByRole("img", { name: "Waveform at Kiln Fan" }).first()).toBeVisible();
  expect(textOf(1)).toMatch(/2099-12-31 23:59:59 UTC.*dated ahead of now.*At no location.*✕ Not readable.*R{200}/);
  // A clock that is a little ahead.
  expect(textOf(2)).not.toContain("dated ahead of now");
});

test("an event leads to its node and its facility, whose name stays where it is deleted", async () => {
  const deleted = { ...event, eventName: "11001_20261122T054100Z_E0002", facilityId: null };
  const screen = await show(fakeApi({ [call]: () => [event, deleted] }));
  await expect.element(screen.getByRole("link", { name: "North Works" })).toHaveAttribute("href", "#/facilities/2");
  expect(screen.getByText(/North Works, Quill Paper/).elements()).toHaveLength(2);
  expect(
    screen
      .getByRole("link", { name: "11001" })
      .elements()
      .map((link) => link.getAttribute("href")),
  ).toEqual(["#/nodes/11001", "#/nodes/11001"]);
});

test("a time that is not the reader's is said in theirs too; a column that is hidden stays hidden when the filter is cleared", async () => {
  const api = fakeApi({
    [call]: ({ query }) => ((query as { kind?: string }).kind === "alarm" ? [] : [{ ...event, timezone: "Asia/Kolkata" }]),
  });
  const screen = await show(api, { columns: "Time,Event", kind: "alarm" });
  await expect.element(screen.getByText("Some events hidden by kind")).toBeVisible();
  await screen.getByRole("button", { name: "Clear the filter" }).click();
  const heads = () => screen.getByRole("columnheader").elements();
  await expect.poll(() => heads().map(({ textContent }) => textContent)).toEqual(["Time", "Event"]);
  await expect.element(screen.getByRole("button", { name: "Columns: 5 hidden" })).toBeVisible();
  expect(screen.container.querySelector(".hidden-chip")).toBeNull();
  const own = formatDateTime(event.timestamp);
  expect(own).not.toContain("GMT+5:30");
  await expect.element(screen.getByText(`${own}, yours`)).toBeVisible();
});

test("last night is one press, and nothing that matches says how to see all again", async () => {
  const asked: unknown[] = [];
  const api = fakeApi({
    [call]: ({ query }) => {
      asked.push(query);
      return [];
    },
  });
  const screen = await show(api, { text: "kiln" });
  await expect.element(screen.getByText("No event matches")).toBeVisible();
  await screen.getByRole("button", { name: "Last night" }).click();
  await expect.poll(() => asked.at(-1)).toEqual({ text: "kiln", span: "lastNight", limit: "25" });
  await screen.getByRole("button", { name: "Clear the filter" }).click();
  await expect.element(screen.getByText("No event was recorded yet")).toBeVisible();
});

test("A-63 whatever else an address limits the events to is named, and taken off alone", async () => {
  const asked: unknown[] = [];
  const api = fakeApi({ [call]: ({ query }) => (asked.push(query), [event]) });
  const only = { customer: "1", facility: "2", location: "3", node: "11001" };
  const screen = await show(api, only);
  const chips = screen.getByRole("button", { name: /^Only/ });
  await expect
    .poll(() => chips.elements().map(({ textContent }) => textContent))
    .toEqual(["Only one customer ✕", "Only one facility ✕", "Only one location ✕", "Only node 11001 ✕"]);
  await screen.getByRole("button", { name: "Only one node: show all" }).click();
  const { node: _, ...others } = only;
  await expect.poll(() => asked.at(-1)).toEqual({ ...others, limit: "25" });
  await screen.getByRole("button", { name: "Only one facility: show all" }).click();
  await expect.poll(() => asked.at(-1)).toEqual({ customer: "1", location: "3", limit: "25" });
});

test("while events are loading their place is held; a failure says why and is tried again", async () => {
  let isAway = true;
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const api = fakeApi({
    [call]: async () => {
      await held;
      if (isAway) throw new ApiError(503, "", "The database is away");
      return [event];
    },
  });
  const screen = await show(api);
  await expect.element(screen.getByText("Loading the events")).toBeInTheDocument();
  release();
  await expect.element(screen.getByText("The database is away")).toBeVisible();
  isAway = false;
  await screen.getByRole("button", { name: "Try again" }).click();
  await expect.element(screen.getByRole("link", { name: /^Event at Kiln Fan/ })).toBeVisible();
});
