import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import type { Node, NodeListRow } from "@busbar/contract/directory/nodes.ts";
import { newNodeDefaults, nodeThresholdNames } from "@busbar/contract/directory/node-fields.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, setLive } from "#testing/test-world.ts";

let server: TestApp;
let token: string;
let otherToken: string;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("robin"));
  otherToken = await server.login(await server.addAdministrator("kim"));
});
afterAll(() => server.stop());

type Answer = Awaited<ReturnType<TestApp["call"]>>;
const send = (method: "GET" | "POST" | "PATCH", path: string, payload?: object, as = token): Promise<Answer> =>
  server.call({ method, url: `/api${path}`, token: as, ...(payload === undefined ? {} : { payload }) });
const said = ({ status, json }: Answer): [number, unknown] => [status, json["errorMessage"]];
const nodeOf = ({ status, json, text }: Answer): Node => {
  if (status !== 200) throw new Error(`${status} ${text}`);
  return json["data"] as Node;
};

let nextSerial = 30_001;
const freshSerial = () => String(nextSerial++);
const add = async (fields: object = {}): Promise<Node> =>
  nodeOf(await send("POST", "/nodes", { serialNumber: freshSerial(), container: "Rack 1", ...fields }));
const details = async (serial: string): Promise<Node> => nodeOf(await send("GET", `/nodes/${serial}/details`));
const rowsOf = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await server.database.pool.query<Row>(text, values)).rows;
const activities = (serial: string) =>
  rowsOf<{ actor: string; action: string; description: string; before: Record<string, unknown> | null; after: Record<string, unknown> }>(
    "select actor, action, description, before, after from activity where object = $1 order by id",
    [`node/${serial}`],
  );
const nowSeconds = () => Math.floor(server.clock.now() / 1000);

describe("who may", () => {
  test("every call needs a session", async () => {
    for (const [method, url] of [
      ["GET", "/api/nodes"],
      ["GET", "/api/nodes/30001/details"],
      ["GET", "/api/node-containers"],
      ["POST", "/api/nodes"],
      ["PATCH", "/api/nodes/1"],
    ] as const)
      expect((await server.call({ method, url })).status).toBe(401);
  });
});

