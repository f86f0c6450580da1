import type { Page } from "@playwright/test";
import { axeFindingsInAllLooks } from "./axe.ts";
import { addPayer } from "./billing-world.ts";
import { expect, test, world } from "./fixtures.ts";
import { addOwnLocation, addOwnNode, addOwnPlace } from "./location-world.ts";
import { filesNode, hostileFile, longFile } from "./odd-files.ts";
import { taskNodes } from "./task-nodes.ts";

async function expectNoViolation(page: Page): Promise<void> {
  expect(await axeFindingsInAllLooks(page)).toEqual([]);
}

test("axe finds nothing on login, home, dashboard and history", async ({ app }) => {
  const check = () => expectNoViolation(app.page);
  await app.open("/");
  await app.page.getByRole("button", { name: "Sign in" }).click();
  await expect(app.page.getByText("Username is required")).toBeVisible();
  await check();
  await app.signIn("admin");
  await app.page.reload();
  await expect(app.page.getByRole("heading", { level: 1 })).toHaveText("Welcome");
  await check();
  await app.open("/node-dashboard?show=deployed,preDeployment,unassigned,decommissioned,external");
  await expect(app.page.locator(".serial").first()).toBeVisible();
  await check();
  await app.page
    .getByRole("button", { name: /^Recent scalar history for/ })
    .first()
    .click();
  await expect(app.page.getByRole("dialog").getByRole("columnheader").first()).toBeVisible();
  await check();
});

test("axe finds nothing on users, their dialogs and one's own security", async ({ app }) => {
  const check = async (what: string) => {
    expect([what, await axeFindingsInAllLooks(app.page)]).toEqual([what, []]);
  };
  const dialog = app.page.getByRole("dialog");
  const close = () => dialog.getByRole("button", { name: "Close" }).first().click();
  await app.signIn("sysadmin");
  await app.open("/users");
  await expect(app.page.getByRole("button", { name: "Edit: a.thornbury" })).toBeVisible();
  await check("list");
  await app.page.getByRole("button", { name: "Add user" }).click();
  await expect(dialog.getByText("Please correct the fields marked in red to enable Save button.")).toBeVisible();
  await check("add");
  await close();
  for (const label of ["Login history", "Manage API keys", "Delete"]) {
    await app.page.getByRole("button", { name: `${label}: a.thornbury` }).click();
    await expect(dialog.getByRole("heading").first()).toBeVisible();
    await expect(dialog.locator("[aria-busy=true]")).toHaveCount(0);
    await check(label);
    await close();
  }
  await app.page.getByRole("button", { name: /^Signed in as/ }).click();
  await app.page.getByRole("menuitem", { name: "Security" }).click();
  await expect(dialog.getByText("This session")).toBeVisible();
  await check("security");
});

test("axe finds nothing on the tasks of a node and on a task", async ({ app }) => {
  await app.signIn();
  await app.open(`/nodes/${taskNodes.shown}/tasks`);
  await expect(app.page.getByText("Collect nameplate and one-line data")).toBeVisible();
  await expectNoViolation(app.page);
  await app.page.getByRole("button", { name: "Confirm network access and static address" }).click();
  await expect(app.page.getByRole("dialog")).toBeVisible();
  await expectNoViolation(app.page);
});

