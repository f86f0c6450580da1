import type { Page } from "@playwright/test";
import { expect, test, world } from "./fixtures.ts";
import { oddNodes } from "./odd-nodes.ts";

const dialog = (page: Page) => page.getByRole("dialog");
const field = (page: Page, name: string | RegExp) => dialog(page).getByRole("textbox", { name });
const save = (page: Page) => dialog(page).getByRole("button", { name: "Save", exact: true });
const hint = "Please correct the fields marked in red to enable Save button.";
// Tests may run again on the same world: each takes a serial number that no one has.
const freshSerial = () => String(70_000 + Math.floor(Math.random() * 9_999));

test.beforeEach(async ({ app }) => {
  await app.signIn();
});

async function choose(page: Page, label: string, option: string): Promise<void> {
  await dialog(page).getByRole("combobox", { name: label, exact: true }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

test("NFM-01 NFM-03 NFM-05 NFM-06 NFM-08 adding a node: sections, defaults, what is missing, then its editor", async ({ app }) => {
  const { page } = app;
  await app.open("/nodes");
  await page.getByRole("button", { name: "Add node" }).click();
  await expect(dialog(page).getByRole("heading", { name: "Add Node" })).toBeVisible();
  for (const section of ["Required Fields", "Only For Nodes Not at a Location", "Optional Fields"])
    await expect(dialog(page).getByRole("group", { name: section })).toBeVisible();
  await expect(field(page, "Datapoint Interval")).toHaveValue("900");
  const defaults = [
    ["Voltage Imbalance Threshold", "10"],
    ["Voltage THD Threshold", "10"],
    ["Current Imbalance Threshold", "10"],
    ["Current THD Threshold", "10"],
    ["Over-Voltage Threshold", "8"],
    ["Short-Term Over-Current Threshold", "15"],
    ["Short-Term Over-Current Averaging Period", "5"],
    ["Long-Term Over-Current Threshold", "15"],
    ["Long-Term Over-Current Averaging Period", "5"],
    ["Under-Voltage Threshold", "10"],
    ["Loss-Of-Phase Transient Threshold", "500"],
    ["Stop Event of Interest Threshold", "72"],
    ["VI Minimum Voltage Threshold", "0"],
  ];
  for (const [name = "", value = ""] of defaults) await expect(field(page, name)).toHaveValue(value);
  for (const channel of ["Va", "Vb", "Vc", "Ia", "Ib", "Ic", "Pa", "Pb", "Pc"])
    await expect(dialog(page).getByRole("checkbox", { name: channel, exact: true })).toBeChecked();
  // COM-03
  await expect(dialog(page).getByText(hint)).toBeVisible();
  await expect(save(page)).toBeDisabled();
  const container = dialog(page).getByRole("combobox", { name: "Container", exact: true });
  await expect(container).toHaveAttribute("aria-invalid", "true");
  await container.focus();
  await page.keyboard.press("Tab");
  await expect(dialog(page).getByText("Container is required: choose one, or type a new one")).toBeVisible();
  await field(page, "New Container").fill("Fresh crate");
  await expect(dialog(page).getByText("Container is required: choose one, or type a new one")).toBeHidden();
  const serialField = field(page, "Serial Number");
  await serialField.fill("01234");
  await expect(serialField).toHaveAttribute("aria-invalid", "true");
  await expect(save(page)).toBeDisabled();
  const serial = freshSerial();
  await serialField.fill(serial);
  await expect(save(page)).toBeEnabled();
  await field(page, "Under-Voltage Threshold").fill("");
  await expect(save(page)).toBeDisabled();
  await field(page, "Under-Voltage Threshold").fill("9.5");
  await save(page).click();
  await expect(dialog(page).getByText("Node updated successfully")).toBeVisible();
  await expect(dialog(page).getByRole("heading", { name: `Edit Node ${serial}` })).toBeVisible();
  await expect(serialField).toHaveAttribute("readonly", "");
  await expect(dialog(page).getByRole("combobox", { name: "Container", exact: true })).toHaveValue("Fresh crate");
  await dialog(page).getByRole("button", { name: "Close" }).click();
  // Whoever adds it again is informed, and nothing is lost.
  await page.getByRole("button", { name: "Add node" }).click();
  await field(page, "Serial Number").fill(serial);
  await choose(page, "Container", "Fresh crate");
  await save(page).click();
  await expect(dialog(page).getByRole("alert")).toContainText(`There is already a node with the serial number ${serial}`);
  await expect(field(page, "Serial Number")).toHaveValue(serial);
});

test("NFM-02 NFM-04 NFM-09 NFM-10 addresses are read-only, help texts and lists are shown", async ({ app }) => {
  const { page } = app;
  await app.open("/nodes?show=Unassigned&filterText=90003");
  await page.getByRole("button", { name: "Edit node 90003", exact: true }).click();
  for (const name of ["MAC Address", "IP Address"]) await expect(field(page, name)).toHaveAttribute("readonly", "");
  await expect(dialog(page).getByText("Seconds, at least 60")).toBeVisible();
  await expect(dialog(page).getByText(/prevents priority alerts going automatically to the customer/)).toBeVisible();
  const options = async (label: string) => {
    await dialog(page).getByRole("combobox", { name: label, exact: true }).click();
    await expect(page.getByRole("option")).not.toHaveCount(0);
    const texts = await page.getByRole("option").allTextContents();
    await page.keyboard.press("Tab");
    await expect(page.getByRole("option")).toHaveCount(0);
    return texts;
  };
  expect(await options("Type")).toEqual(["Node", "SubNode", "SEL Relay", "GE Relay"]);
  expect(await options("Deployment Status")).toEqual(["Pre-Deployment", "Deployed", "Unassigned"]);
  expect(await options("Node Hardware Version")).toEqual([
    "ND001.02.01 (Node 2.0 UPS)",
    "ND002.02.01 (Node 2.0 PWS)",
    "ND003.02.01 (Node 2.0 PoE)",
  ]);
  expect(await options("VI Module Hardware Version")).toEqual([
    "AC001.03.01 (AC VI Module 3.0)",
    "DC001.03.01 (DC VI Module 1.0)",
    "AC002.03.01 (AC VI Module 4.0)",
  ]);
  expect(await options("Deployment Task Version")).toEqual([
    "NL-NF (new location, new facility)",
    "NL-EF (new location, existing facility)",
    "RMA (existing location, replacement node)",
  ]);
  // An interval under 60 is advised against, not refused.
  await field(page, "Datapoint Interval").fill("30");
  await expect(save(page)).toBeEnabled();
});

test("NFM-02 a connected node's addresses are filled", async ({ app }) => {
  const { page } = app;
  await app.open("/node-dashboard");
  const answer = await page.request.get(`${world().url}/api/nodes`, { headers: { token: await tokenOf(page) } });
  const { data } = (await answer.json()) as { data: { serialNumber: string; connected: boolean; isAssigned: boolean; type: string }[] };
  const serial = data.find(({ connected, type }) => connected && type === "Node")?.serialNumber;
  expect(serial).toBeDefined();
  await app.open(`/nodes/${serial}/tasks`);
  await page.getByRole("button", { name: "Create customer, facility and location records" }).click();
  await page.getByRole("button", { name: "Node Details" }).click();
  const editor = page.getByRole("dialog", { name: `Edit Node ${serial}` });
  await expect(editor.getByRole("textbox", { name: "MAC Address" })).toHaveValue(/^([0-9A-F]{2}:){5}[0-9A-F]{2}$/i);
  await expect(editor.getByRole("textbox", { name: "IP Address" })).toHaveValue(/^\d+\.\d+\.\d+\.\d+$/);
});

const tokenOf = async (page: Page) => (await page.context().cookies()).find(({ name }) => name === "admin-token")?.value ?? "";

test("NFM-07 a new status is awaited until midnight, or until a forced time; refusals are in the button row", async ({ app }) => {
  const { page } = app;
  await app.open("/nodes");
  await page.getByRole("button", { name: "Add node" }).click();
  const serial = freshSerial();
  await field(page, "Serial Number").fill(serial);
  await field(page, "New Container").fill("Crate Z");
  await save(page).click();
  await expect(dialog(page).getByText("Node updated successfully")).toBeVisible();
  await choose(page, "Deployment Status", "Deployed");
  await expect(dialog(page).getByText("22 deployment tasks are not completed.")).toBeVisible();
  await save(page).click();
  await expect(dialog(page).getByRole("alert").filter({ hasText: "at no location" })).toContainText(
    "newDeploymentStatus: The node is at no location: make it the node of a location first",
  );
  await choose(page, "Deployment Status", "Unassigned");
  await expect(dialog(page).getByText("Pre-Deployment now. Becomes Unassigned at the next midnight in UTC.")).toBeVisible();
  await save(page).click();
  await expect(dialog(page).getByText("Node updated successfully")).toBeVisible();
  await expect(dialog(page).getByText(/^Pre-Deployment now\. Becomes Unassigned at \d{4}-\d\d-\d\d 00:00:00 UTC\.$/)).toBeVisible();
  const forced = field(page, "Force Status Change At");
  await forced.fill("2026-02-30");
  await expect(forced).toHaveAttribute("aria-invalid", "true");
  await expect(save(page)).toBeDisabled();
  await forced.fill("2020-1-5 6:30:00");
  await expect(dialog(page).getByText("You entered 2020-01-05 06:30:00 UTC")).toBeVisible();
  await save(page).click();
  await expect(dialog(page).getByText("Unassigned since 2020-01-05 06:30:00 UTC.")).toBeVisible();
});

test("two people edit one node: the second is informed what the first changed, and can load it again", async ({ app }) => {
  const { page } = app;
  const serial = oddNodes.unassigned;
  await app.open(`/nodes?show=Unassigned&filterText=${serial}`);
  await page.getByRole("button", { name: `Edit node ${serial}`, exact: true }).click();
  await expect(field(page, "New Container")).toBeVisible();
  const { url, headers } = { url: `${world().url}/api`, headers: { token: await tokenOf(page) } };
  const details = (await (await page.request.get(`${url}/nodes/${serial}/details`, { headers })).json()) as { data: { id: number } };
  const theirs = `Their crate ${Date.now()}`;
  await page.request.patch(`${url}/nodes/${details.data.id}`, { headers, data: { container: theirs } });
  await field(page, "New Container").fill("My crate");
  await save(page).click();
  await expect(dialog(page).getByRole("alert")).toContainText(`staff changed container of node ${serial} meanwhile`);
  await dialog(page).getByRole("button", { name: "Load the present values" }).click();
  await expect(dialog(page).getByRole("combobox", { name: "Container", exact: true })).toHaveValue(theirs);
});
