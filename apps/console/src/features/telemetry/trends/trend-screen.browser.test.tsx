import type { TrendSeries } from "@busbar/contract/telemetry/trends.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { page, userEvent } from "vitest/browser";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { searchOfView, viewOfSearch } from "./trend-address.ts";
import { TrendScreen } from "./trend-screen.tsx";

const call = "GET /trends";
/** A day of the place whose clocks go back in it. */
const [from, to] = [Date.UTC(2026, 10, 1, 5) / 1000, Date.UTC(2026, 10, 2, 6) / 1000];
const day = `${from}-${to}`;
const hour = 3_600;

type Query = Record<"series" | "from" | "to" | "points", string>;

function seriesOf(name: string, { from: first, to: last }: Query): TrendSeries {
  const [serialNumber = "", quantity = ""] = name.split(":");
  const all = Array.from({ length: Math.floor((Number(last) - Number(first)) / hour) }, (_, index) => Number(first) + index * hour);
  // Two hours are missing.
  const timestamps = all.filter((_, index) => index !== 5 && index !== 6);
  return {
    serialNumber,
    quantity,
    customerName: "Alder",
    facilityName: "Sawmill",
    locationName: serialNumber === "10604" ? "Kiln Fan" : "Chipper",
    locationId: 7,
    timezone: "America/Chicago",
    resolution: "minute",
    stepSeconds: hour,
    timestamps,
    minimum: timestamps.map(() => 10),
    mean: timestamps.map((_, index) => 20 + index),
    maximum: timestamps.map(() => 60),
    completeness: 0.987,
    figures: {
      minimum: 10,
      mean: 26.24,
      maximum: 60,
      percentile95: 44.8,
      total: null,
      energyKwh: 1_204.4,
      runSeconds: 471_600,
      starts: 14,
    },
    limits: [{ line: "Nameplate current", value: 48, kind: "nameplate" }],
  };
}

const answer = ({ query }: Record<string, unknown>) => {
  const asked = query as Query;
  return {
    fromTimestamp: Number(asked.from),
    toTimestamp: Number(asked.to),
    series: asked.series.split(",").map((name) => seriesOf(name, asked)),
  };
};

/** The page with its address in place of the router's. */
function Page({ search, onSearch }: { search: Record<string, string>; onSearch: (search: Record<string, string>) => void }) {
  const [view, setView] = useState(() => viewOfSearch(search));
  return (
    <TrendScreen
      view={view}
      onView={(next) => {
        setView(next);
        onSearch(searchOfView(next));
      }}
      views={<button onClick={() => setView(viewOfSearch({ series: "10605:current", range: "24h" }))}>Saved view</button>}
      dropped={[]}
    />
  );
}

async function show(search: Record<string, string>, answers: Parameters<typeof fakeApi>[0] = { [call]: answer }) {
  const api = fakeApi(answers);
  const address = { current: search };
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={queries}>
        <ApiContext value={api.call}>
          <Page search={search} onSearch={(next) => (address.current = next)} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { screen, api, address };
}

const asked = (api: ReturnType<typeof fakeApi>) => api.asked.map(({ input }) => input["query"] as Query);

test("two machines on one plot, their figures, their resolution and completeness in words", async () => {
  const { screen } = await show({ series: "10604:current,10605:current", range: day });
  await expect
    .element(screen.getByRole("img", { name: "2026-11-01: Kiln Fan · Current 10 to 60 A, 1 gap; Chipper · Current 10 to 60 A, 1 gap" }))
    .toBeVisible();
  await expect.element(screen.getByText("hour values · 98.7 % complete · times in America/Chicago (CDT, then CST)")).toBeVisible();
  const row = screen.getByRole("table", { name: "Figures of the range" }).getByRole("row").nth(1);
  expect(row.element().textContent.trim()).toBe("Kiln Fan · Current10604hour values, 98.7 % completeA10.026.260.044.81,204131.014");
});

