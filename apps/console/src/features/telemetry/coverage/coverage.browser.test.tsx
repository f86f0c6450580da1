import type { Coverage, NodeCoverage } from "@busbar/contract/telemetry/coverage.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { addDays, daySpanOf, dayText, noCoverageFilter } from "./coverage-days.ts";
import { CoverageScreen, today } from "./coverage-screen.tsx";
import { GapDialog } from "./gap-dialog.tsx";

const getFleet = "GET /coverage";
const getNode = "GET /nodes/{serial}/coverage";
const postAsk = "POST /nodes/{serial}/coverage/requests";
const span = daySpanOf("", today());

const coverage = (nodes: Coverage["nodes"]): Coverage => ({
  fromDay: span.from,
  toDay: span.to,
  places: [{ facilityId: 1, facility: "North Works", customer: "Alder" }],
  nodes,
});
const node = (serialNumber: string, days: string, missing = 0) => ({
  serialNumber,
  place: 0,
  location: `Pump ${serialNumber}`,
  days: days.padStart(31, "w"),
  missing,
});
const show = (api: ReturnType<typeof fakeApi>, element: ReactNode) =>
  render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={api.call}>
          <div style={{ height: 700, display: "flex" }}>{element}</div>
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );

function Screen({ opened }: { opened: object[] }) {
  const [filter, setFilter] = useState(noCoverageFilter);
  return <CoverageScreen filter={filter} onFilter={setFilter} onOpen={(gaps) => opened.push(gaps)} />;
}

test("nodes with holes are shown, the worst first; without any it says so, and a failure can be tried again", async () => {
  await page.viewport(1_440, 900);
  const { promise, resolve } = Promise.withResolvers<Coverage>();
  const api = fakeApi({ [getFleet]: () => promise });
  const opened: object[] = [];
  const screen = await show(api, <Screen opened={opened} />);
  await expect.element(screen.getByText("Loading the coverage")).toBeInTheDocument();
  const askedTimestamp = 1_790_020_000;
  resolve(coverage([node("10001", "w"), node("10002", "3M", 120), node("10003", "f"), { ...node("10004", "M", 400), askedTimestamp }]));
  const rows = () => screen.getByRole("row").elements().slice(1);
  await expect.poll(() => rows().map((row) => row.querySelector("a")?.textContent)).toEqual(["10004", "10002", "10003"]);
  await expect.element(screen.getByText("3 of 4 nodes")).toBeVisible();
  await expect.element(screen.getByText(`Asked at ${formatDateTime(askedTimestamp).slice(11, 16)}`)).toBeVisible();
  const offered = screen.getByRole("button", { name: /^Request again/ }).elements();
  expect(offered.map(({ ariaLabel }) => /\d+/.exec(ariaLabel ?? "")?.[0])).toEqual(["10002", "10003"]);
  const label = (words: string) => screen.getByRole("button", { name: new RegExp(`: ${words}$`) });
  await expect.element(label("up to 30 % missing")).toBeVisible();
  const sortBy = async (name: string) => {
    await screen.getByRole("columnheader", { name }).getByRole("button").click();
    return rows().map((row) => row.querySelector("a")?.textContent);
  };
  expect([await sortBy("Missing"), await sortBy("Missing"), await sortBy("Node"), await sortBy("Node"), await sortBy("Missing")]).toEqual([
    ["10003", "10002", "10004"],
    ["10004", "10002", "10003"],
    ["10002", "10003", "10004"],
    ["10004", "10003", "10002"],
    ["10004", "10002", "10003"],
  ]);
  await label("up to 30 % missing").click();
  expect(opened).toEqual([{ node: "10002", day: addDays(span.to, -1) }]);
  (rows()[1] as HTMLElement).focus();
  rows()[1]!.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  expect(opened.at(-1)).toEqual({ node: "10002", day: "" });

  // Half a day earlier and later the days are there in every zone.
  api.answers[postAsk] = () => ({});
  const again = screen.getByRole("button", { name: /^Request again what node 10002/ }).element() as HTMLElement;
  // As a double click: the server refuses a second request for the same time.
  again.click();
  again.click();
  await expect.poll(() => opened.length).toBe(3);
  expect(api.asked.filter(({ endpoint }) => endpoint === postAsk).map(({ input }) => input)).toEqual([
    {
      params: { serial: "10002" },
      body: { kind: "D", fromTimestamp: Date.parse(span.from) / 1000 - 43_200, toTimestamp: Date.parse(span.to) / 1000 + 3 * 43_200 },
    },
  ]);

  const later = Promise.withResolvers<Coverage>();
  api.answers[getFleet] = () => later.promise;
  expect(screen.container.querySelector(".is-old")).toBeNull();
  await screen.getByRole("button", { name: "1-second files" }).click();
  await expect.poll(() => screen.container.querySelector(".is-old")).not.toBeNull();
  later.resolve(coverage([node("10001", "w")]));
  await expect.element(screen.getByText("No node has a hole in these days")).toBeVisible();
  api.answers[getFleet] = () => {
    throw new ApiError(503, "DATABASE_UNAVAILABLE", "The database does not answer");
  };
  await screen.getByRole("button", { name: "Earlier days" }).click();
  await expect.element(screen.getByText("The database does not answer")).toBeVisible();
  api.answers[getFleet] = () => coverage([]);
  await screen.getByRole("button", { name: "Try again" }).click();
  await expect.element(screen.getByText("No node was expected to send in these days")).toBeVisible();
});