test("axe finds nothing on the configuration of a node, the log of changes, coverage and a load profile", async ({ app }) => {
  await app.signIn();
  await app.open("/changes");
  await expect(app.page.getByRole("button", { name: "Save CSV" })).toBeVisible();
  await expectNoViolation(app.page);
  await app.open("/networkconfig");
  await expect(app.page.getByRole("button", { name: "Save CSV" })).toBeVisible();
  await expectNoViolation(app.page);
  await app.open("/trends?series=10101:current&show=profile");
  await expect(app.page.getByRole("cell", { name: /\d/ }).first()).toBeVisible();
  await expectNoViolation(app.page);
  await app.open("/coverage?show=all&node=10104");
  await expect(app.page.getByRole("dialog").getByText(/, times in /)).toBeVisible();
  await expectNoViolation(app.page);
  await app.page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await expectNoViolation(app.page);
  // The last: a changed form keeps one on its page.
  await app.open("/nodes/10101/tasks");
  await app.page.getByRole("button", { name: "Create customer, facility and location records" }).click();
  await app.page.getByRole("button", { name: "Node Config", exact: true }).click();
  const dialog = app.page.getByRole("dialog", { name: "Node Config Management 10101" });
  await dialog.getByLabel("New value of v_noise").fill("900");
  await dialog.getByLabel("New value of i_noise").fill("7");
  await dialog.getByRole("button", { name: "Save i_noise" }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await expectNoViolation(app.page);
});

test("axe finds nothing on the customers, their forms and a deletion", async ({ app }) => {
  const { page } = app;
  await app.signIn("admin");
  await app.open("/customers?filterText=alderwyn");
  await expect(page.getByRole("treeitem").filter({ hasText: "10102" }).first()).toBeVisible();
  await expectNoViolation(page);
  await page.getByRole("button", { name: "Add customer" }).click();
  // A field says in words what is wrong with it once it was left.
  await page.getByRole("dialog").getByRole("textbox", { name: "Code" }).focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("dialog").getByText("Code is at least 2 lowercase letters")).toBeVisible();
  await expectNoViolation(page);
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  const label = "Delete facility Fernhollow Sawmill";
  await page.getByRole("button", { name: label }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("dialog").getByText("Please enter 2FA code")).toBeVisible();
  await expectNoViolation(page);
});

test("axe finds nothing on nodes, a new node with errors and an edited one", async ({ app }) => {
  await app.signIn();
  await app.open("/nodes?show=Deployed,Pre-Deployment,Unassigned,Decommissioned&columns=all");
  await expect(app.page.locator(".serial").first()).toBeVisible();
  await expectNoViolation(app.page);
  await app.page.getByRole("button", { name: "Add node" }).click();
  await expect(app.page.getByText("Please correct the fields marked in red to enable Save button.")).toBeVisible();
  await expectNoViolation(app.page);
  await app.page.getByRole("button", { name: "Close" }).click();
  await app.open("/nodes?show=Unassigned");
  await app.page
    .getByRole("button", { name: /^Edit node \d+$/ })
    .first()
    .click();
  await expect(app.page.getByRole("textbox", { name: "MAC Address" })).toBeVisible();
  await expectNoViolation(app.page);
});

test("axe finds nothing on metering, its raw values and its reset", async ({ app }) => {
  const { page } = app;
  await app.signIn();
  await app.open("/node-dashboard?filterText=Boiler%20Feed%20Pump%201");
  await page
    .getByRole("link", { name: /^Metering of/ })
    .first()
    .click();
  await expect(page.getByRole("img", { name: /^Currents of the last minute: \d+ values/ })).toBeVisible();
  await expectNoViolation(page);
  await page.getByRole("button", { name: "Raw" }).click();
  await expect(page.getByRole("dialog").getByRole("row").nth(3)).toBeVisible();
  await expectNoViolation(page);
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Reset", exact: true }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectNoViolation(page);
});

test("axe finds nothing on files and their contents", async ({ app }) => {
  const { page } = app;
  await app.signIn();
  await app.open("/node-dashboard/10102/files?kinds=S");
  const rows = page.getByRole("grid", { name: "Files" }).locator("tbody tr");
  await expect(rows.first()).toBeVisible();
  await page.getByRole("button", { name: "Tools" }).click();
  await expect(page.getByRole("button", { name: "Go to chosen date" })).toBeVisible();
  await expectNoViolation(page);
  await rows
    .filter({ hasText: "_S0900" })
    .filter({ hasText: "Extracted" })
    .first()
    .getByRole("link", { name: /_S0900\.txt$/ })
    .click();
  await expect(page.getByRole("heading", { name: /^One-second samples/ })).toBeVisible();
  await expect(page.getByRole("img", { name: /^Current: / })).toBeVisible();
  await expectNoViolation(page);
  for (const name of [longFile, hostileFile]) {
    await app.open(`/node-dashboard/files/${name}`);
    await expect(page.getByText(name).first()).toBeVisible();
    await expectNoViolation(page);
  }
  await app.open(`/node-dashboard/files/${filesNode}_20250301T120000Z_D0900.txt`);
  await expect(page.getByText(/is not there any more/)).toBeVisible();
  await expectNoViolation(page);
});

