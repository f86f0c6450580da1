import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { addPayer } from "./billing-world.ts";
import { expect, test } from "./fixtures.ts";
import { addOwnLocation, addOwnPlace } from "./location-world.ts";

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const year = new Date().getFullYear();

async function csvOf(page: Page, button: string): Promise<{ name: string; text: string }> {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: button }).click();
  const file = await download;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
}

test("NAV-06 SEC-02 who lacks the role is informed on every report, and requests nothing from the server", async ({ app }) => {
  await app.signIn("sysadmin");
  const asked: string[] = [];
  app.page.on("request", (request) => {
    if (/billing|customers\/summary|subscriptions|reports/.test(request.url()) && request.url().includes("/api")) asked.push(request.url());
  });
  for (const path of ["/accounts/billing", "/customersummary", "/subscriptionreport", "/reports/users"]) {
    await app.open(path);
    await expect(heading(app.page)).toHaveText("You are not permitted to open this page");
  }
  expect(asked).toEqual([]);
});

test("REP-01 REP-02 a bill is generated, opens to its figures, and its PDF opens in a new tab", async ({ app, context }) => {
  await app.signIn("accounts");
  await app.open("/accounts/billing");
  await expect(heading(app.page)).toHaveText("Generate a Bill");
  const field = (name: string) => app.page.getByRole("textbox", { name });
  await expect(app.page.getByLabel("Billing Organization").first()).toHaveValue("Dunwickel and Coppervane Holdings");
  await expect(field("Paid Thru")).toHaveValue(`${year}-12-31`);
  await expect(field("Bill To")).toHaveValue(`${year + 1}-12-31`);
  const save = app.page.getByRole("button", { name: "Get Bill and PDF" });
  await field("Paid Thru").fill(`${year}-2-30`);
  await expect(app.page.getByText("Please correct the fields marked in red to enable Get Bill and PDF button.")).toBeVisible();
  await expect(save).toBeDisabled();
  await field("Paid Thru").fill(`${year}-12-31`);
  await field("Bill To").fill("");
  await expect(save).toBeDisabled();
  await field("Bill To").fill(`${year + 1}-12-31`);
  await field("Invoice #").fill("2027-014");
  await field("Terms").fill("Net 30");
  await field("Vendor #").fill("V-88");
  await field("PO #").fill("PO 7");
  await app.page.getByRole("checkbox", { name: "Energy" }).check();

  const bill = app.page.waitForRequest((request) => /\/api\/v2\/billing\/organizations\/\d+\/bill\?/.test(request.url()));
  const pdf = context.waitForEvent("response", (response) => response.url().includes("/download-admin/"));
  const tab = context.waitForEvent("page");
  await save.click();
  expect(Object.fromEntries(new URL((await bill).url()).searchParams)).toEqual({
    billDate: `${year + 1}-12-31`,
    paidThruDate: `${year}-12-31`,
    voltaEnergy: "true",
    vendorId: "V-88",
    purchaseOrder: "PO 7",
    terms: "Net 30",
    invoiceNumber: "2027-014",
  });
  const paper = app.page.getByRole("region", { name: "Bill" });
  await expect(paper).toContainText("Dunwickel and Coppervane Holdings");
  for (const text of ["2027-014", "Net 30", "V-88", "PO 7", "Busbar, 1 Example Street, Anytown, ZZ 00000"])
    await expect(paper).toContainText(text);
  const millbrook = paper.getByRole("table", { name: "Dunwickel Paperboard, Millbrook Board Machine" });
  await expect(millbrook.getByRole("columnheader")).toHaveText([
    "Location",
    "Node",
    "Status",
    "Deployment Date",
    "Paid Thru",
    "Bill Thru",
    "Years Due",
    "Amount Per Year",
    "Amount Due",
  ]);
  await millbrook.getByRole("button", { name: /for Stock Pump 7: how it comes about/ }).click();
  await expect(millbrook).toContainText("Rate: Monitoring, Deployed $1,800.00 + Energy $240.00 = $2,040.00 a year");
  await expect(millbrook).toContainText("$2,040.00 × 1 year = $2,040.00.");
  await expect(paper.getByRole("table", { name: "Not on this bill" })).toContainText(`Winder Drive`);
  await expect(paper.getByRole("table", { name: "Not on this bill" })).toContainText(`Paid through ${year + 1}-12-31`);

  // The tab went to the v2 base with a token, and got the file.
  await tab;
  const response = await pdf;
  expect(response.url()).toMatch(/\/api\/v2\/download-admin\/[\w-]{43}$/);
  expect([response.status(), response.headers()["content-type"]]).toEqual([200, "application/pdf"]);
  expect((await context.request.get(response.url())).status()).toBe(404);

  const file = await csvOf(app.page, "Export CSV");
  expect(file.name).toBe(`bill-${year + 1}-12-31.csv`);
  expect(file.text).toContain("Customer,Facility,Location,Node,Status");
  expect(file.text).toMatch(/\r\nTotal,,,,,,,,,,[\d.]+,\r\n$/);
  await app.page.emulateMedia({ media: "print" });
  await expect(app.page.getByRole("button", { name: "Export CSV" })).toBeHidden();
  await expect(app.page.getByRole("navigation", { name: "Main" })).toBeHidden();
  await expect(paper).toBeVisible();
});

