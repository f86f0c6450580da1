import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "./fixtures.ts";

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1440, 390]) {
    test(`axe finds nothing on login, home, dashboard and history (${colorScheme}, ${width} px)`, async ({ app }) => {
      test.setTimeout(120_000); // four analyses of a whole page
      await app.page.emulateMedia({ colorScheme });
      await app.page.setViewportSize({ width, height: 900 });
      const check = async () => {
        const { violations } = await new AxeBuilder({ page: app.page })
          .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
          .analyze();
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`)).toEqual([]);
      };
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
  }
}

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
  "/activities/logins",
];
for (const [colorScheme, width] of [
  ["light", 1440],
  ["dark", 390],
] as const) {
  test(`axe finds nothing on reports, system pages and feeds (${colorScheme}, ${width} px)`, async ({ app }) => {
    test.setTimeout(180_000); // many analyses of a whole page
    await app.page.emulateMedia({ colorScheme });
    await app.page.setViewportSize({ width, height: 900 });
    await app.signIn("admin");
    const found: string[] = [];
    for (const path of reportScreens) {
      await app.open(path);
      await expect(app.page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(app.page.locator("[aria-busy=true]")).toHaveCount(0);
      if (path === "/accounts/billing") {
        await app.page.getByRole("button", { name: "Get Bill and PDF" }).click();
        await app.page
          .getByRole("button", { name: /how it comes about/ })
          .first()
          .click();
        await app.page.bringToFront();
      }
      if (path === "/reports/users") {
        await app.page.getByRole("button", { name: "Get CSV" }).click();
        await expect(app.page.getByRole("region", { name: "Preview" })).toBeVisible();
      }
      const { violations } = await new AxeBuilder({ page: app.page })
        .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
        .analyze();
      found.push(...violations.map(({ id, nodes }) => `${path} ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`));
    }
    expect(found).toEqual([]);
  });
}