test("a drag over the plot zooms, the wheel zooms at the cursor, Shift pans, 0 shows what was there before", async () => {
  await page.viewport(1_200, 900);
  const { screen, api, address } = await show({ series: "10604:current", range: day });
  await expect.element(screen.getByRole("img", { name: /^2026-11-01/ })).toBeVisible();
  const plot = screen.container.querySelector(".u-over")!;
  const { left, top, width } = plot.getBoundingClientRect();
  const point = (type: string, share: number, more: PointerEventInit = {}) =>
    plot.dispatchEvent(
      new PointerEvent(type, {
        pointerId: 1,
        pointerType: "mouse",
        clientX: left + width * share,
        clientY: top + 50,
        bubbles: true,
        ...more,
      }),
    );
  const range = () => (address.current["range"] ?? "").split("-").map(Number);
  const drag = (start: number, end: number, more?: PointerEventInit) => {
    point("pointerdown", start, more);
    point("pointermove", end, more);
    point("pointerup", end, more);
  };

  // A finger that did not move, or hardly, changes nothing.
  drag(0.5, 0.5 + 0.4 / width, { pointerType: "touch" });
  expect(address.current["range"]).toBe(day);
  drag(0.2, 0.6);
  await expect.poll(() => range()).toEqual([from + 5 * hour, from + 15 * hour]);
  await expect.poll(() => asked(api).at(-1)?.from).toBe(String(from + 5 * hour));
  drag(0.5, 0.25, { shiftKey: true });
  await expect.poll(() => range()).toEqual([from + 7.5 * hour, from + 17.5 * hour]);
  plot.dispatchEvent(new WheelEvent("wheel", { clientX: left, clientY: top + 50, deltaY: -Math.log(2) / 0.0015, cancelable: true }));
  await expect.poll(() => range()).toEqual([from + 7.5 * hour, from + 12.5 * hour]);
  const fingers = { pointerType: "touch" };
  point("pointerdown", 0.25, fingers);
  point("pointerdown", 0.75, { ...fingers, pointerId: 2 });
  point("pointermove", 1, { ...fingers, pointerId: 2 });
  point("pointermove", 0, fingers);
  point("pointerup", 0, fingers);
  point("pointerup", 1, { ...fingers, pointerId: 2 });
  await expect.poll(() => range()).toEqual([from + 8.75 * hour, from + 11.25 * hour]);
  await userEvent.keyboard("0");
  await expect.poll(() => range()).toEqual([from, to]);
});

test("by keys the cursor goes from value to value, and the table has what the plot shows", async () => {
  const { screen, address } = await show({ series: "10604:current,10604:voltage", range: day });
  const plots = screen.getByRole("region", { name: /^Plots/ });
  await expect.element(screen.getByText("42.0 (10.0 to 60.0)").first()).toBeVisible();
  (plots.element() as HTMLElement).focus();
  await userEvent.keyboard("{ArrowLeft}{ArrowLeft}");
  await expect.element(screen.getByText("41.0 (10.0 to 60.0)").first()).toBeVisible();
  await userEvent.keyboard("t");
  await expect.element(screen.getByRole("region", { name: "Values, A" })).toBeVisible();
  await expect.element(screen.getByRole("region", { name: "Values, V" })).toBeVisible();
  await expect.element(screen.getByRole("cell", { name: "21.0 (10.0 to 60.0)" }).first()).toBeVisible();
  expect(address.current["table"]).toBe("1");
});

test("a range is chosen, written or stepped; yesterday is asked for by the clocks of the place", async () => {
  const { screen, api, address } = await show({ series: "10604:current", range: day });
  const text = screen.getByRole("textbox", { name: "From and to" });
  await text.fill("2026-03-08");
  await userEvent.keyboard("{Enter}");
  // 23 hours.
  await expect.poll(() => address.current["range"]).toBe(`${Date.UTC(2026, 2, 8, 6) / 1000}-${Date.UTC(2026, 2, 9, 5) / 1000}`);
  await screen.getByRole("button", { name: "Later" }).click();
  await expect.poll(() => address.current["range"]).toBe(`${Date.UTC(2026, 2, 9, 5) / 1000}-${Date.UTC(2026, 2, 10, 5) / 1000}`);
  await text.fill("someday");
  await userEvent.keyboard("{Enter}");
  await expect.element(screen.getByText(/^Write it as last 7 days/)).toBeVisible();
  await screen.getByRole("combobox", { name: "Range" }).selectOptions("yesterday at the place");
  await expect.poll(() => address.current["range"]).toBe("yesterday");
  await expect
    .poll(() => new Date(Number(asked(api).at(-1)?.from) * 1000).toLocaleTimeString("en-GB", { timeZone: "America/Chicago" }))
    .toBe("00:00:00");
  // Whatever clock the axis shows.
  const atPlace = asked(api).at(-1)?.from;
  await screen.getByRole("combobox", { name: "Time of" }).selectOptions("time of: UTC");
  await expect.element(screen.getByText("times in UTC (UTC)", { exact: false })).toBeVisible();
  expect(asked(api).at(-1)?.from).toBe(atPlace);
});

