import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { expect, password, test, world, type Console } from "./fixtures.ts";
import { addPerson } from "./extra-person.ts";

// Each test has a node of its own.
const nodes = { read: "10103", change: "10104", elsewhere: "10105", keyboard: "10202", silent: "10502", away: "90005" };
const title = (serial: string) => `Node Config Management ${serial}`;

async function openConfig(app: Console, serial: string, username = "staff"): Promise<Locator> {
  const { page } = app;
  await app.signIn(username);
  await app.open(`/nodes/${serial}/tasks`);
  await page.getByRole("button", { name: "Create customer, facility and location records" }).click();
  await page.getByRole("button", { name: "Node Config", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: title(serial) });
  await expect(dialog).toBeVisible();
  return dialog;
}

const rowOf = (dialog: Locator, key: string) =>
  dialog.getByRole("row").filter({ has: dialog.page().getByRole("button", { name: `Save ${key}`, exact: true }) });
const newValue = (dialog: Locator, key: string) => dialog.getByLabel(`New value of ${key}`, { exact: true });
const saveButton = (dialog: Locator, key: string) => dialog.getByRole("button", { name: `Save ${key}`, exact: true });
const passcode = (dialog: Locator) => dialog.getByLabel("2FA PASSCODE");

/** Every address that the page requests changes. */
function watchPatches(page: Page): { method: string; path: string; body: string | null }[] {
  const patches: { method: string; path: string; body: string | null }[] = [];
  page.on("request", (request) => {
    if (request.method() === "PATCH" && request.url().includes("/config/"))
      patches.push({ method: request.method(), path: new URL(request.url()).pathname, body: request.postData() });
  });
  return patches;
}

test("CFG-01 CFG-02 CFG-03 COM-11 the dialog asks the node itself and shows its values in groups", async ({ app }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  // Slow on purpose: the node answers faster than a person can read.
  await app.page.route(`**/api/nodes/${nodes.read}/config`, async (route) => {
    await held;
    await route.continue();
  });
  const dialog = await openConfig(app, nodes.read);
  await expect(
    dialog.getByRole("status").filter({ hasText: "Retrieving configuration parameters from the node..." }).first(),
  ).toBeVisible();
  release();
  await expect(dialog.getByRole("rowheader", { name: "np_voltage" })).toBeVisible();
  await expect(dialog.getByText("Retrieving configuration parameters")).toHaveCount(0);
  await expect(dialog.getByText(/changes affect real nodes in the field/)).toBeVisible();
  await expect(passcode(dialog)).toBeVisible();
  await expect(dialog.getByRole("columnheader")).toHaveText(["Name", "Description", "Current value", "New value", "Save"]);
  await expect(dialog.locator(".group-head")).toHaveText(["Equipment", "Name Plate", "Thresholds", "Other"]);
  await expect(rowOf(dialog, "node_name").getByRole("cell").nth(1)).toHaveText(nodes.read);
  await expect(newValue(dialog, "node_name")).toHaveValue(nodes.read);
  await expect(rowOf(dialog, "np_sf").getByRole("cell").first()).toHaveText("Service factor (default 1.15)");

  const asked = app.page.waitForRequest((request) => request.url().endsWith(`/api/nodes/${nodes.read}/config`));
  await dialog.getByRole("button", { name: "Refresh" }).click();
  await asked;
  const download = app.page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Save CSV" }).click();
  const csv = await readFile(await (await download).path(), "utf8");
  expect(csv).toContain(`Equipment,node_name,Name of the node; its serial number unless changed,${nodes.read}`);
});

