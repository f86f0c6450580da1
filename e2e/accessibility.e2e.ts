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

    test(`axe finds nothing on users, their dialogs and the own security (${colorScheme}, ${width} px)`, async ({ app }) => {
      test.setTimeout(180_000); // seven analyses of a whole page
      await app.page.emulateMedia({ colorScheme });
      await app.page.setViewportSize({ width, height: 900 });
      const check = async (what: string) => {
        const { violations } = await new AxeBuilder({ page: app.page })
          .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
          .analyze();
        expect(violations.map(({ id, nodes }) => `${what}: ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`)).toEqual([]);
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
  }
}