test("an earlier period lies under this one, in the table of figures too", async () => {
  const { screen, api } = await show({ series: "10604:current", range: day, compare: "week" });
  await expect
    .element(screen.getByRole("table", { name: "Figures of the range" }).getByText("Kiln Fan · Current, a week earlier"))
    .toBeVisible();
  // The same time of the clock, which was an hour earlier in UTC than seven days of 24 hours say.
  expect(asked(api).at(-1)?.from).toBe(String(from - 7 * 24 * hour));
});

test("a series is found by machine and quantity, and added to those that are there", async () => {
  const found = {
    kind: "node",
    id: "10605",
    serialNumber: "10605",
    locationName: "Chipper",
    facilityName: "Sawmill",
    customerName: "Alder",
  };
  const { screen, address } = await show(
    { series: "10604:current" },
    { [call]: answer, "GET /find": () => [found, { ...found, kind: "location", id: "7" }] },
  );
  await screen.getByRole("button", { name: "Add series" }).click();
  const field = screen.getByPlaceholder("Machine, serial number or place…");
  await expect.element(field).toHaveFocus();
  await userEvent.keyboard("chip");
  await expect.element(screen.getByRole("option", { name: /^Chipper · Current / })).toBeVisible();
  await userEvent.keyboard(" power{Enter}");
  await expect.poll(() => address.current["series"]).toBe("10604:current,10605:powerKw");
  await expect.element(screen.getByRole("button", { name: "Remove Chipper · Power" })).toBeVisible();
});

test("what happened is over the plot, opens where it is shown, and is left out by its kind", async () => {
  const marks = [
    { timestamp: from + 3 * hour, endTimestamp: null, serialNumber: "10604", kind: "note", text: "Belt changed", ref: "location/7" },
    {
      timestamp: from + 9 * hour,
      endTimestamp: null,
      serialNumber: "10604",
      kind: "event",
      text: "Trip",
      ref: "event/10604_20261101T140000Z_E0001",
    },
    {
      timestamp: from + 15 * hour,
      endTimestamp: from + 16 * hour,
      serialNumber: null,
      kind: "outage",
      text: "The platform was away",
      ref: null,
    },
  ];
  let failure: Error | undefined = new ApiError(503, "", "The database is away");
  const { screen, address, api } = await show(
    { series: "10604:current,10604:voltage", range: day },
    {
      [call]: answer,
      "GET /trends/marks": () => {
        if (failure) throw failure;
        return { marks, isCut: false };
      },
    },
  );
  await expect.element(screen.getByText("What happened meanwhile is not known: The database is away")).toBeVisible();
  failure = undefined;
  await screen.getByRole("button", { name: "Try again" }).click();
  await screen.getByRole("button", { name: "Event at 2026-11-01 08:00:00 CST" }).click();
  await expect.element(screen.getByRole("link", { name: "Event: Trip" })).toHaveAttribute("href", "#/events/10604_20261101T140000Z_E0001");
  await userEvent.keyboard("{Escape}");
  await screen.getByRole("button", { name: /Events 1$/ }).click();
  await expect.poll(() => address.current["unmarked"]).toBe("event");
  await expect.element(screen.getByRole("button", { name: /^Event at/ })).not.toBeInTheDocument();
  await expect.element(screen.getByRole("button", { name: "Outage at 2026-11-01 14:00:00 CST" })).toBeVisible();
  expect(api.asked.find(({ endpoint }) => endpoint === "GET /trends/marks")?.input["query"]).toMatchObject({ nodes: "10604" });
});

