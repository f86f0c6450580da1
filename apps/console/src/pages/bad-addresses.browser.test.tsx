import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import "@mantine/core/styles.css";
import { currentSession } from "#features/access/session/current-session.ts";
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
