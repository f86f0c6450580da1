import type { Page } from "@playwright/test";
import { expect, password, test, world } from "./fixtures.ts";
import { taskNodes } from "./task-nodes.ts";

const tasksTable = (page: Page) => page.getByRole("table");
const rowOf = (page: Page, label: string) =>
  tasksTable(page)
    .getByRole("row")
    .filter({ has: page.getByRole("cell", { name: label, exact: true }) });
const dialogOf = (page: Page, label: string, serial: string) => page.getByRole("dialog", { name: `Update Task ${label} for ${serial}` });

async function openTask(page: Page, label: string, serial: string) {
  await rowOf(page, label).getByRole("button").click();
  const dialog = dialogOf(page, label, serial);
  await expect(dialog).toBeVisible();
  return dialog;
}

/** Someone else's change, by the API. */
async function changeAsAccounts(page: Page, serial: string, id: number, body: object): Promise<void> {
  const { url } = world();
  const session = await page.request.post(`${url}/api/sessions/administrator`, { data: { username: "accounts", password } });
  const { data } = (await session.json()) as { data: { token: string } };
  const headers = { authorization: `Bearer ${data.token}` };
  const answer = await page.request.patch(`${url}/api/v2/nodes/${serial}/tasks/tasktemplate/${id}`, { headers, data: body });
  expect(answer.status()).toBe(200);
}

test.beforeEach(async ({ app }) => {
  await app.signIn();
});

test("TSK-01 TSK-02 the list in two sections: who did what when, notes, and what cannot be done yet is greyed", async ({ app }) => {
  const asked: string[] = [];
  app.page.on("request", (request) => {
    if (request.url().endsWith("/tasks")) asked.push(new URL(request.url()).pathname);
  });
  await app.open(`/nodes/${taskNodes.shown}/tasks`);
  await expect(app.page.getByRole("heading", { level: 1 })).toHaveText(`${taskNodes.shown} tasks`);
  expect(asked[0]).toBe(`/api/v2/nodes/${taskNodes.shown}/tasks`);
  await expect(tasksTable(app.page).getByRole("columnheader")).toHaveText([
    "Id",
    "Task Name",
    "Status",
    "Updated By",
    "Date/Time",
    "Notes",
  ]);
  await expect(tasksTable(app.page).getByRole("rowheader")).toHaveText([
    "Pre-Deployment Tasks 3 of 12 completed",
    "Post-Deployment Tasks 0 of 10 completed",
  ]);
  const labels = await tasksTable(app.page).locator("td:first-child").allTextContents();
  expect(labels).toEqual([
    ...Array.from({ length: 12 }, (_, index) => `A${index + 1}`),
    ...Array.from({ length: 10 }, (_, index) => `B${index + 1}`),
  ]);

  const done = rowOf(app.page, "A2");
  await expect(done.getByRole("cell")).toHaveText(["A2", "Collect nameplate and one-line data", "", "Amara Lindqvist", "3 days ago", ""]);
  await expect(done.getByRole("img", { name: "Completed" })).toBeVisible();
  await expect(done.getByRole("img", { name: "Has notes" })).toBeVisible();
  const next = rowOf(app.page, "A4");
  await expect(next.getByRole("cell")).toHaveText(["A4", /^Select hardware/, "", "", "", ""]);
  await expect(next.getByRole("img")).toHaveCount(0);
  const locked = rowOf(app.page, "B1");
  await expect(locked.getByRole("img", { name: "Waits for A12, A10" })).toBeVisible();
  const color = (label: string) => rowOf(app.page, label).evaluate((row) => getComputedStyle(row).color);
  expect(await color("B1")).not.toBe(await color("A4"));
  expect(await color("A2")).toBe(await color("A4"));
});