test("views that explain a machine are a press away: profile, duration, scatter and days", async () => {
  const names = { serialNumber: "10604", quantity: "powerKw", timezone: "America/Chicago", resolution: "quarter" };
  const { screen, address } = await show(
    { series: "10604:powerKw,10605:current", range: day },
    {
      [call]: answer,
      "GET /trends/profile": () => ({ ...names, hours: [{ weekday: 1, hour: 6, mean: 18.04, coveredSeconds: 3_600 }] }),
      "GET /trends/duration": () => ({
        ...names,
        percentiles: Array.from({ length: 101 }, (_, percent) => percent),
        coveredSeconds: 90_000,
      }),
      "GET /trends/scatter": () => ({ stepSeconds: 900, resolution: "quarter", timestamps: [from, from + 900], x: [1, 2], y: [10, 20] }),
      "GET /trends/days": () => ({
        serialNumber: "10604",
        timezone: "America/Chicago",
        rateCents: 12.5,
        days: [
          { date: "2026-11-01", timestamp: from, lengthSeconds: 90_000, energyKwh: 100.4, costCents: 1_255, runSeconds: 7_200, starts: 3 },
          { date: "2026-11-02", timestamp: to, lengthSeconds: 86_400, energyKwh: 7, costCents: 70, runSeconds: 60, starts: 1 },
        ],
      }),
    },
  );
  const choose = (name: string) => screen.getByRole("button", { name, exact: true }).click();
  await expect.element(screen.getByRole("combobox", { name: "Compare with" })).toBeVisible();
  await choose("Load profile");
  await expect.element(screen.getByRole("combobox", { name: "Compare with" })).not.toBeInTheDocument();
  await expect
    .element(
      screen.getByRole("table", { name: "Load profile of Kiln Fan · Power (kW)" }).getByRole("row", { name: /^Mon – – – – – – 18\.0 –/ }),
    )
    .toBeVisible();
  await choose("Duration curve");
  await expect
    .element(
      screen.getByRole("img", {
        name: /^Duration curve of Kiln Fan · Power \(kW\): at least 0\.0 all of the time, 50\.0 half of it, 90\.0 a tenth of it, at most 100\.0$/,
      }),
    )
    .toBeVisible();
  await choose("Scatter");
  await expect
    .element(
      screen.getByRole("img", {
        name: /^Chipper · Current \(A\) against Kiln Fan · Power \(kW\): 2 points, 1\.0 to 2\.0 across, 10\.0 to 20\.0 up$/,
      }),
    )
    .toBeVisible();
  const points = screen.getByRole("region", { name: "Values of Chipper · Current (A) against Kiln Fan · Power (kW)" });
  await expect.element(points.getByRole("row", { name: "2026-11-01 00:15:00 CDT 2.0 20.0" })).toBeVisible();
  expect(screen.container.querySelector(".trend-chart")?.textContent).toContain("Kiln Fan · Power (kW)Current (A)");
  const axes = ["Across", "Up"].map((name) => screen.getByRole("combobox", { name, exact: true }));
  await axes[0]!.selectOptions("10605:current");
  await expect.poll(() => axes.map((axis) => (axis.element() as HTMLSelectElement).value)).toEqual(["10605:current", "10605:current"]);
  await axes[1]!.selectOptions("10604:powerKw");
  await expect.poll(() => axes.map((axis) => (axis.element() as HTMLSelectElement).value)).toEqual(["10605:current", "10604:powerKw"]);
  await choose("Day by day");
  const days = screen.getByRole("table", { name: "Days of Kiln Fan" });
  await expect.element(days.getByRole("row", { name: "2026-11-01 100.4 $12.55 2.0 3" })).toBeVisible();
  // The next one is beyond the range.
  await expect.element(days.getByRole("row", { name: "Together 100.4 $12.55 2.0 3" })).toBeVisible();
  await expect.element(screen.getByText("The whole day 2026-11-01 of America/Chicago.", { exact: false }).first()).toBeVisible();
  await expect.element(screen.getByText("At 12.5 cents a kilowatt hour.", { exact: false }).first()).toBeVisible();
  expect(address.current["show"]).toBe("days");
});

