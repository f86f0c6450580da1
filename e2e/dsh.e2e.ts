import type { Page } from "@playwright/test";
import { expect, test, world } from "./fixtures.ts";
import { oddNodes, oddPlace } from "./odd-nodes.ts";

const grid = (page: Page) => page.getByRole("grid", { name: "Nodes" });
const row = (page: Page, serial: string) => grid(page).getByRole("row").filter({ hasText: serial });
const search = (page: Page) => page.getByRole("searchbox", { name: "SN/CustomerCode/CustomerName/Facility/Location" });
const serials = (page: Page) => grid(page).locator(".serial").allTextContents();

const isSorted = (list: string[]) => list.length > 5 && list.every((each, index) => index === 0 || (list[index - 1] ?? "") < each);

test.beforeEach(async ({ app }) => {
  await app.signIn();
});

test("DSH-01 DSH-02 the heading shows the server's start and the requests served, and polls every 2 s move it", async ({ app }) => {
  const answers: Promise<unknown>[] = [];
  app.page.on("response", (response) => {
    if (response.url().includes("/api/node-dashboard")) answers.push(response.json());
  });
  await app.open("/node-dashboard");
  const heading = app.page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText(/^Server started (just now|\d+ (second|minute|hour)s? ago) \/ [\d,]+ API requests served$/);
  const served = async () => Number(/\/ ([\d,]+) API/.exec((await heading.textContent()) ?? "")?.[1]?.replaceAll(",", "") ?? -1);
  const before = await served();
  await expect.poll(served).toBeGreaterThan(before);
  const [first, second] = (await Promise.all(answers.slice(0, 2))) as {
    data: { isFull: boolean; dashboardNodeMap: object; serverStartUpTime: number; requestsServed: number };
  }[];
  expect([first?.data.isFull, second?.data.isFull]).toEqual([true, false]);
  expect(Object.keys(first?.data.dashboardNodeMap ?? {}).length).toBeGreaterThan(60);
});

