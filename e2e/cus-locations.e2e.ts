import type { Page } from "@playwright/test";
import { testLimitMs } from "../scripts/patience.ts";
import { addPerson } from "./extra-person.ts";
import { expect, signInByCookie, test, world } from "./fixtures.ts";
import { act, addOwnLocation, addOwnNode, addOwnPlace, choose, send, unique } from "./location-world.ts";

const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });
const field = (page: Page, name: string) => page.getByRole("dialog").last().getByRole("textbox", { name, exact: true });
const save = (page: Page) => page.getByRole("form", { name: "Location" }).getByRole("button", { name: "Save" }).click();
const saved = "Location/Equipment saved successfully";

interface Stored {
  [field: string]: unknown;
  nodes: { serialNumber: string }[];
}
const read = (page: Page, id: number) => send<Stored>(page, "GET", `/locations/${id}`);

test.beforeEach(async ({ app }) => {
  await app.signIn();
});

test("CUS-09 CUS-10 a location is added with its defaults; what is wrong carries a red X and the message says so", async ({ app }) => {
  const { page } = app;
  const place = await addOwnPlace(page);
  const serial = await addOwnNode(page);
  await act(app, place.facility, `Add location to ${place.facility}`);
  const form = dialog(page, `Add Location to ${place.facility}`);
  await expect(form.getByText("At least 2 characters containing letters, numbers and spaces. Can contain period and comma.")).toBeVisible();
  await expect(form.getByRole("combobox", { name: "Equipment Type", exact: true })).toHaveValue("InductionMotor");
  await expect(form.getByRole("checkbox", { name: "Notify Missed Data" })).toBeChecked();
  const entered = form.getByText(/^You entered \d/);
  const atOnce = (await entered.textContent()) ?? "";
  const [at = ""] = /\d{4}-\d\d-\d\d \d\d:\d\d/.exec(atOnce) ?? [];
  expect(Math.abs(Date.now() - Date.parse(`${at.replace(" ", "T")}Z`))).toBeLessThan(testLimitMs);
  await expect(form.getByText("Harmonic Signatures")).toBeHidden();

  await field(page, "Name").fill("-");
  await save(page);
  await expect(form.getByText("Please correct the fields marked with red X and save again")).toBeVisible();
  await expect(field(page, "Name")).toHaveAttribute("aria-invalid", "true");
  const cross = await form
    .getByText("Time zone is required: one of the list")
    .evaluate((element) => [getComputedStyle(element, "::before").content, getComputedStyle(element, "::before").color]);
  expect(cross[0]).toContain("✕");
  expect(cross[1]).toMatch(/^rgb\((\d+), (\d+), (\d+)\)$/);

  const name = `Fan ${unique()}`;
  await field(page, "Name").fill(name);
  await choose(page, "Time Zone", "Asia/Kolkata");
  // The same instant on other clocks
  await expect(entered).toHaveText(atOnce);
  await choose(page, "Node Serial Number", new RegExp(`^${serial}`));
  await choose(page, "Starter", "Soft Starter");
  await choose(page, "Load Application", "Belt + load sharing");
  await choose(page, "Voltage Tap Location", "Load side");
  await choose(page, "CT Location", "Motor Load + Auxiliary");
  await field(page, "Paid Thru Date").fill("2026-12-31");
  await save(page);
  await expect(form.getByText(saved)).toBeVisible();
  await expect(form.getByRole("button", { name: "Save" })).toBeHidden();
  // It goes by itself when its success has been read: there is nothing more to do in it.
  await expect(form).toBeHidden();
  const row = page.getByRole("tree", { name: "Customers" }).getByRole("treeitem").filter({ hasText: name });
  await expect(row.first()).toBeVisible();
});

