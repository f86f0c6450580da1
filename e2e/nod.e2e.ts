import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { oddNodes, oddPlace } from "./odd-nodes.ts";

const grid = (page: Page) => page.getByRole("grid", { name: "Nodes" });
const row = (page: Page, serial: string) => grid(page).getByRole("row").filter({ hasText: serial });
const search = (page: Page) => page.getByRole("searchbox", { name: "SN/CustomerCode/CustomerName/Facility/Location" });
const box = (page: Page, name: string) => page.getByRole("checkbox", { name, exact: true });
const serials = (page: Page) => grid(page).locator(".serial").allTextContents();
const all = "show=Deployed,Pre-Deployment,Unassigned,Decommissioned";

test.beforeEach(async ({ app }) => {
  await app.signIn();
});

test("NOD-01 typing filters by serial number and every name of the place, and is in the address", async ({ app }) => {
  await app.open("/nodes");
  for (const text of [oddNodes.everything, oddPlace.code, oddPlace.customer, oddPlace.facility, oddPlace.location]) {
    await search(app.page).fill(text);
    await expect(row(app.page, oddNodes.everything)).toBeVisible();
    await expect(app.page.getByText(/^\d of \d+ nodes$/)).toBeVisible();
  }
  await search(app.page).fill("90001");
  await expect(app.page).toHaveURL(/#\/nodes\?filterText=90001$/);
  await app.page.reload();
  await expect(search(app.page)).toHaveValue("90001");
  await expect.poll(() => serials(app.page)).toEqual(["90001"]);
  await search(app.page).fill("no such node");
  await expect(app.page.getByText("No node matches “no such node” among those shown")).toBeVisible();
  await app.page.getByRole("button", { name: "Show all nodes" }).click();
  await expect(grid(app.page)).toBeVisible();
});

test("NOD-02 Deployed and Pre-Deployment are shown at first, the others when ticked", async ({ app }) => {
  await app.open("/nodes?filterText=9000");
  await expect.poll(() => serials(app.page)).toEqual([oddNodes.everything, oddNodes.external, oddNodes.neverConnected]);
  const names = ["Deployed", "Pre-Deployment", "Unassigned", "Decommissioned"];
  expect(await Promise.all(names.map((name) => box(app.page, name).isChecked()))).toEqual([true, true, false, false]);
  await box(app.page, "Unassigned").check();
  await expect(row(app.page, oddNodes.unassigned)).toBeVisible();
  await box(app.page, "Decommissioned").check();
  await expect(row(app.page, oddNodes.decommissioned)).toBeVisible();
  await box(app.page, "Deployed").uncheck();
  await expect(row(app.page, oddNodes.everything)).toHaveCount(0);
  await expect(app.page).toHaveURL(/show=Pre-Deployment%2CUnassigned%2CDecommissioned/);
});

test("NOD-03 a customer or a facility filters, All Facilities shows everything again", async ({ app }) => {
  await app.open("/nodes");
  const places = app.page.getByRole("combobox", { name: "Customer or facility" });
  await expect(places).toHaveValue("All Facilities");
  await places.click();
  // Typed, not filled: it replaces the words that are in the field.
  await app.page.keyboard.type("odd corner");
  await app.page.getByRole("option", { name: oddPlace.facility }).click();
  await expect.poll(() => serials(app.page)).toEqual([oddNodes.everything, oddNodes.external, oddNodes.neverConnected]);
  await expect(app.page).toHaveURL(/place=facility-\d+/);
  await expect(app.page.getByText(/^3 of \d+ nodes$/)).toBeVisible();
  await app.page.reload();
  await expect(places).toHaveValue(oddPlace.facility);
  await places.click();
  await places.fill("All Fac");
  await app.page.getByRole("option", { name: "All Facilities" }).click();
  await expect.poll(async () => (await serials(app.page)).length).toBeGreaterThan(5);
});

test("NOD-03 a place that has no node is named as such, not left blank", async ({ app }) => {
  await app.open("/nodes?place=facility-999999");
  await expect(app.page.getByRole("combobox", { name: "Customer or facility" })).toHaveValue("Customer or facility without nodes");
  await app.page.getByRole("button", { name: "Show all nodes" }).click();
  await expect(app.page.getByRole("combobox", { name: "Customer or facility" })).toHaveValue("All Facilities");
});

test("COM-04 without a network the list says so and keeps its rows, and a change fails at once: it is not sent later", async ({ app }) => {
  await app.open("/nodes?show=Unassigned&filterText=90003");
  await row(app.page, oddNodes.unassigned).getByRole("button", { name: "Edit node 90003" }).click();
  const dialog = app.page.getByRole("dialog", { name: "Edit Node 90003" });
  await dialog.getByLabel("Datapoint Interval").fill("870");
  const changes: string[] = [];
  app.page.on("request", (request) => void (request.method() === "PATCH" && changes.push(request.url())));
  await app.page.context().setOffline(true);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Unable to connect to server. Please try again later.")).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).click();
  await app.page.getByRole("button", { name: "Discard changes" }).click();
  await app.page.getByRole("button", { name: "Reload the list" }).click();
  await expect(app.page.getByText(/^Unable to connect to server\. Please try again later\. Last updated/)).toBeVisible();
  await expect(row(app.page, oddNodes.unassigned)).toBeVisible();
  const tried = changes.length;
  await app.page.context().setOffline(false);
  await expect(app.page.getByText(/^Unable to connect/)).toHaveCount(0);
  await expect(row(app.page, oddNodes.unassigned)).toContainText("900");
  expect(changes).toHaveLength(tried);
});

test("NOD-04 the toggle adds the other columns", async ({ app }) => {
  await app.open("/nodes?filterText=90001");
  const heads = () => grid(app.page).getByRole("columnheader").allTextContents();
  const plain = async () => (await heads()).map((head) => head.replace(/[▲▼]/, "").trim());
  await expect
    .poll(plain)
    .toEqual(["Serial Number", "Actions", "Status", "Awaiting", "Customer", "Interval (s)", "On Connect", "On Current", "Raw Power"]);
  await app.page.getByRole("switch", { name: "All columns" }).check();
  await expect
    .poll(async () => (await plain()).slice(9))
    .toEqual([
      "Name Plate Valid",
      "Type",
      "Container",
      "V Imbalance ≤",
      "V THD ≤",
      "V Level ≤",
      "I Imbalance ≤",
      "I THD ≤",
      "I Level ≤",
      "Va",
      "Vb",
      "Vc",
      "Ia",
      "Ib",
      "Ic",
    ]);
  await expect(row(app.page, "90001").getByRole("img", { name: "Va" })).toBeAttached();
  await expect(row(app.page, "90001")).toContainText("Odd crate");
  await expect(app.page).toHaveURL(/columns=all/);
});

test("NOD-05 columns sort in their first direction, then turn round", async ({ app }) => {
  await app.open(`/nodes?${all}`);
  const head = (name: string) => grid(app.page).getByRole("columnheader", { name });
  await expect(head("Serial Number")).toHaveAttribute("aria-sort", "ascending");
  for (const name of ["Status", "Awaiting", "Customer", "Interval (s)", "On Connect", "On Current", "Raw Power"]) {
    const first = ["Status", "Customer", "Interval (s)"].includes(name) ? "ascending" : "descending";
    await head(name).getByRole("button").click();
    await expect(head(name)).toHaveAttribute("aria-sort", first);
    await head(name).getByRole("button").click();
    await expect(head(name)).toHaveAttribute("aria-sort", first === "ascending" ? "descending" : "ascending");
  }
  await head("Awaiting").getByRole("button").click();
  await expect(grid(app.page).getByRole("row").nth(1)).toContainText("Awaiting");
  await expect(app.page).toHaveURL(/sort=awaiting/);
});

test("NOD-07 a node whose status will change says so and to what", async ({ app }) => {
  await app.open("/nodes?filterText=9000");
  await expect(row(app.page, oddNodes.everything)).toContainText("Awaiting");
  await expect(row(app.page, oddNodes.everything)).toContainText("Next: Pre-Deployment");
  await expect(row(app.page, oddNodes.neverConnected)).toBeVisible();
  await expect(row(app.page, oddNodes.neverConnected)).not.toContainText(/Awaiting|Next:/);
});

test("NOD-06 each row leads to its location or node, its config and its tasks; a plus adds a node", async ({ app }) => {
  await app.open(`/nodes?${all}&filterText=9000`);
  const dialog = app.page.getByRole("dialog");
  const close = () => dialog.getByRole("button", { name: "Close" }).click();
  await row(app.page, oddNodes.unassigned)
    .getByRole("button", { name: `Edit node ${oddNodes.unassigned}`, exact: true })
    .click();
  await expect(dialog.getByRole("heading", { name: `Edit Node ${oddNodes.unassigned}` })).toBeVisible();
  await close();
  await row(app.page, oddNodes.everything)
    .getByRole("button", { name: `Edit location of ${oddNodes.everything}` })
    .click();
  await expect(dialog).toBeVisible();
  await expect(dialog).toContainText(/location/i);
  await close();
  await expect(
    row(app.page, oddNodes.everything).getByRole("button", { name: `Edit node config of ${oddNodes.everything}` }),
  ).toBeVisible();
  await expect(row(app.page, oddNodes.everything).getByRole("link", { name: `Tasks of ${oddNodes.everything}` })).toHaveAttribute(
    "href",
    `#/nodes/${oddNodes.everything}/tasks`,
  );
  await app.page.getByRole("button", { name: "Add node" }).click();
  await expect(dialog.getByRole("heading", { name: "Add Node" })).toBeVisible();
});

test("the keyboard walks rows and their actions, Enter edits, closing gives the focus back", async ({ app }) => {
  await app.open("/nodes?show=Unassigned");
  const first = grid(app.page).getByRole("row").nth(1);
  await first.focus();
  await app.page.keyboard.press("ArrowDown");
  const second = grid(app.page).getByRole("row").nth(2);
  await expect(second).toBeFocused();
  for (const _ of ["box", "serial number", "copy", "edit"]) await app.page.keyboard.press("ArrowRight");
  await expect(second.getByRole("button", { name: /^Edit node/ }).first()).toBeFocused();
  await second.focus();
  await app.page.keyboard.press("Enter");
  await expect(app.page.getByRole("dialog")).toBeVisible();
  await app.page.keyboard.press("Escape");
  await expect(app.page.getByRole("dialog")).toBeVisible();
  await app.page.getByRole("button", { name: "Close" }).click();
  await expect(second).toBeFocused();
});

test("the file holds what is shown", async ({ app }) => {
  await app.open("/nodes?filterText=90001");
  await expect(row(app.page, "90001")).toBeVisible();
  const [download] = await Promise.all([app.page.waitForEvent("download"), app.page.getByRole("button", { name: "Export CSV" }).click()]);
  const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(`90001,Deployed,Next: Pre-Deployment,${oddPlace.customer} / ${oddPlace.facility} / ${oddPlace.location}`);
});

test("on a narrow screen the same facts are in a list", async ({ app }) => {
  await app.page.setViewportSize({ width: 390, height: 844 });
  await app.open("/nodes?filterText=90001");
  const item = app.page.getByRole("listitem").filter({ hasText: "90001" });
  await expect(item).toContainText("Next: Pre-Deployment");
  await expect(item).toContainText(oddPlace.facility);
  await expect(item.getByRole("link", { name: "Tasks of 90001" })).toBeVisible();
});

test("NOD-01 a view keeps filter, order and columns: saved, made the default, it is there where the address says nothing", async ({
  app,
}) => {
  // A default is of one person: no other test opens the list as this one.
  await app.signIn("accounts");
  const { page } = app;
  await app.open("/nodes?filterText=9000&sort=status");
  await page.getByRole("button", { name: /^Columns/ }).click();
  await page.getByRole("checkbox", { name: "Awaiting" }).uncheck();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("columnheader", { name: "Awaiting" })).toHaveCount(0);
  await page.getByRole("button", { name: "View: none" }).click();
  await page.getByRole("menuitem", { name: "Save as …" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Odd ones");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "View: Odd ones" }).click();
  await page.getByRole("menuitem", { name: "Make my default" }).click();
  await page.getByRole("button", { name: "View: Odd ones" }).click();
  await expect(page.getByRole("menuitem", { name: "No longer my default" })).toBeVisible();
  await page.keyboard.press("Escape");
  await app.open("/home");
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await app.open("/nodes");
  await expect(page.getByRole("searchbox")).toHaveValue("9000");
  await expect(page.getByRole("button", { name: "View: Odd ones" })).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Awaiting" })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("searchbox")).toHaveValue("9000");
  await page.getByRole("button", { name: "View: Odd ones" }).click();
  await page.getByRole("menuitem", { name: "Delete …" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("button", { name: "View: none" })).toBeVisible();

  await app.open("/node-dashboard?filterText=9000");
  // The list that is left has such a button, too.
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Server started/);
  await page.getByRole("button", { name: /^Columns/ }).click();
  await page.getByRole("checkbox", { name: "Verdict" }).check();
  await page.getByRole("checkbox", { name: "Metering" }).uncheck();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "View: none" }).click();
  await page.getByRole("menuitem", { name: "Save as …" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Why");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("button", { name: "View: Why" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: "View: Why" })).toBeVisible();
  await expect(page.getByRole("searchbox")).toHaveValue("9000");
  await expect(page.getByRole("columnheader", { name: "Verdict" })).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Metering" })).toHaveCount(0);
});
