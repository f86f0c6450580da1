import { expect, test } from "../fixtures.ts";
import { addOwnLocation, addOwnNode, addOwnPlace, send } from "../location-world.ts";
import { Person, bothHands } from "./person.ts";

for (const hands of bothHands) {
  test(`Job 3 a broken node is swapped for a new one at the same place, by ${hands}`, async ({ app }) => {
    const { page } = app;
    await app.signIn("staff");
    const place = await addOwnPlace(page);
    const [broken, spare] = [await addOwnNode(page), await addOwnNode(page)];
    const location = await addOwnLocation(page, place, { nodeSerialNumber: broken });
    const note = { timestamp: 1_790_000_000, note: "Belt replaced", details: "Part 7" };
    await send(page, "POST", `/v2/locations/${location.id}/notes`, note);
    await app.open("/home");
    const person = new Person(page, hands);

    await person.openMenu("Customers");
    await person.search(location.name);
    await person.press(page.getByRole("button", { name: `Edit location ${location.name}` }));
    const form = page.getByRole("dialog", { name: `Edit Location ${location.name}` });
    await person.choose(form.getByRole("combobox", { name: "Node Serial Number", exact: true }), spare, new RegExp(`^${spare}`));
    await expect(form.getByText(`Node ${broken} leaves this location when you save, and becomes Unassigned.`)).toBeVisible();
    await person.press(form.getByRole("button", { name: "Save" }));
    await expect(form.getByText("Location/Equipment saved successfully")).toBeVisible();
    await expect(form.getByRole("button", { name: `Primary Node ${spare}` })).toBeVisible();
    expect(person.clicks).toBeLessThanOrEqual(8);

    await person.press(form.getByRole("button", { name: `Primary Node ${spare}` }));
    await expect(form.getByText(broken).first()).toBeVisible();
    await person.press(form.getByRole("button", { name: "Close" }).first());
    await person.press(page.getByRole("button", { name: `Notes for ${location.name}` }));
    await expect(page.getByRole("dialog", { name: new RegExp(location.name) }).getByText("Belt replaced")).toBeVisible();
  });
}
