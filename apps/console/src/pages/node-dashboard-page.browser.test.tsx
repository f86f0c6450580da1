import type { DashboardNode, NodeDashboard } from "@busbar/contract/telemetry/node-dashboard.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiError } from "#lib/api-error.ts";
import { answer, fullFleet, node } from "#features/telemetry/node-dashboard/fleet.fixture.ts";
import { currentSession } from "#features/access/session/current-session.ts";
import { App, followSession } from "../app.tsx";
import { router } from "../router.tsx";
import { fakeApi, fakeToken } from "../testing/fake-api.ts";

let stopFollowing: () => void;
const now = () => Math.floor(Date.now() / 1000);

beforeEach(async () => {
  // What is shown as so long ago stays so, however long a test takes.
  vi.useFakeTimers({ toFake: ["Date"] });
  await page.viewport(1280, 800);
  stopFollowing = followSession();
  currentSession.set(fakeToken(), []);
});
afterEach(async () => {
  vi.useRealTimers();
  currentSession.clear();
  location.hash = "#/";
  await vi.waitUntil(() => router.state.resolvedLocation?.pathname === "/");
  stopFollowing();
});

const historyRow = {
  timestamp: 1_795_000_000,
  version: 3,
  flag: 1,
  lineFrequency: 59.98,
  current1: 47.5,
  current2: 48,
  current3: 46.25,
  voltage1: 480,
  voltage2: 481,
  voltage3: null,
};

async function open(nodes: DashboardNode[], search = "", facts: Partial<NodeDashboard> = {}) {
  const fake = fakeApi({
    "GET /node-dashboard": ({ query }) => ({
      ...("since" in (query as object) ? answer({}) : fullFleet(...nodes)),
      serverStartUpTime: now() - 7_200,
      requestsServed: 1_234_567,
      ...facts,
    }),
    "GET /nodes/{serial}/realtime": () => [historyRow],
    "GET /views": () => [],
  });
  const screen = await render(<App call={fake.call} styleNonce="" />);
  await expect.element(screen.getByRole("heading", { name: "Welcome" })).toBeVisible();
  location.hash = `#/node-dashboard${search}`;
  await expect.element(screen.getByRole("heading", { name: /^Server started/ })).toBeVisible();
  return { fake, screen };
}
const rowTexts = () => [...document.querySelectorAll("tr[data-row]")].map((row) => row.querySelector(".serial")?.textContent);
const fleet = () => [
  node(10001, { locationName: "Exhaust Fan" }),
  node(10002),
  node(10003, { currentDeploymentStatus: "Unassigned" }),
  node(10004, { type: "ThirdParty" }),
];

test("DSH-01 the heading, DSH-05 the boxes, DSH-06 the columns", async () => {
  const { screen } = await open(fleet());
  await expect
    .element(screen.getByRole("heading", { level: 1 }))
    .toHaveTextContent("Server started 2 hours ago / 1,234,567 API requests served");
  const boxes = ["Deployed", "PreDeployment", "Unassigned", "Decommissioned", "External"].map(
    (name) => screen.getByRole("checkbox", { name }).element() as HTMLInputElement,
  );
  expect(boxes.map(({ checked }) => checked)).toEqual([true, true, false, false, false]);
  expect(
    screen
      .getByRole("columnheader")
      .elements()
      .map(({ textContent }) => textContent?.replace("▲", "").trim()),
  ).toEqual(["Node", "Last Scalar Stream", "Last Datafile", "Events", "Metering"]);
  expect(rowTexts()).toEqual(["10001", "10002"]);
  await screen.getByRole("checkbox", { name: "External" }).click();
  await expect.poll(rowTexts).toEqual(["10001", "10002", "10004"]);
  await expect.poll(() => location.hash).toContain("show=deployed%2CpreDeployment%2Cexternal");
  await screen.getByRole("button", { name: "Show all" }).click();
  await expect.poll(rowTexts).toEqual(["10001", "10002", "10003", "10004"]);
  await expect.element(screen.getByText("4 of 4 nodes")).toBeVisible();
});

