import type { User } from "@busbar/contract/access/users.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiError } from "#lib/api-error.ts";
import { currentSession } from "#features/access/session/current-session.ts";
import { App, followSession } from "../../../app.tsx";
import { router } from "../../../router.tsx";
import { fakeApi, fakeToken } from "../../../testing/fake-api.ts";
import { sampleUser } from "./users.fixture.ts";

let stopFollowing: () => void;
beforeEach(async () => {
  await page.viewport(1280, 800);
  stopFollowing = followSession();
  currentSession.set(fakeToken(), ["systemAdministrator"]);
});
afterEach(async () => {
  // Off the page first: while it is shown, it would ask for the users again as soon as they are forgotten.
  location.hash = "#/home";
  await vi.waitUntil(() => router.state.resolvedLocation?.pathname === "/home");
  currentSession.clear();
  location.hash = "#/";
  await vi.waitUntil(() => router.state.resolvedLocation?.pathname === "/");
  stopFollowing();
});

async function open(users: User[], more: Parameters<typeof fakeApi>[0] = {}) {
  const fake = fakeApi({
    "GET /users": () => users,
    "GET /customers/names": () => [{ id: 1, code: "alder", name: "Alder Pumping" }],
    ...more,
  });
  const screen = await render(<App call={fake.call} styleNonce="" />);
  await expect.element(screen.getByRole("heading", { name: "Welcome" })).toBeVisible();
  location.hash = "#/users";
  await expect.element(screen.getByRole("heading", { name: "Users" })).toBeVisible();
  return { fake, screen };
}

const textOf = (username: string) =>
  [...document.querySelectorAll("[data-row]")].map(({ textContent }) => textContent).find((text) => text?.startsWith(username));

describe("USR-02 the customer's name", () => {
  test("is shown as not loaded while it is, and then known or not", async () => {
    const { promise: names, resolve: answer } = Promise.withResolvers<unknown>();
    await open([sampleUser(1), sampleUser(2, { customerCode: "cedar" })], { "GET /customers/names": () => names });
    await expect.poll(() => textOf("user1")).toContain("(Name not loaded)");
    answer([{ id: 1, code: "alder", name: "Alder Pumping" }]);
    await expect.poll(() => textOf("user1")).toContain("Alder Pumping");
    await expect.poll(() => textOf("user2")).toContain("(cedar: No match)");
  });
});

test("USR-07 users are chosen, all that the search leaves, for their subscriptions", async () => {
  const { screen } = await open([sampleUser(1), sampleUser(2), sampleUser(3)]);
  await screen.getByRole("checkbox", { name: "Choose user2" }).click();
  await screen.getByRole("searchbox").fill("user3");
  await screen.getByRole("checkbox", { name: "Choose all 1" }).click();
  await expect.element(screen.getByText("1 user chosen")).toBeVisible();
  await screen.getByRole("searchbox").fill("");
  await screen.getByRole("checkbox", { name: "Choose all 3" }).click();
  await expect.element(screen.getByRole("link", { name: "Subscriptions…" })).toHaveAttribute("href", "#/bulk/new?users=1-3");
});

describe("USR-08 the welcome e-mail", () => {
  const openWelcome = async (answer: () => unknown) => {
    const { screen } = await open([sampleUser(1)], { "POST /users/{id}/accountnotification": answer });
    await screen.getByRole("button", { name: "Send welcome email: user1" }).click();
    await screen.getByRole("button", { name: "Send Email" }).click();
    return screen.getByRole("dialog");
  };

  test("says that it is being sent, then that it was", async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const dialog = await openWelcome(() => promise);
    await expect.element(dialog.getByText("Sending email, please wait...")).toBeVisible();
    resolve({ sent: true, timestamp: 1 });
    await expect.element(dialog.getByText(/^Email sent\./)).toBeVisible();
  });

  test.each([
    [new ApiError(502, "MAIL_FAILED", "The e-mail was not sent (SMTP: 550)"), "The e-mail was not sent (SMTP: 550)"],
    [new ApiError(500, "INTERNAL", ""), "Unexpected error happened, Please try later."],
    [new TypeError("x"), "Unexpected error happened, Please try later."],
  ])("after %s says %s", async (error, text) => {
    const dialog = await openWelcome(() => {
      throw error;
    });
    await expect.element(dialog.getByRole("alert")).toHaveTextContent(text);
  });
});

test("loading fails with the server's words and a retry; no one at all is said to be no one", async () => {
  const { fake, screen } = await open([], {
    "GET /users": () => Promise.reject(new ApiError(503, "UNAVAILABLE", "The database is away.")),
  });
  await expect.element(screen.getByText("The database is away.")).toBeVisible();
  fake.answers["GET /users"] = () => [];
  await screen.getByRole("button", { name: "Try again" }).click();
  await expect.element(screen.getByText("There are no users yet")).toBeVisible();
});

const savedView = { id: 3, name: "Readers", owner: "robin", isOwn: true, isShared: false, isDefault: true, mayDelete: true, revision: 1 };

test("USR-01 a view of columns and filters that are partly gone opens and says so, and leaves the user of an address open", async () => {
  const query = "filterText=user&columns=Username%2CShoe+Size%2CReceive+Daily+Report&sort=shoes";
  const { screen } = await open([sampleUser(1), sampleUser(2, { username: "other", email: "", receiveDailyReport: true })], {
    "GET /views": () => [{ ...savedView, query }],
  });
  await expect.element(screen.getByText("◆ This view asks for what is no longer there: sort shoes")).toBeVisible();
  await expect.element(screen.getByText("◆ A column is no longer there: Shoe Size")).toBeVisible();
  const heads = () => screen.getByRole("columnheader").elements();
  expect(heads().map(({ textContent }) => textContent.replace("▲", "").trim())).toEqual(["Username", "Receive Daily Report"]);
  await expect.element(screen.getByText("1 user hidden by search")).toBeVisible();
  location.hash = "#/users/2";
  await expect.element(screen.getByRole("dialog", { name: "Edit User other" })).toBeVisible();
});

test("ten thousand users: few rows in the page, walked by keyboard, Enter edits", async () => {
  const { screen } = await open(Array.from({ length: 10_000 }, (_, index) => sampleUser(index + 1, { username: `u${10_000 + index}` })));
  await expect.element(screen.getByRole("grid", { name: "Users" })).toHaveAttribute("aria-rowcount", "10001");
  expect(document.querySelectorAll("[data-row]").length).toBeLessThan(60);
  document.querySelector<HTMLElement>("[data-row='0']")?.focus();
  await userEvent.keyboard("{End}");
  await expect.poll(() => document.activeElement?.getAttribute("aria-rowindex")).toBe("10001");
  await userEvent.keyboard("{Enter}");
  await expect.element(screen.getByRole("dialog", { name: "Edit User u19999" })).toBeVisible();
});
