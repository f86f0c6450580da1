import { expect, test } from "./fixtures.ts";

const serial = "10102";

test.beforeEach(async ({ app }) => {
  await app.signIn("staff");
  const { page, open } = app;
  await open(`/node-dashboard/${serial}/files`);
  const row = page.getByRole("grid", { name: "Files" }).locator("tbody tr", { hasText: "Extracted" }).nth(1);
  await row.getByRole("link", { name: /^Data point of/ }).click();
  await expect(page.getByRole("heading", { name: "Nameplate" })).toBeVisible();
});

const timeOf = (url: string) => Number(/sensordata\/(\d+)\/current$/.exec(url)?.[1]);

test("SEN-01 SEN-02 previous and next go to the neighbours, and the address becomes current with the record's time", async ({
  app: { page, open },
}) => {
  const here = timeOf(page.url());
  expect(here % 900).toBe(0);
  await page.getByRole("link", { name: "Previous" }).click();
  await expect(page).toHaveURL(new RegExp(`/node-dashboard/${serial}/sensordata/${here - 900}/current$`));
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page).toHaveURL(new RegExp(`/sensordata/${here}/current$`));
  await open(`/node-dashboard/${serial}/sensordata/${here + 400}/current`);
  await expect(page).toHaveURL(new RegExp(`/sensordata/${here}/current$`));
  // The steps replaced the address: one step back leaves the record.
  await open(`/node-dashboard/${serial}/sensordata/1000000000/previous`);
  await expect(page.getByText(`Earlier sensor data of node ${serial} was not found`)).toBeVisible();
  await open(`/node-dashboard/${serial}/sensordata/soon/next`);
  await expect(page.getByText("This address names no record")).toBeVisible();
});

test("SEN-03 SEN-04 four groups, harmonics as a table and as bars, and the record's own fields", async ({ app: { page } }) => {
  const section = (name: string) => page.getByRole("region", { name, exact: true });
  await expect(section("Nameplate")).toContainText("npVoltage");
  await expect(section("Field Node")).toContainText("fieldCurrentAvg");
  await expect(section("Sensor Data").getByRole("row", { name: /^Voltage voltage V [\d.]+ [\d.]+ [\d.]+ [\d.]+( .+)?$/ })).toBeVisible();
  await expect(section("Sensor Data")).toContainText("voltageImbalance");
  await expect(section("Sensor Data")).not.toContainText("harmonic");
  const harmonics = section("Harmonics");
  await expect(harmonics.getByRole("columnheader")).toHaveText(["Order", "V1", "V2", "V3", "I1", "I2", "I3"]);
  await expect(harmonics.getByRole("rowheader")).toHaveText(Array.from({ length: 25 }, (_, index) => String(index + 1).padStart(3, "0")));
  await expect(
    harmonics.getByRole("img", { name: /^Harmonics of V1 by order in % of the fundamental; the largest is order \d+ with / }),
  ).toBeVisible();
  await harmonics.getByLabel("Channel").selectOption("I2");
  await expect(harmonics.getByRole("img", { name: /^Harmonics of I2 by order in A/ })).toBeVisible();
  const fact = (name: string) => page.locator(".sensor-facts > div", { has: page.getByText(name, { exact: true }) }).locator("dd");
  await expect(fact("Source file")).toHaveText(/^10102_\d{8}T\d{6}Z_D0900\.txt$/);
  await expect(fact("Processed")).toHaveText("Extracted");
  // The service looks at new records every 15 s.
  await expect(async () => {
    await page.reload();
    await expect(fact("Data analysis service processed")).toHaveText("Yes");
  }).toPass();
  await expect(fact("Failed reason")).toHaveText("–");
  await fact("Source file").getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("File Contents");
});
