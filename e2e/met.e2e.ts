import type { Page } from "@playwright/test";
import { expect, test, world, type Console } from "./fixtures.ts";
import { oddNodes } from "./odd-nodes.ts";

const module = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const valueOf = (page: Page, moduleName: string, label: string) =>
  module(page, moduleName)
    .getByRole("definition")
    .and(page.locator(`dt:has-text("${label}") + dd`));

/** The metering link of the first node on the dashboard that the filter finds, followed. */
async function openMetering({ page, ...app }: Console, filter: string): Promise<string> {
  await app.open(`/node-dashboard?filterText=${encodeURIComponent(filter)}&show=deployed,preDeployment,unassigned,decommissioned,external`);
  const link = page.getByRole("link", { name: /^Metering of/ }).first();
  const href = (await link.getAttribute("href")) ?? "";
  await link.click();
  await expect(page).toHaveURL(new RegExp(`${href}$`));
  return href;
}

test.beforeEach(async ({ app }) => {
  await app.signIn();
});

test("MET-01 MET-05 DSH-10 from the dashboard to a running meter: values every second, none with more than 2 decimals", async ({ app }) => {
  const asked: string[] = [];
  app.page.on("request", (request) => {
    if (request.url().includes("/metering?")) asked.push(request.url());
  });
  const href = await openMetering(app, "Boiler Feed Pump 1");
  const [, , locationId, serial] = href.split("/");
  await expect(app.page.getByRole("heading", { level: 1 })).toHaveText(`Metering ${serial}`);
  await expect(module(app.page, "Phases")).toBeVisible();
  expect(asked[0]).toBe(`${world().url}/api/locations/${locationId}/metering?string=true`);
  await expect(app.page.getByText("Metering", { exact: true })).toBeVisible();
  // The lease that the polls renew makes the node publish every second.
  const age = module(app.page, "Phases").getByRole("heading");
  await expect(age).toHaveText(/Phases\s*(just now|1 second ago|2 seconds ago)/);
  const line = app.page.locator(".meter-string");
  const shown = new Set<string>();
  await expect.poll(async () => shown.add((await line.textContent()) ?? "").size).toBeGreaterThan(3);

  const table = module(app.page, "Phases").getByRole("table");
  await expect(table.getByRole("columnheader")).toHaveText(["Quantity", "Mean / total", "Phase 1", "Phase 2", "Phase 3"]);
  await expect(table.getByRole("rowheader")).toHaveText([/^Current/, /^Voltage line to line/, /^Power\s*kW/, /^Power factor/]);
  for (const cell of await table.getByRole("cell").allTextContents()) expect(cell).toMatch(/^-?\d+(\.\d{1,2})?$/);
  for (const label of ["Power", "Shaft power", "Apparent power", "Reactive power"]) {
    await expect(valueOf(app.page, "Power", label).first()).toHaveText(/^\d+(\.\d{1,2})? (kW|hp|kVA|kVAr)$/);
  }
  await expect(valueOf(app.page, "Supply", "Line frequency")).toHaveText(/^(59|60)(\.\d{1,2})? Hz$/);
  await expect(valueOf(app.page, "Since the last reset", "Running time")).toHaveText(/days$/);
  await expect(module(app.page, "Average power").getByRole("term")).toHaveText([
    "Today, average",
    "Today, peak",
    "Daily, average",
    "Daily, peak",
  ]);
  await expect(module(app.page, "Phase split").getByRole("definition")).toHaveCount(3);
  await expect(app.page.getByRole("img", { name: /^Phasor diagram: V1 .* V at 0°/ })).toBeVisible();
  await expect(app.page.getByRole("img", { name: /^Currents of the last minute: \d+ values/ })).toBeVisible();
});

test("MET-02 line to neutral changes the volts, not the power; without live metering nothing is requested", async ({ app }) => {
  await openMetering(app, "Boiler Feed Pump 1");
  const voltage = module(app.page, "Phases")
    .getByRole("row", { name: /^Voltage/ })
    .getByRole("cell")
    .first();
  await expect(voltage).toHaveText(/^4\d\d/);
  const polled = app.page.waitForRequest((request) => request.url().endsWith("metering?string=true&doLineToNeutral=true"));
  await app.page.getByRole("checkbox", { name: "Line to Neutral" }).check();
  await polled;
  await expect(voltage).toHaveText(/^2\d\d/);
  await expect(app.page.locator(".meter-string")).toContainText("V L-N");
  const live = app.page.getByRole("checkbox", { name: "Live Metering" });
  await expect(live).toBeChecked();
  await live.uncheck();
  // Nothing new comes: the age of what is there grows.
  await expect(module(app.page, "Phases").getByRole("heading")).toHaveText(/[4-9] seconds ago/);
  await live.check();
  await expect(module(app.page, "Phases").getByRole("heading")).toHaveText(/(just now|[12] seconds? ago)/);
});

