import type { Page } from "@playwright/test";
import { expect, test, type Console } from "./fixtures.ts";
import { act, addOwnLocation, addOwnNode, addOwnPlace, send, type OwnLocation } from "./location-world.ts";

const hour = 3_600;
const now = () => Math.floor(Date.now() / 1000);
const section = (page: Page, name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });
const items = (page: Page) => page.getByRole("list", { name: "Notes" }).getByRole("listitem");
const addNote = (page: Page, location: OwnLocation, fields: object) =>
  send<{ id: number }>(page, "POST", `/v2/locations/${location.id}/notes`, { timestamp: now() - hour, ...fields });
const openNotes = (app: Console, { name }: OwnLocation) => act(app, name, `Notes for ${name}`);

test.beforeEach(async ({ app }) => {
  await app.signIn();
});

test("NOT-01 title, zone and three expanders of which one is open; edit opens by the pencil only", async ({ app }) => {
  const { page } = app;
  const location = await addOwnLocation(page, await addOwnPlace(page), { timezone: "Asia/Kolkata" });
  await addNote(page, location, { note: "Belt replaced" });
  await openNotes(app, location);
  await expect(page.getByRole("dialog", { name: `Notes for ${location.name}` })).toBeVisible();
  await expect(page.getByText("Time zone: Asia/Kolkata")).toBeVisible();
  const states = async () =>
    await Promise.all(["Add a new note", "Edit a note", "Current notes"].map((name) => section(page, name).getAttribute("aria-expanded")));
  await expect.poll(states).toEqual(["false", "false", "true"]);
  await expect(section(page, "Edit a note")).toBeDisabled();
  await section(page, "Add a new note").press("Enter");
  await expect.poll(states).toEqual(["true", "false", "false"]);
  await section(page, "Add a new note").press("Enter");
  await expect.poll(states).toEqual(["false", "false", "true"]);
  await items(page).getByRole("button", { name: "Edit note" }).click();
  await expect.poll(states).toEqual(["false", "true", "false"]);
  await section(page, "Add a new note").press("Enter");
  await expect.poll(states).toEqual(["true", "false", "false"]);
  await section(page, "Current notes").press("Enter");
  await expect.poll(states).toEqual(["false", "false", "true"]);
});

test("NOT-02 NOT-03 NOT-05 archived notes are requested, are last and offer only to be unarchived", async ({ app }) => {
  const { page } = app;
  const location = await addOwnLocation(page, await addOwnPlace(page));
  for (const [note, age] of [
    ["older", 3],
    ["newest", 1],
    ["middle", 2],
  ] as const)
    await addNote(page, location, { note, timestamp: now() - age * hour });
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "GET" && request.url().includes("/notes")) asked.push(new URL(request.url()).search);
  });
  await openNotes(app, location);
  await expect(items(page)).toContainText(["newest", "middle", "older"]);
  await items(page).filter({ hasText: "newest" }).getByRole("button", { name: "Archive note" }).click();
  await expect(page.getByText("Note archived successfully")).toBeVisible();
  await expect(items(page)).toContainText(["middle", "older"]);
  await page.getByRole("checkbox", { name: "Show Archived Notes" }).check();
  await expect(items(page)).toContainText(["middle", "older", "newest"]);
  expect(asked[0]).toBe("");
  expect(asked.at(-1)).toBe("?include_archived=true");
  const archived = items(page).filter({ hasText: "newest" });
  await expect(archived.getByRole("button")).toHaveCount(1);
  await expect(items(page).filter({ hasText: "middle" }).getByRole("button")).toHaveCount(2);
  await archived.getByRole("button", { name: "Unarchive note" }).click();
  await expect(page.getByText("Note unarchived successfully")).toBeVisible();
  await expect(items(page)).toContainText(["newest", "middle", "older"]);
});

test("NOT-04 NOT-05 NOT-06 COM-08 a note is added and changed; times are the location's", async ({ app }) => {
  const { page } = app;
  const location = await addOwnLocation(page, await addOwnPlace(page));
  await openNotes(app, location);
  await expect(page.getByText("This location has no active notes. Add one above.")).toBeVisible();
  await section(page, "Add a new note").click();
  const time = page.getByRole("textbox", { name: "Date and time" });
  const note = page.getByRole("textbox", { name: "Note", exact: true });
  const add = page.getByRole("button", { name: "Add", exact: true });
  await expect(add).toBeDisabled();
  await expect(page.getByText("Please correct the fields marked in red to enable Add button.")).toBeVisible();
  await note.fill("Belt\nreplaced <b>twice</b>");
  await expect(add).toBeEnabled();
  for (const [text, problem] of [
    ["", "Write it as yyyy-M-d or yyyy-M-d H:MM:SS, years 2010 to 2059"],
    ["2009-1-1", "Write it as yyyy-M-d or yyyy-M-d H:MM:SS, years 2010 to 2059"],
    ["2026-02-30", "There is no such day"],
    ["2027-03-14 02:30:00", "Clocks in America/Chicago skip this time"],
  ] as const) {
    await time.fill(text);
    await expect(page.getByText(problem)).toBeVisible();
    await expect(time).toHaveAttribute("aria-invalid", "true");
    await expect(add).toBeDisabled();
  }
  await time.fill("2026-11-1 1:30:00");
  await expect(page.getByText("You entered 2026-11-01 06:30:00 UTC")).toBeVisible();
  await expect(time).not.toHaveAttribute("aria-invalid", "true");
  await page.getByRole("textbox", { name: "Details" }).fill("Internal words");
  await page.getByRole("checkbox", { name: "Show in current plot" }).uncheck();
  await add.click();
  await expect(page.getByText("Note saved successfully")).toBeVisible();
  const item = items(page).first();
  await expect(item).toContainText("2026-11-01 01:30:00 CDT");
  await expect(item).toContainText("replaced <b>twice</b>");
  await expect(item).toContainText("In plots of voltage, accumulated amp hours");
  await expect(item).toContainText(/Updated by Theo Marchbank at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d C[SD]T/);

  await item.getByRole("button", { name: "Edit note" }).click();
  await expect(time).toHaveValue("2026-11-01 01:30:00");
  await expect(page.getByRole("checkbox", { name: "Show in current plot" })).not.toBeChecked();
  await note.fill("Belt tightened");
  await page.getByRole("button", { name: "Update", exact: true }).click();
  await expect(page.getByText("Note saved successfully")).toBeVisible();
  await expect(items(page)).toHaveCount(1);
  await expect(items(page).first()).toContainText("Belt tightened");
});