describe("adding a node", () => {
  test("NFM-06 NFM-07 has the defaults, and its current status is the requested one", async () => {
    const serialNumber = freshSerial();
    const node = nodeOf(await send("POST", "/nodes", { serialNumber, container: "Rack 1", newDeploymentStatus: "Unassigned" }));
    expect(node).toMatchObject({
      ...newNodeDefaults,
      serialNumber,
      container: "Rack 1",
      newDeploymentStatus: "Unassigned",
      currentDeploymentStatus: "Unassigned",
      macAddress: null,
      ipAddress: null,
      isAssigned: false,
      locationId: null,
      timezone: null,
      connected: false,
      openTaskCount: 22,
      revision: 1,
    });
    expect(node.currentDeploymentStatusUpdateTimestamp).toBe(node.newDeploymentStatusUpdateTimestamp);
    expect(Math.abs(node.currentDeploymentStatusUpdateTimestamp - nowSeconds())).toBeLessThan(5);
    expect(await details(serialNumber)).toEqual(node);
    expect(await activities(serialNumber)).toMatchObject([
      { actor: "robin", action: "POST_NODE", description: `Node ${serialNumber} was added: Unassigned`, before: null },
    ]);
  });

  test("NFM-03 the serial number is 5 digits, the first not 0, and no one else's", async () => {
    for (const serialNumber of ["", "1234", "123456", "01234", "12a45", "1234 ", "１２３４５", 12345, null, undefined]) {
      const [status, message] = said(await send("POST", "/nodes", { serialNumber, container: "Rack 1" }));
      expect([status, message]).toEqual([400, expect.stringMatching(/^serialNumber: /)]);
    }
    for (const serialNumber of ["10000", "99999"]) expect((await add({ serialNumber })).serialNumber).toBe(serialNumber);
    expect(said(await send("POST", "/nodes", { serialNumber: "10000", container: "Rack 2" }))).toEqual([
      409,
      "There is already a node with the serial number 10000",
    ]);
    expect((await details("10000")).container).toBe("Rack 1");
  });

  test("two who add the same serial number at once: one does", async () => {
    const serialNumber = freshSerial();
    const answers = await Promise.all([1, 2, 3, 4].map((rack) => send("POST", "/nodes", { serialNumber, container: `Rack ${rack}` })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    expect(await activities(serialNumber)).toHaveLength(1);
  });

  test("NFM-07 the status may have a time that has passed, not one ahead", async () => {
    const past = nowSeconds() - 86_400;
    expect(await add({ newDeploymentStatus: "Deployed", newDeploymentStatusUpdateTimestamp: past })).toMatchObject({
      currentDeploymentStatus: "Deployed",
      currentDeploymentStatusUpdateTimestamp: past,
    });
    expect(
      said(
        await send("POST", "/nodes", {
          serialNumber: freshSerial(),
          container: "R",
          newDeploymentStatusUpdateTimestamp: nowSeconds() + 60,
        }),
      ),
    ).toEqual([400, "newDeploymentStatusUpdateTimestamp: A new node has its status at once: the time is not in the future"]);
  });

  test("A-21 fields that only the server writes are refused by name", async () => {
    const readOnly = {
      id: 999_999,
      revision: 77,
      macAddress: "02:00:00:00:00:01",
      ipAddress: "10.0.0.1",
      connected: true,
      currentDeploymentStatus: "Deployed",
      isAssigned: true,
      locationId: 1,
    };
    for (const [field, value] of Object.entries(readOnly)) {
      const answer = await send("POST", "/nodes", { serialNumber: freshSerial(), container: "Rack 1", [field]: value });
      expect(said(answer)).toEqual([400, expect.stringMatching(`^${field}: `)]);
    }
    const empty = { id: null, macAddress: "", ipAddress: null, currentDeploymentStatus: "Pre-Deployment" };
    expect(await add(empty)).toMatchObject({ revision: 1, macAddress: null, currentDeploymentStatus: "Pre-Deployment" });
  });
});

describe("rules of the fields", () => {
  const refused: [string, unknown][] = [
    ["container", ""],
    ["container", "   "],
    ["container", "a".repeat(121)],
    ["container", "two\nlines"],
    ["container", null],
    ["type", "Toaster"],
    ["type", ""],
    ["nodeHardwareVersion", "ND009"],
    ["nodeHardwareVersion", ""],
    ["viModuleHardwareVersion", "AC001.03.02"],
    ["deploymentTaskType", "nl-nf"],
    ["newDeploymentStatus", "Lost"],
    ["newDeploymentStatus", "deployed"],
    ["dataPointInterval", null],
    ["dataPointInterval", 0],
    ["dataPointInterval", 86_401],
    ["dataPointInterval", 60.5],
    ["dataPointInterval", "900"],
    ["unassignedCustomer", "a".repeat(121)],
    ["unassignedFacility", "x\u0000"],
    ["unassignedLocation", 5],
    ["poeEnabled", "yes"],
    ["notifyOnConnect", 1],
    ["deploymentIssueDetails", "a".repeat(2_001)],
    ["deploymentIssueDetails", "bell\u0007"],
    ["pauseConnectivityNotificationsReason", "a".repeat(501)],
    ["pauseConnectivityNotificationsUrl", "javascript:alert(1)"],
    ["pauseConnectivityNotificationsUrl", "tickets.example/1"],
    ["pauseConnectivityNotificationsUrl", "https://"],
    ["pauseConnectivityNotificationsUrl", `https://x.example/${"a".repeat(2_000)}`],
    ["shortTermOverCurrentAveragingPeriod", 0],
    ["shortTermOverCurrentAveragingPeriod", 1_441],
    ["longTermOverCurrentAveragingPeriod", 2.5],
    ["newDeploymentStatusUpdateTimestamp", 1_262_303_999],
    ["newDeploymentStatusUpdateTimestamp", 2_840_227_201],
    ["newDeploymentStatusUpdateTimestamp", 1_700_000_000.5],
    ["newDeploymentStatusUpdateTimestamp", "2026-01-01"],
    ...Object.keys(nodeThresholdNames).flatMap((name): [string, unknown][] => [
      [name, null],
      [name, -0.001],
      [name, "10"],
      [name, 100_000.1],
    ]),
  ];
  test("NFM-10 NFM-06 refused values name their field, when adding and when editing, and nothing is written", async () => {
    const node = await add();
    for (const [field, value] of refused) {
      const serialNumber = freshSerial();
      const adding = await send("POST", "/nodes", { serialNumber, container: "Rack 1", [field]: value });
      expect([field, value, ...said(adding)]).toEqual([field, value, 400, expect.stringMatching(new RegExp(`^${field}: .+`))]);
      expect((await send("GET", `/nodes/${serialNumber}/details`)).status).toBe(404);
      const editing = await send("PATCH", `/nodes/${node.id}`, { [field]: value });
      expect([field, value, ...said(editing)]).toEqual([field, value, 400, expect.stringMatching(new RegExp(`^${field}: .+`))]);
    }
    expect(await details(node.serialNumber)).toEqual(node);
    expect(await activities(node.serialNumber)).toHaveLength(1);
  });

  test("NFM-04 NFM-10 values at the edge are taken", async () => {
    const node = await add();
    const edges: object[] = [
      { container: "ü".repeat(120) },
      ...["subNode", "SEL", "GERelay", "Node"].map((type) => ({ type })),
      ...["ND001.02.01", "ND002.02.01", "ND003.02.01", null].map((nodeHardwareVersion) => ({ nodeHardwareVersion })),
      ...["AC001.03.01", "DC001.03.01", "AC002.03.01", null].map((viModuleHardwareVersion) => ({ viModuleHardwareVersion })),
      ...["NL-NF", "NL-EF", "RMA", null].map((deploymentTaskType) => ({ deploymentTaskType })),
      { dataPointInterval: 1 },
      { dataPointInterval: 59 },
      { dataPointInterval: 9_999 },
      { deploymentIssueDetails: "one\ntwo\t" + "a".repeat(1_992) },
      { pauseConnectivityNotificationsUrl: "https://tickets.example/1?a=b" },
      { pauseConnectivityNotificationsUrl: "" },
      { shortTermOverCurrentAveragingPeriod: 1, longTermOverCurrentAveragingPeriod: 1_440 },
      ...Object.keys(nodeThresholdNames)
        .filter((name) => !name.endsWith("Period"))
        .flatMap((name) => [{ [name]: 0 }, { [name]: 100_000 }, { [name]: 7.25 }]),
    ];
    for (const edge of edges) expect(nodeOf(await send("PATCH", `/nodes/${node.id}`, edge))).toMatchObject(edge);
    // A file's name has no more digits.
    expect((await send("PATCH", `/nodes/${node.id}`, { dataPointInterval: 10_000 })).status).toBe(400);
  });

  test("every field that can be written is", async () => {
    const node = await add();
    const flipped = Object.fromEntries(
      Object.entries(node)
        .filter(([name, value]) => typeof value === "boolean" && !["isAssigned", "connected", "lacksWiringVerdict"].includes(name))
        .map(([name, value]) => [name, !value]),
    );
    expect(Object.keys(flipped)).toHaveLength(25);
    const values = {
      ...flipped,
      unassignedCustomer: "Alder",
      unassignedFacility: "Works",
      unassignedLocation: "Shelf",
      pauseConnectivityNotificationsReason: "Mill is down",
      deploymentIssueDetails: "CTs reversed",
    };
    expect(nodeOf(await send("PATCH", `/nodes/${node.id}`, values))).toMatchObject(values);
  });

  test("what a node has may be sent back, in no list though it be", async () => {
    const serial = Number(freshSerial());
    await addNode(server.database.pool, serial, undefined, {
      type: "PowerMeterX",
      node_hardware_version: "ND009.00.01",
      container: "Rack 1",
    });
    const node = await details(String(serial));
    expect(nodeOf(await send("PATCH", `/nodes/${node.id}`, { ...node, container: "Rack 2" }))).toMatchObject({
      type: "PowerMeterX",
      container: "Rack 2",
    });
    expect(said(await send("PATCH", `/nodes/${node.id}`, { type: "PowerMeterY" }))).toEqual([400, "type: Type is one of the list"]);
  });
});

describe("editing a node", () => {
  test("an id that is none is 400, an unknown one 404", async () => {
    for (const id of ["0", "-1", "abc", "1.5", "99999999999", "__proto__"])
      expect((await send("PATCH", `/nodes/${id}`, {})).status).toBe(400);
    expect(said(await send("PATCH", "/nodes/2147483647", {}))).toEqual([404, "Node 2147483647 was not found"]);
    expect(said(await send("GET", "/nodes/98765/details"))).toEqual([404, "Node 98765 was not found"]);
  });

  test("NFM-03 the serial number stays", async () => {
    const node = await add();
    expect(said(await send("PATCH", `/nodes/${node.id}`, { serialNumber: "55555" }))).toEqual([
      400,
      "serialNumber: The serial number of a node cannot be changed",
    ]);
    expect((await send("PATCH", `/nodes/${node.id}`, { serialNumber: node.serialNumber })).status).toBe(200);
  });

  test("records who changed what, and nothing when nothing changes", async () => {
    const node = await add();
    await send("PATCH", `/nodes/${node.id}`, { container: "Rack 9", overVoltageThreshold: 9, dataPointInterval: 900 }, otherToken);
    await send("PATCH", `/nodes/${node.id}`, { container: "Rack 9" });
    expect((await activities(node.serialNumber)).slice(1)).toEqual([
      {
        actor: "kim",
        action: "PATCH_NODE",
        description: `Node ${node.serialNumber}: container, overVoltageThreshold changed`,
        before: { container: "Rack 1", overVoltageThreshold: 8, revision: 1 },
        after: { container: "Rack 9", overVoltageThreshold: 9, revision: 2 },
      },
    ]);
  });

  test("a change on an older state is refused with what changed and by whom, and overwrites nothing", async () => {
    const node = await add();
    await send("PATCH", `/nodes/${node.id}`, { container: "Kim's rack", poeEnabled: true, revision: 1 }, otherToken);
    const refusal = await send("PATCH", `/nodes/${node.id}`, { container: "Robin's rack", showRawPower: true, revision: 1 });
    expect(said(refusal)).toEqual([
      409,
      `kim changed container of node ${node.serialNumber} meanwhile. Load it again and repeat your change`,
    ]);
    expect(await details(node.serialNumber)).toMatchObject({ container: "Kim's rack", showRawPower: false, revision: 2 });
    // Another field hurts no one.
    expect(nodeOf(await send("PATCH", `/nodes/${node.id}`, { showRawPower: true, revision: 1 }))).toMatchObject({
      container: "Kim's rack",
      poeEnabled: true,
      showRawPower: true,
      revision: 3,
    });
    // Who wrote past the record is not known, but that someone did is.
    await server.database.pool.query("update node set container = 'By hand' where id = $1", [node.id]);
    expect(said(await send("PATCH", `/nodes/${node.id}`, { container: "Robin's rack", revision: 3 }))).toEqual([
      409,
      `node ${node.serialNumber} was changed meanwhile. Load it again and repeat your change`,
    ]);
    expect((await send("PATCH", `/nodes/${node.id}`, { container: "Robin's rack", revision: 4 })).status).toBe(200);
  });

  test("what the node reports itself makes no edit older", async () => {
    const node = await add();
    await server.database.pool.query(
      "update node set mac_address = '02:00:00:00:00:99', ip_address = '10.1.2.3', node_hardware_version = 'ND001.02.01', poe_enabled = true where id = $1",
      [node.id],
    );
    expect(nodeOf(await send("PATCH", `/nodes/${node.id}`, { container: "Rack 7", revision: 1 }))).toMatchObject({
      container: "Rack 7",
      revision: 2,
      macAddress: "02:00:00:00:00:99",
      ipAddress: "10.1.2.3",
      nodeHardwareVersion: "ND001.02.01",
    });
  });

  test("of many who save the same state at once, one does", async () => {
    const node = await add();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => send("PATCH", `/nodes/${node.id}`, { container: `Rack ${index + 10}`, revision: 1 })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    expect(await activities(node.serialNumber)).toHaveLength(2);
  });

  test("NFM-02 address fields cannot be written, and show what the node reported", async () => {
    const node = await add();
    await server.database.pool.query("update node set mac_address = '02:00:00:00:27:11', ip_address = '10.9.8.7' where id = $1", [node.id]);
    await setLive(server.database.pool, Number(node.serialNumber), { is_connected: true });
    const patch = (change: object) => send("PATCH", `/nodes/${node.id}`, change);
    expect(said(await patch({ macAddress: "00:00:00:00:00:00" }))).toEqual([400, "macAddress: cannot be changed here"]);
    const whole = await details(node.serialNumber);
    const answer = nodeOf(await patch({ ...whole, container: "Rack 2" }));
    expect(answer).toMatchObject({ macAddress: "02:00:00:00:27:11", ipAddress: "10.9.8.7", connected: true });
  });
});

describe("deployment status of a node", () => {
  test("NFM-07 a change is awaited until the midnight of the location's zone; requesting the current one cancels it", async () => {
    const place = await addPlace(server.database.pool, "Asia/Kolkata");
    const serial = freshSerial();
    await addNode(server.database.pool, Number(serial), place);
    const before = await details(serial);
    const after = nodeOf(await send("PATCH", `/nodes/${before.id}`, { newDeploymentStatus: "Deployed", revision: 1 }));
    expect(after).toMatchObject({ currentDeploymentStatus: "Pre-Deployment", newDeploymentStatus: "Deployed" });
    const wall = new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Kolkata", timeStyle: "medium" }).format(
      after.newDeploymentStatusUpdateTimestamp * 1000,
    );
    expect(wall).toBe("00:00:00");
    expect(after.newDeploymentStatusUpdateTimestamp - nowSeconds()).toBeLessThanOrEqual(86_400);
    expect(after.newDeploymentStatusUpdateTimestamp).toBeGreaterThan(nowSeconds());
    const cancelled = nodeOf(await send("PATCH", `/nodes/${before.id}`, { newDeploymentStatus: "Pre-Deployment" }));
    expect(cancelled).toMatchObject({
      newDeploymentStatus: "Pre-Deployment",
      newDeploymentStatusUpdateTimestamp: before.currentDeploymentStatusUpdateTimestamp,
    });
  });

  test("forbidden changes are refused with what to do first", async () => {
    const node = await add({ newDeploymentStatus: "Unassigned" });
    expect(said(await send("PATCH", `/nodes/${node.id}`, { newDeploymentStatus: "Deployed" }))).toEqual([
      400,
      "newDeploymentStatus: Set Pre-Deployment first",
    ]);
    expect(said(await send("PATCH", `/nodes/${node.id}`, { newDeploymentStatus: "Decommissioned" }))[1]).toMatch(
      /^newDeploymentStatus: A node is decommissioned in/,
    );
    expect(
      said(await send("POST", "/nodes", { serialNumber: freshSerial(), container: "R", newDeploymentStatus: "Decommissioned" }))[1],
    ).toMatch(/^newDeploymentStatus: /);
    const other = await add();
    expect(said(await send("PATCH", `/nodes/${other.id}`, { newDeploymentStatus: "Deployed" }))[1]).toMatch(
      /^newDeploymentStatus: The node is at no location/,
    );
  });

  test("NFM-07 a forced time that has passed applies at once; an Unassigned node leaves its location and remembers it", async () => {
    const place = await addPlace(server.database.pool, "America/Denver", "Birch Paper");
    const serial = freshSerial();
    await addNode(server.database.pool, Number(serial), place);
    const { id } = await details(serial);
    const past = nowSeconds() - 3_600;
    // While that is awaited it stays.
    expect(nodeOf(await send("PATCH", `/nodes/${id}`, { newDeploymentStatus: "Unassigned" }))).toMatchObject({ isAssigned: true });
    const node = nodeOf(
      await send("PATCH", `/nodes/${id}`, { newDeploymentStatus: "Unassigned", newDeploymentStatusUpdateTimestamp: past }),
    );
    expect(node).toMatchObject({
      currentDeploymentStatus: "Unassigned",
      currentDeploymentStatusUpdateTimestamp: past,
      isAssigned: false,
      locationId: null,
      slot: null,
      unassignedCustomer: "Birch Paper",
      unassignedFacility: "North Works",
      unassignedLocation: "Feed Pump 1",
    });
    const change = (await activities(serial)).at(-1)!;
    expect(change).toMatchObject({
      action: "PATCH_NODE",
      description: `Node ${serial}: status Unassigned; left Feed Pump 1`,
      after: { unassignedCustomer: "Birch Paper" },
    });
  });

  test("A-63 a node becomes a relay where the nameplate is whole; what is one already may be edited", async () => {
    const { pool } = server.database;
    const place = await addPlace(pool);
    const serial = freshSerial();
    await addNode(pool, Number(serial), place);
    const { id } = await details(serial);
    const lacks = /^type: Feed Pump 1 lacks nameplate numbers/;
    expect(said(await send("PATCH", `/nodes/${id}`, { type: "SEL" }))).toEqual([400, expect.stringMatching(lacks)]);
    await pool.query("update node set type = 'SEL' where id = $1", [id]);
    expect((await send("PATCH", `/nodes/${id}`, { type: "SEL", container: "Rack 9" })).status).toBe(200);
    expect(said(await send("PATCH", `/nodes/${id}`, { type: "GERelay" }))).toEqual([400, expect.stringMatching(lacks)]);
    await pool.query(
      "update location set np_voltage = 1, np_current = 1, np_hp = 1, np_rpm = 1, np_poles = 2, np_rotor_bars = 0, np_service_factor = 1 where id = $1",
      [place.locationId],
    );
    expect((await send("PATCH", `/nodes/${id}`, { type: "GERelay" })).status).toBe(200);
  });

  test("a decommissioned node can be edited, its status only by its customer's list", async () => {
    const { customerId } = await addPlace(server.database.pool);
    const node = await add();
    const { status } = await send("POST", `/customers/${customerId}/decommissionednodes`, {
      serialNumber: node.serialNumber,
      facilityName: "Old Works",
      siteName: "Old",
    });
    expect(status).toBe(200);
    const retired = await details(node.serialNumber);
    expect(retired).toMatchObject({ currentDeploymentStatus: "Decommissioned", customerId, facilityName: "Old Works" });
    expect(nodeOf(await send("PATCH", `/nodes/${node.id}`, { ...retired, container: "Scrap" }))).toMatchObject({
      container: "Scrap",
      currentDeploymentStatus: "Decommissioned",
    });
    expect(said(await send("PATCH", `/nodes/${node.id}`, { newDeploymentStatus: "Unassigned" }))[1]).toMatch(
      /^newDeploymentStatus: The node is decommissioned/,
    );
  });
});

describe("the list", () => {
  const list = (headers: Record<string, string> = {}) => server.call({ method: "GET", url: "/api/nodes", token, headers });
  const rowOf = async (serial: string) =>
    ((await list()).json["data"] as NodeListRow[]).find(({ serialNumber }) => serialNumber === serial);

  test("shows each node with its place, in the order of serial numbers", async () => {
    const place = await addPlace(server.database.pool, "America/Denver", "Cedar Gypsum");
    const serial = freshSerial();
    await addNode(server.database.pool, Number(serial), place, { container: "Rack 3" });
    const rows = (await list()).json["data"] as NodeListRow[];
    const serials = rows.map(({ serialNumber }) => serialNumber);
    expect(serials).toEqual(serials.toSorted());
    expect(await rowOf(serial)).toMatchObject({
      isAssigned: true,
      ...place,
      customerName: "Cedar Gypsum",
      facilityName: "North Works",
      locationName: "Feed Pump 1",
      slot: 1,
      timezone: "America/Denver",
      container: "Rack 3",
      connected: false,
      voltageImbalanceThreshold: 10,
      activeVa: true,
    });
    const free = await add({ unassignedCustomer: "Alder", unassignedLocation: "Shelf 2" });
    expect(await rowOf(free.serialNumber)).toMatchObject({
      isAssigned: false,
      customerId: null,
      customerCode: "",
      customerName: "Alder",
      facilityId: null,
      locationId: null,
      locationName: "Shelf 2",
      slot: null,
      timezone: null,
    });
  });

  test("is 304 as long as nothing changed, and new right after each kind of change", async () => {
    const place = await addPlace(server.database.pool);
    const node = await add();
    const serial = Number(node.serialNumber);
    let etag = String((await list()).headers["etag"]);
    expect((await list({ "if-none-match": etag })).status).toBe(304);
    // What the list does not show changes nothing.
    await setLive(server.database.pool, serial, { last_scalar_data: "1 2 3" });
    await server.database.pool.query("update node set mac_address = '02:00:00:00:00:44' where id = $1", [node.id]);
    expect((await list({ "if-none-match": etag })).status).toBe(304);
    const changes: [string, () => Promise<unknown>, Partial<NodeListRow>][] = [
      ["a field", () => send("PATCH", `/nodes/${node.id}`, { overVoltageThreshold: 12 }), { overVoltageThreshold: 12 }],
      [
        "a place",
        () => server.database.pool.query("insert into node_assignment values ($1, $2, 2)", [serial, place.locationId]),
        { slot: 2, locationId: place.locationId },
      ],
      [
        "a name",
        () => server.database.pool.query("update location set name = 'Renamed' where id = $1", [place.locationId]),
        { locationName: "Renamed" },
      ],
      ["a connection", () => setLive(server.database.pool, serial, { is_connected: true }), { connected: true }],
      ["a lost connection", () => setLive(server.database.pool, serial, { is_connected: false }), { connected: false }],
    ];
    for (const [what, change, expected] of changes) {
      await change();
      const answer = await list({ "if-none-match": etag });
      expect([what, answer.status]).toEqual([what, 200]);
      expect(await rowOf(node.serialNumber)).toMatchObject(expected);
      etag = String(answer.headers["etag"]);
      expect((await list({ "if-none-match": etag })).status).toBe(304);
    }
  });

  test("a transaction that ends late is seen although a younger one ended before", async () => {
    const place = await addPlace(server.database.pool);
    const serial = freshSerial();
    await addNode(server.database.pool, Number(serial), place);
    const late = await server.database.pool.connect();
    await late.query("begin");
    await late.query("update location set name = 'Late' where id = $1", [place.locationId]);
    await addPlace(server.database.pool);
    expect((await rowOf(serial))?.locationName).toBe("Feed Pump 1");
    await late.query("commit");
    late.release();
    expect((await rowOf(serial))?.locationName).toBe("Late");
  });

  test("is the same in every encoding, with a tag of its own", async () => {
    const plain = (await list()).text;
    const unpack = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync };
    const tags = await Promise.all(
      (["gzip", "br", "zstd"] as const).map(async (encoding) => {
        const answer = await server.app.inject({ method: "GET", url: "/api/nodes", headers: { token, "accept-encoding": encoding } });
        expect(answer.headers["content-encoding"]).toBe(encoding);
        expect(unpack[encoding](answer.rawPayload).toString()).toBe(plain);
        return answer.headers["etag"];
      }),
    );
    expect(new Set(tags).size).toBe(3);
  });

  test("the containers are named once each", async () => {
    await add({ container: "Zebra crate" });
    await add({ container: "Zebra crate" });
    const containers = (await send("GET", "/node-containers")).json["data"] as string[];
    expect(containers.filter((name) => name === "Zebra crate")).toHaveLength(1);
    expect(containers).toEqual(containers.toSorted());
  });
});
