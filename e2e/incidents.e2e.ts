import { axeFindings } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { addOwnLocation, addOwnNode, addOwnPlace } from "./location-world.ts";

// Each theme and each width once: what axe finds hangs on one of them at a time.
const looks = [
  ["light", 1440],
  ["dark", 390],
] as const;

for (const [colorScheme, width] of looks) {
  test(`a node is muted with a reason, listed with its end, and heard of again (${colorScheme}, ${width} px)`, async ({ app }) => {
    const { page } = app;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
    await app.signIn("sysadmin");
    const serial = await addOwnNode(page);
    await addOwnLocation(page, await addOwnPlace(page), { nodeSerialNumber: serial });
    await app.open(`/nodes/${serial}`);
    await page.getByRole("button", { name: "Mute", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Until" }).fill("2027-03-14 02:30:00");
    await expect(dialog.getByText(/skip this time/).first()).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Until tomorrow morning" }).focus();
    await page.keyboard.press("Enter");
    await dialog.getByRole("textbox", { name: "Reason" }).fill("Works on the switch");
    await page.keyboard.press("Enter");
    await expect(dialog).toBeHidden();
    await expect(page.getByText(/^Muted until .* 07:00:00 .* by sysadmin: Works on the switch/)).toBeVisible();

    await app.open("/muted");
    const row = page.getByRole("row").filter({ hasText: serial });
    await expect(row).toContainText("Works on the switch");
    await expect(page.getByRole("table", { name: "Pauses of nodes" }).or(page.getByText("No node is paused"))).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);
    await row.getByRole("button", { name: `End now: mute of node ${serial}` }).click();
    await expect(row).toHaveCount(0);
  });

  test(`an incident is found, acknowledged, taken over and noted (${colorScheme}, ${width} px)`, async ({ app }) => {
    const { page } = app;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
    await app.signIn("sysadmin");
    await app.open("/incidents");
    const first = page.getByRole("table", { name: "Incidents" }).getByRole("link").first();
    await expect(first).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);
    const title = await first.innerText();
    await first.click();
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    const acknowledge = page.getByRole("button", { name: "Acknowledge", exact: true });
    const takeBack = page.getByRole("button", { name: "Take the acknowledgement back" });
    await expect(acknowledge.or(takeBack)).toBeVisible();
    if (await takeBack.isVisible()) await takeBack.click();
    await acknowledge.click();
    await expect(page.getByText(/^.*Acknowledged by sysadmin/)).toBeVisible();
    const note = `Called the site at ${width} px`;
    await page.getByRole("textbox", { name: "Note" }).fill(note);
    await page.getByRole("button", { name: "Add note" }).click();
    await expect(page.getByRole("region", { name: "Notes" }).getByRole("listitem").filter({ hasText: note })).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);
  });
}