test("CFG-04 CFG-05 CFG-06 COM-11 a change: what is wrong is said before sending, the node's word is shown, the log has it", async ({
  app,
}) => {
  const patches = watchPatches(app.page);
  const person = await addPerson([]);
  const dialog = await openConfig(app, nodes.change, person.username);
  await newValue(dialog, "v_noise").fill("201");
  await expect(rowOf(dialog, "v_noise")).toContainText("v_noise must be a number from 0 to 200 V");
  await expect(saveButton(dialog, "v_noise")).toBeDisabled();
  await newValue(dialog, "v_noise").fill("5.0");
  await expect(saveButton(dialog, "v_noise")).toBeDisabled(); // the same value
  await newValue(dialog, "v_noise").fill("6.5");
  await saveButton(dialog, "v_noise").click();
  await expect(dialog.getByRole("alert")).toHaveText("Not sent Missing 2FA Passcode");
  await expect(passcode(dialog)).toBeFocused();
  expect(patches).toEqual([]);

  await passcode(dialog).fill("000000");
  await saveButton(dialog, "v_noise").click();
  await expect(dialog.getByRole("alert")).toHaveText("Not sent The 2FA code is not right");
  await expect(saveButton(dialog, "v_noise")).toBeEnabled();

  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await app.page.route("**/config/v_noise/**", async (route) => {
    await held;
    await route.continue();
  });
  const code = person.passcode();
  await passcode(dialog).fill(code);
  await saveButton(dialog, "v_noise").click();
  await expect(dialog.getByRole("status").filter({ hasText: "Sending request to server..." })).toBeVisible();
  await expect(saveButton(dialog, "v_noise")).toBeDisabled();
  // The change is on its way to real equipment: how it ended is not missed by closing.
  await expect(dialog.getByRole("button", { name: "Close" })).toBeDisabled();
  release();
  await expect(dialog.getByRole("status").filter({ hasText: "Confirmed by the node" })).toHaveText(
    `Confirmed by the node v_noise changed from 5 to 6.5 on node ${nodes.change}`,
  );
  await expect(dialog.getByRole("button", { name: "Close" })).toBeEnabled();
  await expect(rowOf(dialog, "v_noise").getByRole("cell").nth(1)).toHaveText("6.5changed");
  await expect(passcode(dialog)).toHaveValue("");
  expect(patches.at(-1)).toEqual({
    method: "PATCH",
    path: `/api/nodes/${nodes.change}/config/v_noise/6.5/2fa/${code}/previous/5`,
    body: null,
  });

  await newValue(dialog, "Motor").fill("A/B 50%");
  await passcode(dialog).fill(person.passcode());
  await newValue(dialog, "Motor").press("Enter");
  await expect(dialog.getByRole("status").filter({ hasText: "Motor changed from (empty) to A/B 50%" })).toBeVisible();
  expect(patches.at(-1)?.path).toMatch(/\/config\/Motor\/A%2FB%2050%25\/2fa\/\w+\/previous\/~$/);
  await dialog.getByRole("button", { name: "Refresh" }).click();
  await expect(rowOf(dialog, "Motor").getByRole("cell").nth(1)).toHaveText("A/B 50%");
});

test("CFG-06 a value that someone else changed meanwhile is refused, and the refreshed one is shown", async ({ app }) => {
  const { url } = world();
  const [person, colleague] = [await addPerson([]), await addPerson([])];
  const dialog = await openConfig(app, nodes.elsewhere, person.username);
  await expect(newValue(dialog, "start_seconds")).toHaveValue("10");
  const session = await app.page.request.post(`${url}/api/sessions/administrator`, {
    data: { username: colleague.username, password },
  });
  const { data } = (await session.json()) as { data: { token: string } };
  const other = await app.page.request.patch(
    `${url}/api/nodes/${nodes.elsewhere}/config/start_seconds/12/2fa/${colleague.passcode()}/previous/10`,
    { headers: { token: data.token } },
  );
  expect(other.status()).toBe(200);
  await newValue(dialog, "start_seconds").fill("15");
  await passcode(dialog).fill(person.passcode());
  await saveButton(dialog, "start_seconds").click();
  await expect(dialog.getByRole("alert")).toHaveText(
    `Not sent start_seconds on node ${nodes.elsewhere} is now 12, no longer 10. Refresh to see its values.`,
  );
  await dialog.getByRole("button", { name: "Refresh" }).click();
  await expect(rowOf(dialog, "start_seconds").getByRole("cell").nth(1)).toHaveText("12");
  await expect(newValue(dialog, "start_seconds")).toHaveValue("15"); // what was typed is kept
});