test("TSK-03 TSK-04 the dialog: name, steps, steps of the node's kind, links in a new tab", async ({ app }) => {
  await app.open(`/nodes/${taskNodes.shown}/tasks`);
  // A click anywhere in the row opens it: what takes it is the button, which is as large as the row.
  await rowOf(app.page, "A3")
    .getByRole("cell")
    .nth(3)
    .click({ position: { x: 20, y: 10 }, force: true });
  const dialog = dialogOf(app.page, "A3", taskNodes.shown);
  await expect(dialog).toBeVisible();
  expect((await dialog.boundingBox())?.width).toBeGreaterThan(1_000);
  await expect(dialog.getByRole("heading", { name: "Confirm network access and static address" })).toBeVisible();
  const steps = dialog.locator("ol").first().locator("> li");
  await expect(steps.nth(0)).toContainText("Agree with the customer's network people:");
  await expect(steps.nth(0).getByRole("listitem")).toHaveCount(3);
  const link = steps.nth(1).getByRole("link", { name: /^Letter for the customer's network department/ });
  await expect(link).toHaveAttribute("href", "https://docs.busbar.example/field-guide/network");
  await expect(link).toHaveAttribute("target", "_blank");
  await expect(link).toHaveAttribute("rel", "noopener noreferrer");
  await expect(dialog.getByRole("region", { name: "For RMA: existing location, replacement node" })).toContainText("Reuse the port");
  await expect(dialog.getByText("File the firewall request early")).toHaveCount(0);
  await dialog.getByRole("button", { name: "Close" }).click();

  const second = await openTask(app.page, "A1", taskNodes.shown);
  const order = await second.getByRole("region").evaluateAll((regions) => regions.map((region) => region.getAttribute("aria-label")));
  expect(order).toEqual(["For every deployment", "For RMA: existing location, replacement node", "Photos of task A1"]);
  await second.getByRole("button", { name: "Close" }).click();
  const third = await openTask(app.page, "A5", taskNodes.shown);
  await expect(third.getByRole("region", { name: "Afterwards" })).toBeVisible();
  const external = third.getByRole("link", { name: /^Bench test procedure/ });
  await expect(external).toHaveAttribute("target", "_blank");
  await expect(external).toHaveAttribute("href", /^https:/);
});

test("TSK-03 shortcuts open the node's configuration, its details and its location above the task", async ({ app }) => {
  await app.open(`/nodes/${taskNodes.shown}/tasks`);
  const task = await openTask(app.page, "A4", taskNodes.shown);
  await task.getByLabel("Notes related to this task").fill("Still being written");
  const shortcuts = [
    { button: "Node Config", title: `Node Config Management ${taskNodes.shown}` },
    { button: "Node Details", title: `Edit Node ${taskNodes.shown}` },
    { button: "Edit Location", title: /^Edit Location Mixer 3/ },
  ];
  for (const { button, title } of shortcuts) {
    await task.getByRole("button", { name: button, exact: true }).click();
    const above = app.page.getByRole("dialog", { name: title });
    await expect(above).toBeVisible();
    await above.getByRole("button", { name: "Close", exact: true }).first().click();
    await expect(above).toBeHidden();
    await expect(task).toBeVisible();
  }
  await expect(task.getByLabel("Notes related to this task")).toHaveValue("Still being written");
  await task.getByRole("button", { name: "Close" }).click();
  await app.page.getByRole("button", { name: "Discard changes" }).click();
  // A node at no location has no location to open.
  await app.open(`/nodes/${taskNodes.untyped}/tasks`);
  const placeless = await openTask(app.page, "A1", taskNodes.untyped);
  await expect(placeless.getByRole("button", { name: "Node Details" })).toBeVisible();
  await expect(placeless.getByRole("button", { name: "Edit Location" })).toHaveCount(0);
});

test("TSK-05 a node without a deployment task type says so", async ({ app }) => {
  await app.open(`/nodes/${taskNodes.untyped}/tasks`);
  await expect(app.page.getByText("No deployment task type", { exact: true })).toBeVisible();
  const dialog = await openTask(app.page, "A1", taskNodes.untyped);
  await expect(dialog.getByRole("alert")).toContainText(`Node ${taskNodes.untyped} has no deployment task type`);
  await expect(dialog.getByRole("region", { name: "For every deployment" })).toBeVisible();
  await expect(dialog.getByRole("region", { name: /^For (RMA|NL)/ })).toHaveCount(0);
});

test("TSK-06 TSK-07 TSK-08 TSK-09 a task is completed, noted, reopened; what depends on it opens and closes", async ({ app }) => {
  await app.open(`/nodes/${taskNodes.placed}/tasks`);
  const waiting = await openTask(app.page, "A7", taskNodes.placed);
  await expect(waiting.getByText("Incomplete Prerequisites: A1, A6")).toBeVisible();
  await expect(waiting.getByRole("checkbox")).toHaveCount(0);
  await expect(waiting.getByText("No one has updated this task yet")).toBeVisible();
  // Save is there all the same: notes may be written before.
  await waiting.getByLabel("Notes related to this task").fill("Second floor,\nnorth wall");
  await waiting.getByRole("button", { name: "Save" }).click();
  await expect(waiting).toBeHidden();
  await expect(rowOf(app.page, "A7").getByRole("img", { name: "Has notes" })).toBeVisible();

  const first = await openTask(app.page, "A1", taskNodes.placed);
  await expect(first.getByRole("button", { name: "Save" })).toBeEnabled();
  await first.getByRole("checkbox", { name: "Check this circle if task is completed" }).check();
  const patched = app.page.waitForRequest((request) => request.method() === "PATCH");
  await first.getByRole("button", { name: "Save" }).click();
  expect(new URL((await patched).url()).pathname).toBe(`/api/v2/nodes/${taskNodes.placed}/tasks/tasktemplate/101`);
  expect((await patched).postDataJSON()).toMatchObject({ status: "COMPLETED", notes: "" });
  await expect(first).toBeHidden();
  await expect(rowOf(app.page, "A1").getByRole("img", { name: "Completed" })).toBeVisible();
  await expect(rowOf(app.page, "A1").getByRole("cell").nth(3)).toHaveText("Theo Marchbank");

  const second = await openTask(app.page, "A2", taskNodes.placed);
  await second.getByRole("checkbox").check();
  await second.getByRole("button", { name: "Save" }).click();
  await expect(second).toBeHidden();

  const again = await openTask(app.page, "A1", taskNodes.placed);
  await expect(
    again.getByText(
      /^Task last updated by staff \(Theo Marchbank\) at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d GMT\+5:30 \((just now|\d+ seconds? ago)\)$/,
    ),
  ).toBeVisible();
  await again.getByRole("checkbox").uncheck();
  await again.getByRole("button", { name: "Save" }).click();
  await expect(again.getByRole("alert")).toHaveText("Task A2 depends on this task");
  await expect(again).toBeVisible();
  await expect(again.getByRole("button", { name: "Save" })).toBeEnabled();
  await again.getByRole("button", { name: "Close" }).click();
  await expect(rowOf(app.page, "A1").getByRole("img", { name: "Completed" })).toBeVisible();
});

test("TSK-08 two people on one task: the second is informed, and nothing is overwritten", async ({ app }) => {
  await app.open(`/nodes/${taskNodes.shared}/tasks`);
  const dialog = await openTask(app.page, "A1", taskNodes.shared);
  await changeAsAccounts(app.page, taskNodes.shared, 101, { status: "COMPLETED", notes: "Names checked" });
  await dialog.getByLabel("Notes related to this task").fill("Mine");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("alert").first()).toContainText("Amara Lindqvist");
  await expect(dialog.getByLabel("Notes related to this task")).toHaveValue("Mine");
  await dialog.getByRole("button", { name: "Close" }).click();
  await app.page.getByRole("button", { name: "Discard changes" }).click();
  await expect(rowOf(app.page, "A1").getByRole("img", { name: "Completed" })).toBeVisible();
  const reopened = await openTask(app.page, "A1", taskNodes.shared);
  await expect(reopened.getByLabel("Notes related to this task")).toHaveValue("Names checked");
});

test("a node that does not exist is named, with the way to the others", async ({ app }) => {
  await app.open("/nodes/99999/tasks");
  await expect(app.page.getByText("Node 99999 was not found")).toBeVisible();
  await app.page.getByRole("main").getByRole("link", { name: "All nodes" }).click();
  await expect(app.page).toHaveURL(/#\/nodes$/);
});

test("the tasks by keyboard alone, and on a narrow screen", async ({ app }) => {
  await app.page.setViewportSize({ width: 390, height: 844 });
  await app.open(`/nodes/${taskNodes.shown}/tasks`);
  const item = app.page.getByRole("listitem").filter({ hasText: "Collect nameplate" });
  await expect(item).toContainText("Amara Lindqvist, 3 days ago");
  await item.getByRole("button").focus();
  await app.page.keyboard.press("Enter");
  const dialog = dialogOf(app.page, "A2", taskNodes.shown);
  await expect(dialog).toBeVisible();
  expect(await app.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await dialog.getByRole("button", { name: "Close" }).press("Enter");
  await expect(item.getByRole("button")).toBeFocused();
});