test("DSH-03 DSH-04 the search box filters by every place's name, writes the address and is restored from it", async ({ app }) => {
  await app.open("/node-dashboard");
  for (const text of [oddNodes.everything, oddPlace.code, oddPlace.customer, oddPlace.facility, oddPlace.location]) {
    await search(app.page).fill(text);
    await expect(row(app.page, oddNodes.everything)).toBeVisible();
    await expect(app.page.getByText(/^\d of \d+ nodes$/)).toBeVisible();
  }
  await search(app.page).fill("90001");
  await expect(app.page).toHaveURL(/#\/node-dashboard\?filterText=90001$/);
  await app.page.reload();
  await expect(search(app.page)).toHaveValue("90001");
  await expect(row(app.page, oddNodes.everything)).toBeVisible();
  await search(app.page).fill("no such node");
  await expect(app.page.getByText("No node matches “no such node” among those shown")).toBeVisible();
  await app.page.getByRole("button", { name: "Show all nodes" }).click();
  await expect(grid(app.page)).toBeVisible();
});

test("DSH-05 DSH-12 which statuses show; other types count as external", async ({ app }) => {
  await app.open(`/node-dashboard?filterText=9000`);
  const box = (name: string) => app.page.getByRole("checkbox", { name, exact: true });
  const states = await Promise.all(
    ["Deployed", "PreDeployment", "Unassigned", "Decommissioned", "External"].map((name) => box(name).isChecked()),
  );
  expect(states).toEqual([true, true, false, false, false]);
  await expect.poll(() => serials(app.page)).toEqual([oddNodes.everything, oddNodes.neverConnected]);
  await box("External").check();
  await expect.poll(() => serials(app.page)).toEqual([oddNodes.everything, oddNodes.external, oddNodes.neverConnected]);
  await box("Deployed").uncheck();
  await box("PreDeployment").uncheck();
  await box("Unassigned").check();
  await box("Decommissioned").check();
  await expect.poll(() => serials(app.page)).toEqual([oddNodes.external, oddNodes.unassigned, oddNodes.decommissioned]);
  await expect(app.page).toHaveURL(/show=unassigned%2Cdecommissioned%2Cexternal/);
  await app.page.reload();
  await expect.poll(() => serials(app.page)).toEqual([oddNodes.external, oddNodes.unassigned, oddNodes.decommissioned]);
});

test("DSH-06 the columns; Node and both timestamps sort, a second click reverses", async ({ app }) => {
  await app.open("/node-dashboard");
  await expect(grid(app.page).getByRole("columnheader")).toHaveText([
    /^Node/,
    /^Last Scalar Stream/,
    /^Last Datafile/,
    "Events",
    "Metering",
  ]);
  await expect(grid(app.page).getByRole("columnheader").getByRole("button")).toHaveCount(3);
  const header = (name: string) => grid(app.page).getByRole("columnheader", { name });
  await expect(header("Node")).toHaveAttribute("aria-sort", "ascending");
  await expect.poll(async () => isSorted(await serials(app.page))).toBe(true);
  await header("Node").getByRole("button").click();
  await expect(header("Node")).toHaveAttribute("aria-sort", "descending");
  await expect.poll(async () => isSorted((await serials(app.page)).toReversed())).toBe(true);
  for (const name of ["Last Scalar Stream", "Last Datafile"]) {
    await header(name).getByRole("button").click();
    await expect(header(name)).toHaveAttribute("aria-sort", "ascending");
    await header(name).getByRole("button").click();
    await expect(header(name)).toHaveAttribute("aria-sort", "descending");
  }
  // Of these two only the first ever sent a file.
  await search(app.page).fill("9000");
  await expect.poll(() => serials(app.page)).toEqual([oddNodes.everything, oddNodes.neverConnected]);
  await header("Last Datafile").getByRole("button").click();
  await expect.poll(() => serials(app.page)).toEqual([oddNodes.neverConnected, oddNodes.everything]);
});

test("DSH-07 DSH-08 DSH-09 DSH-10 everything that a row shows", async ({ app }) => {
  await app.open(`/node-dashboard?filterText=${oddNodes.everything}`);
  const it = row(app.page, oddNodes.everything);
  await expect(it.getByRole("img", { name: "Not connected" })).toHaveClass(/bad/);
  await expect(it.getByRole("img", { name: "Notify on connect" })).toBeVisible();
  await expect(it).toContainText(`${oddPlace.code} / ${oddPlace.facility} / ${oddPlace.location}`);
  await expect(it.getByText("Deployed", { exact: true })).toBeVisible();
  await expect(it.getByText("Next: Pre-Deployment")).toBeVisible();
  await expect(it).toContainText(/(just now|\d+ (seconds?|minutes?) ago)/);
  await expect(it).toContainText(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d GMT\+5:30/);
  await expect(it).toContainText("first-thirty-characters-of-it- … -and-the-last-thirty-character");
  await expect(it).toContainText(/\d+ skipped today/);
  await expect(it.getByRole("img", { name: "Sensor fault" })).toBeVisible();
  await expect(it).toContainText(/15 min .*\d minutes ago/);
  await expect(it).toContainText(/1 s .*2 hours ago/);
  await expect(it.getByRole("link", { name: `View Files of ${oddNodes.everything}` })).toHaveAttribute(
    "href",
    `#/node-dashboard/${oddNodes.everything}/files?dataInterval=900`,
  );
  await expect(it.getByRole("link", { name: /41 events/ })).toBeVisible();
  const metering = it.getByRole("link", { name: /Metering of 90001, meter not connected/ });
  await expect(metering).toHaveAttribute("href", new RegExp(`^#/node-dashboard/\\d+/${oddNodes.everything}/metering$`));
  await expect(metering.locator("svg")).toHaveClass(/bad/);
});

test("DSH-07 DSH-10 a node that streams is green, and so is its meter", async ({ app }) => {
  await app.open("/node-dashboard?filterText=Boiler%20Feed%20Pump%201");
  const live = grid(app.page).getByRole("row", { name: /Boiler Feed Pump 1/ });
  await expect(live.getByRole("img", { name: "Connected", exact: true })).toHaveClass(/good/);
  await expect(live.getByRole("link", { name: /, meter connected/ }).locator("svg")).toHaveClass(/good/);
  const data = live.locator(".scalar-data");
  const before = await data.textContent();
  await expect(data).not.toHaveText(before ?? "");
});

test("DSH-07 never connected is distinguished from not connected", async ({ app }) => {
  await app.open(`/node-dashboard?filterText=${oddNodes.neverConnected}`);
  await expect(row(app.page, oddNodes.neverConnected).getByRole("img", { name: "Never connected" })).toBeVisible();
  await expect(row(app.page, oddNodes.neverConnected)).toContainText("No scalar yet");
});

test("DSH-09 an external node shows its last external file", async ({ app }) => {
  await app.open(`/node-dashboard?filterText=${oddNodes.external}&show=external`);
  const it = row(app.page, oddNodes.external);
  await expect(it).toContainText(/Last External File.*3 days ago/);
  await expect(it.getByRole("link", { name: /View Files/ })).toHaveCount(0);
});

test("DSH-11 a click on the last scalar opens its history, refreshed every 10 s, as table and plot", async ({ app }) => {
  await app.open("/node-dashboard?sort=scalar&order=desc");
  const serial = (await grid(app.page).locator(".serial").first().textContent()) ?? "";
  const asked: string[] = [];
  app.page.on("request", (request) => {
    if (request.url().includes("/realtime")) asked.push(request.url());
  });
  await app.page.getByRole("button", { name: `Recent scalar history for ${serial}:` }).click();
  const dialog = app.page.getByRole("dialog", { name: `Recent scalar history for ${serial}` });
  const table = dialog.getByRole("region", { name: "Scalar history table" });
  await expect(table.getByRole("columnheader")).toHaveText(["Time", "Ver", "Flag", "LF", "I1", "I2", "I3", "V1", "V2", "V3"]);
  const cells = table.getByRole("row").nth(1).getByRole("cell");
  await expect(cells).toHaveText([
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+$/,
    /^\d+$/,
    /^\d+$/,
    /^\d+(\.\d{1,2})?$/,
    ...Array.from({ length: 6 }, () => /^\d+(\.\d{1,2})?$/),
  ]);
  await expect(dialog.getByRole("img", { name: /^Current: I1 .* A/ })).toBeVisible();
  await expect(dialog.getByRole("img", { name: /^Voltage, line to line: V1/ })).toBeVisible();
  await expect(dialog.getByRole("img", { name: /^Line frequency: LF/ })).toBeVisible();
  expect(asked[0]).toBe(`${world().url}/api/nodes/${serial}/realtime`);
  await expect.poll(() => asked.length).toBeGreaterThan(1);
  const download = app.page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Save CSV" }).click();
  expect((await download).suggestedFilename()).toBe(`scalars-${serial}.csv`);
  await app.page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toBeHidden();
});

test("the dashboard by keyboard alone: rows, links of a row, history and back", async ({ app }) => {
  await app.open("/node-dashboard");
  await expect(grid(app.page)).toBeVisible();
  await app.page.keyboard.press("/");
  await expect(search(app.page)).toBeFocused();
  const focusedRow = () => app.page.evaluate(() => document.activeElement?.getAttribute("aria-rowindex"));
  for (let step = 0; step < 40 && (await focusedRow()) === null; step++) await app.page.keyboard.press("Tab");
  expect(await focusedRow()).toBe("2");
  await app.page.keyboard.press("ArrowDown");
  await expect.poll(focusedRow).toBe("3");
  await app.page.keyboard.press("End");
  await expect.poll(async () => Number(await focusedRow())).toBeGreaterThan(40);
  await app.page.keyboard.press("Home");
  await expect.poll(focusedRow).toBe("2");
  await app.page.keyboard.press("Enter");
  const dialog = app.page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).press("Enter");
  await expect(dialog).toBeHidden();
  await expect.poll(focusedRow).toBe("2");
});

test("on a narrow screen the same facts are in a list", async ({ app }) => {
  await app.page.setViewportSize({ width: 390, height: 844 });
  await app.open(`/node-dashboard?filterText=${oddNodes.everything}`);
  const item = app.page.getByRole("list", { name: "Nodes", exact: true }).getByRole("listitem");
  await expect(item).toContainText(oddPlace.location);
  await expect(item.getByRole("link", { name: /Metering of/ })).toBeVisible();
  expect(await app.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await app.page.getByRole("button", { name: "Toggle menu" }).click();
  await app.page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Home" }).click();
  await expect(app.page.getByRole("heading", { level: 1 })).toHaveText("Welcome");
});
