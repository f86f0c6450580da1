import type { RelayFile } from "@busbar/dev-env/world/relay-events.ts";
import type { Page } from "@playwright/test";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "./fixtures.ts";
import { freshFiles, ge, sel, uploader } from "./relay-uploads.ts";

const plot = (page: Page, name: RegExp) => page.getByRole("img", { name });
const fact = (page: Page, name: string) =>
  page
    .locator(".facts > div")
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator("dd");
const hint = (page: Page) => page.getByText(/ms from the trigger, [\d,]+ samples/);

test("FEE-04 a relay's compressed event, uploaded with a key: from the feed to labels, waveform and text", async ({ app, context }) => {
  const [cev] = freshFiles(sel.serial, ["cev"]) as [RelayFile];
  const upload = await uploader(context.request, sel.customer);
  await upload(sel.serial, cev.name, cev.bytes);
  await app.signIn();
  await app.open("/activities/gpnodewaveforms");
  await app.page.getByRole("link", { name: `File ${cev.name} was uploaded` }).click();
  const { page } = app;
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Event File");
  await expect(page).toHaveTitle(/Admin - Event File/);
  await expect(fact(page, "Location")).toHaveText(sel.location);
  await expect(fact(page, "Relay")).toHaveText("SEL-751-R401-V0-Z101100-D20240308");
  await expect(fact(page, "Event").first()).toHaveText("Trip");
  await expect(plot(page, /^Current: IA -?\d.* A, IB/)).toBeVisible();
  await expect(plot(page, /^Voltage: VA/)).toBeVisible();
  await expect(plot(page, /^Digital channels: TRIP on from \d+.* ms, 52A on from the start/)).toBeVisible();
  await expect(page.getByText("On throughout: IN101")).toBeVisible();
  await expect(page.getByLabel(`Text of ${cev.name}`)).toContainText('"FID","CEV_VER","PART_NUM","SER_NUM"');
  await expect(fact(page, "Status")).toHaveText("Extracted");

  // The text is the file's, and the whole can be kept.
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download file" }).click();
  expect((await saved).suggestedFilename()).toBe(cev.name);
});

test("FEE-04 the waveform is zoomed by dragging, buttons and keys, and is a table, a picture and a CSV file", async ({ app, context }) => {
  const [cev] = freshFiles(sel.serial, ["cev"]) as [RelayFile];
  await (
    await uploader(context.request, sel.customer)
  )(sel.serial, cev.name, cev.bytes);
  const { page } = app;
  await app.signIn();
  await app.open(`/activity/eventfiles/${cev.name}`);
  await expect(hint(page)).toContainText("-66.7 to 182.3 ms from the trigger, 240 samples");
  const area = page.locator(".u-over").first();
  const box = (await area.boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.25, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 50, { steps: 4 });
  await page.mouse.up();
  await expect(hint(page)).toContainText(/^-?\d\.\d\d to 5\d\.\d\d ms from the trigger, 6\d samples/);
  await expect(page).toHaveURL(/from=-?0\.00\d+&to=0\.05\d+/);
  const zoomedHint = (await hint(page).textContent()) ?? "";
  await page.reload();
  await expect(hint(page)).toHaveText(zoomedHint);
  await page.getByRole("button", { name: "Zoom in" }).click();
  await expect(hint(page)).toContainText(/, 3\d samples/);
  await page.getByRole("button", { name: "Whole record" }).click();
  await expect(hint(page)).toContainText("240 samples");
  await expect(page.getByRole("button", { name: "Zoom out" })).toBeDisabled();

  const keys = page.getByRole("region", { name: /^Plot\. Left and right/ });
  await keys.focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByText(/^At 1\.0 ms: IA -?\d+ A, IB .*, TRIP 0, 52A 1/)).toBeVisible();
  await page.keyboard.press("+");
  await expect(hint(page)).toContainText(/, 12\d samples/);
  await page.keyboard.press("Home");
  await expect(hint(page)).toContainText("240 samples");
  await page.keyboard.press("+");
  await expect(hint(page)).toContainText(/, 12\d samples/);
  await area.dblclick({ position: { x: 50, y: 40 } });
  await expect(hint(page)).toContainText("240 samples");
  await area.hover({ position: { x: box.width - 2, y: 40 } });
  await expect(page.locator(".u-legend").first()).toContainText(/18\d\.\d ms/);

  await page.getByRole("button", { name: "Table" }).click();
  const table = page.getByRole("region", { name: "Values of the waveform" });
  await expect(table.getByRole("columnheader").first()).toHaveText("Time (ms)");
  await expect(table.getByRole("row").nth(1)).toContainText("-66.667");
  for (const [button, name] of [
    ["Save CSV", `${cev.name}.csv`],
    ["Save plot", `${cev.name}.png`],
  ]) {
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: button }).click();
    expect((await saved).suggestedFilename()).toBe(name);
  }
});