test("MET-03 a reset starts the node's accumulators at zero", async ({ app }) => {
  await openMetering(app, "Intake Pump 1");
  const energy = valueOf(app.page, "Since the last reset", "Energy").first();
  await expect(energy).toHaveText(/^0\.\d*[1-9]|^[1-9]/);
  const before = Number.parseFloat((await energy.textContent()) ?? "");
  await app.page.getByRole("button", { name: "Reset", exact: true }).click();
  await app.page.getByRole("dialog").getByRole("button", { name: "Reset metering" }).click();
  await expect(app.page.getByText(/^Metering of node \d+ was reset/)).toBeVisible();
  await expect.poll(async () => Number.parseFloat((await energy.textContent()) ?? "")).toBeLessThan(before);
});

test("MET-05 a DC machine: one circuit, its field from the second node, no frequency and no split", async ({ app }) => {
  await openMetering(app, "Winder Drive");
  await expect(module(app.page, "Field")).toBeVisible();
  await expect(valueOf(app.page, "Field", "Field voltage")).toHaveText(/^\d+(\.\d{1,2})? V$/);
  await expect(module(app.page, "Phases").getByRole("columnheader")).toHaveText(["Quantity", "Value"]);
  await expect(module(app.page, "Supply")).toHaveCount(0);
  await expect(module(app.page, "Phase split")).toHaveCount(0);
});

test("MET-05 a main shows the power factor in place of horse power, and a relay there has no meter", async ({ app }) => {
  await openMetering(app, "Corrugator Main");
  await expect(app.page.getByText("Waiting...")).toBeVisible();
  await expect(app.page.getByText("Not metering", { exact: true })).toBeVisible();
});

test("MET-04 a node that is not connected keeps its last values and says so; a place that does not exist fails in the exact words", async ({
  app,
}) => {
  await openMetering(app, oddNodes.everything);
  await expect(app.page.getByRole("alert")).toContainText(`Node ${oddNodes.everything} is not connected`);
  await expect(app.page.getByText("Not connected", { exact: true })).toBeVisible();
  await app.open("/node-dashboard/999999/90001/metering");
  await expect(
    app.page.getByText("Failed to load metering for 90001. This location was not found: it may have been deleted"),
  ).toBeVisible();
});

test("MET-06 raw metering lists every metric by its own name, and saves it", async ({ app }) => {
  await openMetering(app, "Boiler Feed Pump 1");
  await app.page.getByRole("button", { name: "Raw" }).click();
  const dialog = app.page.getByRole("dialog", { name: /^Raw metering of \d+$/ });
  await expect(dialog.getByRole("row")).toHaveCount(27);
  await expect(dialog.getByRole("row", { name: /^Scalar\/LF 6?5?9?\d*\.\d+ Hz/ })).toBeVisible();
  await expect(dialog.getByRole("row", { name: /^Meter\/kWh/ })).toBeVisible();
  const download = app.page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Save CSV" }).click();
  expect((await download).suggestedFilename()).toMatch(/^metering-\d+\.csv$/);
  await app.page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).press("Enter");
  await expect(app.page.getByRole("button", { name: "Raw" })).toBeFocused();
});

test("NOT-04 a note that is written while one watches is on the currents of the last minute, and the legend goes on", async ({ app }) => {
  const href = await openMetering(app, "Boiler Feed Pump 1");
  const locationId = href.split("/")[2];
  const currents = app.page.getByRole("img", { name: /^Currents of the last minute: \d+ values/ });
  await expect(currents).toBeVisible();
  const token = (await app.page.context().cookies()).find(({ name }) => name === "admin-token")!.value;
  const answer = await app.page.request.post(`${world().url}/api/v2/locations/${locationId}/notes`, {
    headers: { authorization: `Bearer ${token}` },
    data: { timestamp: Math.floor(Date.now() / 1000), note: "Discharge valve opened", details: "", showInVoltagePlot: false },
  });
  expect(answer.status()).toBe(200);
  await expect(currents).toHaveAccessibleName(/; note: Discharge valve opened$/);
  await expect(app.page.getByRole("img", { name: /^Power of the last minute/ })).toHaveAccessibleName(/ kW$/);
  // Without a pointer on the plot the legend reads the newest values.
  const time = app.page.locator(".meter-trend").first().locator(".u-legend .u-value").first();
  const seen = new Set<string>();
  await expect.poll(async () => seen.add((await time.textContent()) ?? "").size).toBeGreaterThan(2);
});
