import { addPerson } from "../extra-person.ts";
import { expect, signInByCookie, test, world } from "../fixtures.ts";
import { Person, bothHands } from "./person.ts";

/** Twenty-one nodes of the demo data, each of which answers at once. */
const word = "ma";
const key = "pq_delta_vf";
const values = { mouse: "11", keyboard: "12" };

// Both change the same nodes.
test.describe.configure({ mode: "default" });

for (const hands of bothHands) {
  test(`Job 6 one parameter on 20 nodes, by ${hands}`, async ({ app, context }) => {
    const { page } = app;
    const colleague = await addPerson([]);
    await signInByCookie(context, world().url, colleague.username);
    await app.open("/home");
    const person = new Person(page, hands);

    await person.openMenu("Nodes");
    await person.search(word);
    await expect(page).toHaveURL(new RegExp(`filterText=${word}`));
    await person.press(page.getByRole("checkbox", { name: /^Choose all 2\d$/ }));
    await person.press(page.getByRole("link", { name: "Configure…" }));
    await person.choose(page.getByRole("combobox", { name: "Parameter" }), key, new RegExp(`^${key}`));
    await person.type(page.getByLabel("New value"), values[hands]);
    await person.submit();

    // What would become of each, before anything is changed.
    const rows = page
      .getByRole("grid", { name: "Nodes of the batch" })
      .getByRole("row")
      .filter({ hasText: `→ ${values[hands]}` });
    await expect(rows.filter({ hasText: "To be changed" }).first()).toBeVisible();
    await person.type(page.getByLabel("2FA PASSCODE"), colleague.passcode());
    await person.expectAccessible();
    await person.submit();

    await expect(page.getByText(/^(2\d) of \1 nodes confirmed\./)).toBeVisible();
    await expect(page.getByRole("button", { name: "Put back" })).toBeVisible();
    expect(person.clicks).toBeLessThanOrEqual(8);
    // What each node answered, at an address that one may send to someone.
    await expect(page.getByRole("button", { name: /^Confirmed 2\d$/ })).toBeVisible();
    await expect(rows.first()).toContainText("Confirmed");
    await page.reload();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Batch \d+$/);
    await expect(rows.first()).toContainText("Confirmed");
    await person.expectAccessible();
  });
}