test("CUS-09 every field of an existing location is shown and saved", async ({ app }) => {
  const { page } = app;
  const location = await addOwnLocation(page, await addOwnPlace(page), { starter: "VFD", npHp: 7.5, billingStartDate: "2026-02-03" });
  await act(app, location.name, `Edit location ${location.name}`);
  await expect(dialog(page, `Edit Location ${location.name}`)).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Starter", exact: true })).toHaveValue("VFD");
  await expect(field(page, "Horse Power")).toHaveValue("7.5");
  await expect(field(page, "Billing Start Date")).toHaveValue("2026-02-03");
  await field(page, "Asset Location Number").fill("A-7");
  await field(page, "Equipment Start").fill("2015-6-1 7:30:00");
  await expect(page.getByText("You entered 2015-06-01 12:30:00 UTC")).toBeVisible();
  await page.getByRole("checkbox", { name: "Notify Missed Data" }).uncheck();
  await save(page);
  await expect(page.getByText(saved)).toBeVisible();
  expect(await read(page, location.id)).toMatchObject({
    assetLocationNumber: "A-7",
    equipmentStartTimestamp: Date.parse("2015-06-01T12:30:00Z") / 1000,
    notifyMissedData: false,
    starter: "VFD",
    // No one touched them: the defaults go on to hold.
    faultLibraryAlertFlags: {},
  });
});

test("CUS-11 CUS-13 a secondary node is requested only where the equipment has one; nodes in use are not offered", async ({ app }) => {
  const { page } = app;
  const place = await addOwnPlace(page);
  const [primary, secondary, used] = [await addOwnNode(page), await addOwnNode(page), await addOwnNode(page)];
  await addOwnLocation(page, place, { nodeSerialNumber: used });
  await act(app, place.facility, `Add location to ${place.facility}`);
  const second = page.getByRole("combobox", { name: "Secondary Node Serial Number", exact: true });
  await expect(page.getByRole("combobox", { name: "Node Serial Number", exact: true })).toBeVisible();
  await expect(second).toBeHidden();
  await choose(page, "Equipment Type", "DCMotor");
  await expect(second).toBeVisible();
  await field(page, "Name").fill("Direct");
  await choose(page, "Time Zone", "America/Denver");
  await save(page);
  await expect(page.getByText("A secondary node is required for DCMotor")).toBeVisible();

  const first = page.getByRole("combobox", { name: "Node Serial Number", exact: true });
  await first.fill(used);
  await expect(page.getByText("No free node with this serial number")).toBeVisible();
  await first.fill(primary);
  await page.getByRole("option", { name: new RegExp(`^${primary}`) }).click();
  await second.fill(primary);
  await expect(page.getByRole("option", { name: new RegExp(`^${primary}`) })).toBeHidden();
  await second.fill(secondary);
  await page.getByRole("option", { name: new RegExp(`^${secondary}`) }).click();
  await save(page);
  await expect(page.getByText(saved)).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  // The next form does not offer them any more.
  await act(app, place.facility, `Add location to ${place.facility}`);
  await page.getByRole("combobox", { name: "Node Serial Number", exact: true }).fill(primary);
  await expect(page.getByText("No free node with this serial number")).toBeVisible();
});

test("A-02 a location's node is replaced in its form, and back, and the form goes on to work", async ({ app }) => {
  const { page } = app;
  const [old, other] = [await addOwnNode(page), await addOwnNode(page)];
  const location = await addOwnLocation(page, await addOwnPlace(page), { nodeSerialNumber: old });
  await act(app, location.name, `Edit location ${location.name}`);
  const node = page.getByRole("combobox", { name: "Node Serial Number", exact: true });
  for (const [taken, offered] of [
    [other, old],
    [old, other],
  ] as const) {
    await node.fill(taken);
    await page.getByRole("option", { name: new RegExp(`^${taken}`) }).click();
    await save(page);
    await expect(page.getByText(saved)).toBeVisible();
    expect((await read(page, location.id)).nodes.map(({ serialNumber }) => serialNumber)).toEqual([taken]);
    // Both lists that the choice is made of hold the node until the second of them was asked again.
    await node.fill(offered);
    await expect(page.getByRole("option", { name: new RegExp(`^${offered}`) })).toHaveCount(1);
    await expect(page.getByText(saved)).toBeHidden();
  }
});