test("FEE-04 a COMTRADE pair: the configuration says that its data is missing, and shows the record once it has come", async ({
  app,
  context,
}) => {
  const [cfg, dat] = freshFiles(ge.serial, ["cfg", "dat"]) as [RelayFile, RelayFile];
  const upload = await uploader(context.request, ge.customer);
  await upload(ge.serial, cfg.name, cfg.bytes);
  const { page } = app;
  await app.signIn();
  await app.open(`/activity/eventfiles/${cfg.name}`);
  await expect(page.getByRole("alert")).toHaveText(`The file ${dat.name} with the data is missing.`);
  await expect(fact(page, "Station")).toHaveText(ge.location);
  await expect(fact(page, "Status")).toHaveText("Pending");
  await expect(page.getByLabel(`Text of ${cfg.name}`)).toContainText("7A,8D");
  await expect(page.getByRole("region", { name: "Waveform" })).toBeHidden();
  await upload(ge.serial, dat.name, dat.bytes);
  await expect(plot(page, /^Current: IA/)).toBeVisible();
  await expect(page.getByRole("alert")).toBeHidden();
  await page.getByRole("link", { name: dat.name }).click();
  await expect(fact(page, "Configuration")).toHaveText(cfg.name);
  await expect(plot(page, /^Current: IA/)).toBeVisible();
});

test("FEE-04 a broken file says why it failed, and still shows its labels and its text; nothing in it is markup", async ({
  app,
  context,
}) => {
  const [cev] = freshFiles(sel.serial, ["cev"]) as [RelayFile];
  const text = gunzipSync(cev.bytes).toString("latin1");
  const hostile = text.replace('"NUM_OF_CYC"', '"NUM_OF_CYX"').concat("</pre><img src=x onerror='window.__xss = 1'>\u202E");
  await (
    await uploader(context.request, sel.customer)
  )(sel.serial, cev.name, gzipSync(hostile));
  const { page } = app;
  await app.signIn();
  await app.open(`/activity/eventfiles/${cev.name}`);
  await expect(page.getByRole("alert")).toHaveText("CEV line 5: checksum mismatch.");
  await expect(fact(page, "Status")).toHaveText("Failed");
  await expect(fact(page, "Failed reason")).toHaveText("CEV line 5: checksum mismatch");
  await expect(fact(page, "Relay")).toHaveText("SEL-751-R401-V0-Z101100-D20240308");
  await expect(page.getByLabel(`Text of ${cev.name}`)).toContainText("</pre><img src=x onerror='window.__xss = 1'>‹U+202E›");
  expect(await page.evaluate(() => "__xss" in window)).toBe(false);
});

test("FEE-04 a file that is not there, a name that is none; the node's files lead to the event", async ({ app }) => {
  const { page } = app;
  await app.signIn();
  await app.open("/activity/eventfiles/10001_20260106T143000Z_E0001.cev");
  await expect(page.getByText("File 10001_20260106T143000Z_E0001.cev was not found")).toBeVisible();
  await expect(page.getByRole("link", { name: "Event files of this node" })).toHaveAttribute(
    "href",
    "#/node-dashboard/10001/files?kinds=E",
  );
  await app.open("/activity/eventfiles/..%2F..%2Fetc");
  await expect(page.getByRole("alert")).toContainText("This could not be loaded");
  await app.open(`/node-dashboard/${sel.serial}/files?kinds=E`);
  const link = page.getByRole("link", { name: /^Event of 11001_.*\.cev$/ }).first();
  const name = /Event of (.*)/.exec((await link.getAttribute("aria-label")) ?? "")?.[1] ?? "";
  await link.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Event File");
  await expect(page).toHaveURL(new RegExp(`/activity/eventfiles/${name}`));
});
