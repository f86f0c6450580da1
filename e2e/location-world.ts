import { randomInt } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, world, type Console } from "./fixtures.ts";

/** Letters that no other test has. */
export const unique = () => Array.from({ length: 8 }, () => String.fromCharCode(97 + randomInt(26))).join("");

/** A call of the API as the person who is signed in; its data. */
export async function send<T>(page: Page, method: "GET" | "POST" | "PATCH" | "DELETE", path: string, data?: object): Promise<T> {
  const token = (await page.context().cookies()).find(({ name }) => name === "admin-token")?.value ?? "";
  const headers: Record<string, string> = path.startsWith("/v2/") ? { authorization: `Bearer ${token}` } : { token };
  const response = await page.context().request.fetch(`${world().url}/api${path}`, { method, headers, ...(data ? { data } : {}) });
  expect([path, response.status(), response.ok() ? "" : await response.text()]).toEqual([path, 200, ""]);
  return ((await response.json()) as { data: T }).data;
}

export interface OwnPlace {
  customerId: number;
  facilityId: number;
  customer: string;
  facility: string;
}

/** A customer of one test alone with one facility. */
export async function addOwnPlace(page: Page): Promise<OwnPlace> {
  const code = unique();
  const { id: customerId } = await send<{ id: number }>(page, "POST", "/customers", { code, name: `Customer ${code}` });
  const body = { name: `Works ${code}`, siteName: "Site" };
  const { id: facilityId } = await send<{ id: number }>(page, "POST", `/customers/${customerId}/facilities`, body);
  return { customerId, facilityId, customer: `Customer ${code}`, facility: `Works ${code}` };
}

export interface OwnLocation extends OwnPlace {
  id: number;
  name: string;
}

export async function addOwnLocation(page: Page, place: OwnPlace, fields: object = {}): Promise<OwnLocation> {
  const name = `Pump ${unique()}`;
  const { id } = await send<{ id: number }>(page, "POST", `/customers/${place.customerId}/facilities/${place.facilityId}/locations`, {
    name,
    equipmentType: "InductionMotor",
    timezone: "America/Chicago",
    ...fields,
  });
  return { ...place, id, name };
}

/** A free node that no one else has. */
export async function addOwnNode(page: Page, fields: object = {}): Promise<string> {
  const serialNumber = String(randomInt(50_000, 89_000));
  await send(page, "POST", "/nodes", { serialNumber, container: "Box", newDeploymentStatus: "Unassigned", ...fields });
  return serialNumber;
}

/** Presses an action of the customer tree, where its row is found by the filter. */
export async function act({ page, ...app }: Console, filterText: string, action: string): Promise<void> {
  await page.goto("about:blank");
  await app.open(`/customers?filterText=${encodeURIComponent(filterText)}`);
  const button = page.getByRole("tree", { name: "Customers" }).getByRole("button", { name: action, exact: true });
  await button.focus();
  await button.press("Enter");
}

/** Chooses an entry of a list that opens beside its field. */
export async function choose(page: Page, field: string, option: string | RegExp): Promise<void> {
  await page.getByRole("dialog").last().getByRole("combobox", { name: field, exact: true }).click();
  await page.getByRole("option", { name: option }).first().click();
}
