import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { taskNodes } from "./task-nodes.ts";

async function expectNoViolation(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`)).toEqual([]);
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1440, 390]) {
    test(`axe finds nothing on login, home, dashboard and history (${colorScheme}, ${width} px)`, async ({ app }) => {
      test.setTimeout(120_000); // four analyses of a whole page
      await app.page.emulateMedia({ colorScheme });
      await app.page.setViewportSize({ width, height: 900 });
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
  }
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1440, 390]) {
    test(`axe finds nothing on the tasks of a node and on a task (${colorScheme}, ${width} px)`, async ({ app }) => {
      test.setTimeout(120_000);
      await app.page.emulateMedia({ colorScheme });
      await app.page.setViewportSize({ width, height: 900 });
      await app.signIn();
      await app.open(`/nodes/${taskNodes.shown}/tasks`);
      await expect(app.page.getByText("Collect nameplate and one-line data")).toBeVisible();
      await expectNoViolation(app.page);
      await app.page.getByRole("button", { name: "Confirm network access and static address" }).click();
      await expect(app.page.getByRole("dialog")).toBeVisible();
      await expectNoViolation(app.page);
    });
  }
}
