import {
  nameplateNames,
  type AvailableNode,
  type Location,
  type MoveTarget,
  type PlacedLocation,
} from "@busbar/contract/directory/locations.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDeploymentStatusRoll } from "#features/directory/nodes/deployment-status-roll.task.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, type TestPlace } from "#testing/test-world.ts";

let server: TestApp;
let token: string;
let sysToken: string;
let place: TestPlace;
let nextSerial = 30_001;

beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("pat"));
  sysToken = await server.login(await server.addAdministrator("robin", ["systemAdministrator"]));
  place = await addPlace(server.database.pool);
});
afterAll(() => server.stop());

const sql = async <Row extends object>(text: string, values: unknown[] = []) => (await server.database.pool.query<Row>(text, values)).rows;
async function freeNode(columns: Record<string, unknown> = {}): Promise<string> {
  const serial = nextSerial++;
  await addNode(server.database.pool, serial, undefined, columns);
  return String(serial);
}
const base = (at: TestPlace = place) => `/api/customers/${at.customerId}/facilities/${at.facilityId}/locations`;
const valid = { name: "Feed Pump 2", equipmentType: "InductionMotor", timezone: "America/Chicago" };
const post = (fields: object = {}, at?: TestPlace) =>
  server.call({ method: "POST", url: base(at), token, payload: { ...valid, ...fields } });
const patch = (id: number, fields: object, as = token, at?: TestPlace) =>
  server.call({ method: "PATCH", url: `${base(at)}/${id}`, token: as, payload: fields });
const created = async (fields: object = {}, at?: TestPlace): Promise<Location> => {
  const answer = await post(fields, at);
  expect([answer.status, answer.json["errorMessage"]]).toEqual([200, undefined]);
  return answer.json["data"] as Location;
};
const read = async (id: number) =>
  (await server.call({ method: "GET", url: `/api/locations/${id}`, token })).json["data"] as PlacedLocation;
const outcome = ({ status, json }: { status: number; json: Record<string, unknown> }) => [status, json["errorMessage"]];
const nodeRow = async (serial: string) =>
  (
    await sql<Record<string, string>>(
      `select current_deployment_status as current, new_deployment_status as next, unassigned_location as shelf from node where serial_number = $1`,
      [serial],
    )
  )[0];
const nameplate = { npVoltage: 460, npCurrent: 112.8, npHp: 100, npRpm: 1780, npPoles: 4, npRotorBars: 0, npServiceFactor: 1.15 };

describe("adding", () => {
  test("CUS-09 the defaults of a new location; it starts now and alerts as the defaults say", async () => {
    const location = await created();
    const now = Math.floor(server.clock.now() / 1000);
    expect(location).toEqual({
      ...valid,
      id: location.id,
      assetLocationNumber: "",
      customerXRefId: "",
      nodeSerialNumber: null,
      secondaryNodeSerialNumber: null,
      equipmentStartTimestamp: now,
      billingStartDate: null,
      billingEndDate: null,
      paidThruDate: null,
      notifyMissedData: true,
      starter: "",
      loadApplication: "",
      voltageTapLocation: "",
      ctLocation: "",
      channels: null,
      ...Object.fromEntries(nameplateNames.map((name) => [name, null])),
      faultLibraryAlertFlags: {},
      harmonicSignatures: [],
      nodes: [],
      revision: 1,
    });
    expect(await read(location.id)).toEqual({
      ...location,
      customerId: place.customerId,
      customerCode: expect.stringMatching(/^test/),
      customerName: "Alder Pumping",
      facilityId: place.facilityId,
      facilityName: "North Works",
      noteCount: 0,
      nodeHistory: [],
    });
  });

  test("CUS-10 blanks around a name are not kept, and do not count as characters", async () => {
    expect(await created({ name: "  Feed Pump 9 ", channels: " v12 " })).toMatchObject({ name: "Feed Pump 9", channels: "v12" });
    expect((await post({ name: "A " })).status).toBe(400);
  });

  test("CUS-09 CUS-15 every field is kept as it was given", async () => {
    const [serial, secondary] = [await freeNode(), await freeNode()];
    const fields = {
      name: "Rolling Mill 4, stand 2.",
      assetLocationNumber: "A-17 <b>",
      customerXRefId: "x/9",
      equipmentType: "DCMotor",
      timezone: "Asia/Kolkata",
      nodeSerialNumber: serial,
      secondaryNodeSerialNumber: secondary,
      equipmentStartTimestamp: 1_262_304_000,
      billingStartDate: "2026-02-28",
      billingEndDate: "2026-02-28",
      paidThruDate: "2028-02-29",
      notifyMissedData: false,
      starter: "DC Armature",
      loadApplication: "Belt + load sharing",
      voltageTapLocation: "Line side",
      ctLocation: "Motor Load + Auxiliary",
      channels: "v12i3",
      ...nameplate,
      faultLibraryAlertFlags: { voltageSag: false, rotorBar: true },
      harmonicSignatures: [
        ["Outer race", "+29.50;-3;.25;60."],
        ["A_b-2", "0"],
      ],
    };
    const location = await created(fields);
    expect(location).toMatchObject({
      ...fields,
      harmonicSignatures: [
        ["Outer race", "29.5;-3;0.25;60"],
        ["A_b-2", "0"],
      ],
    });
    expect(location.nodes.map(({ serialNumber }) => serialNumber)).toEqual([serial, secondary]);
    expect(await read(location.id)).toMatchObject(location);
    expect(await sql("select harmonic_signatures as pairs from location where id = $1", [location.id])).toEqual([
      {
        pairs: [
          ["Outer race", [29.5, -3, 0.25, 60]],
          ["A_b-2", [0]],
        ],
      },
    ]);
    const [activity] = await sql("select actor, object, after from activity where action = 'POST_LOCATION' order by id desc limit 1");
    expect(activity).toMatchObject({ actor: "pat", object: `location/${location.id}`, after: location });
  });

  test("the path must name a facility of the customer", async () => {
    const other = await addPlace(server.database.pool);
    expect(outcome(await post({}, { ...place, customerId: other.customerId }))).toEqual([
      404,
      "This facility was not found: it may have been deleted, or moved to another customer",
    ]);
    expect((await post({}, { ...place, facilityId: 999_999 })).status).toBe(404);
  });

  test("A-21 fields that are no one's to write are refused by name", async () => {
    for (const [field, value] of [
      ["id", 424_242],
      ["revision", 77],
      ["facilityId", 1],
      ["roles", ["systemAdministrator"]],
    ] as const) {
      const { status, json } = await post({ [field]: value });
      expect([status, json["errorMessage"]]).toEqual([400, expect.stringMatching(`^${field}: `)]);
    }
    const location = await created({ nodes: [{ serialNumber: "30000" }] });
    expect([location.revision, location.nodes]).toEqual([1, []]);
  });
});

