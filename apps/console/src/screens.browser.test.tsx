import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { App } from "./app.tsx";
import { router } from "./router.tsx";
import type { fakeApi } from "./testing/fake-api.ts";
import { outlineOf } from "./testing/outline.ts";
import { followUpkeep, upkeepLines, type Counts } from "./testing/upkeep.ts";
import {
  addresses,
  beginWalk,
  endWalk,
  fetchAllParts,
  goTo,
  invented,
  refusing,
  screensOf,
  settle,
  signInForAll,
  silent,
} from "./testing/walk-screens.ts";

beforeAll(fetchAllParts);
beforeEach(beginWalk);
afterEach(endWalk);

/** The room that is kept for what is loading, such as `Loading the files: 20, 104 ×40`. */
function roomsOf(body: Element): string[] {
  return [...body.querySelectorAll("main [aria-busy=true]")].map((place) => {
    const parts = place.querySelectorAll<HTMLElement>(
      ".list-count, .loading-sort, .loading-row, .loading-cells, .loading-field, .loading-plot",
    );
    const heights: { height: number; count: number }[] = [];
    for (const { offsetHeight: height } of parts) {
      const last = heights.at(-1);
      if (last?.height === height) last.count++;
      else heights.push({ height, count: 1 });
    }
    const words = heights.map(({ height, count }) => (count === 1 ? `${height}` : `${height} ×${count}`));
    return `  ${place.querySelector("output")?.textContent}: ${words.join(", ")}`;
  });
}

type Answering = () => ReturnType<typeof fakeApi>;

const states: [name: string, width: number, api: Answering][] = [
  ["full", 1440, () => invented({ first: 0, rows: 4 })],
  ["other", 1440, () => invented({ first: 5, rows: 3 })],
  ["narrow", 390, () => invented({ first: 9, rows: 3 })],
  ["empty", 1440, () => invented({ first: 1, rows: 0 })],
  ["refused", 1440, refusing],
  ["loading", 1440, silent],
];

const screens = Object.values(addresses).flatMap(screensOf);

test("A-63 every route has an address here", () => {
  expect(Object.values(addresses).flatMap(Object.keys).toSorted()).toEqual(Object.keys(router.routesByPath).toSorted());
});

async function* walkScreens(width: number, { call }: ReturnType<Answering>, isLoading = false): AsyncGenerator<string> {
  await page.viewport(width, 900);
  signInForAll();
  await render(<App call={call} styleNonce="" />);
  for (const address of screens) {
    await goTo(address);
    await settle(isLoading);
    yield address;
  }
}

const expectUpkeep = (upkeeps: ReadonlyMap<string, Counts>) => expect(upkeepLines(upkeeps)).toMatchSnapshot("upkeep");

describe.each(states)("A-63 %s", (_, width, answering) => {
  test("every screen", async () => {
    const upkeep = followUpkeep();
    onTestFinished(upkeep.end);
    const upkeeps = new Map<string, Counts>();
    for await (const address of walkScreens(width, answering(), answering === silent)) {
      upkeeps.set(address, upkeep.counts());
      expect.soft(outlineOf(document.body)).toMatchSnapshot(address);
    }
    expectUpkeep(upkeeps);
  });
});

test("A-63 what loads on a phone has its room there", async () => {
  const rooms: string[] = [];
  for await (const address of walkScreens(390, silent(), true)) rooms.push(address, ...roomsOf(document.body));
  expect(rooms.join("\n")).toMatchSnapshot();
});

test("A-63 what a screen asks for again by itself", async () => {
  const upkeep = followUpkeep();
  onTestFinished(upkeep.end);
  const server = invented({ first: 0, rows: 4 });
  const polls: string[] = [];
  for await (const address of walkScreens(1440, server)) {
    server.asked.length = 0;
    upkeep.turn();
    await settle();
    const asked = server.asked.map(({ endpoint, input }) => `  ${endpoint} ${JSON.stringify(input)}`);
    polls.push(address, ...[...new Set(asked)].toSorted());
  }
  expect(polls.join("\n")).toMatchSnapshot();
});