test("A-30 the print is an invoice without what is internal; the bill is in the register, is warned of before it is billed again, and is made void", async ({
  app,
  context,
}) => {
  test.slow();
  await app.signIn("accounts");
  const place = await addOwnPlace(app.page);
  const idle = await addOwnLocation(app.page, place);
  const payer = `Payer of ${place.customer}`;
  await addPayer(payer, [place.customer.replace("Customer ", ""), "alderwyn"]);
  await app.open("/accounts/billing");
  await app.page.getByLabel("Billing Organization").first().click();
  await app.page.getByRole("option", { name: payer }).click();
  const field = (name: string) => app.page.getByRole("textbox", { name, exact: true });
  const make = app.page.getByRole("button", { name: "Get Bill and PDF" });
  const register = app.page.getByRole("table", { name: "Bills made" });
  const newest = register.locator("tbody tr").filter({ hasText: payer }).first();
  await field("Paid Thru").fill(`${year + 9}-01-31`);
  await field("Bill To").fill(`${year + 9}-02-28`);
  const opened = context.waitForEvent("response", (response) => response.url().includes("/download-admin/"));
  await make.click();
  expect((await opened).status()).toBe(200);
  await expect(newest).toContainText(`${year + 9}-02-28`);
  const number = (await newest.locator("td").first().textContent()) ?? "";
  const paper = app.page.getByRole("region", { name: "Bill", exact: true });
  await expect(paper.locator(".bill-facts")).toContainText(`Bill #${number}`);

  await app.page.emulateMedia({ media: "print" });
  await expect(heading(app.page)).toHaveText(["Invoice"]);
  for (const text of ["Generate a Bill", "Not on this bill", idle.name, "Bills made", "Is a month billed?"])
    await expect(app.page.locator("#main").getByText(text).locator("visible=true")).toHaveCount(0);
  await app.page.emulateMedia({ media: "screen" });
  await expect(app.page.getByRole("table", { name: "Not on this bill" })).toContainText(idle.name);

  await field("Bill To").fill(`${year + 9}-03-15`);
  await make.click();
  await expect(app.page.getByText("Some of this time is billed already:")).toBeVisible();
  await expect(app.page.getByText(`Bill ${number} of `)).toBeVisible();
  await expect(newest.locator("td").first()).toHaveText(number);
  await field("Month").fill(`${year + 9}-02`);
  const month = app.page.getByRole("region", { name: "Months" });
  await expect(month.getByText(new RegExp(`${payer}: of \\d+ locations? \\d+ billed once$`))).toBeVisible();
  await app.page.getByRole("button", { name: "Make the bill anyway" }).click();
  await expect(newest.locator("td").first()).not.toHaveText(number);
  await expect(month.getByText(new RegExp(`${payer}: .* billed more than once`))).toBeVisible();

  await newest.getByRole("button", { name: /^Make Void: bill \d+$/ }).click();
  await app.page.getByRole("textbox", { name: "Reason" }).fill("Billed twice");
  await app.page.getByRole("button", { name: "Make Void" }).last().click();
  await expect(newest).toContainText("Void Billed twice");
  await expect(month.getByText(new RegExp(`${payer}: of \\d+ locations? \\d+ billed once$`))).toBeVisible();
});