describe("the rules of each field", () => {
  const name = "At least 2 characters containing letters, numbers and spaces. Can contain period and comma.";
  const borders = "Please correct information in boxes with red borders";
  describe("CUS-10 the name, its help text; time zone and equipment type are required", () => {
    test.each(["A1", "7 Kiln", "Fan 2, north. side", "x".repeat(120)])("%j is a name", async (text) => {
      expect((await created({ name: text })).name).toBe(text);
    });
    test.each(["", "A", " A", ".A", ",A1", "A-1", "A_1", "Ä1", "Насос 1", "泵 1", "A\n1", "A\u00001", "A<b>", 7, null, undefined])(
      "%j is none",
      async (text) => {
        expect(outcome(await post({ name: text }))).toEqual([400, `name: ${name}`]);
      },
    );
    test("CUS-10 121 characters are too many", async () => {
      expect(outcome(await post({ name: "x".repeat(121) }))).toEqual([400, "name: Name has at most 120 characters"]);
    });
    test.each([undefined, null, "", "UTC", "America/chicago", "Europe/Paris", "__proto__"])("%j is no time zone", async (timezone) => {
      expect(outcome(await post({ timezone }))).toEqual([400, "timezone: Time zone is required: one of the list"]);
    });
    test.each([undefined, null, "", "inductionmotor", "Pump"])("%j is no equipment type", async (equipmentType) => {
      expect(outcome(await post({ equipmentType }))).toEqual([400, "equipmentType: Equipment type is required: one of the list"]);
    });
  });

  describe("CUS-15 harmonic signatures", () => {
    test.each([
      [["", "1"]],
      [["   ", "1"]],
      [["a.b", "1"]],
      [["é", "1"]],
      [["a", ""]],
      [["a", "1;"]],
      [["a", ";1"]],
      [["a", "1,2"]],
      [["a", "1 2"]],
      [["a", "1e3"]],
      [["a", "--1"]],
      [["a", "0x1"]],
      [["a", "."]],
      [["a", "1.1234567"]],
    ])("%j is refused", async (pair) => {
      expect(outcome(await post({ harmonicSignatures: [pair] }))).toEqual([
        400,
        expect.stringMatching(new RegExp(`^harmonicSignatures\\.0\\.[01]: ${borders}$`)),
      ]);
    });
    test("CUS-15 a name occurs once, pairs are pairs, there are at most 50", async () => {
      const pairs = (count: number) => Array.from({ length: count }, (_, index) => [`s${index}`, "1"]);
      expect(
        (
          await post({
            harmonicSignatures: [
              ["a", "1"],
              ["a", "2"],
            ],
          })
        ).status,
      ).toBe(400);
      expect((await post({ harmonicSignatures: [["a"]] })).status).toBe(400);
      expect((await post({ harmonicSignatures: { a: "1" } })).status).toBe(400);
      expect([(await post({ harmonicSignatures: pairs(50) })).status, (await post({ harmonicSignatures: pairs(51) })).status]).toEqual([
        200, 400,
      ]);
    });
  });

  const refused: [field: string, values: unknown[]][] = [
    ["equipmentStartTimestamp", [-1, 1.5, 2_840_227_201, "1790000000", null, Number.MAX_SAFE_INTEGER]],
    [
      "billingStartDate",
      ["2026-02-29", "2026-2-1", "2026-13-01", "01/02/2026", "", "2026-01-01T00:00:00Z", "1899-01-01", "+02026-01-01", 20260101],
    ],
    ["billingEndDate", ["2026-00-10"]],
    ["paidThruDate", ["2026-04-31"]],
    ["notifyMissedData", ["true", 1, null]],
    ["starter", ["vfd", "Nothing", null]],
    ["loadApplication", ["belt"]],
    ["voltageTapLocation", ["Line"]],
    ["ctLocation", ["Motor"]],
    ["channels", ["x".repeat(101), "a\nb"]],
    ["assetLocationNumber", ["x".repeat(101), "a\tb"]],
    ["customerXRefId", [5]],
    ["nodeSerialNumber", ["1234", "01234", "123456", 12345, "", "1234x"]],
    ["npVoltage", [-0.1, 40_000.1, "460", true]],
    ["npCurrent", [10_001]],
    ["npHp", [-1, 50_001]],
    ["npRpm", [20_001]],
    ["npPoles", [3.5, 98]],
    ["npRotorBars", [501, 0.5]],
    ["npServiceFactor", [0.49, 2.01]],
    ["faultLibraryAlertFlags", [{ noSuchAlert: true }, [], "x"]],
  ];
  test.each(refused)("a bad %s is refused by name, and nothing is written", async (field, values) => {
    const before = await sql("select count(*)::int from location");
    for (const value of values) {
      const { status, json } = await post({ [field]: value });
      expect([value, status]).toEqual([value, 400]);
      expect(json["errorMessage"]).toMatch(new RegExp(`^${field}[.\\w]*: `));
    }
    expect(await sql("select count(*)::int from location")).toEqual(before);
  });

  test("a flag's name can be nothing that objects have", async () => {
    const payload = JSON.parse(
      `{"name":"Aa","equipmentType":"Rectifier","timezone":"America/Denver","faultLibraryAlertFlags":{"__proto__":true,"constructor":true}}`,
    ) as object;
    expect(
      (
        await server.call({
          method: "POST",
          url: base(),
          token,
          payload: JSON.stringify(payload),
          headers: { "content-type": "application/json" },
        })
      ).status,
    ).toBe(400);
    const raw = `{"name":"Aa","equipmentType":"Rectifier","timezone":"America/Denver","faultLibraryAlertFlags":{"__proto__":true}}`;
    const { status } = await server.call({
      method: "POST",
      url: base(),
      token,
      payload: raw,
      headers: { "content-type": "application/json" },
    });
    expect(status).toBe(400);
  });

  test("the ends of each range are allowed", async () => {
    for (const fields of [
      { npVoltage: 0, npCurrent: 0, npHp: 0, npRpm: 0, npPoles: 0, npRotorBars: 0, npServiceFactor: 0.5, equipmentStartTimestamp: 0 },
      {
        npVoltage: 40_000,
        npCurrent: 10_000,
        npHp: 50_000,
        npRpm: 20_000,
        npPoles: 96,
        npRotorBars: 500,
        npServiceFactor: 2,
        equipmentStartTimestamp: 2_840_227_200,
      },
    ])
      expect(await created(fields)).toMatchObject(fields);
  });

  test("billing does not end before it starts, also when only one of the two is changed", async () => {
    const message = "billingEndDate: Billing end date is not before the start date";
    expect(outcome(await post({ billingStartDate: "2026-05-02", billingEndDate: "2026-05-01" }))).toEqual([400, message]);
    const { id } = await created({ billingStartDate: "2026-05-02" });
    expect(outcome(await patch(id, { billingEndDate: "2026-05-01" }))).toEqual([400, message]);
    expect((await patch(id, { billingEndDate: "2026-05-02" })).status).toBe(200);
  });
});

