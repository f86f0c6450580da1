import { expect, test } from "../fixtures.ts";
import { addOwnPlace, send } from "../location-world.ts";
import { Person, bothHands } from "./person.ts";

for (const hands of bothHands) {
  test(`Job 9 what a colleague changed, old and new values, and one of them put back, by ${hands}`, async ({ app }) => {
    const { page } = app;
    await app.signIn("admin");
    const place = await addOwnPlace(page);
    const path = `/customers/${place.customerId}/facilities/${place.facilityId}`;
    const siteName = `Upper Yard ${hands}`;
    await send(page, "PATCH", path, { siteName });
    await page.context().clearCookies();
    await app.signIn("staff");
    await app.open("/home");
    const person = new Person(page, hands);

    await person.openMenu("Changes");
    await person.press(page.getByRole("button", { name: "Today" }));
    await person.press(page.getByRole("button", { name: "admin", exact: true }).first());
    const row = page.getByRole("row").filter({ hasText: siteName });
    await expect(row.getByRole("definition")).toHaveText(/^from .+ → to Upper Yard/);
    expect(person.clicks).toBeLessThanOrEqual(3);
    await expect(page).toHaveURL(/when=today/);
    await expect(page).toHaveURL(/who=admin/);

    await person.press(row.getByRole("button", { name: /^Put back/ }));
    const form = page.getByRole("dialog", { name: /^Edit Facility/ });
    await expect(form.getByText("What was there before is entered. Save puts it back.")).toBeVisible();
    await expect(form.getByLabel("Site Name")).not.toHaveValue(siteName);
    await person.press(form.getByRole("button", { name: "Save" }));
    await expect(form.getByText("Facility saved successfully")).toBeVisible();
  });
}