test("REP-03 customers by name with their nodes and a Total row", async ({ app }) => {
  await app.signIn("accounts");
  await app.open("/customersummary");
  const table = app.page.getByRole("table", { name: "Customers" });
  await expect(table.getByRole("columnheader")).toHaveText(["Customer", "Nodes Deployed", "Nodes Predeployed", "Nodes Unassigned"]);
  const rows = await table
    .locator("tbody tr")
    .evaluateAll((list) => list.map((row) => [...row.children].map((cell) => cell.textContent ?? "")));
  const names = rows.map(([name = ""]) => name.toLowerCase());
  expect(names.length).toBeGreaterThan(5);
  expect(names).toEqual([...names].sort());
  const sum = (column: number) => String(rows.reduce((total, row) => total + Number(row[column]), 0));
  await expect(table.locator("tfoot td")).toHaveText(["Total", sum(1), sum(2), sum(3)]);
  expect(Number(sum(1))).toBeGreaterThan(30);
  const file = await csvOf(app.page, "Export CSV");
  expect(file.text.trimEnd().split("\r\n")).toHaveLength(names.length + 2);
});

test("REP-04 both texts filter, the facility text trims the lists, and the address keeps them", async ({ app }) => {
  await app.signIn("accounts");
  await app.open("/subscriptionreport");
  const table = app.page.getByRole("table", { name: "Subscriptions" });
  await expect(table.getByRole("columnheader")).toHaveText(["Name", "username", "Customer", "Frequency", "Subscriptions"]);
  const oakhollow = table.getByRole("row").filter({ hasText: "oakhollow" });
  await expect(oakhollow.getByRole("listitem")).toHaveText(["Fernhollow Sawmill", "Halcyon Bay Mill", "Northlight Planer"]);
  const general = app.page.getByRole("searchbox", { name: "Search Anything (except Facility Name)" });
  const facility = app.page.getByRole("searchbox", { name: "Filter Facility" });
  await general.fill("ALDERWYN");
  await facility.fill("planer");
  await expect(oakhollow.getByRole("listitem")).toHaveText(["Northlight Planer"]);
  expect(new Set(await table.getByRole("listitem").allTextContents())).toEqual(new Set(["Northlight Planer"]));
  const found = await table.locator("tbody tr").count();
  expect(found).toBeGreaterThan(1);
  await expect(app.page).toHaveURL(/#\/subscriptionreport\?filterText=ALDERWYN&facilityFilterText=planer$/);
  await app.page.reload();
  await expect(general).toHaveValue("ALDERWYN");
  await expect(facility).toHaveValue("planer");
  await expect(table.locator("tbody tr")).toHaveCount(found);
  await general.fill("sawmill");
  await expect(app.page.getByText("No subscription matches both texts")).toBeVisible();
  await app.page.getByRole("button", { name: "Show all" }).first().click();
  await expect(oakhollow).toBeVisible();
  await expect(app.page).toHaveURL(/#\/subscriptionreport$/);
});

test("REP-05 the user list as CSV: customer, internal and inactive users, count, preview and file", async ({ app }) => {
  await app.signIn("accounts");
  await app.open("/reports/users");
  await expect(heading(app.page)).toHaveText("Download User List");
  const customer = app.page.getByRole("combobox", { name: "Filter by Customer" });
  await expect(customer).toHaveValue("All Customers");
  const boxes = ["Include Internal Users", "Include Inactive Users"].map((name) => app.page.getByRole("checkbox", { name }));
  for (const box of boxes) await expect(box).not.toBeChecked();
  const asked: string[] = [];
  app.page.on("request", (request) => {
    if (request.url().includes("/reports/users?")) asked.push(new URL(request.url()).search);
  });
  const getCsv = app.page.getByRole("button", { name: "Get CSV" });
  await getCsv.click();
  const preview = app.page.getByRole("region", { name: "Preview" });
  await expect(preview).toContainText("quillfeather");
  await expect(preview).not.toContainText("marchbank", { ignoreCase: true });
  await boxes[0]!.check();
  await expect(preview).toBeHidden();
  await getCsv.click();
  await expect(preview).toContainText("Marchbank");
  await customer.click();
  await app.page.getByRole("option", { name: "Alderwyn Timberworks" }).click();
  await getCsv.click();
  await expect(preview).toContainText("quillfeather");
  await expect(preview).not.toContainText("saltwick");
  const lines = ((await preview.textContent()) ?? "").trim().split(/\r?\n/);
  await expect(app.page.getByText(`${lines.length - 1} users listed.`, { exact: true })).toBeVisible();
  expect(asked.at(-1)).toBe("?customer_code=alderwyn&include_internal_users=true&include_inactive_users=false");
  const file = await csvOf(app.page, "Download as CSV File");
  expect([file.name, file.text.trim().split("\r\n")]).toEqual(["users.csv", lines]);
  await app.page.getByRole("button", { name: "Reset to All Customers" }).click();
  await expect(customer).toHaveValue("All Customers");
});
