import type { FreePlace } from "@busbar/contract/directory/free-places.ts";
import type { Node } from "@busbar/contract/directory/nodes.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, type TestPlace } from "#testing/test-world.ts";

let server: TestApp;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("ann"));
});
afterAll(() => server.stop());

const send = (method: "GET" | "POST" | "PATCH", path: string, payload?: object) =>
  server.call({ method, url: `/api${path}`, token, ...(payload ? { payload } : {}) });
const place = (serial: number, body: object) => send("POST", `/nodes/${serial}/place`, body);
const found = async (text: string) => {
  const { status, json } = await send("GET", `/free-places?text=${encodeURIComponent(text)}`);
  expect(status).toBe(200);
  return json["data"] as FreePlace[];
};
const rows = async <Row>(text: string, values: unknown[] = []) => (await server.database.pool.query(text, values)).rows as Row[];
const lastActivity = async () =>
  (await rows<{ description: string }>("select description from activity order by id desc limit 1"))[0]?.description;
async function addLocation({ facilityId }: TestPlace, name: string, equipmentType = "InductionMotor"): Promise<number> {
  const text = "insert into location (facility_id, name, timezone, equipment_type) values ($1, $2, 'UTC', $3) returning id";
  return (await rows<{ id: number }>(text, [facilityId, name, equipmentType]))[0]!.id;
}

test("a free place is found by words of its names, with the kind of deployment that it makes", async () => {
  const { pool } = server.database;
  const mill = await addPlace(pool, "UTC", "Cedar Milling");
  expect(await found("cedar")).toEqual([
    {
      locationId: mill.locationId,
      locationName: "Feed Pump 1",
      facilityName: "North Works",
      customerName: "Cedar Milling",
      customerCode: expect.any(String),
      deploymentTaskType: "NL-NF",
    },
  ]);
  await addNode(pool, 50_001, mill);
  const [saw, hoist] = [await addLocation(mill, "Saw 100%"), await addLocation(mill, "Hoist", "DCMotor")];
  expect(hoist).toBeGreaterThan(saw);
  expect((await found("cedar")).map(({ locationId, deploymentTaskType }) => [locationId, deploymentTaskType])).toEqual([[saw, "NL-EF"]]);
  // By their names, whichever was made first.
  await addLocation(mill, "Aspirator");
  expect((await found("cedar")).map(({ locationName }) => locationName)).toEqual(["Aspirator", "Saw 100%"]);
  for (const text of ["NORTH 100% saw", " milling  saw "]) expect((await found(text)).map(({ locationId }) => locationId)).toEqual([saw]);
  for (const text of ["cedar 100_", "cedar feed", String.raw`cedar \ `]) expect(await found(text)).toEqual([]);
  await rows("delete from node_assignment where serial_number = 50001");
  expect((await found("cedar feed"))[0]).toMatchObject({ locationId: mill.locationId, deploymentTaskType: "RMA" });
});