test("DSH-05 DSH-06 what is hidden is said; a chosen column and the view stay in the address while a history is open", async () => {
  const { screen } = await open(
    [node(10001, { type: "subNode" }), node(10002, { currentDeploymentStatus: "Unassigned" })],
    "?columns=Node,Type&view=7",
  );
  const heads = () => screen.getByRole("columnheader").elements();
  await expect.poll(() => heads().map(({ textContent }) => textContent.replace("▲", "").trim())).toEqual(["Node", "Type"]);
  await expect.element(screen.getByRole("gridcell", { name: "subNode" })).toBeVisible();
  await expect.element(screen.getByText("1 node hidden by Unassigned off, Decommissioned off, External off")).toBeVisible();
  await screen.getByRole("button", { name: /^Columns: / }).click();
  const choice = screen.getByRole("checkbox", { name: "Type", exact: true });
  await choice.click();
  await expect.poll(() => location.hash).toContain("columns=Node&");
  await choice.click();
  await expect.poll(() => location.hash).toContain("columns=Node%2CType&");
  await userEvent.keyboard("{Escape}");
  document.querySelector<HTMLElement>("[data-row='0']")?.focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(screen.getByRole("dialog", { name: "Recent scalar history for 10001" })).toBeVisible();
  expect(new URLSearchParams(location.hash.split("?")[1])).toEqual(
    new URLSearchParams({ columns: "Node,Type", view: "7", history: "10001" }),
  );
});

test("DSH-03 DSH-04 the filter text filters, is in the address and comes back from it", async () => {
  const { screen } = await open(fleet());
  const search = screen.getByRole("searchbox", { name: "SN/CustomerCode/CustomerName/Facility/Location" });
  await search.fill("fan 10001");
  await expect.poll(rowTexts).toEqual(["10001"]);
  await expect.poll(() => location.hash).toBe("#/node-dashboard?filterText=fan+10001");
  location.hash = "#/node-dashboard?filterText=10002";
  await expect.element(search).toHaveValue("10002");
  await expect.poll(rowTexts).toEqual(["10002"]);
  await search.fill("nothing like this");
  await expect.element(screen.getByText("No node matches “nothing like this” among those shown")).toBeVisible();
  await screen.getByRole("button", { name: "Show all nodes" }).click();
  await expect.poll(rowTexts).toHaveLength(4);
});

test("a fleet without a node offers to add one", async () => {
  const { screen } = await open([]);
  await expect.element(screen.getByText("There is no node yet")).toBeVisible();
  await expect.element(screen.getByRole("link", { name: "Add node" })).toHaveAttribute("href", "#/nodes?add=node");
  expect(screen.getByRole("button", { name: "Show all nodes" }).query()).toBeNull();
});

test("DSH-06 three columns sort, a second click reverses, and the address keeps it", async () => {
  const { screen } = await open([
    node(10001, { lastScalarTimestamp: 20, lastDatafileTimestamp: 1 }),
    node(10002, { lastScalarTimestamp: 10, lastDatafileTimestamp: 2 }),
  ]);
  const header = (name: string) => screen.getByRole("columnheader", { name });
  await header("Last Scalar Stream").getByRole("button").click();
  await expect.poll(rowTexts).toEqual(["10002", "10001"]);
  await expect.element(header("Last Scalar Stream")).toHaveAttribute("aria-sort", "ascending");
  await header("Last Scalar Stream").getByRole("button").click();
  await expect.poll(rowTexts).toEqual(["10001", "10002"]);
  await header("Last Datafile").getByRole("button").click();
  await header("Last Datafile").getByRole("button").click();
  await expect.poll(rowTexts).toEqual(["10002", "10001"]);
  await expect.poll(() => location.hash).toBe("#/node-dashboard?sort=datafile&order=desc");
  // Another column begins anew.
  await header("Node").getByRole("button").click();
  await expect.poll(() => location.hash).toBe("#/node-dashboard");
  expect(header("Events").getByRole("button").elements()).toHaveLength(0);
});

