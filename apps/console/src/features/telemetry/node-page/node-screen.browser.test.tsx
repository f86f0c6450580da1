import { MantineProvider } from "@mantine/core";
import type { NodeOverview } from "@busbar/contract/directory/node-overview.ts";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { happeningsId } from "./happening-list.tsx";
import { overview, week } from "./node-page.fixture.ts";
import { NodeScreen } from "./node-screen.tsx";

const getOverview = "GET /nodes/{serial}/overview";
const getWeek = "GET /nodes/{serial}/week";
const getVerdict = "GET /nodes/{serial}/verdict";
const now = Math.floor(Date.now() / 1000);
const hour = 3_600;
const ownWeek = { fromTimestamp: now - 168 * hour, toTimestamp: now };

async function show(answers: Parameters<typeof fakeApi>[0], serial = "10001") {
  const api = fakeApi({
    [getOverview]: () => overview(),
    [getWeek]: () => week(ownWeek),
    [getVerdict]: () => ({ verdict: null, evidence: [], history: [] }),
    ...answers,
  });
  const onFilter = vi.fn<(filter: string | undefined) => void>();
  const acts = { onHistory: vi.fn<() => void>(), onConfig: vi.fn<() => void>(), onEditNode: vi.fn<() => void>() };
  const onGap = vi.fn<(node: NodeOverview, what: string, gap: object) => void>();
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={queries}>
        <ApiContext value={api.call}>
          <NodeScreen
            serial={serial}
            verbs={() => ({
              ...acts,
              onCredentials: vi.fn<() => void>(),
              onEditLocation: vi.fn<() => void>(),
              onNotes: vi.fn<() => void>(),
              onSwap: vi.fn<() => void>(),
            })}
            filter={undefined}
            onFilter={onFilter}
            onGap={onGap}
            renderNow={() => null}
            renderVerbs={() => null}
            renderNotices={() => null}
          />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { api, screen, onGap, onFilter, queries };
}

test("the open alarm of a node that has left its place is said, and not in the red of a live one", async () => {
  const openAlarms = [{ kind: "overCurrent" as const, raisedTimestamp: now - hour, measured: null }];
  const gone = await show({ [getOverview]: () => overview({ openAlarms }) });
  const alarm = gone.screen.getByRole("region", { name: "Open alarms" }).getByText(/of its last place, since/);
  await expect.element(alarm).toBeVisible();
  expect(alarm.element().querySelector(".status-bad")).toBeNull();
  // What is shown of a place is linked where there is one.
  const metering = { name: "Metering", exact: true };
  expect(gone.screen.getByRole("link", metering).elements()).toEqual([]);
  await gone.screen.unmount();
  const live = await show({ [getOverview]: () => overview({ openAlarms, locationId: 4, locationName: "Pump" }) });
  await expect.element(live.screen.getByRole("region", { name: "Open alarms" })).toBeVisible();
  expect(document.querySelector(".status-bad")).not.toBeNull();
  await expect.element(live.screen.getByRole("link", metering)).toHaveAttribute("href", "#/node-dashboard/4/10001/metering");
});