test("a node is placed with its kind in one call; one that is placed, and a place that is taken, are refused and nothing changes", async () => {
  const { pool } = server.database;
  const yard = await addPlace(pool, "UTC", "Birch Yard");
  await addNode(pool, 50_011, undefined, { current_deployment_status: "Unassigned", new_deployment_status: "Unassigned" });
  await addNode(pool, 50_012);
  const { status, json } = await place(50_011, { locationId: yard.locationId, deploymentTaskType: "NL-NF" });
  expect([status, json["data"]]).toEqual([200, expect.anything()]);
  expect(json["data"] as Node).toMatchObject({
    locationId: yard.locationId,
    slot: 1,
    deploymentTaskType: "NL-NF",
    currentDeploymentStatus: "Pre-Deployment",
  });
  const said = async (serial: number, body: object) => {
    const answer = await place(serial, body);
    return [answer.status, answer.json["errorMessage"]];
  };
  const other = await addLocation(yard, "Saw 2");
  expect(await said(50_011, { locationId: other })).toEqual([409, "Node 50011 is already at Birch Yard / North Works / Feed Pump 1"]);
  expect(await said(50_012, { locationId: yard.locationId, deploymentTaskType: "RMA" })).toEqual([
    409,
    "Node 50011 is at Feed Pump 1 already",
  ]);
  expect(await said(50_012, { locationId: await addLocation(yard, "Hoist", "DCMotor") })).toEqual([
    400,
    "secondaryNodeSerialNumber: A secondary node is required for DCMotor",
  ]);
  expect(await said(50_012, { locationId: 987_654 })).toEqual([404, "This location was not found: it may have been deleted"]);
  expect(await said(50_013, { locationId: other })).toEqual([404, "Node 50013 was not found"]);
  expect(await rows("select deployment_task_type from node where serial_number = 50012")).toEqual([{ deployment_task_type: null }]);
  // What someone chose for a node stays.
  await rows("update node set deployment_task_type = 'RMA' where serial_number = 50012");
  expect((await place(50_012, { locationId: other, deploymentTaskType: "NL-EF" })).json["data"]).toMatchObject({
    deploymentTaskType: "RMA",
  });
});

test("two places for one node, and two nodes for one place, at the same moment: one of them is refused", async () => {
  const { pool } = server.database;
  const mill = await addPlace(pool, "UTC", "Twin Mill");
  const second = await addLocation(mill, "Saw 3");
  for (const serial of [50_031, 50_032]) await addNode(pool, serial);
  const answers = await Promise.all([
    place(50_031, { locationId: mill.locationId }),
    place(50_031, { locationId: second }),
    place(50_032, { locationId: mill.locationId }),
    place(50_032, { locationId: second }),
  ]);
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(2);
  for (const { status } of answers) expect([200, 409]).toContain(status);
  const placed = await rows<{ serial: number; place: number }>(
    "select serial_number as serial, location_id as place from node_assignment where serial_number in (50031, 50032)",
  );
  expect(placed).toHaveLength(answers.filter(({ status }) => status === 200).length);
  expect(placed.length).toBeGreaterThan(0);
});

test("a node that is Deployed before it comes needs a reason, and every way to place it says why", async () => {
  const { pool } = server.database;
  const mill = await addPlace(pool, "UTC", "Alder Paper");
  const deployed = { current_deployment_status: "Deployed", new_deployment_status: "Deployed" };
  for (const serial of [50_021, 50_022, 50_023]) await addNode(pool, serial, undefined, deployed);
  const refused = await place(50_021, { locationId: mill.locationId, wiringReason: "  " });
  expect([refused.status, refused.json["errorMessage"]]).toEqual([400, "wiringReason: It has no wiring verdict: give a reason"]);
  expect(await rows("select from node_assignment where serial_number = 50021")).toEqual([]);
  expect((await place(50_021, { locationId: mill.locationId, wiringReason: "The machine runs in spring" })).status).toBe(200);
  expect(await lastActivity()).toBe(
    "Location Feed Pump 1: nodeSerialNumber changed; 50021 came; 50021 is Deployed without a wiring verdict: The machine runs in spring",
  );
  const locations = `/customers/${mill.customerId}/facilities/${mill.facilityId}/locations`;
  // The calls of the texts go on without one.
  const id = await addLocation(mill, "Saw 4");
  expect((await send("PATCH", `${locations}/${id}`, { nodeSerialNumber: "50022" })).status).toBe(200);
  expect(await lastActivity()).toBe(
    "Location Saw 4: nodeSerialNumber changed; 50022 came; 50022 is Deployed without a wiring verdict: no reason given",
  );
  const added = { name: "Saw 5", equipmentType: "InductionMotor", timezone: "America/Chicago", nodeSerialNumber: "50023" };
  expect((await send("POST", locations, { ...added, wiringReason: "A trial" })).status).toBe(200);
  expect(await lastActivity()).toBe(
    "Location Saw 5 was added to Alder Paper / North Works; 50023 came; 50023 is Deployed without a wiring verdict: A trial",
  );
});
