import { axeFindingsInAllLooks } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { act, addOwnLocation, addOwnNode, addOwnPlace, send } from "./location-world.ts";

test("axe finds nothing on the dialogs of locations and notes", async ({ app }) => {
  const { page } = app;
  await app.signIn("sysadmin");
  const dialog = page.getByRole("dialog");
  const check = async () => {
    await expect(dialog).toBeVisible();
    await expect(dialog.getByText(/^Loading/)).toHaveCount(0);
    expect(await axeFindingsInAllLooks(page)).toEqual([]);
  };
  const location = await addOwnLocation(page, await addOwnPlace(page), { nodeSerialNumber: await addOwnNode(page) });
  await send(page, "POST", `/v2/locations/${location.id}/notes`, { timestamp: 1_790_000_000, note: "Belt replaced", details: "Part 7" });
  await act(app, location.name, `Edit location ${location.name}`);
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("-");
  await dialog.getByRole("button", { name: "Add harmonic signature" }).click();
  await dialog.getByRole("form", { name: "Location" }).getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Please correct the fields marked with red X and save again")).toBeVisible();
  await check();
  await act(app, location.name, `Notes for ${location.name}`);
  await check();
  await dialog.getByRole("button", { name: "Edit note" }).click();
  await dialog.getByRole("textbox", { name: "Date and time" }).fill("2027-03-14 02:30:00");
  await check();
  await act(app, location.name, `Delete location ${location.name}`);
  await check();
  await act(app, location.name, `Move location ${location.name}`);
  await check();
  await act(app, location.facility, `Add location to ${location.facility}`);
  await check();
});
