import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { addPerson, type ExtraPerson } from "./extra-person.ts";
import { expect, signInByCookie, test, world, type Console } from "./fixtures.ts";
import { oddNodes, oddPlace } from "./odd-nodes.ts";

const tree = (page: Page) => page.getByRole("tree", { name: "Customers" });
const line = (page: Page, name: string) => tree(page).getByRole("treeitem").filter({ hasText: name });
const filter = (page: Page) => page.getByRole("searchbox", { name: "Filter" });
const dialog = (page: Page, name?: string | RegExp) => page.getByRole("dialog", name === undefined ? {} : { name });
const toggle = (page: Page, name: string) => line(page, name).first().getByText(name).first().click();
const levels = (page: Page) =>
  tree(page)
    .getByRole("treeitem")
    .evaluateAll((items) => items.map((item) => item.getAttribute("aria-level")));

/** Letters that no other test has. */
const unique = () => Array.from({ length: 8 }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join("");

/** Calls of the API as the person who is signed in. */
async function send<T>(page: Page, method: "POST" | "PATCH", path: string, data: object): Promise<T> {
  const token = (await page.context().cookies()).find(({ name }) => name === "admin-token")?.value ?? "";
  const response = await page.context().request.fetch(`${world().url}/api${path}`, { method, headers: { token }, data });
  expect([path, response.status(), response.ok() ? "" : await response.text()]).toEqual([path, 200, ""]);
  return ((await response.json()) as { data: T }).data;
}
const post = <T>(page: Page, path: string, data: object) => send<T>(page, "POST", path, data);

/** A customer of one test alone with one facility, both with names that are nowhere else. */
async function addPlace(
  page: Page,
  fields: object = {},
): Promise<{ id: number; code: string; customer: string; facilityId: number; facility: string }> {
  const code = unique();
  const customer = `Customer ${code}`;
  const facility = `Works ${code}`;
  const { id } = await post<{ id: number }>(page, "/customers", { code, name: customer, ...fields });
  const body = { name: facility, siteName: "Site", division: "OSB", facilityLocation: "1,2" };
  const { id: facilityId } = await post<{ id: number }>(page, `/customers/${id}/facilities`, body);
  return { id, code, customer, facilityId, facility };
}

async function addLocation(page: Page, place: { id: number; facilityId: number }, name: string, fields: object = {}): Promise<void> {
  await post(page, `/customers/${place.id}/facilities/${place.facilityId}/locations`, {
    name,
    equipmentType: "InductionMotor",
    timezone: "America/Chicago",
    ...fields,
  });
}

async function addUnassignedNode(page: Page): Promise<{ id: number; serial: string }> {
  const serial = String(50_000 + Math.floor(Math.random() * 39_000));
  const node = { serialNumber: serial, container: "Box", newDeploymentStatus: "Unassigned" };
  return { serial, id: (await post<{ id: number }>(page, "/nodes", node)).id };
}

async function signInAsExtra(app: Console, roles?: string[]): Promise<ExtraPerson> {
  const person = await addPerson(roles);
  await signInByCookie(app.page.context(), world().url, person.username);
  return person;
}

test("CUS-01 the heading, the tree of customer, facility and location, the filter and the add button", async ({ app }) => {
  await app.signIn();
  await app.open("/customers");
  await expect(app.page.getByRole("heading", { level: 1 })).toHaveText("ALL CUSTOMERS");
  await expect(app.page).toHaveTitle(/Customers$/);
  await expect(line(app.page, "Alderwyn Timberworks")).toHaveAttribute("aria-expanded", "false");
  expect(new Set(await levels(app.page))).toEqual(new Set(["1"]));
  await toggle(app.page, "Alderwyn Timberworks");
  await toggle(app.page, "Fernhollow Sawmill");
  await toggle(app.page, "Chipper 1");
  for (const [name, level] of [
    ["Fernhollow Sawmill", "2"],
    ["Chipper 1", "3"],
    ["10102", "4"],
  ] as const) {
    await expect(line(app.page, name).last()).toHaveAttribute("aria-level", level);
  }
  await app.page.getByRole("button", { name: "Add customer" }).click();
  await expect(dialog(app.page, "Add Customer")).toBeVisible();
});

test("CUS-01 CUS-02 a filter in the address or typed shows every match expanded; without one all is collapsed", async ({ app }) => {
  await app.signIn();
  await app.open(`/customers?filterText=${encodeURIComponent("overland CONVEYOR")}`);
  await expect(filter(app.page)).toHaveValue("overland CONVEYOR");
  await expect(line(app.page, "Overland Conveyor").first()).toHaveAttribute("aria-expanded", "true");
  await expect(app.page.getByText(/^1 of \d+ customers, 1 of \d+ locations$/)).toBeVisible();
  await expect(tree(app.page).getByRole("treeitem")).toHaveCount(4);
  for (const text of ["coppervane overland", "Mining overland coppervane", "greyhorn pit over conv"]) {
    await filter(app.page).fill(text);
    await expect(app.page).toHaveURL(new RegExp(`filterText=${text.replaceAll(" ", "\\+")}$`));
    await expect(tree(app.page).getByRole("treeitem")).toHaveCount(4);
  }
  await filter(app.page).fill(oddNodes.everything);
  await expect(line(app.page, oddPlace.location).first()).toBeVisible();
  await filter(app.page).fill("alderwyn saltmarsh");
  await expect(app.page.getByText("Nothing matches “alderwyn saltmarsh”")).toBeVisible();
  await app.page.getByRole("button", { name: "Show all customers" }).click();
  await expect(line(app.page, "Alderwyn Timberworks")).toHaveAttribute("aria-expanded", "false");
  expect(new Set(await levels(app.page))).toEqual(new Set(["1"]));
  await expect(app.page).toHaveURL(/#\/customers$/);
});

test("CUS-03 Remember last expansion keeps the last customer and facility in cookies, over a reload and a filter", async ({ app }) => {
  await app.signIn();
  await app.open("/customers");
  const box = app.page.getByRole("checkbox", { name: "Remember last expansion" });
  const memory = async () =>
    Object.fromEntries(
      (await app.page.context().cookies()).filter(({ name }) => name.startsWith("admin-expanded")).map(({ name, value }) => [name, value]),
    );
  await expect(box).not.toBeChecked();
  await toggle(app.page, "Brinemoor Chemicals");
  expect(await memory()).toEqual({});
  await box.check();
  await toggle(app.page, "Coppervane Mining");
  await toggle(app.page, "Greyhorn Pit");
  await expect.poll(memory).toEqual({
    "admin-expanded-memory": "true",
    "admin-expanded-customer": expect.stringMatching(/^\d+$/),
    "admin-expanded-facility": expect.stringMatching(/^\d+$/),
  });
  await app.page.reload();
  await expect(box).toBeChecked();
  const isRemembered = async () => {
    await expect(line(app.page, "Greyhorn Pit")).toHaveAttribute("aria-expanded", "true");
    await expect(line(app.page, "Primary Crusher")).toBeVisible();
    await expect(line(app.page, "Brinemoor Chemicals")).toHaveAttribute("aria-expanded", "false");
  };
  await isRemembered();
  await filter(app.page).fill("brinemoor");
  await expect(line(app.page, "Brine Pump A").first()).toBeVisible();
  await filter(app.page).fill("");
  await isRemembered();
  await box.uncheck();
  await expect.poll(memory).toEqual({});
  await app.page.reload();
  await expect(line(app.page, "Coppervane Mining")).toHaveAttribute("aria-expanded", "false");
});

test("CUS-04 a customer is added, edited with its code read-only, and deleted with a 2FA code", async ({ app }) => {
  const person = await signInAsExtra(app);
  await app.open("/customers");
  const code = unique();
  await app.page.getByRole("button", { name: "Add customer" }).click();
  const save = dialog(app.page).getByRole("button", { name: "Save" });
  await expect(save).toBeDisabled();
  await expect(dialog(app.page).getByText("Please correct the fields marked in red to enable Save button.")).toBeVisible();
  await expect(dialog(app.page).getByRole("combobox", { name: "Type" })).toHaveValue("Revenue");
  await dialog(app.page).getByRole("textbox", { name: "Code" }).fill(code.toUpperCase());
  await expect(dialog(app.page).getByRole("textbox", { name: "Code" })).toHaveValue(code);
  await dialog(app.page).getByRole("textbox", { name: "Name" }).fill("1 Wrong");
  await expect(save).toBeDisabled();
  await dialog(app.page).getByRole("textbox", { name: "Name" }).fill(`Added ${code}`);
  await dialog(app.page).getByRole("textbox", { name: "Email Domains" }).fill("Works.example, not a domain");
  await expect(dialog(app.page).getByText("An e-mail domain looks like works.example, in small letters")).toBeVisible();
  await dialog(app.page).getByRole("textbox", { name: "Email Domains" }).fill("Works.example, mill.example");
  await dialog(app.page).getByRole("checkbox", { name: "Enable Data Transfer" }).check();
  await save.click();
  await expect(dialog(app.page).getByText("Customer saved successfully")).toBeVisible();
  await expect(dialog(app.page, `Edit Customer Added ${code}`)).toBeVisible();
  await expect(dialog(app.page).getByRole("textbox", { name: "Code" })).toHaveAttribute("readonly", "");
  await dialog(app.page).getByRole("textbox", { name: "Name" }).fill(`Edited ${code}`);
  await save.click();
  await expect(dialog(app.page, `Edit Customer Edited ${code}`)).toBeVisible();
  await dialog(app.page).getByRole("button", { name: "Close" }).click();
  await filter(app.page).fill(code);
  await app.page.getByRole("button", { name: `Edit customer Edited ${code}` }).click();
  await expect(dialog(app.page).getByRole("textbox", { name: "Email Domains" })).toHaveValue("works.example\nmill.example");
  await expect(dialog(app.page).getByRole("checkbox", { name: "Enable Data Transfer" })).toBeChecked();
  await dialog(app.page).getByRole("button", { name: "Close" }).click();

  await app.page.getByRole("button", { name: `Delete customer Edited ${code}` }).click();
  await dialog(app.page).getByRole("textbox", { name: "2FA code" }).fill("0-0 0.0_0/0");
  await expect(dialog(app.page).getByRole("textbox", { name: "2FA code" })).toHaveValue("000000");
  await dialog(app.page).getByRole("button", { name: "Delete" }).click();
  await expect(dialog(app.page).getByRole("alert")).toHaveText("The 2FA code is not right");
  await dialog(app.page).getByRole("textbox", { name: "2FA code" }).fill(person.passcode());
  await dialog(app.page).getByRole("button", { name: "Delete" }).click();
  await expect(dialog(app.page).getByText("Customer deleted successfully.")).toBeVisible();
  await dialog(app.page).getByRole("button", { name: "Close" }).first().click();
  await expect(app.page.getByText(`Nothing matches “${code}”`)).toBeVisible();
});

test("CUS-05 a facility: its lists and defaults, and division and location where the customer requires them", async ({ app }) => {
  await app.signIn();
  const place = await addPlace(app.page, { requireDivisionFacilityLocation: true });
  await app.open(`/customers?filterText=${place.code}`);
  await app.page.getByRole("button", { name: `Add facility to ${place.customer}` }).click();
  const form = dialog(app.page, `Add Facility to ${place.customer}`);
  const field = (name: string) => form.getByRole("textbox", { name });
  const options = async (name: string) => {
    await form.getByRole("combobox", { name, exact: true }).click();
    await expect(app.page.getByRole("option")).not.toHaveCount(0);
    const texts = await app.page.getByRole("option").allTextContents();
    await form.getByRole("combobox", { name, exact: true }).click();
    await expect(app.page.getByRole("option")).toHaveCount(0);
    return texts;
  };
  expect(await options("Division")).toEqual(["(blank)", "Corrugated", "CPG", "Gypsum", "Guardian", "Lumber", "OSB", "P&C", "Plywood"]);
  expect(await options("Grounding Type")).toEqual(["(blank)", "Solid Ground", "High Impedance Ground", "Ungrounded"]);
  expect(await options("Type")).toEqual(["Inherit from Customer", "Revenue", "Internal"]);
  await expect(form.getByRole("combobox", { name: "Type", exact: true })).toHaveValue("Inherit from Customer");
  const save = form.getByRole("button", { name: "Save" });
  await field("Name").first().fill("Ab");
  await field("Site Name").fill("-Site");
  await expect(form.getByText(/^Name starts with a letter or digit/)).toBeVisible();
  await expect(form.getByText(/^Site name starts with a letter or digit/)).toBeVisible();
  await field("Name").first().fill(`Second ${place.code}`);
  await field("Site Name").fill("Site 2");
  await expect(form.getByText("Division is required for this customer")).toBeVisible();
  await expect(field("Facility Location")).toHaveAttribute("aria-invalid", "true");
  await field("Facility Location").focus();
  await field("Site Name").focus();
  await expect(form.getByText("Facility location is required for this customer")).toBeVisible();
  await form.getByRole("combobox", { name: "Division" }).click();
  await app.page.getByRole("option", { name: "P&C" }).click();
  for (const wrong of ["44.1", "44.1;-122.9", "91,0", "0,181"]) {
    await field("Facility Location").fill(wrong);
    await expect(save).toBeDisabled();
  }
  await field("Facility Location").fill("44.1,-122.9");
  await save.click();
  await expect(app.page.getByRole("dialog").getByText("Facility saved successfully")).toBeVisible();
  await dialog(app.page).getByRole("button", { name: "Close" }).click();
  await expect(line(app.page, `Second ${place.code}`)).toContainText("P&C");
});

test("CUS-05 two who edit one facility: the second is informed, and sees the present values on demand", async ({ app }) => {
  await app.signIn();
  const place = await addPlace(app.page);
  await app.open(`/customers?filterText=${place.code}`);
  await app.page.getByRole("button", { name: `Edit facility ${place.facility}` }).click();
  const site = dialog(app.page).getByRole("textbox", { name: "Site Name" });
  await site.fill("Mine");
  await send(app.page, "PATCH", `/customers/${place.id}/facilities/${place.facilityId}`, { siteName: "Theirs" });
  await dialog(app.page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(app.page).getByRole("alert").filter({ hasText: "changed site name" })).toContainText(
    `staff changed site name of facility ${place.facility} meanwhile. Load it again and repeat your change`,
  );
  await dialog(app.page).getByRole("button", { name: "Load the present values" }).click();
  await app.page.getByRole("button", { name: "Discard changes" }).click();
  await expect(site).toHaveValue("Theirs");
  await site.fill("Mine again");
  await dialog(app.page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(app.page).getByText("Facility saved successfully")).toBeVisible();
});

test("CUS-06 managers are chosen from the users of the facility's customer; a failure is shown", async ({ app }) => {
  await app.signIn();
  const place = await addPlace(app.page);
  await app.open(`/customers?filterText=${place.code}`);
  const open = () => app.page.getByRole("button", { name: `Managers of ${place.facility}` }).click();
  await open();
  await expect(dialog(app.page).getByText(`${place.customer} has no user`)).toBeVisible();
  await dialog(app.page).getByRole("button", { name: "Close" }).click();
  const users = [];
  for (const [firstName, name] of [
    ["Ines", "one"],
    ["Omar", "two"],
  ]) {
    const username = `${place.code}${name}`;
    const body = {
      username,
      firstName,
      lastName: "Tester",
      email: `${username}@works.example`,
      customerCode: place.code,
      password: "Xk7.Trellis-Moss",
    };
    users.push(await post<{ id: number }>(app.page, "/users", body));
  }
  await app.page.reload();
  await open();
  await expect(dialog(app.page).getByRole("checkbox")).toHaveCount(2);
  await dialog(app.page)
    .getByRole("checkbox", { name: /^Omar Tester/ })
    .check();
  await dialog(app.page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(app.page).getByText("Facility managers saved successfully")).toBeVisible();
  await dialog(app.page).getByRole("button", { name: "Close" }).click();
  await expect(line(app.page, place.facility).first()).toContainText("1 manager");
  await open();
  await expect(dialog(app.page).getByRole("checkbox", { name: /^Omar Tester/ })).toBeChecked();
  // Someone else empties the list meanwhile: that is reported, not undone.
  await send(app.page, "PATCH", `/customers/${place.id}/facilities/${place.facilityId}/managers`, []);
  await dialog(app.page)
    .getByRole("checkbox", { name: /^Ines Tester/ })
    .check();
  await dialog(app.page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(app.page).getByRole("alert").filter({ hasText: "changed managers" })).toBeVisible();
  await dialog(app.page).getByRole("button", { name: "Load the present values" }).click();
  await app.page.getByRole("button", { name: "Discard changes" }).click();
  await expect(dialog(app.page).getByText(`0 of 2 users of ${place.customer} chosen`)).toBeVisible();
  // The other one goes to another customer while the dialog is open.
  await send(app.page, "PATCH", `/users/${users[0]?.id}`, { customerCode: "alderwyn" });
  await dialog(app.page)
    .getByRole("checkbox", { name: /^Ines Tester/ })
    .check();
  await dialog(app.page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(app.page).getByRole("alert")).toHaveText(`managers: ${users[0]?.id} is no user of ${place.customer}`);
});

test("CUS-07 a facility moves to another customer with what hangs on it, and its type is reset", async ({ app }) => {
  await app.signIn();
  const [from, to] = [await addPlace(app.page), await addPlace(app.page)];
  await addLocation(app.page, from, "Moved Pump");
  await app.open(`/customers?filterText=${from.code}`);
  await app.page.getByRole("button", { name: `Move facility ${from.facility}` }).click();
  const move = dialog(app.page).getByRole("button", { name: "Move" });
  await expect(move).toBeDisabled();
  await expect(dialog(app.page).getByText("1 location and 0 nodes move with it, and keep their history.")).toBeVisible();
  const target = dialog(app.page).getByRole("combobox", { name: "New Customer" });
  await target.fill(from.customer);
  await expect(app.page.getByRole("option", { name: from.customer })).toHaveCount(0);
  await target.fill(to.customer);
  await app.page.getByRole("option", { name: to.customer }).click();
  await move.click();
  await expect(dialog(app.page).getByText(`${from.facility} moved to ${to.customer} with 1 location and 0 nodes`)).toBeVisible();
  await dialog(app.page).getByRole("button", { name: "Close" }).click();
  await filter(app.page).fill(`${to.code} moved`);
  await expect(line(app.page, "Moved Pump")).toBeVisible();
  await app.page.getByRole("button", { name: `Edit facility ${from.facility}` }).click();
  await expect(dialog(app.page).getByRole("combobox", { name: "Type", exact: true })).toHaveValue("Inherit from Customer");
});

test("CUS-08 deleting a facility names what goes with it, asks for a code, and says the text's words", async ({ app }) => {
  const person = await signInAsExtra(app);
  const place = await addPlace(app.page);
  await addLocation(app.page, place, "Doomed Pump");
  await app.open(`/customers?filterText=${place.code}`);
  await app.page.getByRole("button", { name: `Delete facility ${place.facility}` }).click();
  const box = dialog(app.page, `Delete facility ${place.facility} with 1 location?`);
  const button = box.getByRole("button", { name: "Delete" });
  await button.click();
  await expect(box.getByText("Please enter 2FA code", { exact: true })).toBeVisible();
  const code = box.getByRole("textbox", { name: "2FA code" });
  await code.fill("000000");
  await button.click();
  await expect(box.getByText("Please tick “Delete its 1 location too” as well")).toBeVisible();
  await box.getByRole("checkbox", { name: "Delete its 1 location too" }).check();
  await button.click();
  await expect(box.getByRole("alert")).toHaveText("The 2FA code is not right");
  await button.click();
  await expect(box.getByText("Please enter 2FA code and try again", { exact: true })).toBeVisible();
  await code.fill(person.passcode());
  await app.page.route("**/2fa/**", async (route) => {
    await expect(button).toBeDisabled();
    await route.continue();
  });
  await button.click();
  await expect(app.page.getByText("Facility deleted successfully. Click 'Close' to return to facility list.")).toBeVisible();
  await dialog(app.page).getByRole("button", { name: "Close" }).first().click();
  await expect(line(app.page, place.customer)).toHaveCount(1);
  await expect(line(app.page, place.facility)).toHaveCount(0);
});

test("CUS-18 a decommissioned node is added with serial, facility and site, and taken back", async ({ app }) => {
  await app.signIn();
  const place = await addPlace(app.page);
  const { serial } = await addUnassignedNode(app.page);
  await app.open(`/customers?filterText=${place.code}`);
  await app.page
    .getByRole("button", { name: `Add decommissioned node to ${place.customer}` })
    .first()
    .click();
  const form = dialog(app.page);
  const save = form.getByRole("button", { name: "Save" });
  await expect(save).toBeDisabled();
  await form.getByRole("combobox", { name: "Serial Number" }).fill(serial);
  await app.page.getByRole("option", { name: serial }).click();
  for (const name of ["Facility Name", "Site Name"])
    await expect(form.getByRole("combobox", { name })).toHaveAttribute("aria-invalid", "true");
  await form.getByRole("combobox", { name: "Facility Name" }).focus();
  await form.getByRole("combobox", { name: "Site Name" }).focus();
  await expect(form.getByText("Facility name is required")).toBeVisible();
  await form.getByRole("combobox", { name: "Facility Name" }).fill("Works");
  await app.page.getByRole("option", { name: place.facility }).click();
  await expect(form.getByRole("combobox", { name: "Site Name" })).toHaveValue("Site");
  await save.click();
  await expect(form.getByText(`Node ${serial} is decommissioned`)).toBeVisible();
  await form.getByRole("button", { name: "Close" }).click();
  await expect(line(app.page, "Decommissioned nodes").first()).toBeVisible();
  await expect(line(app.page, serial)).toContainText(`Decommissioned${place.facility}, Site`);
  await app.page.getByRole("button", { name: `Delete decommissioned node ${serial}` }).click();
  await form.getByRole("button", { name: "Delete" }).click();
  await expect(form.getByText(`Node ${serial} is Unassigned now`)).toBeVisible();
  await form.getByRole("button", { name: "Close" }).first().click();
  await expect(line(app.page, serial)).toHaveCount(0);
});

test("CUS-19 each node shows its status, and the next one when it is another", async ({ app }) => {
  await app.signIn();
  const place = await addPlace(app.page);
  const { id, serial } = await addUnassignedNode(app.page);
  await addLocation(app.page, place, "Watched Pump", { nodeSerialNumber: serial });
  await send(app.page, "PATCH", `/nodes/${id}`, { newDeploymentStatus: "Deployed" });
  await app.open(`/customers?filterText=${place.code}`);
  const node = tree(app.page).locator('[aria-level="4"]').filter({ hasText: serial });
  await expect(node).toContainText("Pre-DeploymentNext: Deployed");
  await send(app.page, "PATCH", `/nodes/${id}`, { newDeploymentStatus: "Pre-Deployment" });
  await app.page.reload();
  await expect(node).toContainText("Pre-Deployment");
  await expect(node).not.toContainText("Next:");
});

test("CUS-17 the icon that moves a location is a system administrator's; the others are everyone's", async ({ app }) => {
  const labels = async () => {
    await app.open("/customers?filterText=10102");
    await app.page.reload();
    await expect(line(app.page, "Chipper 1").first()).toBeVisible();
    return await tree(app.page)
      .locator('[aria-level="3"]')
      .getByRole("button")
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute("aria-label")));
  };
  await app.signIn("staff");
  expect(await labels()).toEqual(["Edit location Chipper 1", "Notes for Chipper 1", "Delete location Chipper 1"]);
  await app.signIn("sysadmin");
  expect(await labels()).toEqual([
    "Edit location Chipper 1",
    "Notes for Chipper 1",
    "Move location Chipper 1",
    "Delete location Chipper 1",
  ]);
});