test("A-18 DSH-07 DSH-08 DSH-09 DSH-10 what a row shows", async () => {
  const data = `${"1234567890".repeat(4)}MIDDLE${"abcdefghij".repeat(3)}`;
  const scalarAt = now() - 5;
  const { screen } = await open(
    [
      node(10001, {
        notifyOnConnect: true,
        newDeploymentStatus: "Decommissioned",
        lastScalarTimestamp: scalarAt,
        lastScalarData: data,
        missingScalarStreamCount: 1_200,
        voltaSensor: true,
        lastDatafileTimestamp: now() - 130,
        lastOneSecondFileTimestamp: now() - 70,
        eventCount: 7,
        locationId: 42,
        dataInterval: 600,
      }),
      node(10002, {
        nodeConnected: false,
        meterConnected: false,
        lastScalarTimestamp: now() - 31,
        scalarInterval: 10,
        lastDatafileTimestamp: now() - 2_701,
        lastOneSecondFileTimestamp: now() - 60,
      }),
      node(10006, { lastScalarTimestamp: now() - 31, scalarInterval: 10 }),
      node(10003, { nodeConnected: false, hasConnected: false, lastScalarTimestamp: null }),
      node(10005, { type: "SEL", nodeConnected: false, lastScalarTimestamp: null }),
      node(10004, { type: "ThirdParty", lastExternalFileTimestamp: now() - 3_600 }),
    ],
    "?show=deployed,external",
  );
  const row = (serial: string) => screen.getByRole("row", { name: new RegExp(`^${serial}`) });

  const first = row("10001");
  await expect.element(first.getByRole("img", { name: "Connected", exact: true })).toHaveClass("good");
  await expect.element(row("10006").getByRole("img", { name: "Connected, silent", exact: true })).toHaveClass("good");
  await expect.element(first).toBeVisible();
  for (const text of [
    "alder / North Works / Feed Pump",
    "Deployed",
    "Next: Decommissioned",
    "1,200 skipped today",
    "10 min file 2 minutes ago",
    "1 minute ago",
  ])
    expect(first.element().textContent).toContain(text);
  expect(first.element().textContent).toContain(`${data.slice(0, 30)} … ${data.slice(-30)}`);
  expect(first.element().textContent).toMatch(/\d seconds ago\s*\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} C[SD]T/);
  await expect.element(first.getByRole("img", { name: "Notify on connect" })).toBeVisible();
  await expect.element(first.getByRole("img", { name: "Sensor well" })).toBeVisible();
  await expect
    .element(first.getByRole("link", { name: "View Files of 10001" }))
    .toHaveAttribute("href", "#/node-dashboard/10001/files?dataInterval=600");
  await expect
    .element(first.getByRole("link", { name: "7 events of 10001" }))
    .toHaveAttribute("href", "#/activities/gpnodeevents?filterText=10001"); // NAV-08
  const metering = (serial: string, state: string) => row(serial).getByRole("link", { name: `Metering of ${serial}, ${state}` });
  await expect.element(metering("10001", "meter connected")).toHaveAttribute("href", "#/node-dashboard/42/10001/metering");

  await expect.element(row("10002").getByRole("img", { name: "Not connected" })).toHaveClass("bad");
  // three scalar intervals of 10 s, three data file intervals of 900 s
  expect(row("10002").element().textContent).toContain("late");
  expect([...row("10002").element().querySelectorAll(".is-late")].map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/31 seconds ago/),
    "15 min file 45 minutes ago",
  ]);
  expect(metering("10002", "meter not connected").element().querySelector(".icon")?.classList.contains("bad")).toBe(true);
  await expect.element(row("10003").getByRole("img", { name: "Never connected" })).toBeVisible();
  // A relay streams no scalars: that there is none does not mean that it never connected.
  await expect.element(row("10005").getByRole("img", { name: "Not connected" })).toBeVisible();
  expect(row("10005").element().textContent).toContain("No scalar stream");
  expect(row("10004").element().textContent).toContain("Last External File");
  expect(row("10004").element().textContent).toContain("1 hour ago");
  expect(
    row("10004")
      .getByRole("link", { name: /View Files/ })
      .elements(),
  ).toHaveLength(0);
});

