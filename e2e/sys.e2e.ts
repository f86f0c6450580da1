import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const service = (page: Page, name: string) => page.getByRole("table", { name: "Services" }).getByRole("row").filter({ hasText: name });

test("NAV-06 system pages refuse who lacks the role in words", async ({ app }) => {
  await app.signIn("accounts");
  for (const path of ["/system/services", "/system/errors", "/system/warnings", "/system/debug", "/system/config"]) {
    await app.open(path);
    await expect(heading(app.page)).toHaveText("You are not permitted to open this page");
  }
});

test("SYS-01 SYS-02 SYS-03 A-28 the real services are shown, polled every 2 s, and steered; Stop all asks first", async ({ app }) => {
  await app.signIn("sysadmin");
  const asked: number[] = [];
  app.page.on("request", (request) => {
    if (request.url().endsWith("/api/system/services")) asked.push(Date.now());
  });
  await app.open("/system/services");
  await expect(heading(app.page)).toHaveText("Service State");
  const table = app.page.getByRole("table", { name: "Services" });
  await expect(table.getByRole("columnheader")).toHaveText([
    "Service",
    "State",
    "Waiting",
    "Interval",
    "Last Run",
    "Lifetime",
    "Duration",
    "Average",
    "Last Finished",
    "Next Run",
    "Actions",
  ]);
  const reaper = service(app.page, "SessionReaper");
  await expect(reaper).toContainText(/Last ran (\d+ s|\d+m|\d+h \d+m) ago next in approx (\d+ s|\d+m|\d+h \d+m)/);
  await expect(reaper).toContainText("5m");
  await expect(reaper).toContainText(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
  const ingest = service(app.page, "MqttIngest");
  await expect(ingest).toContainText("Always on");
  await expect(ingest.getByRole("button", { name: /able |run now/ })).toHaveCount(0);
  await expect.poll(() => asked.length).toBeGreaterThan(3);

  await reaper.getByRole("button", { name: "disable SessionReaper" }).click();
  await expect(reaper).toContainText("Disabled");
  await expect(reaper).not.toContainText("Last ran");
  const finished = await reaper.getByRole("cell").nth(8).textContent();
  await reaper.getByRole("button", { name: "run now: SessionReaper" }).click();
  await expect.poll(() => reaper.getByRole("cell").nth(8).textContent()).not.toBe(finished);
  await expect(reaper.getByRole("img", { name: /^The last \d+ runs took \d+\.\d\d s to \d+\.\d\d s, none failed$/ })).toBeVisible();
  await expect(
    table
      .getByRole("row")
      .filter({ hasText: /^(Nothing to do|Ended or forgot)/ })
      .first(),
  ).toBeVisible();
  await reaper.getByRole("button", { name: "enable SessionReaper" }).click();
  await expect(reaper).toContainText("Idle");

  const running = await table.getByRole("button", { name: /^disable / }).count();
  await app.page.getByRole("button", { name: "Stop all" }).click();
  const question = app.page.getByRole("dialog", { name: `Stop all ${running} services?` });
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(table.getByRole("button", { name: /^disable / })).toHaveCount(running);
  await app.page.getByRole("button", { name: "Stop all" }).click();
  await question.getByRole("button", { name: `Stop ${running} services` }).click();
  await expect(table.getByRole("button", { name: /^disable / })).toHaveCount(0);
  await app.page.getByRole("button", { name: "Start all" }).click();
  await expect(table.getByRole("button", { name: /^enable / })).toHaveCount(0);
});

test("SYS-03 jobs of the day and of the hour run at their time", async ({ app }) => {
  await app.signIn("sysadmin");
  await app.open("/system/services");
  const nextRun = (name: string) => service(app.page, name).getByRole("cell").nth(9);
  for (const [name, interval, next] of [
    ["DailyProgressReport", "1h 0m", /:00:00 UTC$/],
    ["SubscriptionReport", "24h 0m", / 12:00:00 UTC$/],
    ["BillingRoll", "24h 0m", / 08:00:00 UTC$/],
  ] as const) {
    await expect(service(app.page, name)).toContainText(interval);
    await expect(nextRun(name)).toHaveText(next);
    await service(app.page, name)
      .getByRole("button", { name: `run now: ${name}` })
      .click();
    await expect(service(app.page, name)).toContainText(/Last ran \d+ s ago/);
    await expect(nextRun(name)).toHaveText(next);
  }
});

for (const [path, name, kind] of [
  ["/system/errors", "Errors", "errors"],
  ["/system/warnings", "Warnings", "warnings"],
  ["/system/debug", "Debug messages", "debug messages"],
] as const) {
  test(`SYS-04 ${kind}: figures of memory and disk, counts, and a posted message`, async ({ app }) => {
    await app.signIn("admin");
    await app.open(path);
    await expect(heading(app.page)).toContainText("Service State");
    await expect(app.page).toHaveTitle("Development Admin - Service State");
    const figure = (label: string) =>
      app.page.locator(".system-figures div", { has: app.page.getByText(label, { exact: true }) }).locator("dd");
    for (const label of ["Memory available", "Memory used", "Memory free"]) await expect(figure(label)).toHaveText(/^[\d,]+ MB$/);
    for (const label of ["Disk available", "Disk used", "Disk free"]) await expect(figure(label)).toHaveText(/^[\d.]+ GB$/);
    for (const label of ["Disk free, least", "Disk free, most", "Disk free, average"]) await expect(figure(label)).toHaveText(/^[\d.]+ %$/);
    const post = app.page.getByRole("button", { name: "Post" });
    await expect(post).toBeDisabled();
    const text = `Checked the ${kind} <b>here</b>`;
    await app.page.getByRole("textbox", { name: "Message" }).fill(text);
    await post.click();
    const list = app.page.getByRole("list", { name });
    await expect(list.getByRole("listitem").first()).toContainText(text);
    await expect(list.getByRole("listitem").first()).toContainText("admin");
    await expect(app.page.getByRole("textbox", { name: "Message" })).toHaveValue("");
    await expect(figure("Last")).toHaveText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
  });
}

test("A-08 a message that came since one looked is marked, and a mute of it is listed and ended with the other mutes", async ({ app }) => {
  await app.signIn("sysadmin");
  await app.open("/system/warnings");
  const text = "The pump house hums";
  await app.page.getByRole("textbox", { name: "Message" }).fill(text);
  await app.page.getByRole("button", { name: "Post" }).click();
  const row = app.page.getByRole("list", { name: "Warnings", exact: true }).getByRole("listitem").filter({ hasText: text });
  await expect(row.getByText("New", { exact: true })).toBeVisible();
  await row.getByRole("button", { name: "Mute…" }).click();
  await app.page.getByRole("menuitem", { name: "For an hour" }).click();
  await expect(row).toHaveCount(0);
  await app.open("/muted");
  const muted = app.page.getByRole("table", { name: "Muted messages" }).getByRole("row").filter({ hasText: text });
  await expect(muted).toContainText("sysadmin");
  await muted.getByRole("button", { name: `End now: mute of ${text}` }).click();
  await expect(muted).toHaveCount(0);
  await app.open("/system/warnings");
  await expect(row).toBeVisible();
  await expect(row.getByText("New", { exact: true })).toHaveCount(0);
});

test("SYS-04 debug is polled every 5 s, and its mail says why it was not sent", async ({ app }) => {
  await app.signIn("sysadmin");
  const asked: string[] = [];
  app.page.on("request", (request) => {
    if (request.url().endsWith("/api/system/debug")) asked.push(request.url());
  });
  await app.open("/system/debug");
  await expect.poll(() => asked.length).toBeGreaterThan(1);
  await app.page.getByRole("button", { name: "Send by email" }).click();
  await expect(app.page.getByText(/^The email was not sent \(.+\)\.$/)).toBeVisible();
});

test("SYS-05 settings: empty ones are refused, the server's words in a warning row, saved and reloaded", async ({ app }) => {
  await app.signIn("sysadmin");
  await app.open("/system/config");
  await expect(heading(app.page)).toHaveText("Configure Application");
  const city = app.page.getByRole("textbox", { name: "Billing_vendorCity" });
  const save = app.page.getByRole("button", { name: "Save" });
  await city.fill("");
  await expect(app.page.getByRole("alert").getByText("Fields cannot be empty")).toBeVisible();
  await expect(save).toBeDisabled();
  await city.fill("Elmford");
  const rate = app.page.getByRole("textbox", { name: "Billing_energyCentsPerYear" });
  const before = await rate.inputValue();
  expect(before).toMatch(/^[\d,]+\.\d\d$/);
  await rate.fill("many");
  await save.click();
  await expect(app.page.getByRole("alert")).toHaveText(
    "Billing_energyCentsPerYear: is not a number: write digits, with a point before decimals, such as 12.5",
  );
  await rate.fill(before);
  await save.click();
  await expect(app.page.getByText("Changes saved successfully")).toBeVisible();
  await app.page.reload();
  await expect(city).toHaveValue("Elmford");
  const reload = app.page.waitForRequest((request) => request.url().endsWith("/api/system/config/db") && request.method() === "PATCH");
  await app.page.getByRole("button", { name: "Reload from database" }).click();
  await reload;
  await expect(app.page.getByText(/^\d+ settings read from the database\.$/)).toBeVisible();
  await city.fill("Anytown");
  await save.click();
  await expect(app.page.getByText("Changes saved successfully")).toBeVisible();
});

test("SYS-06 NAV-08 live activity is polled every 10 s and leads to the feeds without a menu entry", async ({ app }) => {
  await app.signIn("staff");
  const asked: string[] = [];
  app.page.on("request", (request) => {
    if (request.url().endsWith("/api/system/activities")) asked.push(request.url());
  });
  await app.open("/system/activity");
  await expect(app.page.getByText(/\d+ of \d+ nodes connected, \d+ (person|people) signed in/)).toBeVisible();
  await expect(app.page.getByRole("table", { name: "Activities" })).toContainText("LOGIN");
  await expect.poll(() => asked.length).toBeGreaterThan(1);
  for (const [link, title] of [
    ["All activities", "Activities"],
    ["GP node events", "GP Node Events"],
    ["GP node waveforms", "GP Node Waveforms"],
  ] as const) {
    await app.open("/system/activity");
    await app.page.getByRole("link", { name: link }).click();
    await expect(heading(app.page)).toHaveText(title);
  }
});

test("A-32 at 390 px a service is a short row that opens by tap and by keyboard", async ({ app }) => {
  await app.signIn("sysadmin");
  await app.page.setViewportSize({ width: 390, height: 844 });
  await app.open("/system/services");
  const row = app.page.getByRole("button", { name: /RetentionPruner/, expanded: false });
  await row.click();
  const opened = app.page.getByRole("button", { name: /RetentionPruner/, expanded: true });
  await expect(opened).toBeVisible();
  expect((await opened.boundingBox())!.height).toBeLessThan(80);
  await opened.focus();
  await app.page.keyboard.press("Enter");
  await expect(row).toBeVisible();
});