test("the tree is walked by keyboard alone: arrows, Home, End, first letters, Enter, and Tab for a row's actions", async ({ app }) => {
  await app.signIn();
  await app.open("/customers");
  const focused = () =>
    app.page.evaluate(
      () => document.activeElement?.querySelector(".tree-name")?.textContent ?? document.activeElement?.getAttribute("aria-label"),
    );
  const press = async (...keys: string[]) => {
    for (const key of keys) await app.page.keyboard.press(key);
  };
  await tree(app.page).getByRole("treeitem").first().focus();
  await press("c", "o", "p");
  await expect.poll(focused).toBe("Coppervane Mining");
  await press("ArrowRight");
  await expect(line(app.page, "Coppervane Mining")).toHaveAttribute("aria-expanded", "true");
  await press("ArrowRight");
  await expect.poll(focused).toBe("Devgiri Smelter");
  await press("ArrowDown", "ArrowDown");
  await expect.poll(focused).toBe("Greyhorn Pit");
  await press("Enter", "ArrowRight");
  await expect.poll(focused).toBe("Ball Mill 1");
  await press("ArrowLeft");
  await expect.poll(focused).toBe("Greyhorn Pit");
  await press("ArrowLeft", "ArrowLeft");
  await expect.poll(focused).toBe("Coppervane Mining");
  await press("End");
  // The last one: another test may have added it.
  await expect.poll(focused).not.toBe("Coppervane Mining");
  await press("Home");
  await expect.poll(focused).toBe("Alderwyn Timberworks");
  await expect(tree(app.page).getByRole("treeitem").first()).toHaveAccessibleName(
    /^Alderwyn Timberworks alderwyn \d+ facilities \d+ locations( \d+ decommissioned)?$/,
  );
  await press("Tab");
  await expect.poll(focused).toBe("Add facility to Alderwyn Timberworks");
  await press("Tab", "Enter");
  await expect(dialog(app.page, "Edit Customer Alderwyn Timberworks")).toBeVisible();
  await dialog(app.page).getByRole("button", { name: "Close" }).press("Enter");
  await expect.poll(focused).toBe("Edit customer Alderwyn Timberworks");
});

test("what is shown is exported as CSV, one location a line", async ({ app }) => {
  await app.signIn();
  await app.open("/customers?filterText=headrig");
  await expect(line(app.page, "Headrig Drive").first()).toBeVisible();
  const download = app.page.waitForEvent("download");
  await app.page.getByRole("button", { name: "Export CSV" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("customers.csv");
  const lines = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(
    /^alderwyn,Alderwyn Timberworks,Revenue,Fernhollow Sawmill,Fernhollow,,Solid Ground,"44.1,-122.9",Headrig Drive,DCMotor,America\/Los_Angeles,10103,Deployed,Deployed,10104,Deployed,Deployed$/,
  );
});
