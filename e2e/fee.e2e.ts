import type { Locator, Page } from "@playwright/test";
import { expect, test, world } from "./fixtures.ts";
import { oddNodes } from "./odd-nodes.ts";

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const rows = (page: Page) => page.getByRole("table", { name: "Activities" }).locator("tbody tr");
const press = (page: Page, name: "Next" | "Previous") => page.getByRole("button", { name }).press("Enter");

/** The page before stays until this one is there. */
const expectWhole = (list: Locator) => expect(list).toHaveAttribute("aria-busy", "false");

test("FEE-01 FEE-03 notifications in two panes, ten a page, with recipients, body and why one was not sent", async ({ app }) => {
  await app.signIn();
  await app.open("/notifications");
  const list = app.page.getByRole("list", { name: "Notifications" });
  const detail = app.page.getByRole("region", { name: "Notification" });
  await expect(list.getByRole("listitem")).toHaveCount(10);
  await expect(app.page.getByText(/^1–10 of \d+$/)).toBeVisible();
  const unsent = list.getByRole("listitem").filter({ hasText: "Notification not sent (No recipients)" }).first();
  const range = app.page.getByText(/^\d+–\d+ of \d+$/);
  /** The next pages, one by one, until it is there. */
  const turnTo = async (item: Locator) => {
    while ((await item.count()) === 0) {
      const [before = ""] = ((await range.textContent()) ?? "").split("–");
      await press(app.page, "Next");
      await expect(range).not.toHaveText(new RegExp(`^${before}–`));
      await expectWhole(list);
    }
  };
  await turnTo(unsent);
  await unsent.getByRole("button").click();
  await expect(detail.getByText("Notification not sent (No recipients)")).toBeVisible();
  // Messages of the running world come first, and without a mail server none of them is sent.
  const sent = list.getByRole("listitem").filter({ hasText: "[DEMO]", hasNotText: "not sent" }).first();
  await turnTo(sent);
  const subject = (await sent.locator("b").textContent()) ?? "";
  await sent.getByRole("button").click();
  await expect(detail.getByRole("heading", { name: subject })).toBeVisible();
  await expect(detail.locator("dt")).toHaveText(["To", "Cc", "Bcc", "Sent"]);
  await expect(detail.locator("dd").first()).toHaveText(/@.+\.example$/);
  await expect(detail.locator("pre")).not.toBeEmpty();
  await app.open("/notifications");
  await expect(app.page.getByText(/^1–10 of \d+$/)).toBeVisible();
  await press(app.page, "Previous");
  await expect(app.page.getByText(/^1–10 of \d+$/)).toBeVisible();
  await press(app.page, "Next");
  await expect(app.page).toHaveURL(/from=11/);
  await app.page.reload();
  await expect(app.page.getByText(/^11–\d+ of \d+$/)).toBeVisible();
  const shown = await list.getByRole("listitem").count();
  await press(app.page, "Next");
  if (shown < 10) await expect(app.page).toHaveURL(/from=11/);
  await press(app.page, "Previous");
  await press(app.page, "Previous");
  await expect(app.page.getByText(/^1–10 of \d+$/)).toBeVisible();
});

test("FEE-01 an internal notice of the running world says who it is for", async ({ app }) => {
  await app.signIn();
  const list = app.page.getByRole("list", { name: "Notifications" });
  const notice = list.getByRole("listitem").filter({ hasText: "Node connected: " }).first();
  // It comes when the node has connected, and moves down when others come.
  await expect(async () => {
    for (let from = 1, total = 1; from <= total; from += 10) {
      await app.open(`/notifications?from=${from}`);
      const page = app.page.getByText(new RegExp(`^${from}–\\d+ of \\d+$`));
      await expect(page).toBeVisible({ timeout: 3_000 });
      await expectWhole(list);
      if ((await notice.count()) > 0) return;
      total = Number((await page.textContent())?.split(" of ")[1]);
    }
    throw new Error("There is no such notice yet");
  }).toPass();
  await notice.getByRole("button").click();
  const detail = app.page.getByRole("region", { name: "Notification" });
  await expect(detail.getByText("watch@busbar.example")).toBeVisible();
  await expect(detail.locator("pre")).toContainText("This was requested once and is not reported again.");
});

