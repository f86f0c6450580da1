import type { Node } from "@busbar/contract/directory/nodes.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace } from "#testing/test-world.ts";

let server: TestApp;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("ann"));
});
afterAll(() => server.stop());

const request = async (serial: number, payload: object) => {
  const { status, json } = await server.call({ method: "POST", url: `/api/nodes/${serial}/deployed`, token, payload });
  return { status, said: json["errorMessage"], node: json["data"] as Node };
};
const refused = async (serial: number, payload: object) => {
  const { status, said } = await request(serial, payload);
  return [status, said];
};
const rows = async <Row>(text: string, values: unknown[] = []) => (await server.database.pool.query(text, values)).rows as Row[];
const startOf = async (locationId: number) =>
  (await rows<{ day: string | null }>("select billing_start_date::text as day from location where id = $1", [locationId]))[0]?.day;
const waiting = { current_deployment_status: "Pre-Deployment", new_deployment_status: "Pre-Deployment" };

test("B-9 Deployed is requested with the billing start of the location, each with its activity", async () => {
  const { pool } = server.database;
  const mill = await addPlace(pool, "America/Chicago", "Cedar Milling");
  await addNode(pool, 51_001, mill, waiting);
  const { status, node } = await request(51_001, { billingStartDate: "2026-12-01", wiringReason: "The machine runs in spring" });
  expect(status).toBe(200);
  expect(node).toMatchObject({ newDeploymentStatus: "Deployed", currentDeploymentStatus: "Pre-Deployment" });
  expect(await startOf(mill.locationId)).toBe("2026-12-01");
  const said = await rows<{ description: string }>("select description from activity order by id desc limit 2");
  expect(said.map(({ description }) => description)).toEqual([
    expect.stringMatching(/^Node 51001: status Deployed from .* on without a wiring verdict: The machine runs in spring$/),
    "Location Feed Pump 1: billingStartDate changed",
  ]);
  expect(await refused(51_001, { billingStartDate: "2026-12-02" })).toEqual([409, "Billing of Feed Pump 1 starts 2026-12-01 already"]);
});

test("what is refused leaves status and billing start as they were", async () => {
  const { pool } = server.database;
  const yard = await addPlace(pool, "UTC", "Birch Yard");
  await addNode(pool, 51_011, yard, waiting);
  await addNode(pool, 51_012, undefined, waiting);
  await rows("insert into node_assignment (serial_number, location_id, slot) values (51012, $1, 2)", [yard.locationId]);
  await addNode(pool, 51_013);
  const reason = { wiringReason: "A trial" };
  expect(await refused(51_011, { billingStartDate: "2026-12-01" })).toEqual([400, "wiringReason: It has no wiring verdict: give a reason"]);
  expect(await refused(51_011, { billingStartDate: "2026-13-01", ...reason })).toEqual([
    400,
    "billingStartDate: Billing start date is a day, YYYY-MM-DD",
  ]);
  const stale = await request(51_011, { billingStartDate: "2026-12-01", revision: 99, ...reason });
  expect(stale.status).toBe(409);
  expect(await refused(51_012, { billingStartDate: "2026-12-01", ...reason })).toEqual([
    409,
    "Billing goes by the primary node of Feed Pump 1, which 51012 is not",
  ]);
  expect(await refused(51_013, reason)).toEqual([409, "Node 51013 is at no location and cannot become Deployed"]);
  expect(await refused(51_014, reason)).toEqual([404, "Node 51014 was not found"]);
  expect(await startOf(yard.locationId)).toBeNull();
  expect(await rows("select from node where serial_number in (51011, 51012) and new_deployment_status = 'Deployed'")).toEqual([]);
});

test("billing stays as it is without a day, such as for a replaced node", async () => {
  const { pool } = server.database;
  const dock = await addPlace(pool, "UTC", "Elm Dock");
  await addNode(pool, 51_021, dock, waiting);
  for (const payload of [{ wiringReason: "A trial" }, { billingStartDate: null }])
    expect((await request(51_021, payload)).status).toBe(200);
  expect(await startOf(dock.locationId)).toBeNull();
});
