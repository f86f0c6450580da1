import { api, type EndpointName } from "@busbar/contract/api.ts";
import type { Location } from "@busbar/contract/directory/locations.ts";
import type { Node } from "@busbar/contract/directory/nodes.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDirectoryServer, type DirectoryServer } from "./directory.fixture.ts";

let directory: DirectoryServer;
beforeAll(async () => {
  directory = await createDirectoryServer();
});
afterAll(() => directory.stop());

interface World {
  customer: number;
  facility: number;
  /** A DC motor with two nodes. */
  location: number;
  primary: Node;
  secondary: Node;
  user: number;
}

let nextSerial = 36_001;
const data = async <T>(method: "GET" | "POST" | "PATCH", path: string, payload?: object): Promise<T> => {
  const { status, json, text } = await directory.send(method, path, payload);
  expect([`${method} ${path}`, status, status === 200 ? "" : text]).toEqual([`${method} ${path}`, 200, ""]);
  return json["data"] as T;
};
const addNode = () =>
  data<Node>("POST", "/nodes", { serialNumber: String(nextSerial++), container: "Rack", newDeploymentStatus: "Deployed" });

async function makeWorld(): Promise<World> {
  const customer = await directory.addCustomer();
  const facility = await directory.addFacility(customer);
  const [primary, secondary] = [await addNode(), await addNode()];
  const { id: location } = await data<Location>("POST", `/customers/${customer}/facilities/${facility}/locations`, {
    name: "Hoist 1",
    equipmentType: "DCMotor",
    timezone: "America/Chicago",
    nodeSerialNumber: primary.serialNumber,
    secondaryNodeSerialNumber: secondary.serialNumber,
  });
  const user = await directory.addUser(customer);
  return { customer, facility, location, primary, secondary, user };
}

/** An innocent change of everything around it. */
async function saveEverything({ customer, facility, location, primary, secondary, user }: World) {
  await data("PATCH", `/customers/${customer}`, { name: "Willow Board" });
  await data("PATCH", `/customers/${customer}/facilities/${facility}`, { siteName: "South" });
  await data("PATCH", `/customers/${customer}/facilities/${facility}/locations/${location}`, { channels: "v1" });
  for (const { id } of [primary, secondary]) await data("PATCH", `/nodes/${id}`, { container: "Rack 2" });
  await data("PATCH", `/users/${user}`, { firstName: "Robin" });
}

type Breaking = (world: World) => Promise<unknown>;
const now = () => Math.floor(directory.server.clock.now() / 1000);
const atOnce = () => ({ newDeploymentStatus: "Unassigned", newDeploymentStatusUpdateTimestamp: now() - 1 });

/** Changes of one object that rules of another object look at. */
const breaking: Partial<Record<EndpointName, Record<string, Breaking>>> = {
  updateCustomer: {
    "requires what its facilities lack": ({ customer }) =>
      data("PATCH", `/customers/${customer}`, { requireDivisionFacilityLocation: true, emailDomains: ["elsewhere.example"] }),
  },
  updateNode: {
    "the secondary node leaves by itself": ({ secondary }) => data("PATCH", `/nodes/${secondary.id}`, atOnce()),
    "the primary node leaves by itself": ({ primary }) => data("PATCH", `/nodes/${primary.id}`, atOnce()),
    "a relay without a nameplate, which is refused": async ({ primary }) => {
      for (const type of ["SEL", "GERelay"])
        expect(directory.said(await directory.send("PATCH", `/nodes/${primary.id}`, { type }))).toEqual([
          400,
          "type: Hoist 1 lacks nameplate numbers that a relay's location must have. Enter all seven there first",
        ]);
    },
  },
  updateUser: {
    "a manager goes to another customer": async ({ customer, facility, user }) => {
      await data("PATCH", `/customers/${customer}/facilities/${facility}/managers`, [user]);
      const other = await directory.addCustomer();
      const [{ code } = { code: "" }] = await directory.rows<{ code: string }>("select code from customer where id = $1", [other]);
      await data("PATCH", `/users/${user}`, { customerCode: code });
    },
  },
  setFacilityManagers: {
    "no one manages it": ({ customer, facility }) => data("PATCH", `/customers/${customer}/facilities/${facility}/managers`, []),
  },
};
/** They write one object that no rule of another object looks at, or what the other object says itself. */
const breakNothing = new Set<EndpointName>([
  "updateFacility",
  "moveFacility",
  "updateLocation",
  "moveLocation",
  "updateLocationNote",
  "patchNodeTask",
  "setNodeConfigValue",
  "setUserPassword",
  "refreshSession",
  "changeOwnPassword",
  "updateSystemConfig",
  "reloadSystemConfig",
  "enableServiceByPatch",
  "disableServiceByPatch",
  "enableAllServices",
  "disableAllServices",
  "runService",
  "updateIncident",
  "updateView",
  "steerBatch",
  "updateFacilitySubscriptions",
  "updateUserSubscriptions",
]);