test("FEE-02 FEE-03 all activities, ten a page, back to the first and never below", async ({ app }) => {
  await app.signIn();
  const asked: string[] = [];
  app.page.on("request", (request) => {
    if (request.url().includes("/api/activities?")) asked.push(new URL(request.url()).search);
  });
  await app.open("/activities/allactivities");
  await expect(heading(app.page)).toHaveText("Activities");
  await expect(rows(app.page)).toHaveCount(10);
  expect(asked[0]).toBe("?from=1&count=10");
  const first = await rows(app.page).first().textContent();
  await press(app.page, "Next");
  await expect(app.page.getByText(/^11–20 of /)).toBeVisible();
  await expect(rows(app.page).first()).not.toHaveText(first ?? "");
  await app.open("/activities/allactivities?from=5");
  await expect(app.page.getByText(/^5–14 of /)).toBeVisible();
  await press(app.page, "Previous");
  await expect(app.page.getByText(/^1–10 of /)).toBeVisible();
  await press(app.page, "Previous");
  await expect(app.page.getByText(/^1–10 of /)).toBeVisible();
});

test("FEE-02 FEE-03 GP node events, twenty a page, of one node; the last page has no next", async ({ app }) => {
  await app.signIn();
  const asked: string[] = [];
  app.page.on("request", (request) => {
    if (request.url().includes("/api/activities?")) asked.push(new URL(request.url()).search);
  });
  await app.open("/activities/gpnodeevents");
  await expect(rows(app.page)).toHaveCount(20);
  expect(asked.at(-1)).toBe("?from=1&count=20&action=POST_CUSTOMER_GP_EVENT");
  // Alarms of the running world may be above it.
  const report = rows(app.page).filter({ hasText: "Event report of" }).first();
  const serial = /\((\d{5})\)/.exec((await report.textContent()) ?? "")?.[1] ?? "";
  await app.page.getByRole("searchbox", { name: "Node" }).fill(serial);
  await expect(app.page.getByText("1–20 of 26")).toBeVisible();
  expect(new URLSearchParams(asked.at(-1)).get("actor")).toBe(serial);
  await press(app.page, "Next");
  await expect(app.page.getByText("21–26 of 26")).toBeVisible();
  await expect(rows(app.page)).toHaveCount(6);
  const count = asked.length;
  await press(app.page, "Next");
  await expect(app.page.getByText("21–26 of 26")).toBeVisible();
  expect(asked.length).toBe(count);
  await expect(app.page).toHaveURL(new RegExp(`from=21&upTo=\\d+&filterText=${serial}`));
});

test("NAV-08 the dashboard's event count leads to the node's events", async ({ app }) => {
  await app.signIn();
  await app.open(`/node-dashboard?filterText=${oddNodes.everything}`);
  await app.page.getByRole("link", { name: /41 events/ }).click();
  await expect(heading(app.page)).toHaveText("GP Node Events");
  await expect(app.page.getByRole("searchbox", { name: "Node" })).toHaveValue(oddNodes.everything);
  await expect(app.page.getByText(`No event of node ${oddNodes.everything} was uploaded`)).toBeVisible();
});

test("FEE-02 GP node waveforms, twenty a page", async ({ app }) => {
  await app.signIn();
  const asked = app.page.waitForRequest((request) => request.url().includes("/api/activities?"));
  await app.open("/activities/gpnodewaveforms");
  expect(new URL((await asked).url()).search).toBe("?from=1&count=20&action=POST_CUSTOMER_GP_WAVEFORM");
  await expect(rows(app.page)).toHaveCount(20);
  await expect(app.page.getByText(/^1–20 of \d+$/)).toBeVisible();
});

test("FEE-02 login events, twenty at first, refused ones too", async ({ app, context }) => {
  const { url } = world();
  await context.request.post(`${url}/api/sessions/administrator`, { data: { username: "intruder", password: "wrong" } });
  await app.signIn();
  const asked: string[] = [];
  app.page.on("request", (request) => {
    if (request.url().includes("/sessions/history/recent")) asked.push(new URL(request.url()).search);
  });
  await app.open("/activities/logins");
  await expect(heading(app.page)).toHaveText("Login Events");
  expect(asked[0]).toBe("?count=20");
  const table = app.page.getByRole("table", { name: "Login events" });
  await expect(table.getByRole("columnheader")).toHaveText(["Time", "Username", "Customer", "Administrator", "Result", "Details"]);
  const refused = table.getByRole("row").filter({ hasText: "intruder" }).first();
  await expect(refused).toContainText("refused");
  await expect(table.getByRole("row").filter({ hasText: "staff" }).first()).toContainText("signed in");
  await expect(table.locator("tbody tr").first()).toContainText(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
});
