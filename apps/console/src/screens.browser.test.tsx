import { focusManager } from "@tanstack/react-query";
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { currentSession } from "#features/access/session/current-session.ts";
import { App } from "./app.tsx";
import { router } from "./router.tsx";
import { fakeToken, type fakeApi } from "./testing/fake-api.ts";
import { lineChanges } from "./testing/line-changes.ts";
import { briefOutlineOf, outlineOf } from "./testing/outline.ts";
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

test("A-63 what is not shown to whoever lacks a role", async () => {
  await page.viewport(1440, 900);
  signInForAll();
  await render(<App call={invented({ first: 0, rows: 4 }).call} styleNonce="" />);
  const lines: string[] = [];
  for (const address of ["/users", "/customers?filterText=1000", "/muted", "/system/config", "/accounts/billing"]) {
    const shownTo = async (...roles: string[]) => {
      // A session with the same token would be the same.
      currentSession.set(fakeToken(80_000 + lines.length), roles);
      await goTo(address);
      await settle();
      return briefOutlineOf(document.body);
    };
    const all = await shownTo("systemAdministrator", "accountsAdministrator");
    for (const role of ["systemAdministrator", "accountsAdministrator", "none"])
      lines.push(`${address} ${role}`, ...lineChanges(all, await shownTo(role)).map((change) => `  ${change}`));
  }
  expect(lines.join("\n")).toMatchSnapshot();
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
  const hidden = vi.spyOn(document, "hidden", "get");
  onTestFinished(() => hidden.mockRestore());
  const show = (isShown: boolean) => {
    hidden.mockReturnValue(!isShown);
    focusManager.setFocused(isShown);
    document.dispatchEvent(new Event("visibilitychange"));
  };
  /** What is asked for until nothing changes any more. */
  const askedAfter = async (act: () => void): Promise<typeof server.asked> => {
    server.asked.length = 0;
    act();
    await settle();
    return server.asked.splice(0);
  };
  const polls: string[] = [];
  for await (const address of walkScreens(1440, server)) {
    show(false);
    expect(await askedAfter(upkeep.turn), `${address} while no one can see it`).toEqual([]);
    const seen = await askedAfter(() => show(true));
    const due = await askedAfter(upkeep.turn);
    const asked = due.map(({ endpoint, input }) => `  ${endpoint} ${JSON.stringify(input)}`);
    const isDue = new Set(due.map(({ endpoint }) => endpoint));
    const again = seen.flatMap(({ endpoint }) => (isDue.has(endpoint) ? [] : [`  when it is seen again ${endpoint}`]));
    polls.push(address, ...[...new Set(asked)].toSorted(), ...[...new Set(again)].toSorted());
  }
  expect(polls.join("\n")).toMatchSnapshot();
});