describe("nodes", () => {
  test("CUS-11 a secondary node is required for DCMotor and SynchronousMotor and refused for the others", async () => {
    for (const equipmentType of ["DCMotor", "SynchronousMotor"]) {
      const [nodeSerialNumber, secondaryNodeSerialNumber] = [await freeNode(), await freeNode()];
      const ask = (fields: object) => post({ equipmentType, ...fields });
      expect(outcome(await ask({ nodeSerialNumber }))).toEqual([
        400,
        `secondaryNodeSerialNumber: A secondary node is required for ${equipmentType}`,
      ]);
      expect(outcome(await ask({ secondaryNodeSerialNumber }))).toEqual([400, "nodeSerialNumber: A secondary node needs a primary node"]);
      expect((await ask({ nodeSerialNumber, secondaryNodeSerialNumber: nodeSerialNumber })).status).toBe(400);
      expect((await ask({ nodeSerialNumber, secondaryNodeSerialNumber })).status).toBe(200);
    }
    for (const equipmentType of ["InductionMotor", "UtilityMain", "Rectifier"]) {
      const nodeSerialNumber = await freeNode();
      const secondaryNodeSerialNumber = await freeNode();
      const answer = await post({ equipmentType, nodeSerialNumber, secondaryNodeSerialNumber });
      expect(outcome(answer)).toEqual([400, "secondaryNodeSerialNumber: Only DCMotor and SynchronousMotor have a secondary node"]);
      expect((await created({ equipmentType, nodeSerialNumber, secondaryNodeSerialNumber: null })).secondaryNodeSerialNumber).toBeNull();
    }
  });

  describe("CUS-12 a relay needs all seven nameplate numbers", () => {
    test.each(["SEL", "GERelay"])("%s", async (type) => {
      const nodeSerialNumber = await freeNode({ type });
      for (const missing of nameplateNames) {
        const { [missing]: _left, ...rest } = nameplate;
        expect(outcome(await post({ nodeSerialNumber, ...rest }))).toEqual([400, `${missing}: Required for a relay node`]);
      }
      const { id } = await created({ nodeSerialNumber, ...nameplate });
      expect(outcome(await patch(id, { npPoles: null }))).toEqual([400, "npPoles: Required for a relay node"]);
      expect((await patch(id, { nodeSerialNumber: null, npPoles: null })).status).toBe(200);
    });
    test("CUS-12 other nodes do not, and a relay cannot come to a location without", async () => {
      const { id } = await created({ nodeSerialNumber: await freeNode() });
      expect((await patch(id, { nodeSerialNumber: await freeNode({ type: "SEL" }) })).status).toBe(400);
    });
  });

  test("CUS-13 offered are nodes that no location uses and no customer retired", async () => {
    const offered = async () =>
      ((await server.call({ method: "GET", url: "/api/locations/availablenodes", token })).json["data"] as AvailableNode[]).map(
        ({ serialNumber }) => serialNumber,
      );
    const [free, primary, secondary, retired, statusOnly] = await Promise.all([
      freeNode(),
      freeNode(),
      freeNode(),
      freeNode(),
      freeNode({ current_deployment_status: "Decommissioned" }),
    ]);
    await created({ equipmentType: "DCMotor", nodeSerialNumber: primary, secondaryNodeSerialNumber: secondary });
    await sql("insert into decommissioned_node (serial_number, customer_id, facility_name, site_name) values ($1, $2, 'x', 'y')", [
      retired,
      place.customerId,
    ]);
    const list = await offered();
    expect([free, primary, secondary, retired, statusOnly].map((serial) => list.includes(serial))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(list).toEqual(list.toSorted());
  });

  test("a node that is unknown, decommissioned or elsewhere is refused, and says where it is", async () => {
    expect(outcome(await post({ nodeSerialNumber: "29998" }))).toEqual([400, "nodeSerialNumber: There is no node 29998"]);
    const retired = await freeNode({ current_deployment_status: "Decommissioned" });
    expect(outcome(await post({ nodeSerialNumber: retired }))).toEqual([409, `Node ${retired} is decommissioned`]);
    const used = await freeNode();
    await created({ name: "Where it is", nodeSerialNumber: used });
    expect(outcome(await post({ nodeSerialNumber: used }))).toEqual([
      409,
      `Node ${used} is already at Alder Pumping / North Works / Where it is`,
    ]);
  });

  test("R20 of 50 who want one node at the same moment one gets it; nothing of the others stays", async () => {
    const serial = await freeNode();
    const before = await sql<{ count: number }>("select count(*)::int from location");
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => post({ name: `Racer ${index}`, nodeSerialNumber: serial })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(outcome(answer)).toEqual([
        409,
        expect.stringMatching(`^Node ${serial} is already at Alder Pumping / North Works / Racer \\d+$`),
      ]);
    expect(await sql("select count(*)::int from location")).toEqual([{ count: before[0]!.count + 1 }]);
    expect(await sql("select count(*)::int from node_placement where serial_number = $1", [serial])).toEqual([{ count: 1 }]);
  });

  test("R20 25 edits that give a node to one of two places and 25 deletions leave it at one place or none", async () => {
    const serial = await freeNode();
    const places = [await created({ name: "Left" }), await created({ name: "Right" })];
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => patch(places[index % 2]!.id, { nodeSerialNumber: index % 4 < 2 ? serial : null })),
    );
    const rows = await sql("select location_id from node_assignment where serial_number = $1", [serial]);
    expect(rows.length).toBeLessThanOrEqual(1);
    expect(await sql("select count(*)::int from node_placement where serial_number = $1 and ended_at is null", [serial])).toEqual([
      { count: rows.length },
    ]);
  });

  test("an unassigned node that comes is to be deployed; one that leaves is Unassigned and knows where it was; the history stays", async () => {
    const [first, second] = [
      await freeNode({ current_deployment_status: "Unassigned", new_deployment_status: "Unassigned" }),
      await freeNode(),
    ];
    const { id } = await created({ name: "Stay Here", nodeSerialNumber: first });
    expect(await nodeRow(first)).toMatchObject({ current: "Pre-Deployment", next: "Pre-Deployment" });
    await sql("update node set current_deployment_status = 'Deployed', new_deployment_status = 'Deployed' where serial_number = $1", [
      first,
    ]);
    expect((await patch(id, { nodeSerialNumber: second })).status).toBe(200);
    expect(await nodeRow(first)).toEqual({ current: "Unassigned", next: "Unassigned", shelf: "Stay Here" });
    const where = { customerName: "Alder Pumping", facilityName: "North Works" };
    const { nodeHistory } = await read(id);
    expect(nodeHistory).toEqual([
      { serialNumber: second, isSecondary: false, ...where, fromTimestamp: expect.any(Number), toTimestamp: null },
      { serialNumber: first, isSecondary: false, ...where, fromTimestamp: expect.any(Number), toTimestamp: expect.any(Number) },
    ]);
  });

  test("primary and secondary change places without losing their status", async () => {
    const [first, second] = [await freeNode(), await freeNode()];
    const { id } = await created({ equipmentType: "DCMotor", nodeSerialNumber: first, secondaryNodeSerialNumber: second });
    await sql("update node set current_deployment_status = 'Deployed', new_deployment_status = 'Deployed' where serial_number = any($1)", [
      [first, second],
    ]);
    const { status, json } = await patch(id, { nodeSerialNumber: second, secondaryNodeSerialNumber: first });
    expect([
      status,
      (json["data"] as Location).nodes.map(({ serialNumber, currentDeploymentStatus }) => [serialNumber, currentDeploymentStatus]),
    ]).toEqual([
      200,
      [
        [second, "Deployed"],
        [first, "Deployed"],
      ],
    ]);
  });
});

