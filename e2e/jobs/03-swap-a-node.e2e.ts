import { addPerson } from "../extra-person.ts";
import { expect, test } from "../fixtures.ts";
import { addOwnLocation, addOwnNode, addOwnPlace, send } from "../location-world.ts";
import { Person, bothHands } from "./person.ts";

for (const hands of bothHands) {
  test(`Job 3 a broken node is swapped for a new one at the same place, by ${hands}`, async ({ app }) => {
    const { page } = app;
    const colleague = await addPerson([]);
    await app.signIn(colleague.username);
    const place = await addOwnPlace(page);
    // The keyboard has two of the simulated ones, which are connected.
    const isConnected = hands === "keyboard";
    const [broken, spare] = isConnected
      ? ["18001", "18002"]
      : [await addOwnNode(page, { overVoltageThreshold: 12 }), await addOwnNode(page, { container: "Shelf" })];
    const location = await addOwnLocation(page, place, { nodeSerialNumber: broken });
    const note = { timestamp: 1_790_000_000, note: "Belt replaced", details: "Part 7" };
    await send(page, "POST", `/v2/locations/${location.id}/notes`, note);
    await app.open("/home");
    const person = new Person(page, hands);

    await person.openMenu("Customers");
    await person.search(location.name);
    await person.press(page.getByRole("button", { name: `Swap node ${broken}…` }));
    const dialog = page.getByRole("dialog", { name: `Swap Node ${broken}` });
    await person.typeNext(dialog.getByRole("combobox", { name: "New Serial Number" }), spare);
    await expect(dialog.getByText(`Node of ${location.name}: ${broken} → ${spare}`)).toBeVisible();
    if (!isConnected) await expect(dialog.getByText("Over-Voltage Threshold: 8 → 12")).toBeVisible();
    await person.typeNext(dialog.getByRole("textbox", { name: "Reason" }), "No voltage on phase B");
    if (isConnected) await person.typeNext(dialog.getByRole("textbox", { name: "2FA code" }), colleague.passcode());
    await person.submit();
    await expect(
      dialog.getByText(`Node ${spare} took the place of ${broken} at ${place.customer} / ${place.facility} / ${location.name}`),
    ).toBeVisible();
    if (isConnected) await expect(dialog.getByText(/^Configuration: (\d+) of \1 confirmed$/)).toBeVisible();
    expect(person.clicks).toBeLessThanOrEqual(8);

    await person.press(dialog.getByRole("button", { name: "Close" }));
    await expect(page.getByRole("button", { name: `Swap node ${spare}…` })).toBeVisible();
    await app.open(`/nodes/${broken}`);
    await expect(page.getByText(`Swapped for ${spare} at ${location.name} by ${colleague.username}: No voltage on phase B`)).toBeVisible();
    const { nodeSerialNumber } = await send<{ nodeSerialNumber: string }>(page, "GET", `/locations/${location.id}`);
    expect(nodeSerialNumber).toBe(spare);
    expect(await send<{ note: string }[]>(page, "GET", `/v2/locations/${location.id}/notes`)).toMatchObject([{ note: "Belt replaced" }]);
  });
}