test("A-19 what the platform missed while it was away is said apart, in grey, from what the node skipped", async () => {
  const { screen } = await open([
    node(10001, { lastScalarTimestamp: now() - 5, platformMissedScalarCount: 9 }),
    node(10002, { lastScalarTimestamp: now() - 5, missingScalarStreamCount: 4, platformMissedScalarCount: 1 }),
  ]);
  const badges = (serial: string) =>
    [
      ...screen
        .getByRole("row", { name: new RegExp(`^${serial}`) })
        .element()
        .querySelectorAll<HTMLElement>(".scalar-button .status-badge"),
    ].map(({ textContent, className, title }) => [textContent, className, title]);
  await expect.element(screen.getByTitle("9 scalars of today not received", { exact: false })).toBeVisible();
  expect(badges("10001")).toEqual([
    [
      "9 while the platform was away",
      "status-badge status-plain",
      "9 scalars of today not received while the platform was away: the node did not skip them",
    ],
  ]);
  expect(badges("10002")).toEqual([
    [
      "4 skipped today",
      "status-badge status-warn",
      "In addition, 1 scalar of today not received while the platform was away: the node did not skip it",
    ],
  ]);
});

test("DSH-08 DSH-09 nothing of a row with problems is cut off on a screen of 1280", async () => {
  const { screen } = await open([
    node(10001, {
      nodeConnected: false,
      timezone: "Asia/Kolkata",
      lastScalarTimestamp: now() - 3_540,
      lastScalarData: `${"1234567890".repeat(4)}MIDDLE${"abcdefghij".repeat(3)}`,
      missingScalarStreamCount: 8_353,
      platformMissedScalarCount: 120,
      voltaSensor: false,
      lastDatafileTimestamp: now() - 3_540,
      lastOneSecondFileTimestamp: now() - 3_540,
      missingDatafileCount: 12,
    }),
  ]);
  await expect.element(screen.getByText("12 missing")).toBeVisible();
  const cut = [...document.querySelectorAll("tr[data-row] td:nth-child(n+2) .cell-line")].filter(
    (line) => line.scrollWidth > line.clientWidth,
  );
  expect(cut.map(({ textContent }) => textContent)).toEqual([]);
});

test("DSH-11 the scalar area opens the history: its columns, asked again every 10 s, closed by Back", async () => {
  const { fake, screen } = await open(fleet());
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  await screen.getByRole("button", { name: /^Recent scalar history for 10001/ }).click();
  const dialog = screen.getByRole("dialog", { name: "Recent scalar history for 10001" });
  await expect.element(dialog.getByText("1 scalar, refreshed every 10 s.", { exact: false })).toBeVisible();
  expect(
    dialog
      .getByRole("columnheader")
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(["Time", "Ver", "Flag", "LF", "I1", "I2", "I3", "V1", "V2", "V3"]);
  const cells = [...dialog.element().querySelectorAll(".history-table tbody td")].map(({ textContent }) => textContent);
  expect(cells).toEqual(["2026-11-18 05:06:40 CST", "3", "1", "59.98", "47.5", "48", "46.25", "480", "481", "–"]);
  const asked = () => fake.asked.filter(({ endpoint }) => endpoint.endsWith("/realtime")).length;
  const before = asked();
  // What waits for the page moves this clock on too, by a little.
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked()).toBe(before);
  await vi.advanceTimersByTimeAsync(5_000);
  await expect.poll(asked).toBe(before + 1);
  expect(location.hash).toBe("#/node-dashboard?history=10001");
  history.back();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(location.hash).toBe("#/node-dashboard");
});