test("a node with nothing recorded says so in each of its parts", async () => {
  const { screen } = await show({});
  await expect.element(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Node 10001");
  for (const text of [
    "Never connected",
    "At no location",
    /The node was not judged yet\.$/,
    "No alarm is open.",
    "The node has not reported its values yet.",
    "The node was at no location yet.",
    "Nothing is recorded yet.",
  ])
    await expect.element(screen.getByText(text).first()).toBeVisible();
  await expect.element(screen.getByText("nothing yet").first()).toBeVisible();
});

test("a change that the node refused is not its last change", async () => {
  const change = { timestamp: 300, username: "pat", key: "i_noise", oldValue: "16", newValue: "12", result: "confirmed" };
  const refused = { ...change, timestamp: 400, key: "start_seconds", result: "refusedByNode" };
  const { screen } = await show({ [getOverview]: () => overview({ configChanges: [refused, change] }) });
  await expect.element(screen.getByText(/^Last change: i_noise 16 → 12 by pat/)).toBeVisible();
});

test("a serial number that does not exist, an address that names none, and a failing server differ", async () => {
  const missing = await show({ [getOverview]: () => Promise.reject(new ApiError(404, "NOT_FOUND", "Node 99999 was not found")) }, "99999");
  await expect.element(missing.screen.getByText("Node 99999 was not found")).toBeVisible();
  await expect.element(missing.screen.getByRole("link", { name: "All nodes" })).toHaveAttribute("href", "#/nodes");
  await missing.screen.unmount();
  const bad = await show({ [getOverview]: () => Promise.reject(new ApiError(400, "INVALID", "serial: no")) }, "pump");
  await expect.element(bad.screen.getByText(/^This address names no node/)).toBeVisible();
  await bad.screen.unmount();
  const failing = await show({ [getOverview]: () => Promise.reject(new ApiError(503, "UNAVAILABLE", "The database is away.")) });
  await expect.element(failing.screen.getByText("The database is away.")).toBeVisible();
  failing.api.answers[getOverview] = () => overview();
  await failing.screen.getByRole("button", { name: "Try again" }).click();
  await expect.element(failing.screen.getByText("Never connected")).toBeVisible();
});

test("each part that cannot be had again stays, marked as old, and is asked for again by its own press", async () => {
  const { api, screen, queries } = await show({});
  await expect.element(screen.getByText("Never connected")).toBeVisible();
  await expect.element(screen.getByRole("region", { name: "Last 7 days" }).getByText("nothing yet").first()).toBeVisible();
  const fail = (words: string) => () => Promise.reject(new ApiError(503, "", words));
  api.answers[getOverview] = fail("The overview is away.");
  api.answers[getWeek] = fail("The week is away.");
  await queries.refetchQueries();
  for (const words of [/^The overview is away\. Last updated/, /^The week is away\. Last updated/])
    await expect.element(screen.getByText(words)).toBeVisible();
  await expect.element(screen.getByText("Never connected")).toBeVisible();
  api.answers[getWeek] = () => week(ownWeek);
  await screen.getByRole("region", { name: "Last 7 days" }).getByRole("button", { name: "Try again" }).click();
  await expect.element(screen.getByText(/^The week is away/)).not.toBeInTheDocument();
  await expect.element(screen.getByText(/^The overview is away/)).toBeVisible();
});

test("gaps are pressed by pointer and by keyboard: one of a lane is in the tab order, arrows walk the others", async () => {
  const gap = (from: number, to: number) => ({ fromTimestamp: now - from * hour, toTimestamp: now - to * hour, count: null });
  const { screen, onGap } = await show({
    [getWeek]: () => week({ ...ownWeek, scalars: { knownFromTimestamp: now - 168 * hour, gaps: [gap(100, 98), gap(50, 49)] } }),
  });
  const [older, newer] = [screen.getByRole("button", { name: /^Scalars: 2 h, / }), screen.getByRole("button", { name: /^Scalars: 1 h, / })];
  await expect.element(screen.getByText("3 h in 2 gaps")).toBeVisible();
  expect([older.element(), newer.element()].map((element) => (element as HTMLElement).tabIndex)).toEqual([-1, 0]);
  (newer.element() as HTMLElement).focus();
  await userEvent.keyboard("{ArrowLeft}{Enter}");
  expect(document.activeElement).toBe(older.element());
  expect(onGap).toHaveBeenLastCalledWith(
    expect.anything(),
    "scalars",
    expect.objectContaining({ from: now - 100 * hour, to: now - 98 * hour }),
  );
  await newer.click();
  expect(onGap).toHaveBeenLastCalledWith(expect.anything(), "scalars", expect.objectContaining({ from: now - 50 * hour }));
});

test("A-19 a gap of the time in which the platform was away is not the node's", async () => {
  const gap = (from: number, to: number) => ({ fromTimestamp: now - from * hour, toTimestamp: now - to * hour, count: null });
  const lane = (...gaps: ReturnType<typeof gap>[]) => ({ knownFromTimestamp: now - 168 * hour, gaps });
  const { screen } = await show({
    [getWeek]: () =>
      week({
        ...ownWeek,
        platformAway: [{ fromTimestamp: now - 60 * hour, toTimestamp: now - 50 * hour }],
        connected: lane(gap(59, 51)),
        scalars: lane(gap(100, 97), gap(59, 50)),
      }),
  });
  const strip = screen.getByRole("region", { name: "Last 7 days" });
  await expect.element(strip.getByRole("button", { name: /^Connected: 8 h, .+, while the platform was away\./ })).toHaveClass("is-away");
  await expect.element(strip.getByText("whole", { exact: true })).toBeVisible();
  await expect.element(strip.getByText("3 h", { exact: true })).toBeVisible();
  await expect.element(strip.getByRole("button", { name: /^Scalars: 3 h, / })).not.toHaveClass("is-away");
});

test("the verdict is a sentence with its evidence and what others at the facility have", async () => {
  const sentence = "Its connection ended, away since 00:48 PST.";
  const evidence = [
    { kind: "away", gravity: "act", sentence, since: now - 12 * 60, detail: "" },
    { kind: "unstable", gravity: "look", sentence: "Connections that ended in the last day: 4.", since: null, detail: "" },
  ];
  const { screen, onFilter } = await show({
    [getOverview]: () =>
      overview({ facilityId: 7, facilityName: "North Works", locationId: 1, othersAtFacility: { total: 4, connected: 3 } }),
    [getVerdict]: () => ({ verdict: evidence[0], evidence, history: [] }),
  });
  const verdict = screen.getByLabelText("Verdict");
  await expect.element(screen.getByText(/Its connection ended, away since 00:48 PST \(\d+ min\)\./)).toBeVisible();
  await expect.element(screen.getByText(/Connections that ended in the last day: 4\./)).toBeVisible();
  await expect.element(screen.getByText(/Others at North Works: 3 of 4 nodes connected\./)).toBeVisible();
  expect(verdict.element().textContent?.match(/Its connection ended/g)).toHaveLength(1);
  await expect.element(screen.getByRole("link", { name: "North Works" }).first()).toHaveAttribute("href", "#/facilities/7");
  await verdict.getByRole("button", { name: "What was tried" }).click();
  expect(onFilter.mock.calls).toEqual([["tried"]]);
  expect(document.activeElement?.id).toBe(happeningsId);
});
