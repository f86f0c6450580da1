import { axeFindingsInAllLooks } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { addOwnLocation, addOwnNode, addOwnPlace, send } from "./location-world.ts";
import { taskNodes } from "./task-nodes.ts";

test("axe finds nothing on deployments, batches, changes of many and imports", async ({ app }) => {
  const { page } = app;
  await app.signIn("admin");
  const place = await addOwnPlace(page);
  await addOwnLocation(page, place);
  const serial = await addOwnNode(page, { newDeploymentStatus: "Pre-Deployment" });
  const order = { nodes: { serialNumbers: [serial], values: { dataPointInterval: 600 } } };
  const { rows } = await send<{ rows: { digest: string }[] }>(page, "POST", "/bulk-changes/plan", order);
  const digests = rows.map(({ digest }) => digest);
  const bulk = await send<{ id: number }>(page, "POST", "/bulk-changes", { ...order, digests });
  const batch = await send<{ id: number }>(page, "POST", "/batches", {
    serialNumbers: ["10101", serial],
    values: [{ key: "pq_delta_vf", value: "13" }],
  });
  const screens: Record<string, string> = {
    "/deployments": "Deployments",
    "/deployments?find=chkco": "Deployments",
    [`/deployments/${taskNodes.shown}`]: `Deployment of ${taskNodes.shown}`,
    [`/deployments/${serial}`]: `Deployment of ${serial}`,
    "/deployments/99999": "Deployment of 99999",
    "/batches": "Batches",
    [`/batches/new?nodes=10101,${serial}`]: "",
    [`/batches/${batch.id}`]: `Batch ${batch.id}`,
    [`/bulk/new?nodes=10101,${serial}`]: "",
    [`/bulk/${bulk.id}`]: "",
    "/import": "",
    "/changes": "Changes",
  };
  const found: string[] = [];
  for (const [path, title] of Object.entries(screens)) {
    await app.open(path);
    await expect(page.getByRole("heading", { level: 1 })).toContainText(title);
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    found.push(...(await axeFindingsInAllLooks(page)).map((finding) => `${path} ${finding}`));
  }
  expect(found).toEqual([]);

  // What asks for a place.
  await app.open(`/deployments/${serial}`);
  await page.getByRole("button", { name: "Place at a location" }).click();
  const dialog = page.getByRole("dialog", { name: `Place Node ${serial}` });
  await dialog.getByRole("combobox", { name: "Location" }).fill(place.facility);
  await page.getByRole("option", { name: new RegExp(place.facility) }).click();
  await expect(dialog.getByRole("combobox", { name: "Deployment Task Version" })).toHaveValue(/^NL-NF/);
  expect(await axeFindingsInAllLooks(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Place" }).click();
  await expect(page.getByText(`${place.customer.replace("Customer ", "")} / ${place.facility} /`)).toBeVisible();
  expect(await axeFindingsInAllLooks(page)).toEqual([]);
});