test("arrows up and down stay on the day", async () => {
  await page.viewport(1_440, 900);
  const api = fakeApi({ [getFleet]: () => coverage([node("10001", "M", 400), node("10002", "3f", 120), node("10003", "f", 4)]) });
  const screen = await show(api, <Screen opened={[]} />);
  await expect.element(screen.getByRole("link", { name: "10003" })).toBeVisible();
  const focused = () => [document.activeElement?.closest("tr")?.querySelector("a")?.textContent, document.activeElement?.ariaLabel];
  screen.getByRole("row").elements()[1]!.querySelector<HTMLElement>("button[data-stop]:last-of-type")!.focus();
  await userEvent.keyboard("{ArrowDown}");
  await expect.poll(focused).toEqual(["10002", `${dayText(span.to)}: some failed`]);
  await userEvent.keyboard("{ArrowLeft}{ArrowUp}");
  await expect.poll(focused).toEqual(["10001", `${dayText(addDays(span.to, -1))}: whole`]);
});

test("on a narrow screen two weeks are shown, each day with its date and as wide as a finger; a node without a hole takes no more room", async () => {
  await page.viewport(390, 800);
  const asked: unknown[] = [];
  const from = addDays(span.to, -13);
  const api = fakeApi({
    [getFleet]: ({ query }) => {
      asked.push(query);
      return {
        ...coverage([node("10001", "MM3f", 400), node("10002", "w")].map((each) => ({ ...each, days: each.days.slice(-14) }))),
        fromDay: from,
      };
    },
  });
  const screen = await show(api, <Screen opened={[]} />);
  const missing = screen.getByRole("button", { name: /all missing/ }).first();
  await expect.element(missing).toBeVisible();
  await screen.getByRole("checkbox", { name: "Only with holes" }).click();
  await expect.element(screen.getByRole("link", { name: "10002" })).toBeVisible();
  expect(asked[0]).toEqual({ kind: "D", from, to: span.to });
  expect(missing.element().getBoundingClientRect().width).toBeGreaterThanOrEqual(24);
  const heads = [...screen.container.querySelectorAll("li:first-child .is-head > [title]")].map(({ textContent }) => textContent);
  expect(heads[0]).toMatch(/^[A-Z][a-z]{2}\d+$/);
  expect(heads.map((text) => Number(/\d+$/.exec(text)?.[0]))).toEqual(
    Array.from({ length: 14 }, (_, index) => Number(addDays(from, index).slice(8))),
  );
  const ask = screen.getByRole("button", { name: /^Request again what node 10001/ }).element();
  expect(ask.getBoundingClientRect().right).toBeLessThanOrEqual(ask.closest("li")!.getBoundingClientRect().right);
  expect(ask.scrollWidth).toBeLessThanOrEqual(ask.clientWidth);
  const item = screen.getByRole("listitem").last().element();
  const days = item.querySelector(".coverage-days:not(.is-head)")!.getBoundingClientRect();
  expect(item.getBoundingClientRect().bottom - days.bottom).toBeLessThan(20);
});

const gaps = (asks: NodeCoverage["asks"] = []): NodeCoverage => ({
  serialNumber: "10002",
  location: "Pump 2",
  timezone: "America/Chicago",
  spans: [
    { fromTimestamp: 1_790_000_100, toTimestamp: 1_790_003_700, status: "missing", count: 4 },
    { fromTimestamp: 1_790_010_000, toTimestamp: 1_790_010_900, status: "late", count: 1 },
  ],
  asks,
});

test("a gap leads to its files and is asked for again; a refusal is said, and so is what came", async () => {
  const api = fakeApi({
    [getNode]: () => gaps(),
    [postAsk]: () => {
      throw new ApiError(409, "CONFLICT", "Node 10002 is asked for files of this time already");
    },
  });
  const screen = await show(
    api,
    <GapDialog serial="10002" kind="D" span={span} day="" onDay={() => undefined} onClose={() => undefined} />,
  );
  const files = screen.getByRole("link", { name: "Files of that time" }).first();
  await expect.element(files).toHaveAttribute("href", "#/node-dashboard/10002/files?kinds=D&scrollPos=1790000100");
  const request = screen.getByRole("button", { name: "Request again", exact: true });
  await request.click();
  await expect.element(screen.getByText("Node 10002 is asked for files of this time already")).toBeVisible();
  const time = { fromTimestamp: 1_790_000_100, toTimestamp: 1_790_003_700 };
  const ask = { id: 1, kind: "D" as const, ...time, askedBy: "pat", askedTimestamp: 1_790_020_000, fileCount: 4 };
  api.answers[postAsk] = () => ({ ...ask, cameCount: 0, outcome: "waiting" });
  api.answers[getNode] = () => gaps([{ ...ask, cameCount: 3, outcome: "some" }]);
  await request.click();
  await expect.element(screen.getByText("Ended: 3 of 4 files came, the node does not have the others any more")).toBeVisible();
  // What is on its way is not offered again.
  api.answers[getNode] = () => gaps([{ ...ask, cameCount: 1, outcome: "asked" }]);
  await request.click();
  await expect.element(screen.getByText("Asked: 1 of 4 files came so far")).toBeVisible();
  await expect.element(request).toBeDisabled();
  await expect.element(screen.getByRole("cell", { name: /Files of that time ?Asked at 2026-09-21 14:46:40 CDT/ })).toBeVisible();
  expect(screen.getByRole("button", { name: /^Request again what is missing/ }).elements()).toEqual([]);
});
