import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { Shell } from "./shell.tsx";

const went = vi.fn<(what: string) => void>();
const shell = (currentPath: string, roles: readonly string[] | null = []) => (
  <MantineProvider>
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ApiContext value={fakeApi({ "GET /find": () => [] }).call}>
        <Shell
          environment="Staging"
          person={roles === null ? undefined : { name: "Robin Testerly", roles }}
          currentPath={currentPath}
          onGo={(path) => went(`go ${path}`)}
          onHover={(path) => went(`hover ${path}`)}
          onOpenSecurity={() => went("security")}
        >
          <input aria-label="Field" />
          <input aria-label="Search nodes" data-search />
        </Shell>
      </ApiContext>
    </QueryClientProvider>
  </MantineProvider>
);
const menu = () => document.querySelector<HTMLElement>("nav[aria-label=Main]");
const toggle = () => document.querySelector<HTMLElement>("[aria-label='Toggle menu']")!;
const links = () => [...document.querySelectorAll<HTMLAnchorElement>(".menu-link")];

test("NAV-03 the menu has what the roles may open, where one is, and none while no one is signed in", async () => {
  await page.viewport(1280, 800);
  const screen = await render(shell("/nodes/10101", ["systemAdministrator"]));
  const groups = () => [...document.querySelectorAll("nav section")].map((section) => section.getAttribute("aria-label"));
  expect(groups()).toEqual(["Manage", "Monitor", "System", "Diagnose"]);
  const current = () => links().flatMap((link) => (link.getAttribute("aria-current") === "page" ? [link.hash] : []));
  expect(current()).toEqual(["#/nodes"]);
  await screen.rerender(shell("/nodes-elsewhere", ["accountsAdministrator"]));
  expect([groups(), current()]).toEqual([["Manage", "Monitor", "Reports"], []]);
  // A screen's code is fetched before it is opened.
  went.mockClear();
  await screen.getByRole("link", { name: "Trends" }).hover();
  links()[1]!.focus();
  expect(went.mock.calls.flat()).toEqual(["hover /trends", "hover /nodes"]);
  await screen.rerender(shell("/", null));
  expect([menu(), document.querySelector("[aria-label='Toggle menu']"), screen.getByText("Staging").elements().length]).toEqual([
    null,
    null,
    1,
  ]);
});

test("on a wide screen the menu is narrowed to its signs, which keep their names", async () => {
  await page.viewport(1280, 800);
  await render(shell("/home"));
  expect([toggle().ariaExpanded, links()[0]!.ariaLabel, links()[0]!.textContent]).toEqual(["true", null, "Home"]);
  toggle().click();
  await expect.poll(() => toggle().ariaExpanded).toBe("false");
  expect([links()[0]!.ariaLabel, links()[0]!.textContent, menu()!.inert]).toEqual(["Home", "", false]);
  expect(menu()!.getBoundingClientRect().width).toBe(52);
});

test("on a narrow screen the menu is opened, and closed by Escape, which gives the focus back, or by going somewhere", async () => {
  await page.viewport(390, 844);
  await render(shell("/home"));
  expect([menu()!.inert, toggle().ariaExpanded]).toEqual([true, "false"]);
  toggle().click();
  await expect.poll(() => menu()!.inert).toBe(false);
  links()[2]!.focus();
  await userEvent.keyboard("x");
  expect(toggle().ariaExpanded).toBe("true");
  await userEvent.keyboard("{Escape}");
  await expect.poll(() => menu()!.inert).toBe(true);
  expect(document.activeElement).toBe(toggle());
  toggle().click();
  await expect.poll(() => menu()!.inert).toBe(false);
  links()[2]!.addEventListener("click", (event) => event.preventDefault());
  links()[2]!.click();
  await expect.poll(() => menu()!.inert).toBe(true);
});

test("keys open the palette, the search box of the screen or the list of keys, but not from a field, and not for who is not signed in", async () => {
  await page.viewport(1280, 800);
  const screen = await render(shell("/home"));
  const dialog = () => document.querySelector("[role=dialog]")?.textContent ?? "";
  const field = screen.getByLabelText("Field");
  await field.click();
  await userEvent.keyboard("?/");
  await expect.element(field).toHaveValue("?/");
  expect(dialog()).toBe("");
  (document.activeElement as HTMLElement).blur();
  await userEvent.keyboard("/");
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Search nodes");
  (document.activeElement as HTMLElement).blur();
  await userEvent.keyboard("?");
  await expect.element(screen.getByRole("dialog")).toBeVisible();
  const keys = dialog();
  // It lies over the page where it was opened.
  await screen.rerender(shell("/nodes"));
  await expect.poll(dialog).toBe("");
  await userEvent.keyboard("{Control>}k{/Control}");
  await expect.element(screen.getByRole("combobox", { name: "Go to" })).toBeVisible();
  expect(dialog()).not.toBe(keys);
  went.mockClear();
  await screen.getByRole("combobox", { name: "Go to" }).fill("Coverage");
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => went.mock.calls.flat().filter((what) => what.startsWith("go "))).toEqual(["go /coverage"]);
  await expect.poll(dialog).toBe("");
  await screen.rerender(shell("/nodes", null));
  await userEvent.keyboard("{Control>}k{/Control}?");
  expect(dialog()).toBe("");
});

test("who skips to the content has the focus there, at the same address", async () => {
  await page.viewport(1280, 800);
  await render(shell("/home"));
  const { hash } = location;
  document.querySelector<HTMLElement>(".skip-link")!.click();
  expect([document.activeElement?.id, location.hash]).toEqual(["main", hash]);
});
