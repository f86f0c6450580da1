import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

let server: TestApp;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("fields", []));
});
afterAll(() => server.stop());

const send = (method: "POST" | "PATCH", path: string, payload: object) => server.call({ method, url: `/api${path}`, token, payload });
const idOf = async (path: string, payload: object) => {
  const { json } = await send("POST", path, payload);
  return (json["data"] as { id: number }).id;
};

test("A-20 a refusal names the part of the request that a form marks, also when it is a conflict", async () => {
  const node = (serialNumber: string) => ({ serialNumber, container: "Box", newDeploymentStatus: "Unassigned" });
  const location = (name: string) => ({ name, equipmentType: "InductionMotor", timezone: "America/Chicago", nodeSerialNumber: "61001" });
  const customerId = await idOf("/customers", { code: "marked", name: "Marked" });
  const facilities = `/customers/${customerId}/facilities`;
  const locations = `${facilities}/${await idOf(facilities, { name: "Works", siteName: "Site" })}/locations`;
  await idOf("/nodes", node("61001"));
  await idOf(locations, location("Pump"));

  for (const [path, payload, status, field] of [
    ["/customers", { code: "marked", name: "Another" }, 409, "code"],
    ["/customers", { code: "x1", name: "Another" }, 400, "code"],
    [facilities, { name: "Works", siteName: "Site" }, 409, "name"],
    [facilities, { name: "Works", siteName: "" }, 400, "siteName"],
    ["/nodes", node("61001"), 409, "serialNumber"],
    ["/nodes", { ...node("61002"), container: "" }, 400, "container"],
    [locations, location("Fan"), 409, "nodeSerialNumber"],
    [locations, { ...location("Fan"), nodeSerialNumber: "61009" }, 400, "nodeSerialNumber"],
    [
      `/customers/${customerId}/decommissionednodes`,
      { serialNumber: "61001", facilityName: "Works", siteName: "Site" },
      409,
      "serialNumber",
    ],
  ] as const) {
    const answer = await send("POST", path, payload);
    expect([path, answer.status, answer.json["field"]]).toEqual([path, status, field]);
  }
});

test("A-20 a refusal of the whole names no part", async () => {
  const { json } = await send("POST", "/customers/999999/facilities", { name: "Works", siteName: "Site" });
  expect(json).toEqual({ errorCode: "NOT_FOUND", errorMessage: expect.any(String) });
});
