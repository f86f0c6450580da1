import { chromium } from "playwright-core";
import { readFileSync } from "node:fs";
import { chromiumFlags } from "../scripts/chromium.mjs";
const { url } = JSON.parse(readFileSync("/tmp/look-customers/url.txt", "utf8").split("\n")[0]);
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: chromiumFlags });
const shots = process.argv[2] ?? "all";
async function open(width, height, colorScheme, person = "admin") {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, locale: "en-US", timezoneId: "America/Chicago" });
  const response = await context.request.post(`${url}/api/sessions/administrator`, {
    data: { username: person, password: "Busbar-demo-1" },
  });
  const { data } = await response.json();
  await context.addCookies([
    { name: "admin-token", value: data.token, url },
    { name: "admin-roles", value: encodeURIComponent(JSON.stringify(data.roles)), url },
  ]);
  const page = await context.newPage();
  page.on("pageerror", (e) => console.log("pageerror", e.message));
  page.on("console", (m) => m.type() === "error" && console.log("console", m.text()));
  return page;
}
const shot = (page, name) => page.screenshot({ path: `/tmp/look-customers/${name}.png` });
for (const scheme of ["light", "dark"]) {
  const page = await open(1440, 900, scheme);
  await page.goto(`${url}/admin/#/customers`);
  await page.getByRole("treeitem").first().waitFor();
  await shot(page, `tree-${scheme}`);
  await page.goto(`${url}/admin/#/customers?filterText=dunw`);
  await page.getByRole("treeitem").nth(5).waitFor();
  await page.waitForTimeout(500);
  await shot(page, `filter-${scheme}`);
  if (scheme === "light") {
    await page.getByRole("button", { name: "Add customer" }).click();
    await page.getByRole("dialog").waitFor();
    await page.waitForTimeout(300);
    await shot(page, "add-customer");
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: /^Edit facility Mill/ }).click();
    await page.getByRole("dialog").waitFor();
    await page.waitForTimeout(300);
    await shot(page, "edit-facility");
    await page.getByRole("combobox", { name: "Division" }).click();
    await page.waitForTimeout(300);
    await shot(page, "division");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: /^Delete facility Mill/ }).click();
    await page.getByRole("dialog").waitFor();
    await page.waitForTimeout(300);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.waitForTimeout(200);
    await shot(page, "delete-facility");
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).first().click();
    await page.getByRole("button", { name: /^Move facility Mill/ }).click();
    await page.getByRole("dialog").waitFor();
    await page.waitForTimeout(300);
    await shot(page, "move-facility");
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).first().click();
    await page.getByRole("button", { name: /^Managers of Mill/ }).click();
    await page.getByRole("dialog").waitFor();
    await page.waitForTimeout(600);
    await shot(page, "managers");
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).first().click();
    await page
      .getByRole("button", { name: /^Add decommissioned node to Dunwickel Paperboard/ })
      .first()
      .click();
    await page.getByRole("dialog").waitFor();
    await page.waitForTimeout(600);
    await shot(page, "decommission");
  }
}
const page = await open(390, 844, "light");
await page.goto(`${url}/admin/#/customers?filterText=three`);
await page.getByRole("treeitem").nth(3).waitFor();
await page.waitForTimeout(400);
await shot(page, "narrow");
await page.getByRole("button", { name: /^Actions of Harrow/ }).click();
await page.waitForTimeout(300);
await shot(page, "narrow-menu");
await page.getByRole("menuitem", { name: /^Edit facility/ }).click();
await page.getByRole("dialog").waitFor();
await page.waitForTimeout(300);
await shot(page, "narrow-dialog");
await browser.close();