test("CFG-03 a node that is away or silent is said to be so, with a way to try again", async ({ app }) => {
  const away = await openConfig(app, nodes.away);
  await expect(away.getByRole("alert")).toContainText(`Node ${nodes.away} is not connected`);
  await expect(away.getByRole("button", { name: "Try again" })).toBeVisible();
  const silent = await openConfig(app, nodes.silent);
  await expect(silent.getByRole("alert")).toContainText(`Node ${nodes.silent} did not answer within 15 s`);
});

test("CFG-01 by keyboard alone: refresh, passcode, value, Enter; the focus stays and Escape does not close", async ({ app }) => {
  const person = await addPerson([]);
  const dialog = await openConfig(app, nodes.keyboard, person.username);
  await expect(newValue(dialog, "i_noise")).toBeVisible();
  await dialog.getByRole("button", { name: "Refresh" }).focus();
  await expect(dialog.getByRole("button", { name: "Refresh" })).toBeEnabled();
  await app.page.keyboard.press("Tab");
  await expect(passcode(dialog)).toBeFocused();
  await app.page.keyboard.type(person.passcode());
  await newValue(dialog, "i_noise").focus();
  await app.page.keyboard.press("ControlOrMeta+A");
  await app.page.keyboard.type("3.5");
  await app.page.keyboard.press("Enter");
  await expect(dialog.getByRole("status").filter({ hasText: "Confirmed by the node" })).toBeVisible();
  await expect(newValue(dialog, "i_noise")).toBeFocused();
  await app.page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();

  await app.open(`/networkconfig?filter=${nodes.keyboard}`);
  await expect(app.page.getByRole("heading", { level: 1 })).toHaveText("Network Config");
  await expect(app.page).toHaveTitle(/Network Config/);
  const table = app.page.getByRole("table");
  await expect(table.getByRole("columnheader")).toHaveText([
    "Timestamp",
    "Username",
    "Location Name",
    "Serial Number",
    "Key",
    "Old Value",
    "New Value",
    "Result",
  ]);
  await expect(app.page.getByLabel("Filter")).toHaveValue(nodes.keyboard);
  await expect(table.getByRole("row")).toHaveCount(2);
  const cells = table.getByRole("row").nth(1).getByRole("cell");
  await expect(cells.nth(0)).toHaveText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+$/);
  await expect(cells.nth(1)).toHaveText(person.username);
  await expect(cells.nth(3)).toHaveText(nodes.keyboard);
  await expect(cells.nth(4)).toHaveText("i_noise");
  await expect(cells.nth(6)).toHaveText("3.5");
  await expect(cells.nth(7)).toHaveText("Confirmed by the node");
});

test("REP-06 COM-06 the log of changes: filter in the address, nothing found, CSV", async ({ app }) => {
  await app.signIn();
  await app.open("/networkconfig?filter=nosuchnode");
  await expect(app.page.getByText("No entry matches nosuchnode")).toBeVisible();
  await app.page.getByRole("button", { name: "Clear the filter" }).click();
  await expect(app.page.getByLabel("Filter")).toHaveValue("");
  await expect(app.page).not.toHaveURL(/nosuchnode/);
  const download = app.page.waitForEvent("download");
  await app.page.getByRole("button", { name: "Save CSV" }).click();
  const csv = await readFile(await (await download).path(), "utf8");
  expect(csv.split("\r\n")[0]).toBe("Timestamp,Username,Location Name,Serial Number,Key,Old Value,New Value,Result,Detail");
});
