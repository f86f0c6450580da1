import type { Page } from "@playwright/test";
import { axeFindings } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { addOwnNode } from "./location-world.ts";

/** A JPEG as a camera's, drawn by the browser. */
async function drawJpeg(page: Page): Promise<Buffer> {
  const text = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(2_400, 1_800);
    const context = canvas.getContext("2d")!;
    context.fillStyle = "#2a6";
    context.fillRect(0, 0, 2_400, 1_800);
    context.fillStyle = "white";
    context.font = "300px sans-serif";
    context.fillText("CT 200 / 5", 300, 900);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 })).arrayBuffer());
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  });
  return Buffer.from(text, "latin1");
}

async function choosePhoto(page: Page): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Add photo" }).click();
  await (await chooser).setFiles({ name: "ct.jpg", mimeType: "image/jpeg", buffer: await drawJpeg(page) });
}

for (const [colorScheme, width, height] of [
  ["light", 390, 844],
  ["dark", 1440, 900],
] as const) {
  test(`a photo of a task is added, seen on the other screen and removed (${colorScheme}, ${width} px)`, async ({ app }) => {
    const { page } = app;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
    await app.signIn();
    const serial = await addOwnNode(page, { newDeploymentStatus: "Pre-Deployment" });
    await app.open(`/deployments/${serial}`);
    const photos = page.getByRole("region", { name: "Photos of task A1" });
    const sent = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/photos"));
    await choosePhoto(page);
    expect(new URL((await sent).url()).pathname).toBe(`/api/v2/nodes/${serial}/tasks/tasktemplate/101/photos`);
    const thumbnail = photos.getByRole("img", { name: /^Photo 1 of task A1, by / });
    await expect(thumbnail).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);

    // As everyone else reads it, from the server.
    await app.open(`/nodes/${serial}/tasks`);
    await page.reload();
    await page.getByRole("button", { name: "Create customer, facility and location records" }).click();
    const task = page.getByRole("dialog", { name: `Update Task A1 for ${serial}` });
    await task.getByRole("button", { name: /^Photo 1 of task A1/ }).click();
    const large = page.getByRole("dialog", { name: "Photo 1 of task A1" });
    const shown = large.getByRole("img", { name: /^Photo 1 of task A1, by / });
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])).toEqual([1_600, 1_200]);
    expect(await axeFindings(page)).toEqual([]);
    await large.getByRole("button", { name: "Remove photo…" }).click();
    await large.getByRole("button", { name: "Remove photo", exact: true }).click();
    await expect(large).toBeHidden();
    await expect(task.getByRole("region", { name: "Photos of task A1" }).getByRole("img")).toHaveCount(0);
    await expect(task).toBeVisible();
  });
}

test("a photo without network waits on the page, and goes when it is back", async ({ app }) => {
  const { page } = app;
  await page.setViewportSize({ width: 390, height: 844 });
  await app.signIn();
  const serial = await addOwnNode(page, { newDeploymentStatus: "Pre-Deployment" });
  await app.open(`/deployments/${serial}`);
  const photos = page.getByRole("region", { name: "Photos of task A1" });
  await expect(photos).toBeVisible();
  await page.context().setOffline(true);
  await choosePhoto(page);
  await expect(photos.getByRole("alert")).toContainText("Not sent: Unable to connect to server.");
  await page.context().setOffline(false);
  await expect(photos.getByRole("img", { name: /^Photo 1 of task A1, by / })).toBeVisible();
});