test("CUS-12 a relay makes its nameplate required", async ({ app }) => {
  const { page } = app;
  const place = await addOwnPlace(page);
  const relay = await addOwnNode(page, { type: "SEL" });
  await act(app, place.facility, `Add location to ${place.facility}`);
  await field(page, "Name").fill("Feeder 4");
  await choose(page, "Time Zone", "America/New_York");
  await expect(page.getByText("Relay Nameplate Data (Required)")).toBeHidden();
  await choose(page, "Node Serial Number", new RegExp(`^${relay}`));
  await expect(page.getByText("Relay Nameplate Data (Required)")).toBeVisible();
  await save(page);
  await expect(page.getByText("Required for a relay node")).toHaveCount(7);
  const numbers = { "Voltage (V)": "480", "Current (A)": "100", "Horse Power": "75", RPM: "1780", Poles: "4", "Rotor Bars": "40" };
  for (const [name, value] of Object.entries(numbers)) await field(page, name).fill(value);
  await field(page, "Service Factor").fill("x");
  await save(page);
  await expect(page.getByText("Service factor is not a number: write digits, with a point before decimals, such as 12.5")).toBeVisible();
  await field(page, "Service Factor").fill("1.15");
  await save(page);
  await expect(page.getByText(saved)).toBeVisible();
});

test("CUS-14 CUS-15 alerts and harmonic signatures of a location", async ({ app }) => {
  const { page } = app;
  const location = await addOwnLocation(page, await addOwnPlace(page), { faultLibraryAlertFlags: { relayTrip: false } });
  await act(app, location.name, `Edit location ${location.name}`);
  const box = (name: string) => page.getByRole("checkbox", { name, exact: true });
  await expect(page.getByRole("group", { name: "Fault Library Alerts" }).getByRole("checkbox")).toHaveCount(22);
  await expect(box("Relay trip")).not.toBeChecked();
  await expect(box("Voltage imbalance")).toBeChecked();
  await expect(page.getByText("Node. NEMA % above threshold")).toBeVisible();
  await box("Underload").check();
  await page.getByRole("button", { name: "Add harmonic signature" }).click();
  const name = field(page, "Name of signature 1");
  const frequencies = field(page, "Frequencies of signature 1");
  await name.fill("a.b");
  await frequencies.fill("1,5");
  await save(page);
  await expect(page.getByText("Please correct information in boxes with red borders")).toBeVisible();
  for (const input of [name, frequencies]) {
    await expect(input).toHaveAttribute("aria-invalid", "true");
    const border = await input.evaluate((element) => getComputedStyle(element).borderColor);
    expect(Number(/^rgb\((\d+), (\d+)/.exec(border)?.[1])).toBeGreaterThan(2 * Number(/^rgb\((\d+), (\d+)/.exec(border)?.[2]));
  }
  await name.fill("Outer race-1");
  await frequencies.fill("29.5;-3;+59");
  await expect(page.getByText("Please correct information in boxes with red borders")).toBeHidden();
  await save(page);
  await expect(page.getByText(saved)).toBeVisible();
  expect(await read(page, location.id)).toMatchObject({
    harmonicSignatures: [["Outer race-1", "29.5;-3;59"]],
    faultLibraryAlertFlags: { relayTrip: false, underload: true, voltageImbalance: true, voltageThd: false },
  });
});

test("CUS-16 the bundle: location, primary node, secondary node, each opens and closes and keeps what was entered", async ({ app }) => {
  const { page } = app;
  const [nodeSerialNumber, secondaryNodeSerialNumber] = [await addOwnNode(page), await addOwnNode(page)];
  const location = await addOwnLocation(page, await addOwnPlace(page), {
    equipmentType: "SynchronousMotor",
    nodeSerialNumber,
    secondaryNodeSerialNumber,
  });
  await act(app, location.name, `Edit location ${location.name}`);
  const section = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });
  await expect(section("Location")).toHaveAttribute("aria-expanded", "true");
  await field(page, "Asset Location Number").fill("kept");
  await section("Location").press("Enter");
  await expect(page.getByRole("textbox", { name: "Asset Location Number" })).toBeHidden();
  for (const [name, serial] of [
    ["Primary Node", nodeSerialNumber],
    ["Secondary Node", secondaryNodeSerialNumber],
  ]) {
    await expect(section(`${name} ${serial}`)).toHaveAttribute("aria-expanded", "false");
    await section(`${name} ${serial}`).press("Enter");
    await expect(page.getByRole("region", { name: `${name} ${serial}` }).getByText("Required Fields")).toBeVisible();
  }
  await section("Location").press("Enter");
  await expect(field(page, "Asset Location Number")).toHaveValue("kept");
  // Who leaves is warned before it happens.
  const leaves = page.getByText(`Node ${secondaryNodeSerialNumber} leaves this location when you save, and becomes Unassigned.`);
  await expect(leaves).toBeHidden();
  await choose(page, "Equipment Type", "InductionMotor");
  await expect(leaves).toBeVisible();
  await save(page);
  await expect(page.getByText(saved)).toBeVisible();
  await expect(leaves).toBeHidden();
  expect(await read(page, location.id)).toMatchObject({ nodeSerialNumber, secondaryNodeSerialNumber: null });
});