test("axe finds nothing on sensor data and downloads", async ({ app }) => {
  const { page } = app;
  await app.signIn();
  await app.open("/node-dashboard/10102/files?kinds=D");
  const rows = page.getByRole("grid", { name: "Files" }).locator("tbody tr");
  await rows
    .filter({ hasText: "Extracted" })
    .first()
    .getByRole("link", { name: /^Data point of/ })
    .click();
  await expect(page.getByRole("region", { name: "Harmonics" })).toBeVisible();
  await expectNoViolation(page);
  await page.request.get(`${world().url}/api/node-dashboard/nodes/10102/files/download`, {
    headers: { token: (await page.context().cookies()).find(({ name }) => name === "admin-token")!.value },
  });
  await app.open("/downloads");
  await expect(page.getByText("Files of node 10102").first()).toBeVisible();
  await expectNoViolation(page);
});

test("axe finds nothing on an event file with its waveform and its table", async ({ app }) => {
  const { page } = app;
  await app.signIn();
  await app.open("/activities/gpnodewaveforms");
  await page
    .getByRole("link", { name: /^Waveform of Corrugator Main/ })
    .first()
    .click();
  await expect(page.getByRole("img", { name: /^Current: IA/ })).toBeVisible();
  await page.getByRole("button", { name: "Table" }).click();
  await expect(page.getByRole("columnheader", { name: "Time (ms)" })).toBeVisible();
  await expectNoViolation(page);
  await app.open("/events?text=11001&amperes=1");
  await page
    .getByRole("link", { name: /^Event at Corrugator Main/ })
    .first()
    .click();
  await expect(page.getByRole("img", { name: /^Current: IA/ })).toBeVisible();
  await expectNoViolation(page);
});

const reportScreens = [
  "/accounts/billing",
  "/customersummary",
  "/subscriptionreport",
  "/reports/users",
  "/system/services",
  "/system/errors",
  "/system/debug",
  "/system/config",
  "/system/activity",
  "/notifications",
  "/activities/allactivities",
  "/activities/gpnodeevents",
  "/events",
  "/activities/logins",
];
test("axe finds nothing on reports, system pages and feeds", async ({ app }) => {
  await app.signIn("admin");
  // What is billed already is asked about: no other test bills this place.
  const place = await addOwnPlace(app.page);
  await addOwnLocation(app.page, place, { nodeSerialNumber: await addOwnNode(app.page) });
  const payer = `Payer of ${place.customer}`;
  await addPayer(payer, [place.customer.replace("Customer ", "")]);
  const found: string[] = [];
  for (const path of reportScreens) {
    await app.open(path);
    await expect(app.page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(app.page.locator("[aria-busy=true]")).toHaveCount(0);
    if (path === "/accounts/billing") {
      await app.page.getByLabel("Billing Organization").first().click();
      await app.page.getByRole("option", { name: payer }).click();
      await app.page.getByRole("button", { name: "Get Bill and PDF" }).click();
      await app.page
        .getByRole("button", { name: /how it comes about/ })
        .first()
        .click();
      await app.page.bringToFront();
      // Until then its form asks before it is left.
      await expect(app.page.getByText(/^The bill is ready/)).toBeVisible();
    }
    if (path === "/reports/users") {
      await app.page.getByRole("button", { name: "Get CSV" }).click();
      await expect(app.page.getByRole("region", { name: "Preview" })).toBeVisible();
    }
    found.push(...(await axeFindingsInAllLooks(app.page)).map((finding) => `${path} ${finding}`));
  }
  expect(found).toEqual([]);
});