describe("editing", () => {
  test("changes what is given, once; the activity holds before and after", async () => {
    const before = await created();
    const { status, json } = await patch(before.id, {
      id: before.id,
      name: "Feed Pump 3",
      faultLibraryAlertFlags: { rotorBar: true, overVoltage: false },
    });
    const after = { ...before, name: "Feed Pump 3", faultLibraryAlertFlags: { overVoltage: false, rotorBar: true }, revision: 2 };
    expect([status, json["data"]]).toEqual([200, after]);
    const rows = await sql("select actor, description, before, after from activity where action = 'PATCH_LOCATION' and object = $1", [
      `location/${before.id}`,
    ]);
    expect(rows).toEqual([{ actor: "pat", description: "Location Feed Pump 3: name, faultLibraryAlertFlags changed", before, after }]);
    // The same again is no change.
    expect(
      (await patch(before.id, { name: "Feed Pump 3", faultLibraryAlertFlags: { rotorBar: true, overVoltage: false } })).json["data"],
    ).toEqual(after);
  });

  test("A-63 an alert that the location has stays allowed after the settings have lost it, but not at another one", async () => {
    const [has, hasNot] = [await created({ faultLibraryAlertFlags: { rotorBar: false } }), await created()];
    const name = "Location_faultLibraryAlertDefault";
    const entry = async () =>
      (await server.call({ method: "GET", url: `/api/system/config/${name}`, token: sysToken })).json["data"] as { name: string }[];
    const set = async (flags: object[]) => {
      const payload = { [name]: JSON.stringify(flags) };
      expect((await server.call({ method: "PATCH", url: "/api/system/config", token: sysToken, payload })).status).toBe(200);
    };
    const all = await entry();
    await set(all.filter((flag) => flag.name !== "rotorBar"));
    const faultLibraryAlertFlags = { rotorBar: true };
    expect(outcome(await patch(hasNot.id, { faultLibraryAlertFlags }))).toEqual([
      400,
      "faultLibraryAlertFlags: There is no alert named rotorBar",
    ]);
    const { status, json } = await patch(has.id, { faultLibraryAlertFlags });
    expect([status, (json["data"] as Location).faultLibraryAlertFlags]).toEqual([200, faultLibraryAlertFlags]);
    await set(all);
  });

  test("someone else's change of the same field is not overwritten; of another field it does not hurt", async () => {
    const { id } = await created();
    expect((await patch(id, { name: "Robin's Pump".replace("'", ""), revision: 1 }, sysToken)).status).toBe(200);
    expect(outcome(await patch(id, { name: "Pats Pump", revision: 1 }))).toEqual([
      409,
      "robin changed name of location Robins Pump meanwhile. Load it again and repeat your change",
    ]);
    expect((await patch(id, { starter: "VFD", revision: 1 })).status).toBe(200);
    expect(await read(id)).toMatchObject({ name: "Robins Pump", starter: "VFD", revision: 3 });
  });

  test("of 50 edits of one field from one revision one wins", async () => {
    const { id } = await created();
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => patch(id, { name: `Version ${index}`, revision: 1 })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });

  test("the path and the id in the body must be the location's", async () => {
    const location = await created();
    const other = await addPlace(server.database.pool);
    for (const at of [other, { ...place, customerId: other.customerId }, { ...place, facilityId: other.facilityId }])
      expect((await patch(location.id, { name: "Nope" }, token, at)).status).toBe(404);
    expect(outcome(await patch(location.id, { id: location.id + 1 }))).toEqual([400, "id: The id of a location never changes"]);
    expect((await server.call({ method: "GET", url: "/api/locations/999999", token })).json).toEqual({
      errorCode: "NOT_FOUND",
      errorMessage: "This location was not found: it may have been deleted",
    });
    for (const id of ["0", "-1", "1.5", "2147483648", "x", "1%00"])
      expect([id, (await server.call({ method: "GET", url: `/api/locations/${id}`, token })).status]).toEqual([id, 400]);
  });
});

