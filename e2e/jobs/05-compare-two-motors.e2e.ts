import { expect, test } from "../fixtures.ts";
import { Person, bothHands } from "./person.ts";

/** Machines of the demo data. */
const one = { serialNumber: "10102", locationName: "Chipper 1" };
const other = { serialNumber: "10103", locationName: "Headrig Drive" };

for (const hands of bothHands) {
  test(`Job 5 the currents of two motors over a week, by ${hands}`, async ({ app, browser }) => {
    const { page } = app;
    await app.signIn("staff");
    await app.open(`/nodes/${one.serialNumber}`);
    const person = new Person(page, hands);

    await person.press(page.getByRole("main").getByRole("link", { name: "Trends", exact: true }));
    await person.press(page.getByRole("button", { name: "Add series" }).first());
    await person.type(page.getByPlaceholder("Machine, serial number or place…"), other.serialNumber);
    const option = page.getByRole("option", { name: `${other.locationName} · Current`, exact: false }).first();
    await expect(option).toBeVisible();
    if (hands === "mouse") await person.press(option);
    else {
      // What was found for the first digits is there until the rest is.
      await expect(option).toHaveAttribute("aria-selected", "true");
      await person.submit();
    }

    const plot = page.getByRole("img", { name: /^last 7 days: / });
    await expect(plot).toHaveAccessibleName(new RegExp(`${one.locationName} · Current .* A.*; ${other.locationName} · Current .* A`));
    const figures = page.getByRole("table", { name: "Figures of the range" });
    await expect(figures.getByText(`${other.locationName} · Current`)).toBeVisible();
    await expect(page.getByText(/values .*· .*(complete|no data).* · times in /)).toBeVisible();
    expect(person.clicks).toBeLessThanOrEqual(4);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await person.expectAccessible();

    // A colleague opens the link, and sees the same.
    await expect(page).toHaveURL(/series=/);
    const link = page.url();
    const colleague = await browser.newContext();
    await colleague.addCookies(await page.context().cookies());
    const theirs = await colleague.newPage();
    await theirs.goto(link);
    await expect(theirs.getByRole("img", { name: /^last 7 days: / })).toHaveAccessibleName(
      new RegExp(`${one.locationName} · Current .*; ${other.locationName} · Current`),
    );
    await colleague.close();
  });
}