test("someone else's change of the same field is reported, not overwritten", async ({ app }) => {
  const { page } = app;
  const location = await addOwnLocation(page, await addOwnPlace(page));
  await act(app, location.name, `Edit location ${location.name}`);
  await field(page, "Asset Location Number").fill("mine");
  await send(page, "PATCH", `/customers/${location.customerId}/facilities/${location.facilityId}/locations/${location.id}`, {
    assetLocationNumber: "theirs",
  });
  await save(page);
  await expect(page.getByRole("alert").getByText(/staff changed asset location number of location .* meanwhile/)).toBeVisible();
  expect(await read(page, location.id)).toMatchObject({ assetLocationNumber: "theirs" });
  await page.getByRole("button", { name: "Load the present values" }).click();
  await page.getByRole("button", { name: "Discard changes" }).click();
  await expect(field(page, "Asset Location Number")).toHaveValue("theirs");
  await expect(page.getByRole("button", { name: "Load the present values" })).toBeHidden();
  await field(page, "Asset Location Number").fill("mine again");
  await save(page);
  await expect(page.getByText(saved)).toBeVisible();
  expect(await read(page, location.id)).toMatchObject({ assetLocationNumber: "mine again" });
});

test("CUS-09 a location that went to another customer is edited where it is now, also when its form was open before", async ({ app }) => {
  const { page } = app;
  const [from, to] = [await addOwnPlace(page), await addOwnPlace(page)];
  const serial = await addOwnNode(page);
  const location = await addOwnLocation(page, from, { nodeSerialNumber: serial });
  const moveFacility = (customerId: number, newCustomerId: number) =>
    send(page, "PATCH", `/customers/${customerId}/facilities/${from.facilityId}/customers/${newCustomerId}`);
  const edit = page.getByRole("tree", { name: "Customers" }).getByRole("button", { name: `Edit location ${location.name}`, exact: true });
  await act(app, location.name, `Edit location ${location.name}`);
  await expect(field(page, "Name")).toHaveValue(location.name);
  await dialog(page, /^Edit Location/)
    .getByRole("button", { name: "Close" })
    .click();

  await moveFacility(from.customerId, to.customerId);
  await edit.click();
  await expect(page.getByText(`${to.customer} / ${from.facility}`)).toBeVisible();
  await field(page, "Asset Location Number").fill("A-1");
  await save(page);
  await expect(page.getByText(saved)).toBeVisible();

  // The stay before the move is there with its place.
  await page.getByRole("button", { name: `Primary Node ${serial}` }).click();
  await expect(page.getByRole("listitem").filter({ hasText: ` at ${from.customer} / ${from.facility}` })).toBeVisible();

  // While it is open: the first attempt finds out, the second succeeds.
  await moveFacility(to.customerId, from.customerId);
  await field(page, "Asset Location Number").fill("A-2");
  await save(page);
  await expect(page.getByRole("alert").getByText(/was not found: it may have been deleted/)).toBeVisible();
  await expect(page.getByText(`${from.customer} / ${from.facility}`, { exact: true })).toBeVisible();
  await save(page);
  await expect(page.getByText(saved)).toBeVisible();
  expect(await read(page, location.id)).toMatchObject({ assetLocationNumber: "A-2", customerId: from.customerId });
});

