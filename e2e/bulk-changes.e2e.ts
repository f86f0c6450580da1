import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { send } from "./location-world.ts";

// Tests may run again on the same world: each takes serial numbers that no one has.
const freshSerials = () => {
  const tens = 6_000 + Math.floor(Math.random() * 999);
  return [1, 2, 3].map((last) => `${tens}${last}`);
};
const mostPresses = 80;

/** Presses until something has the focus, as someone without a mouse does. */
async function reach(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < mostPresses; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${mostPresses} times ${key} do not lead to ${String(target)}`);
}

test("fields of several nodes are changed, and put back in one step, by keyboard alone", async ({ app }) => {
  const { page } = app;
  await app.signIn();
  const serials = freshSerials();
  for (const serialNumber of serials)
    await send(page, "POST", "/nodes", { serialNumber, container: "Rack 7", newDeploymentStatus: "Pre-Deployment" });
  const intervals = async () =>
    Promise.all(
      serials.map(async (serial) => (await send<{ dataPointInterval: number }>(page, "GET", `/nodes/${serial}/details`)).dataPointInterval),
    );
  const press = (keys: string) => page.keyboard.press(keys);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const usual = await intervals();

  await app.open(`/nodes?filterText=${serials[0]!.slice(0, 4)}`);
  await expect(page.getByRole("grid").getByRole("link", { name: serials[2]!, exact: true })).toBeVisible();
  await reach(page, page.locator("[data-row='0']"));
  for (const key of ["Space", "ArrowDown", "ArrowDown", "Shift+Space"]) await press(key);
  await expect(page.getByText("3 nodes chosen")).toBeVisible();
  await reach(page, page.getByRole("link", { name: "Edit…" }), "Shift+Tab");
  await press("Enter");

  await reach(page, page.getByRole("combobox", { name: "Field" }));
  await page.keyboard.type("interval");
  await press("ArrowDown");
  await press("Enter");
  await expect(page.getByLabel("New value")).toBeFocused();
  await page.keyboard.type("120");
  await press("Enter");
  await expect(page.getByText("3 nodes would be changed", { exact: true })).toBeVisible();
  await reach(page, button("Change 3 nodes"));
  await press("Enter");

  await expect(page.getByText(/^3 nodes changed by staff/)).toBeVisible();
  expect(await intervals()).toEqual([120, 120, 120]);
  // Back does not lead to a form that would do it once more.
  await page.goBack();
  await expect(page.getByRole("grid").getByRole("link", { name: serials[2]!, exact: true })).toBeVisible();
  await page.goForward();
  await reach(page, button("Put back…"));
  await press("Enter");
  await reach(page, button("Put back 3 nodes"));
  await press("Enter");
  await expect(page.getByText(/^3 nodes put back by staff/)).toBeVisible();
  expect(await intervals()).toEqual(usual);
});
