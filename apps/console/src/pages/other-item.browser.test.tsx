import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { App } from "../app.tsx";
import { beginWalk, elsewhere, endWalk, fetchAllParts, goTo, invented, settle, signInForAll } from "../testing/walk-screens.ts";

beforeAll(fetchAllParts);
beforeEach(beginWalk);
afterEach(endWalk);

/** An item, and another one of the same screen. */
const items: [one: string, other: string][] = [
  ["/batches/1", "/batches/2"],
  ["/bulk/1", "/bulk/2"],
  ["/bulk/new?locations=201", "/bulk/new?users=401"],
  ["/deployments/10001", "/deployments/10002"],
  ["/nodes/10001", "/nodes/10002"],
  ["/nodes/10001/tasks", "/nodes/10002/tasks"],
  ["/facilities/101", "/facilities/102"],
  ["/incidents/1", "/incidents/2"],
  ["/users/501", "/users/502"],
  ["/events/E_1", "/events/E_2"],
  ["/activity/eventfiles/E_1", "/activity/eventfiles/E_2"],
  ["/node-dashboard/files/10001_1778770000.txt", "/node-dashboard/files/10001_1778770900.txt"],
  ["/node-dashboard/10001/files", "/node-dashboard/10002/files"],
  ["/node-dashboard/10002/files?kinds=S", "/node-dashboard/10002/files?kinds=H"],
  ["/node-dashboard/201/10001/metering", "/node-dashboard/202/10002/metering"],
  ["/coverage?kind=D&node=10001", "/coverage?kind=D&node=10002"],
  ["/coverage?kind=D&node=10001", "/coverage?kind=S&node=10001"],
  ["/import?of=nodes", "/import?of=users"],
];

/** They hold what is entered and opened; a dialog lies over those of its page. */
const ofPage = "main :is(input, select, textarea, button:not([aria-pressed]), nav a)";
const controls = (): Element[] => {
  const inDialog = document.querySelectorAll("[role=dialog] *");
  return [...(inDialog.length > 0 ? inDialog : document.querySelectorAll(ofPage))];
};

test("nothing of an item is left when its screen goes on with another one", async () => {
  await page.viewport(1440, 900);
  signInForAll();
  await render(<App call={invented({ first: 0, rows: 2 }).call} styleNonce="" />);
  await goTo(elsewhere);
  await settle();
  const ofFrame = controls();
  for (const [one, other] of items) {
    // What is known already is there at once, with no empty screen in between.
    for (const address of [other, one]) {
      await goTo(address);
      await settle();
    }
    const before = new Set(controls());
    expect([one, before.size > 0]).toEqual([one, true]);
    location.hash = `#${other}`;
    await settle();
    expect(location.hash).toBe(`#${other}`);
    const left = controls().filter((control) => before.has(control) && !ofFrame.includes(control));
    expect
      .soft(
        left.map(({ outerHTML }) => outerHTML.slice(0, 80)),
        `${one}, then ${other}`,
      )
      .toEqual([]);
  }
});

test.each([
  ["/incidents/1", "/incidents/2", /^Swap node /],
  ["/nodes/10001", "/nodes/10002", /^Swap/],
  ["/facilities/101", "/facilities/102", /^Subscriptions/],
])("a dialog that %s opened is gone at %s", async (one, other, name) => {
  await page.viewport(1440, 900);
  signInForAll();
  await render(<App call={invented({ first: 0, rows: 2 }).call} styleNonce="" />);
  for (const address of [other, one]) {
    await goTo(address);
    await settle();
  }
  const opener = [...document.querySelectorAll<HTMLElement>("main button")].find((each) => name.test(each.ariaLabel ?? each.textContent));
  opener?.click();
  await settle();
  expect(document.querySelectorAll("[role=dialog]")).toHaveLength(1);
  location.hash = `#${other}`;
  await settle();
  expect(location.hash).toBe(`#${other}`);
  expect(document.querySelectorAll("[role=dialog]")).toHaveLength(0);
});
