import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { App } from "./app.tsx";
import { router } from "./router.tsx";
import type { fakeApi } from "./testing/fake-api.ts";
import { outlineOf } from "./testing/outline.ts";
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

const states: [name: string, width: number, api: () => ReturnType<typeof fakeApi>][] = [
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

describe.each(states)("A-63 %s", (name, width, answering) => {
  test("every screen", async () => {
    await page.viewport(width, 900);
    signInForAll();
    await render(<App call={answering().call} styleNonce="" />);
    for (const address of screens) {
      await goTo(address);
      await settle(name === "loading");
      expect.soft(outlineOf(document.body)).toMatchSnapshot(address);
    }
  });
});
