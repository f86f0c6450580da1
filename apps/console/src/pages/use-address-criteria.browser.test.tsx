import {
  Outlet,
  RouterProvider,
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from "@tanstack/react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { parseSearch, stringifySearch } from "#lib/search-codec.ts";
import { useAskedTo } from "./use-asked-to.ts";
import { useAddressTexts } from "./use-address-texts.ts";

const onLocation = vi.fn<(id: string) => void>();
const startHash = location.hash;
beforeEach(() => {
  location.hash = "#/list";
});
afterEach(() => {
  vi.useRealTimers();
  location.hash = startHash;
});

function ListPage() {
  const [{ filterText }, change] = useAddressTexts("/list", ["filterText"]);
  useAskedTo("location", "/list", onLocation);
  return <input aria-label="Filter" value={filterText} onChange={(event) => change({ filterText: event.currentTarget.value })} />;
}

async function open(other: Promise<unknown>) {
  const root = createRootRoute({ component: Outlet, notFoundComponent: () => null });
  const getParentRoute = () => root;
  const screenOf = () => other.then(() => ({ Other: () => <p>Other screen</p> }));
  const router = createRouter({
    routeTree: root.addChildren([
      createRoute({ getParentRoute, path: "/list", validateSearch: (search: Record<string, unknown>) => search, component: ListPage }),
      createRoute({ getParentRoute, path: "/other", component: lazyRouteComponent(screenOf, "Other") }),
    ]),
    history: createHashHistory(),
    parseSearch,
    stringifySearch,
  });
  const screen = await render(<RouterProvider router={router as never} />);
  await expect.element(screen.getByLabelText("Filter")).toBeVisible();
  return screen;
}

test.each(["a link", "Back"])("A-28 a filter typed right before leaving by %s is there when one comes back", async (way) => {
  const screen = await open(Promise.resolve());
  location.hash = "#/other";
  await expect.element(screen.getByText("Other screen")).toBeVisible();
  location.hash = "#/list";
  await expect.element(screen.getByLabelText("Filter")).toBeVisible();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await screen.getByLabelText("Filter").fill("10101");
  if (way === "Back") history.back();
  else location.hash = "#/other";
  await expect.element(screen.getByText("Other screen")).toBeVisible();
  vi.useRealTimers();
  if (way === "Back") history.forward();
  else history.back();
  // The router adds the query of the page that runs the tests.
  await expect.element(screen.getByLabelText("Filter")).toHaveValue(expect.stringMatching(/^10101/));
});

test("a link asks a list for a dialog of its own once, and leaves no trace of it in the address", async () => {
  const screen = await open(Promise.resolve());
  onLocation.mockClear();
  location.hash = "#/other";
  await expect.element(screen.getByText("Other screen")).toBeVisible();
  location.hash = "#/list?location=7";
  await expect.element(screen.getByLabelText("Filter")).toBeVisible();
  await expect.poll(() => location.hash).not.toContain("location");
  // The router adds the query of the page that runs the tests.
  expect(onLocation.mock.calls).toEqual([[expect.stringMatching(/^7/)]]);
});

test("NAV-01 who types and then leaves for a screen that loads slowly arrives there", async () => {
  let arrive: () => void = () => {};
  const screen = await open(new Promise<void>((resolve) => (arrive = resolve)));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await screen.getByLabelText("Filter").fill("10101");
  location.hash = "#/other";
  await expect.poll(() => location.hash).toBe("#/other");
  await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  arrive();
  await expect.element(screen.getByText("Other screen")).toBeVisible();
  expect(location.hash).toBe("#/other");
});