test("the rows are walked by keyboard, however fast the keys come, and Enter opens the history", async () => {
  const { screen } = await open(Array.from({ length: 300 }, (_, index) => node(10_001 + index)));
  expect(document.querySelectorAll("tr[data-row]").length).toBeLessThan(60);
  await expect.element(screen.getByRole("grid", { name: "Nodes" })).toHaveAttribute("aria-rowcount", "301");
  document.querySelector<HTMLElement>("tr[data-row='0']")?.focus();
  const focused = () => document.activeElement?.getAttribute("aria-rowindex");
  await userEvent.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}{ArrowUp}");
  await expect.poll(focused).toBe("4");
  // What a pointer reads from a tooltip.
  await expect
    .poll(() => document.querySelector(".grid-foot")?.textContent)
    .toBe("10003: last scalar 1970-01-01 00:16:40 UTC, 1969-12-31 18:16:40 CST (America/Chicago, yours)");
  await userEvent.keyboard("{End}");
  await expect.poll(focused).toBe("301");
  await userEvent.keyboard("{Home}");
  await expect.poll(focused).toBe("2");
  await userEvent.keyboard("{PageDown}");
  await expect.poll(() => Number(focused())).toBeGreaterThan(5);
  expect(Number(focused())).toBeLessThan(20);
  await userEvent.keyboard("{PageUp}");
  await expect.poll(focused).toBe("2");
  await userEvent.keyboard("{ArrowRight}");
  await expect.poll(() => document.activeElement?.getAttribute("href")).toBe("#/nodes/10001");
  await userEvent.keyboard("{ArrowRight}{ArrowRight}");
  await expect.poll(() => document.activeElement?.textContent).toMatch(/^Recent scalar history for 10001/);
  await userEvent.keyboard("{ArrowLeft}{ArrowLeft}{ArrowLeft}{ArrowDown}{Enter}");
  await expect.element(screen.getByRole("dialog", { name: "Recent scalar history for 10002" })).toBeVisible();
  await screen.getByRole("button", { name: "Close" }).click();
  await expect.poll(focused).toBe("3");
});

test("a failing poll keeps the last data under a mark that says so; a stale snapshot is named", async () => {
  const { fake, screen } = await open(fleet(), "", { isStale: true, asOf: now() - 65 });
  await expect.element(screen.getByRole("alert")).toHaveTextContent("The server cannot reach its database. Last updated 1 minute ago.");
  fake.answers["GET /node-dashboard"] = () => Promise.reject(new ApiError(503, "DATABASE_UNAVAILABLE", "The database does not answer."));
  await expect.poll(() => screen.getByRole("alert").element().textContent).toMatch(/The database does not answer\. Last updated/);
  expect(rowTexts()).toEqual(["10001", "10002"]);
  fake.answers["GET /node-dashboard"] = () => answer({});
  await screen.getByRole("button", { name: "Try again" }).click();
  await expect.element(screen.getByRole("alert")).not.toBeInTheDocument();
});