test("CUS-17 a location is deleted with a passcode, and its node is free", async ({ app }) => {
  const { page } = app;
  const person = await addPerson([]);
  await signInByCookie(page.context(), world().url, person.username);
  const nodeSerialNumber = await addOwnNode(page);
  const place = await addOwnPlace(page);
  const location = await addOwnLocation(page, place, { nodeSerialNumber });
  await send(page, "POST", `/v2/locations/${location.id}/notes`, { timestamp: 1_790_000_000, note: "Gone soon" });
  await act(app, location.name, `Delete location ${location.name}`);
  const asked = dialog(page, `Delete location ${location.name}?`);
  await expect(asked.getByText(`Node ${nodeSerialNumber} becomes free and Unassigned. What it has measured stays.`)).toBeVisible();
  await expect(asked.getByText("Its note is deleted.")).toBeVisible();
  const remove = asked.getByRole("button", { name: "Delete" });
  await remove.click();
  await expect(asked.getByText("Please enter 2FA code", { exact: true })).toBeVisible();
  const code = asked.getByRole("textbox", { name: "2FA code" });
  await code.fill("000-000");
  await expect(code).toHaveValue("000000");
  await remove.click();
  await expect(asked.getByRole("alert")).toContainText("The 2FA code is not right");
  await remove.click();
  await expect(asked.getByText("Please enter 2FA code and try again")).toBeVisible();
  await code.fill(person.passcode());
  await remove.click();
  await expect(asked.getByText(/^Location deleted successfully\./)).toBeVisible();
  await asked.getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByRole("tree", { name: "Customers" }).getByText(location.name)).toBeHidden();
  expect(await send<{ serialNumber: string }[]>(page, "GET", "/locations/availablenodes")).toContainEqual(
    expect.objectContaining({ serialNumber: nodeSerialNumber, currentDeploymentStatus: "Unassigned" }),
  );
});

test("CUS-17 only a systemAdministrator sees the move icon; the target is required and must differ", async ({ app }) => {
  const { page } = app;
  const place = await addOwnPlace(page);
  const target = await addOwnPlace(page);
  const location = await addOwnLocation(page, place);
  await app.open(`/customers?filterText=${encodeURIComponent(location.name)}`);
  const tree = page.getByRole("tree", { name: "Customers" });
  await expect(tree.getByRole("button", { name: `Edit location ${location.name}` })).toBeAttached();
  await expect(tree.getByRole("button", { name: `Move location ${location.name}` })).toHaveCount(0);
  await page.context().clearCookies();
  await app.signIn("sysadmin");
  await act(app, location.name, `Move location ${location.name}`);
  const moving = dialog(page, `Move location ${location.name}`);
  const move = moving.getByRole("button", { name: "Move", exact: true });
  await expect(move).toBeDisabled();
  await expect(moving.getByText("Please correct the fields marked in red to enable Move button.")).toBeVisible();
  const list = moving.getByRole("combobox", { name: "Target Facility" });
  await expect(list).toHaveAttribute("aria-invalid", "true");
  await list.focus();
  await moving.getByRole("button", { name: "Close" }).focus();
  await expect(moving.getByText("Choose a facility")).toBeVisible();
  await list.fill(place.facility);
  await page.getByRole("option", { name: place.facility }).click();
  await expect(moving.getByText("The location is at this facility already. Choose another one")).toBeVisible();
  await expect(move).toBeDisabled();
  await list.fill(target.facility);
  await page.getByRole("option", { name: target.facility }).click();
  await move.click();
  await expect(moving.getByText(`Location moved to ${target.customer} / ${target.facility}`)).toBeVisible();
  await expect(moving.getByText(`Now at ${target.customer} / ${target.facility}.`)).toBeVisible();
  await expect(move).toBeHidden();
});