describe("CUS-17 deleting and moving", () => {
  const remove = async (id: number, code: string, at?: TestPlace) =>
    server.call({ method: "DELETE", url: `${base(at)}/${id}/2fa/${code}`, token });

  test("CUS-17 deleting needs a passcode, frees the nodes, takes the notes and keeps what was recorded", async () => {
    const [first, second] = [await freeNode(), await freeNode()];
    const { id } = await created({ name: "Doomed", equipmentType: "DCMotor", nodeSerialNumber: first, secondaryNodeSerialNumber: second });
    await sql("insert into location_note (location_id, ts, note) values ($1, now(), 'a'), ($1, now(), 'b')", [id]);
    await server.passcode("pat");
    expect((await remove(id, "000000")).status).toBe(403);
    expect((await read(id)).nodes).toHaveLength(2);
    expect((await remove(id, "12-34")).status).toBe(400);
    const code = await server.passcode("pat");
    expect((await remove(999_999, code)).status).toBe(404);
    // A deletion that was refused has not used the code up.
    const { status, json } = await remove(id, code);
    expect([status, json["data"]]).toEqual([200, { deleted: true, freedNodes: [first, second], notes: 2 }]);
    expect((await server.call({ method: "GET", url: `/api/locations/${id}`, token })).status).toBe(404);
    for (const serial of [first, second])
      expect(await nodeRow(serial)).toEqual({ current: "Unassigned", next: "Unassigned", shelf: "Doomed" });
    expect(await sql("select count(*)::int from location_note where location_id = $1", [id])).toEqual([{ count: 0 }]);
    expect(
      await sql(
        "select serial_number::text as serial, location_name, ended_at is not null as ended from node_placement where location_id = $1 order by 1",
        [id],
      ),
    ).toEqual([first, second].map((serial) => ({ serial, location_name: "Doomed", ended: true })));
    const [activity] = await sql<{ description: string; before: object }>(
      "select description, before from activity where action = 'DELETE_LOCATION' order by id desc limit 1",
    );
    expect(activity).toMatchObject({
      description: `Location Doomed was deleted with 2 notes; freed ${first}, ${second}`,
      before: { name: "Doomed", notes: 2 },
    });
    expect(server.logText()).not.toContain(code);
    const bare = await created({ name: "Bare" });
    expect((await remove(bare.id, await server.passcode("pat"))).status).toBe(200);
    expect(await sql("select description from activity where action = 'DELETE_LOCATION' order by id desc limit 1")).toEqual([
      { description: "Location Bare was deleted with 0 notes" },
    ]);
  });

  test("CUS-17 only a systemAdministrator moves; the target differs; nodes, notes and history go along", async () => {
    const serial = await freeNode();
    const location = await created({ name: "Wanderer", nodeSerialNumber: serial });
    await sql("insert into location_note (location_id, ts, note) values ($1, now(), 'a')", [location.id]);
    const target = await addPlace(server.database.pool, "America/Denver", "Birch Pumping");
    const move = (as: string, to: TestPlace, from?: TestPlace) =>
      server.call({
        method: "PATCH",
        url: `${base(from)}/${location.id}/customers/${to.customerId}/facilities/${to.facilityId}`,
        token: as,
        payload: {},
      });
    expect(outcome(await move(token, target))).toEqual([403, "This needs the role systemAdministrator"]);
    expect(outcome(await move(sysToken, place))).toEqual([
      400,
      "newFacilityId: The location is at this facility already. Choose another one",
    ]);
    expect((await move(sysToken, { ...target, customerId: place.customerId })).status).toBe(404);
    expect((await move(sysToken, { ...target, facilityId: 999_999 })).status).toBe(404);
    const { status, json } = await move(sysToken, target);
    expect([status, json["data"]]).toEqual([
      200,
      { locationId: location.id, customerId: target.customerId, facilityId: target.facilityId, nodes: [serial], notes: 1 },
    ]);
    expect(await read(location.id)).toMatchObject({
      facilityId: target.facilityId,
      customerName: "Birch Pumping",
      nodeSerialNumber: serial,
      noteCount: 1,
      revision: 2,
    });
    // It is not where the path says any more.
    expect((await move(sysToken, await addPlace(server.database.pool))).status).toBe(404);
    expect(
      await sql("select customer_name, ended_at is not null as ended from node_placement where serial_number = $1 order by id", [serial]),
    ).toEqual([
      { customer_name: "Alder Pumping", ended: true },
      { customer_name: "Birch Pumping", ended: false },
    ]);
    const [activity] = await sql("select description, before, after from activity where action = 'MOVE_LOCATION'");
    expect(activity).toMatchObject({
      description: "Location Wanderer was moved to Birch Pumping / North Works with 1 node and 1 note",
      before: { facilityId: place.facilityId },
      after: { facilityId: target.facilityId },
    });
    const targets = (await server.call({ method: "GET", url: "/api/locations/movetargets", token })).json["data"] as MoveTarget[];
    expect(targets).toContainEqual({
      customerId: target.customerId,
      customerCode: expect.any(String),
      customerName: "Birch Pumping",
      facilityId: target.facilityId,
      facilityName: "North Works",
    });
  });

  test("R20 a node that is taken off while its facility moves leaves no open stay behind, and can be placed again", async () => {
    const serial = await freeNode();
    const from = await addPlace(server.database.pool);
    const to = await addPlace(server.database.pool);
    const location = await created({ name: "Moving Out", nodeSerialNumber: serial }, from);
    const mover = await server.database.pool.connect();
    try {
      await mover.query("begin");
      await mover.query("update facility set customer_id = $2, name = 'Moved Works' where id = $1", [from.facilityId, to.customerId]);
      const taking = patch(location.id, { nodeSerialNumber: null }, token, from);
      await expect
        .poll(() => sql("select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"))
        .not.toHaveLength(0);
      await mover.query("commit");
      expect((await taking).status).toBe(200);
    } finally {
      mover.release();
    }
    expect(await sql("select 1 from node_placement where serial_number = $1 and ended_at is null", [serial])).toEqual([]);
    const { status, json } = await patch(location.id, { nodeSerialNumber: serial }, token, { ...from, customerId: to.customerId });
    expect([status, (json["data"] as Location).nodeSerialNumber]).toEqual([200, serial]);
  });

  test("R20 moves, edits and deletions at the same moment leave one location or none, and no node without a home", async () => {
    const target = await addPlace(server.database.pool);
    for (let round = 0; round < 3; round++) {
      const serial = await freeNode();
      const { id } = await created({ name: `Contested ${round}`, nodeSerialNumber: serial });
      const codes = [await server.passcode("pat")];
      const moves = Array.from({ length: 25 }, () =>
        server.call({
          method: "PATCH",
          url: `${base()}/${id}/customers/${target.customerId}/facilities/${target.facilityId}`,
          token: sysToken,
          payload: {},
        }),
      );
      const edits = Array.from({ length: 24 }, (_, index) => patch(id, { name: `Edited ${index}` }));
      const answers = await Promise.all([...edits, ...codes.map((code) => remove(id, code)), ...moves]);
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
      expect(answers.slice(-25).filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
      const rows = await sql<{ facility_id: number }>("select facility_id from location where id = $1", [id]);
      const assigned = await sql("select location_id from node_assignment where serial_number = $1", [serial]);
      expect(assigned).toEqual(rows.length === 1 ? [{ location_id: id }] : []);
      expect((await nodeRow(serial))?.["current"]).toBe(rows.length === 1 ? "Pre-Deployment" : "Unassigned");
    }
  });
});

describe("A-06 a node that is placed does not drop off again", () => {
  const awaiting = (current: string, next: string) =>
    freeNode({ current_deployment_status: current, new_deployment_status: next, new_deployment_status_updated_at: "2026-11-21T00:00:00Z" });
  const said = async () =>
    (await sql<{ description: string }>("select description from activity where action like '%_LOCATION' order by id desc limit 1"))[0]
      ?.description;
  const roll = () =>
    createDeploymentStatusRoll({
      pool: server.database.pool,
      clock: { ...server.clock, now: () => Date.parse("2099-01-01T00:00:00Z") },
    }).run(new AbortController().signal);
  const motor = { equipmentType: "DCMotor" };
  type Placing = [how: string, place: (serial: string) => Promise<{ status: number; json: Record<string, unknown> }>];
  const ways: Placing[] = [
    ["as primary node of a new location", (serial) => post({ nodeSerialNumber: serial })],
    [
      "as secondary node of a new location",
      async (serial) => post({ ...motor, nodeSerialNumber: await freeNode(), secondaryNodeSerialNumber: serial }),
    ],
    ["as primary node of a location that is there", async (serial) => patch((await created()).id, { nodeSerialNumber: serial })],
    [
      "in the place of another primary node",
      async (serial) => patch((await created({ nodeSerialNumber: await freeNode() })).id, { nodeSerialNumber: serial }),
    ],
    [
      "as secondary node of a location that is there",
      async (serial) => patch((await created({ nodeSerialNumber: await freeNode() })).id, { ...motor, secondaryNodeSerialNumber: serial }),
    ],
  ];
  for (const current of ["Pre-Deployment", "Deployed"]) {
    test.each(ways)(`A-06 ${current}, about to become Unassigned, %s: the change is cancelled and reported`, async (_how, place) => {
      const serial = await awaiting(current, "Unassigned");
      expect(outcome(await place(serial))).toEqual([200, undefined]);
      expect(await said()).toContain(`; the change of ${serial} to Unassigned is cancelled`);
      await roll();
      expect(await nodeRow(serial)).toMatchObject({ current, next: current });
      expect(await sql("select 1 from node_assignment where serial_number = $1", [serial])).toHaveLength(1);
    });
  }

  test("A-06 a node that changes its slot stays as well; one that no edit moves still leaves", async () => {
    const [first, second, third] = [await freeNode(), await freeNode(), await freeNode()];
    const { id } = await created({ ...motor, nodeSerialNumber: first, secondaryNodeSerialNumber: second });
    const other = await created({ nodeSerialNumber: third });
    await sql(
      "update node set new_deployment_status = 'Unassigned', new_deployment_status_updated_at = '2026-11-21' where serial_number = any($1)",
      [[first, third]],
    );
    expect((await patch(id, { nodeSerialNumber: second, secondaryNodeSerialNumber: first })).status).toBe(200);
    expect((await patch(other.id, { channels: "v1" })).status).toBe(200);
    await roll();
    expect((await nodeRow(first))?.["current"]).toBe("Pre-Deployment");
    expect((await nodeRow(third))?.["current"]).toBe("Unassigned");
  });

  test("A-06 an Unassigned node that awaits Pre-Deployment has it at once; another awaited status stays awaited", async () => {
    const [shelf, deployed] = [await awaiting("Unassigned", "Pre-Deployment"), await awaiting("Deployed", "Pre-Deployment")];
    await created({ nodeSerialNumber: shelf });
    expect(await nodeRow(shelf)).toMatchObject({ current: "Pre-Deployment", next: "Pre-Deployment" });
    await created({ nodeSerialNumber: deployed });
    expect(await nodeRow(deployed)).toMatchObject({ current: "Deployed", next: "Pre-Deployment" });
    expect(await said()).not.toContain("cancelled");
  });

  test("A-06 a node that is about to be Decommissioned is refused with what to do, and not offered", async () => {
    const serial = await awaiting("Deployed", "Decommissioned");
    expect(outcome(await post({ nodeSerialNumber: serial }))).toEqual([
      409,
      `Node ${serial} is about to be Decommissioned. Set its status back to Deployed first`,
    ]);
    const offered = (await server.call({ method: "GET", url: "/api/locations/availablenodes", token })).json["data"] as AvailableNode[];
    expect(offered.map(({ serialNumber }) => serialNumber)).not.toContain(serial);
  });

  test("A-06 placing at the very moment of midnight: the node is there afterwards, and nothing is awaited", async () => {
    for (let round = 0; round < 20; round++) {
      const serial = await awaiting("Deployed", "Unassigned");
      const { id } = await created();
      const [, answer] = await Promise.all([roll(), patch(id, { nodeSerialNumber: serial }), roll()]);
      expect(outcome(answer)).toEqual([200, undefined]);
      await roll();
      const row = await nodeRow(serial);
      // Before midnight it stays Deployed; after it, it is an Unassigned one that came.
      expect(["Deployed", "Pre-Deployment"]).toContain(row?.["current"]);
      expect(row?.["next"]).toBe(row?.["current"]);
      expect(await sql("select location_id from node_assignment where serial_number = $1", [serial])).toEqual([{ location_id: id }]);
    }
  });
});