test("A-18 below 768 px the same facts are a list", async () => {
  await page.viewport(390, 844);
  const { screen } = await open(fleet());
  expect(screen.getByRole("grid").elements()).toHaveLength(0);
  const first = screen.getByRole("listitem").filter({ hasText: "10001" });
  await expect.element(first).toBeVisible();
  for (const text of ["Deployed", "Exhaust Fan", "Events"]) expect(first.element().textContent).toContain(text);
  await expect.element(first.getByRole("link", { name: "Metering of 10001, meter connected" })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
});

test("A-28 beside a lost connection the next status is shown whole, a million events are one line, a node that is nowhere says so", async () => {
  await page.viewport(1440, 900);
  const { screen } = await open(
    [
      node(10101, {
        nodeConnected: false,
        notifyOnConnect: true,
        currentDeploymentStatus: "Pre-Deployment",
        newDeploymentStatus: "Decommissioned",
        eventCount: 12_345_678,
      }),
      node(10102, { locationId: null, currentDeploymentStatus: "Unassigned", newDeploymentStatus: "Unassigned" }),
    ],
    "?show=deployed,preDeployment,unassigned",
  );
  await expect.element(screen.getByText("Next: Decommissioned")).toBeVisible();
  const line = screen.getByText("Next: Decommissioned").element().closest(".cell-line")!;
  expect(line.scrollWidth).toBeLessThanOrEqual(line.clientWidth + 1);
  const events = screen.getByText("12,345,678").element();
  const cell = events.closest("td")!;
  expect([events.getClientRects().length, cell.scrollWidth <= cell.clientWidth]).toEqual([1, true]);
  await expect.element(screen.getByText("At no location, last known: alder / North Works / Feed Pump")).toBeVisible();
});

test("A-28 on a telephone the fleet is sorted by a choice, which is in the address", async () => {
  await page.viewport(390, 844);
  const { screen } = await open([node(10101, { lastDatafileTimestamp: 2_000 }), node(10102, { lastDatafileTimestamp: 1_000 })]);
  const serials = () => [...document.querySelectorAll(".list-item .serial")].map(({ textContent }) => textContent);
  await expect.poll(serials).toEqual(["10101", "10102"]);
  await screen.getByRole("combobox", { name: "Sort by" }).selectOptions("datafile");
  await expect.poll(serials).toEqual(["10102", "10101"]);
  await screen.getByRole("button", { name: /^Ascending/ }).click();
  await expect.poll(serials).toEqual(["10101", "10102"]);
  await expect.poll(() => location.hash).toContain("sort=datafile&order=desc");
});

test("chips count the nodes of each verdict; one shows its own, gravest first, in the address; arrow keys go along, the reason is beside the bolt", async () => {
  await page.viewport(1440, 900);
  const away = { kind: "away", gravity: "act", sentence: "Its connection ended, away since 00:48 PST.", since: now() - 725 } as const;
  const fine = { kind: "fine", gravity: "fine", sentence: "Nothing is wrong.", since: null } as const;
  const { screen } = await open([
    node(10001, { verdict: fine }),
    node(10002, { verdict: { ...away, kind: "clock", gravity: "look", since: null } }),
    node(10003, { verdict: away, nodeConnected: false }),
  ]);
  const chips = () => [...document.querySelectorAll(".verdict-chip")].map(({ textContent }) => textContent);
  const serials = () => [...document.querySelectorAll("tr[data-row] .serial")].map(({ textContent }) => textContent);
  await expect.poll(chips).toEqual(["▲ 1 away", "◆ 1 clock", "● 1 fine"]);
  await screen.getByRole("button", { name: "Sort by gravity" }).click();
  await expect.poll(serials).toEqual(["10003", "10002", "10001"]);
  expect(screen.getByTitle("Its connection ended, away since 00:48 PST (12 min).").element().textContent).toContain("away 12 min");

  screen.getByRole("button", { name: "1 away" }).element().focus();
  await userEvent.keyboard("{ArrowRight}{ArrowRight}{ArrowRight}{ArrowLeft}{Enter}");
  await expect.poll(serials).toEqual(["10002"]);
  await expect.poll(() => location.hash).toBe("#/node-dashboard?verdict=clock&sort=gravity");
  await expect.element(screen.getByText("1 of 3 nodes")).toBeVisible();
  await expect.poll(chips).toHaveLength(3);
  await screen.getByRole("button", { name: "Show all" }).click();
  await expect.poll(serials).toHaveLength(3);
});

test("CFG-06 nodes are chosen by row, by Space and all that match, and lead to their configuration", async () => {
  const { screen } = await open(Array.from({ length: 300 }, (_, index) => node(10_001 + index)));
  expect(screen.getByRole("checkbox", { name: /^Choose/ }).elements()).toEqual([]);
  document.querySelector<HTMLElement>("tr[data-row='0']")?.focus();
  await userEvent.keyboard("{ArrowDown} ");
  const configure = screen.getByRole("link", { name: "Configure…" });
  await expect.element(configure).toHaveAttribute("href", "#/batches/new?nodes=10002");
  await screen.getByRole("checkbox", { name: "Choose 10004" }).click({ modifiers: ["Shift"] });
  await expect.element(configure).toHaveAttribute("href", "#/batches/new?nodes=10002-10004");
  await screen.getByRole("checkbox", { name: "Choose all 300" }).click();
  await expect.element(configure).toHaveAttribute("href", "#/batches/new?nodes=10001-10300");
  await screen.getByRole("button", { name: "Choose nodes" }).click();
  await expect.element(configure).not.toBeInTheDocument();
});
