import { api } from "@busbar/contract/api.ts";
import type { Endpoint } from "@busbar/contract/endpoint.ts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { App } from "./app.tsx";
import { inventAnswer } from "./testing/invented-answer.ts";
import { walkInPage } from "./testing/walk-presses.tsx";
import { goTo, invented, settle, signInForAll } from "./testing/walk-screens.ts";
import { takeLeft } from "./testing/what-leaves.ts";

walkInPage();

type Row = Record<string, unknown>;
type Query = Partial<Record<"limit" | "before", string>>;

/** More than any list has on a page without being asked. */
const mostOfPage = 100;

/** The screen of a list whose page is full whenever it can be, before one row that is older than all. */
async function open(address: string, endpoint: Endpoint, cursor: string) {
  const some = inventAnswer(endpoint, { first: 0, rows: 4 }) as Row[];
  const cursorAt = (place: number) => (typeof some[0]![cursor] === "number" ? 9_000 - place : `E_${place}`);
  const rowAt = (place: number): Row => ({ ...some[place % some.length], [cursor]: cursorAt(place) });
  const server = invented({ first: 0, rows: 4 });
  const name = `${endpoint.method} ${endpoint.path}`;
  server.answers[name] = ({ query }) => {
    const { limit = mostOfPage, before } = query as Query;
    return before === undefined ? Array.from({ length: Number(limit) }, (_, place) => rowAt(place)) : [rowAt(8_000)];
  };
  await page.viewport(1440, 900);
  signInForAll();
  await render(<App call={server.call} styleNonce="" />);
  await goTo(address);
  await settle();
  const asked = () => server.asked.splice(0).flatMap(({ endpoint: each, input }) => (each === name ? [input["query"] as Query] : []));
  const press = async (words: RegExp) => {
    const button = [...document.querySelectorAll<HTMLElement>("main button")].find(({ textContent }) => words.test(textContent));
    button!.click();
    await settle();
  };
  return { asked, press, cursorAt };
}

const lists: [address: string, endpoint: Endpoint, cursor: string][] = [
  ["/events", api.getEvents, "eventName"],
  ["/changes", api.getChanges, "id"],
  ["/networkconfig", api.getNetworkConfigLog, "id"],
  ["/incidents?state=all", api.getIncidents, "id"],
  ["/batches", api.getBatches, "id"],
];

test.each(lists)("older rows of %s are those before the last one that is shown", async (address, endpoint, cursor) => {
  const { asked, press, cursorAt } = await open(address, endpoint, cursor);
  const [first] = asked();
  const count = () => document.querySelector("main output.dim, main .dim output")?.textContent ?? "";
  const shown = Number(first?.limit ?? mostOfPage);
  expect(count()).toMatch(new RegExp(`^${shown} .* shown, there are older ones`));
  await press(/^Show older /);
  expect(asked()).toEqual([{ ...first, before: String(cursorAt(shown - 1)) }]);
  expect(count()).toMatch(new RegExp(`^${shown + 1} [a-z ]+$`));
  expect(document.body.textContent).not.toContain("Show older");
});

const filtered: typeof lists = [
  ["/events?text=pump", api.getEvents, "eventName"],
  ["/changes?object=node/10001", api.getChanges, "id"],
  ["/networkconfig?filter=pump", api.getNetworkConfigLog, "id"],
];

test.each(filtered)("a file of %s has every row of every page that matches", async (address, endpoint, cursor) => {
  const { asked, press, cursorAt } = await open(address, endpoint, cursor);
  const [first] = asked();
  expect(Object.keys(first ?? {})).toHaveLength(2);
  await takeLeft();
  await press(/Save CSV/);
  const [whole, older, ...more] = asked();
  const most = Number(whole?.limit);
  expect(most).toBeGreaterThan(Number(first?.limit));
  expect([whole, older, more]).toEqual([{ ...first, limit: String(most) }, { ...whole, before: String(cursorAt(most - 1)) }, []]);
  const [file = ""] = await takeLeft();
  // Below the word that it is one, and its heads: a change has a line for each of its values.
  expect(file.split("\n").length - 2).toBeGreaterThanOrEqual(most + 1);
});

const wholeLists: [address: string, shown: string, hidden: string][] = [
  ["/nodes?filterText=10002&show=Deployed,Pre-Deployment,Unassigned,Decommissioned", "10002,", "10001,"],
  ["/users?filterText=username 2", "users username 2", "users username 1"],
  ["/customers?filterText=birch", "birch,", "alder,"],
  ["/subscriptionreport?filterText=username 2", "report username 2", "report username 1"],
  ["/deployments?state=blocked", "10003,", "10001,"],
  ["/coverage?find=10002&show=all", "10002,", "10001,"],
];

test("a file of a list, all of which is there, has only what is shown", async () => {
  await page.viewport(1440, 900);
  signInForAll();
  await render(<App call={invented({ first: 0, rows: 4 }).call} styleNonce="" />);
  for (const [address, shown, hidden] of wholeLists) {
    await goTo(encodeURI(address));
    await settle();
    await takeLeft();
    const button = [...document.querySelectorAll<HTMLElement>("main button")].find(({ textContent }) => textContent === "Export CSV");
    button!.click();
    await settle();
    const [file = ""] = await takeLeft();
    expect.soft([file.includes(shown), file.includes(hidden)], `${address}\n${file}`).toEqual([true, false]);
  }
});
