import type { SavedView } from "@busbar/contract/system/saved-views.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { SavedViews, type SavedViewsProps } from "./saved-views.tsx";

const longest = "W".repeat(60);
const own: SavedView = {
  id: 1,
  name: longest,
  owner: "ann",
  isOwn: true,
  isShared: true,
  isDefault: true,
  mayDelete: true,
  query: "sort=status",
  revision: 3,
};
const others: SavedView = { ...own, id: 2, name: "Night watch", owner: "", isOwn: false, isDefault: false, mayDelete: false };

async function show(props: Partial<SavedViewsProps>, views: SavedView[] = [own, others]) {
  const api = fakeApi({
    "GET /views": () => views,
    "PATCH /views/{id}": () => {
      throw new ApiError(409, "CONFLICT", "This view was changed meanwhile.");
    },
    "DELETE /views/{id}": () => ({}),
    "POST /views": ({ body }) => ({ ...own, id: 3, ...(body as object) }),
  });
  const onOpen = vi.fn<(view: SavedView | undefined) => void>();
  const onName = vi.fn<(view: SavedView) => void>();
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const ui = (change: Partial<SavedViewsProps>) => (
    <MantineProvider theme={theme}>
      <QueryClientProvider client={queryClient}>
        <ApiContext value={api.call}>
          <SavedViews list="nodes" query="" chosen="" lostOf={() => []} isBare={false} onOpen={onOpen} onName={onName} {...change} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>
  );
  const { rerender } = await render(ui(props));
  return { api, onOpen, onName, rerender: (change: Partial<SavedViewsProps>) => rerender(ui(change)) };
}
const button = () => page.getByRole("button", { name: /^View:/ });
const items = async () => {
  await button().click();
  await expect.element(page.getByRole("menuitem", { name: "Save as …" })).toBeVisible();
  return page
    .getByRole("menuitem")
    .elements()
    .map(({ textContent }) => textContent.trim());
};
const shownOnes = [`${longest} shared, default`, "Night watch of someone who left"];

test("the default is opened by an address that says nothing, and by no other", async () => {
  const bare = await show({ isBare: true });
  await expect.poll(() => bare.onOpen.mock.calls).toEqual([[own]]);
  // On arrival, once: who takes all filters away sees everything.
  await bare.rerender({ isBare: false, chosen: "1", query: own.query });
  await bare.rerender({ isBare: true });
  await items();
  expect(bare.onOpen).toHaveBeenCalledOnce();
});

test.each([
  ["a filter", { query: "sort=customer" }, []],
  ["no view", { chosen: "none" }, []],
  ["a view without its filters", { chosen: "2" }, [[others]]],
  ["a view with other filters", { chosen: "2", query: "sort=customer" }, []],
])("an address with %s is not the default's", async (_, props, opened) => {
  const { onOpen } = await show(props);
  await items();
  expect(onOpen.mock.calls).toEqual(opened);
});

test("of an own view that was changed everything can be done, and what the server refuses is said", async () => {
  const { api } = await show({ chosen: "1", query: "sort=customer" });
  await expect.element(button()).toHaveTextContent(`View: ${longest} (changed)`);
  const actions = ["Save the changes", "Save as …", "No longer my default", "Rename or share …", "Delete …"];
  expect(await items()).toEqual([...shownOnes, "Show the list without a view", ...actions]);
  // By keyboard.
  page.getByRole("menuitem", { name: "Show the list without a view" }).element().focus();
  await userEvent.keyboard("{ArrowDown}{Enter}");
  await expect.element(page.getByRole("alert")).toHaveTextContent("◆ This view was changed meanwhile.");
  expect(api.asked.find(({ endpoint }) => endpoint === "PATCH /views/{id}")?.input).toEqual({
    params: { id: "1" },
    body: { query: "sort=customer", revision: 3 },
  });
});

test("a view of someone else offers nothing that would change it", async () => {
  await show({ chosen: "2", query: "sort=customer" });
  expect(await items()).toEqual([...shownOnes, "Show the list without a view", "Save as …", "Make my default"]);
  // Who leaves the menu by keyboard is where they opened it.
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("menuitem").first()).not.toBeInTheDocument();
  await expect.element(button()).toHaveFocus();
});

test("a view that asks for what the list no longer knows says what that is", async () => {
  await show({ chosen: "2", query: "", lostOf: (query) => [`${query} of old`] });
  await expect.element(page.getByText("◆ This view asks for what is no longer there: sort=status of old")).toBeVisible();
});

test("a view that is gone is said to be, and what the list shows is saved under a name", async () => {
  const { api, onName } = await show({ chosen: "7", query: "sort=customer" }, []);
  await expect.element(page.getByText("◆ This view is no longer there")).toBeVisible();
  expect(await items()).toEqual(["Save as …"]);
  await page.getByRole("menuitem", { name: "Save as …" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Days");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(() => onName.mock.calls.length).toBe(1);
  expect(api.asked.find(({ endpoint }) => endpoint === "POST /views")?.input).toEqual({
    body: { list: "nodes", query: "sort=customer", name: "Days", isShared: false },
  });
});

test("a view that is deleted leaves the list without one, and nothing of it in the address", async () => {
  const { api, onOpen } = await show({ chosen: "1", query: own.query });
  await items();
  await page.getByRole("menuitem", { name: "Delete …" }).click();
  await expect.element(page.getByText("No one can open it any more, and it is no one's default.")).toBeVisible();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  expect(api.asked.find(({ endpoint }) => endpoint === "DELETE /views/{id}")?.input).toEqual({ params: { id: "1" } });
  expect(onOpen.mock.calls).toEqual([[undefined]]);
});