test("NOT-01 COM-01 by keyboard: the focus goes with the section that opens, and never out of the dialog", async ({ app }) => {
  const { page } = app;
  const location = await addOwnLocation(page, await addOwnPlace(page));
  await addNote(page, location, { note: "Belt replaced" });
  await openNotes(app, location);
  await items(page).getByRole("button", { name: "Edit note" }).press("Enter");
  await expect(page.getByRole("textbox", { name: "Note", exact: true })).toBeFocused();
  await page.getByRole("button", { name: "Update", exact: true }).press("Enter");
  await expect(section(page, "Current notes")).toBeFocused();
  await items(page).getByRole("button", { name: "Archive note" }).press("Enter");
  await expect(page.getByText("Note archived successfully")).toBeVisible();
  await expect(section(page, "Current notes")).toBeFocused();
});

test("NOT-05 the server's words are in the dialog when a note was changed by someone else", async ({ app }) => {
  const { page } = app;
  const location = await addOwnLocation(page, await addOwnPlace(page));
  const { id } = await addNote(page, location, { note: "First" });
  await openNotes(app, location);
  await items(page).getByRole("button", { name: "Edit note" }).click();
  await send(page, "POST", `/v2/locations/${location.id}/notes/${id}/archive`);
  await page.getByRole("textbox", { name: "Note", exact: true }).fill("Second");
  await page.getByRole("button", { name: "Update", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("This note is archived. Unarchive it before you change it");
});

test("NOT-04 NOT-06 plots show the notes that are flagged for them, as text and without details", async ({ app }) => {
  const { page } = app;
  const trap = "<img src=x onerror=window.__xss=1>";
  interface Row {
    serialNumber: string;
    locationId: number | null;
    lastScalarTimestamp: number | null;
    nodeConnected: boolean;
  }
  const { dashboardNodeMap } = await send<{ dashboardNodeMap: Record<string, Row> }>(page, "GET", "/node-dashboard");
  const node = Object.values(dashboardNodeMap).find((each) => each.nodeConnected && each.locationId !== null && each.lastScalarTimestamp);
  const serial = node?.serialNumber ?? "";
  const timestamp = (node?.lastScalarTimestamp ?? 0) - 300;
  const only = { showInVoltagePlot: false, showInCurrentPlot: false, showInAccumulatedAmpHoursPlot: false };
  const notes = `/v2/locations/${node?.locationId}/notes`;
  await send(page, "POST", notes, { timestamp, note: `volts ${trap}`, details: "canary", ...only, showInVoltagePlot: true });
  await send(page, "POST", notes, { timestamp: timestamp + 60, note: "amps only", details: "canary", ...only, showInCurrentPlot: true });
  await send(page, "POST", notes, { timestamp: timestamp + 90, note: "charge only", ...only, showInAccumulatedAmpHoursPlot: true });
  const answers: Promise<string>[] = [];
  page.on("response", (response) => {
    if (response.url().includes(`/nodes/${serial}/notes`)) answers.push(response.text());
  });
  await app.open(`/node-dashboard?filterText=${serial}`);
  await page.getByRole("button", { name: `Recent scalar history for ${serial}:` }).click();
  const dialog = page.getByRole("dialog", { name: `Recent scalar history for ${serial}` });
  const plot = (name: string) => dialog.getByRole("img", { name: new RegExp(`^${name}: `) });
  await expect(plot("Voltage, line to line")).toHaveAttribute("aria-label", /; note: volts <img src=x/);
  await expect(plot("Voltage, line to line")).not.toHaveAttribute("aria-label", /amps only|charge only/);
  await expect(plot("Current")).toHaveAttribute("aria-label", /; note: amps only$/);
  await expect(plot("Accumulated amp hours")).toHaveAttribute("aria-label", /; note: charge only$/);
  await expect(plot("Line frequency")).not.toHaveAttribute("aria-label", /note:/);
  await expect(dialog.getByRole("cell", { name: `Note: volts ${trap}` })).toBeAttached();
  expect((await Promise.all(answers)).join("")).not.toContain("canary");
  expect(await page.evaluate(() => (window as { __xss?: number }).__xss)).toBeUndefined();
});

test("notes on a narrow screen and by keyboard", async ({ app }) => {
  const { page } = app;
  await page.setViewportSize({ width: 390, height: 844 });
  const location = await addOwnLocation(page, await addOwnPlace(page), { nodeSerialNumber: await addOwnNode(page) });
  await addNote(page, location, { note: "x".repeat(300) });
  await app.open(`/customers?filterText=${encodeURIComponent(location.name)}`);
  await page.getByRole("button", { name: `Actions of ${location.name}` }).click();
  await page.getByRole("menuitem", { name: `Notes for ${location.name}` }).click();
  await expect(items(page)).toHaveCount(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeVisible();
});
