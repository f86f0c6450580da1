import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { currentSession } from "#features/access/session/current-session.ts";
import { ApiError } from "#lib/api-error.ts";
import { App, followSession } from "../app.tsx";
import { router } from "../router.tsx";
import { fakeApi, fakeToken } from "../testing/fake-api.ts";

let stopFollowing: () => void;

beforeEach(() => {
  stopFollowing = followSession();
  currentSession.set(fakeToken(), []);
});
afterEach(async () => {
  currentSession.clear();
  location.hash = "#/";
  await vi.waitUntil(() => router.state.resolvedLocation?.pathname === "/");
  stopFollowing();
});

async function open(address: string) {
  const api = fakeApi({
    "GET /customers": () => [],
    "GET /incidents": () => [],
    "GET /incidents/people": () => [],
    "GET /views": () => [],
  });
  const screen = await render(<App call={api.call} styleNonce="" />);
  await expect.element(screen.getByRole("heading", { name: "Welcome" })).toBeVisible();
  location.hash = address;
  return { api, screen };
}

test.each([
  ["#/customers?location=abc", "This address names no location: “abc” is not its number."],
  ["#/customers?location=0", "This address names no location: “0” is not its number."],
])("the customers at %s say that there is no such location, and open nothing", async (address, words) => {
  const { api, screen } = await open(address);
  await expect.element(screen.getByText(words)).toBeVisible();
  expect(screen.getByRole("dialog").elements()).toEqual([]);
  expect(api.asked.filter(({ endpoint }) => endpoint.includes("/locations"))).toEqual([]);
});

test("incidents of a state and a kind that there are not are the open ones of all kinds, and the choices say so", async () => {
  const { screen } = await open("#/incidents?state=nonsense&kind=nonsense");
  await expect.element(screen.getByText("No incident is open")).toBeVisible();
  await expect
    .element(screen.getByRole("group", { name: "Show" }).getByRole("button", { name: "Open" }))
    .toHaveAttribute("aria-pressed", "true");
  await expect.element(screen.getByRole("combobox", { name: "Kind" })).toHaveValue("");
});

test.each(["#/events?when=days&", "#/incidents?", "#/changes?when=days&"])(
  "days the wrong way round at %s are said at their field, and ask for no impossible list",
  async (address) => {
    const { api, screen } = await open("#/home");
    api.answers["GET /events"] = () => [];
    api.answers["GET /changes"] = () => [];
    api.answers["GET /changes/people"] = () => [];
    location.hash = `${address}from=2026-03-05&to=2026-03-04`;
    const until = screen.getByLabelText("Until");
    await expect.element(until).toHaveAccessibleDescription("Ends before it begins: no days are chosen");
    const lists = () =>
      api.asked.filter(({ endpoint }) => /^GET \/(events|incidents|changes)$/.test(endpoint)).map(({ input }) => input["query"] as object);
    await expect.poll(lists).not.toEqual([]);
    for (const query of lists()) expect(Object.keys(query)).not.toContain("to");
    await expect.element(screen.getByRole("button", { name: "Clear the filter" })).toBeVisible();
    await until.fill("2026-03-06");
    await expect.element(until).not.toHaveAccessibleDescription("Ends before it begins: no days are chosen");
    await expect.poll(() => Object.keys(lists().at(-1) ?? {})).toContain("to");
  },
);

test("U-11 what the trends left out is said as long as its address is shown, and no longer", async () => {
  const { screen } = await open("#/home");
  location.hash = "#/trends?range=nonsense";
  const notice = screen.getByText("Left out of what the address asks for: the range “nonsense”.");
  await expect.element(notice).toBeVisible();
  await expect.poll(() => location.hash).toBe("#/trends");
  await expect.element(notice).toBeVisible();
  location.hash = "#/trends?range=last-1d";
  await expect.element(notice).not.toBeInTheDocument();
});

/** Each address that names an object, what is asked for it, and where its page leads when there is none. */
const named: [address: string, asked: string, leadsTo: string][] = [
  ["/nodes/99999", "GET /nodes/{serial}/overview", "#/nodes"],
  ["/nodes/99999/tasks", "GET /nodes/{serial}/tasks", "#/nodes"],
  ["/deployments/99999", "GET /nodes/{serial}/tasks", "#/deployments"],
  ["/node-dashboard/99999/files", "GET /node-dashboard/{serial}/files/summary", "#/nodes"],
  ["/node-dashboard/99999/sensordata/5/current", "GET /node-dashboard/{serial}/sensordata/{type}", "#/nodes"],
  ["/node-dashboard/9/99999/metering", "GET /locations/{id}/metering", "#/customers"],
  ["/node-dashboard/files/99999_5.txt", "GET /node-dashboard/files/{fileName}", "#/node-dashboard/99999/files"],
  ["/activity/eventfiles/99999_5.cev", "GET /activities/events/files/{eventFileName}", "#/node-dashboard/99999/files?kinds=E"],
  ["/events/99999_1", "GET /events/{eventName}", "#/events?text=99999"],
  ["/facilities/999", "GET /facilities/{id}/overview", "#/customers"],
  ["/incidents/999", "GET /incidents/{id}", "#/incidents"],
  ["/batches/999", "GET /batches/{id}", "#/batches"],
  ["/bulk/999", "GET /bulk-changes/{id}", "#/changes?what=bulkChanges"],
];
/** It opens over the list of all users, and says so there. */
const inTheirList = ["/users/$userId"];

test.each(named)(
  "%s of an object that is not there says so and leads to the others, and asks for nothing again",
  async (address, asked, leadsTo) => {
    const { api, screen } = await open("#/home");
    api.answers[asked] = () => Promise.reject(new ApiError(404, "NOT_FOUND", "It was not found"));
    location.hash = `#${address}`;
    await expect.element(screen.getByText(/It was not found/)).toBeVisible();
    expect([...document.querySelectorAll("main a")].map((link) => link.getAttribute("href"))).toContain(leadsTo);
    expect(screen.getByRole("button", { name: "Try again" }).elements()).toEqual([]);
  },
);

test("every address that names an object is in the list", () => {
  const patterns = Object.keys(router.routesByPath).filter((path) => path.includes("$"));
  const covered = patterns.filter((path) => named.some(([address]) => new RegExp(`^${path.replaceAll(/\$\w+/g, "[^/]+")}$`).test(address)));
  expect(patterns.filter((path) => !covered.includes(path))).toEqual(inTheirList);
});