test("nothing chosen, loading and a failure are said", async () => {
  const { screen } = await show({});
  await expect.element(screen.getByText("Choose what to look at: a machine, and what of it.")).toBeVisible();
  await screen.unmount();
  let failure: Error | undefined = new ApiError(503, "", "The database is away");
  const failing = await show(
    { series: "10604:current" },
    {
      [call]: (input) => {
        if (failure) throw failure;
        return answer(input);
      },
    },
  );
  await expect.element(failing.screen.getByText("The database is away")).toBeVisible();
  failure = undefined;
  await failing.screen.getByRole("button", { name: "Try again" }).click();
  await expect.element(failing.screen.getByRole("img", { name: /^last 7 days: Kiln Fan/ })).toBeVisible();
  // What is there stays when another range cannot be had.
  failure = new ApiError(503, "", "The database is away again");
  await failing.screen.getByRole("button", { name: "Earlier" }).click();
  await expect.element(failing.screen.getByText(/^The database is away again Last updated/)).toBeVisible();
  await expect.element(failing.screen.getByRole("img", { name: /: Kiln Fan · Current 10 to 60 A/ })).toBeVisible();
  await expect.element(failing.screen.getByRole("button", { name: "Remove Kiln Fan · Current" })).toBeVisible();
  await expect.element(failing.screen.getByText("Figures of this range are not known.")).toBeVisible();
});

test("a machine that sent nothing in the range has a plot without values, and without the time of any", async () => {
  const nothing = { timestamps: [], minimum: [], mean: [], maximum: [], completeness: 0 };
  const { screen } = await show(
    { series: "10604:current", range: day },
    { [call]: (input) => ({ ...answer(input), series: answer(input).series.map((each) => ({ ...each, ...nothing })) }) },
  );
  await expect.element(screen.getByRole("img", { name: "2026-11-01: Kiln Fan · Current no values" })).toBeVisible();
  expect(screen.container.querySelector("figcaption")?.textContent).toBe("A Kiln Fan · Current –");
});

test("a node that there is not is named, and the others are shown", async () => {
  const { screen } = await show(
    { series: "99999:current,10604:current", range: day },
    {
      [call]: (input) => {
        if ((input["query"] as Query).series.includes("99999")) throw new ApiError(404, "NOT_FOUND", "Node 99999 was not found");
        return answer(input);
      },
    },
  );
  await expect.element(screen.getByText("Node 99999 is not known: nothing of it is shown.")).toBeVisible();
  await expect.element(screen.getByRole("img", { name: /^2026-11-01: Kiln Fan · Current/ })).toBeVisible();
});

test("after a zoom and then a saved view Reset leads nowhere: the view's range is not one that was zoomed", async () => {
  const { screen } = await show({ series: "10604:current", range: day });
  await screen.getByRole("button", { name: "Zoom in" }).click();
  await expect.element(screen.getByRole("button", { name: "Reset" })).toBeEnabled();
  await screen.getByRole("button", { name: "Saved view" }).click();
  await expect.element(screen.getByRole("button", { name: "Remove Chipper · Current" })).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Reset" })).toBeDisabled();
});

test("a node that was refused once is asked for again when it is chosen again", async () => {
  let isThere = false;
  const { screen } = await show(
    { series: "10604:current,10605:current", range: day },
    {
      [call]: (input) => {
        if (!isThere && (input["query"] as Query).series.includes("10605"))
          throw new ApiError(404, "NOT_FOUND", "Node 10605 was not found");
        return answer(input);
      },
    },
  );
  await expect.element(screen.getByText("Node 10605 is not known: nothing of it is shown.")).toBeVisible();
  isThere = true;
  await screen.getByRole("button", { name: "Saved view" }).click();
  await expect.element(screen.getByRole("img", { name: /Chipper · Current/ })).toBeVisible();
  await expect.element(screen.getByText(/nothing of it is shown/)).not.toBeInTheDocument();
});