describe("A-10 what one object becomes never keeps another one from being saved", () => {
  test("A-10 every call that changes something has been looked at", () => {
    const patches = Object.entries(api).filter(([, { method }]) => method === "PATCH");
    expect(patches.map(([name]) => name).toSorted()).toEqual([...Object.keys(breaking), ...breakNothing].toSorted());
  });

  const cases = Object.entries(breaking).flatMap(([call, changes]) =>
    Object.entries(changes).map(([what, make]) => [call, what, make] as const),
  );
  test.each(cases)("A-10 %s: %s", async (_call, _what, make) => {
    const world = await makeWorld();
    await make(world);
    await expect(saveEverything(world)).resolves.toBeUndefined();
  });

  test("A-10 a relay may be one once the nameplate is there, and the rule is asked when its fields are saved", async () => {
    const { customer, facility, location, primary } = await makeWorld();
    const path = `/customers/${customer}/facilities/${facility}/locations/${location}`;
    const nameplate = { npVoltage: 460, npCurrent: 112.8, npHp: 100, npRpm: 1780, npPoles: 4, npRotorBars: 0, npServiceFactor: 1.15 };
    await data("PATCH", path, nameplate);
    await data("PATCH", `/nodes/${primary.id}`, { type: "SEL" });
    expect(directory.said(await directory.send("PATCH", path, { npHp: null }))).toEqual([400, "npHp: Required for a relay node"]);
    // A row that is older than the rule.
    await directory.rows("update location set np_poles = null where id = $1", [location]);
    await data("PATCH", path, { channels: "v1" });
    expect(directory.said(await directory.send("PATCH", path, { npHp: 99 }))).toEqual([400, "npPoles: Required for a relay node"]);
    await data("PATCH", path, { npHp: 99, npPoles: 4 });
  });

  test("A-10 a relay and a location that loses its nameplate at the same moment: one of them is refused", async () => {
    for (let round = 0; round < 10; round++) {
      const { customer, facility, location, primary } = await makeWorld();
      const path = `/customers/${customer}/facilities/${facility}/locations/${location}`;
      await data("PATCH", path, {
        npVoltage: 460,
        npCurrent: 112.8,
        npHp: 100,
        npRpm: 1780,
        npPoles: 4,
        npRotorBars: 0,
        npServiceFactor: 1,
      });
      const answers = await Promise.all([
        directory.send("PATCH", `/nodes/${primary.id}`, { type: "SEL" }),
        directory.send("PATCH", path, { npHp: null }),
      ]);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    }
  });

  test("A-10 a facility of a customer that requires division and location is asked for them when one of them is saved", async () => {
    const { customer, facility } = await makeWorld();
    await data("PATCH", `/customers/${customer}`, { requireDivisionFacilityLocation: true });
    const save = (fields: object) => directory.send("PATCH", `/customers/${customer}/facilities/${facility}`, fields);
    expect((await save({ name: "Renamed Works" })).status).toBe(200);
    expect(directory.said(await save({ division: "OSB" }))).toEqual([
      400,
      "facilityLocation: Facility location is required for this customer",
    ]);
    expect((await save({ division: "OSB", facilityLocation: "1,2" })).status).toBe(200);
  });
});
