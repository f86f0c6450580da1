import { expect, test } from "../fixtures.ts";
import { holeNodes } from "../hole-nodes.ts";
import { Person, bothHands } from "./person.ts";

for (const hands of bothHands) {
  test(`Job 10 which nodes have holes in their data, and asking for what is missing, by ${hands}`, async ({ app }) => {
    const { page } = app;
    const node = holeNodes[hands];
    await app.signIn("staff");
    await app.open("/home");
    const person = new Person(page, hands);

    await person.openMenu("Data Coverage");
    const row = page.getByRole("grid", { name: "Coverage of Data files" }).getByRole("row").filter({ hasText: node });
    await expect(row.getByRole("button", { name: /^\w{3} \d+ \w{3} \d{4}: / }).first()).toBeVisible();
    await person.expectAccessible();
    await person.press(row.getByRole("button", { name: /^Request again/ }));
    expect(person.clicks).toBeLessThanOrEqual(2);

    const dialog = page.getByRole("dialog", { name: `Gaps of node ${node}, data files` });
    await expect(dialog.getByRole("region", { name: "Asked for again" }).getByRole("listitem").first()).toContainText(
      /^Whole: (\d+) of \1 files? came/,
    );
    await expect(dialog.getByRole("cell", { name: "backfilled" }).first()).toBeVisible();
    await person.expectAccessible();
    await person.press(dialog.getByRole("link", { name: "Files of that time" }).first());
    await expect(page.getByRole("heading", { level: 1 })).toContainText(`Files of node ${node}`);
  });
}
