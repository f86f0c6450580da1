import { expect, test } from "../fixtures.ts";
import { lostNodes } from "../lost-nodes.ts";
import { Person, bothHands } from "./person.ts";

const { node, other, facility, location } = lostNodes;

for (const [hands, width] of [...bothHands.map((each) => [each, 1_440] as const), ["mouse", 390] as const]) {
  test(`Job 1 why a node is red, since when, what else, and what was tried, by ${hands} at ${width} px`, async ({ app }) => {
    const { page } = app;
    await page.setViewportSize({ width, height: 844 });
    await app.signIn("staff");
    await app.open("/home");
    const person = new Person(page, hands);

    if (width < 768) await page.getByRole("button", { name: "Toggle menu" }).click();
    await person.openMenu("Real-time");
    await person.search(location);
    await person.press(page.getByRole("link", { name: node, exact: true }));

    // Why, since when, and what else is affected.
    const verdict = page.getByRole("region", { name: "Verdict" });
    await expect(verdict).toContainText(
      /Outage of the facility: 2 of 2 nodes lost within two minutes, away since \d\d:\d\d C[SD]T \(\d+ min\)/,
    );
    await expect(verdict).toContainText(`The other node at ${facility} is not connected.`);
    await expect(page.getByRole("button", { name: /^Connected: \d+ min, / })).toBeVisible();
    // What was tried.
    const happened = page.getByRole("region", { name: "What happened" });
    await expect(happened).toContainText("was asked for its birth: silent");
    await expect(happened).toContainText("Called the site: the switch has no power");
    expect(person.clicks).toBeLessThanOrEqual(2);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await person.expectAccessible();

    await person.press(verdict.getByRole("button", { name: "What was tried" }));
    await expect(happened).toBeFocused();
    await expect(happened).not.toContainText("Lost the connection");

    await person.press(verdict.getByRole("link", { name: facility }));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Facility ${facility}`);
    await expect(page.getByRole("region", { name: "Act now" }).getByRole("link", { name: other })).toBeVisible();
    await expect(page.getByText(/^Local time \d{4}-\d\d-\d\d \d\d:\d\d:\d\d C[SD]T/)).toBeVisible();
    await person.expectAccessible();
  });
}
