import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { Customer } from "@busbar/contract/directory/customer-tree.ts";
import type { Location } from "@busbar/contract/directory/locations.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod/mini";
import { reverseRows } from "#testing/reverse-rows.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, type TestPlace } from "#testing/test-world.ts";
import { createCustomerTreeReadModel } from "./customer-tree.read-model.ts";
import { createCustomerTree } from "./customer-tree.ts";

let server: TestApp;
let token: string;
let place: TestPlace;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("reader"));
  place = await addPlace(server.database.pool);
});
afterAll(() => server.stop());

const ask = (headers: Record<string, string> = {}) =>
  server.app.inject({ method: "GET", url: "/api/customers", headers: { token, ...headers } });
const Tree = z.array(Customer);
const tree = async () => Tree.parse((await ask()).json().data);
const query = (text: string, values: unknown[] = []) => server.database.pool.query(text, values);

test("A-01 signatures of another shape than the form's take neither the tree nor their location away", async () => {
  const elsewhere = await addPlace(server.database.pool);
  const read = async () => {
    const found = (await tree()).find(({ id }) => id === elsewhere.customerId);
    const { json } = await server.call({ method: "GET", url: `/api/locations/${elsewhere.locationId}`, token });
    return [found?.facilities[0]?.locations[0]?.harmonicSignatures, (json["data"] as Location).harmonicSignatures];
  };
  for (const [stored, shown] of [
    [[["Gear", "29.5;-59"]], [["Gear", "29.5;-59"]]],
    [
      [
        ["Gear", { hertz: 7 }],
        ["Belt", [7]],
      ],
      [["Belt", "7"]],
    ],
    [{ Gear: [7] }, []],
    [null, []],
  ]) {
    await query("update location set harmonic_signatures = $2 where id = $1", [elsewhere.locationId, JSON.stringify(stored)]);
    expect(await read()).toEqual([shown, shown]);
  }
  await query("delete from location where id = $1", [elsewhere.locationId]);
  await query("delete from facility where id = $1", [elsewhere.facilityId]);
  await query("delete from customer where id = $1", [elsewhere.customerId]);
});

test("CUS-01 CUS-19 the tree holds customers, facilities, locations with their nodes and statuses, and decommissioned nodes", async () => {
  await addNode(server.database.pool, 10_001, place, {
    current_deployment_status: "Deployed",
    new_deployment_status: "Unassigned",
    deployment_task_type: "RMA",
    container: "Box 7",
  });
  await addNode(server.database.pool, 10_002);
  await query("insert into node_assignment values (10002, $1, 2)", [place.locationId]);
  await addNode(server.database.pool, 10_003, undefined, { current_deployment_status: "Decommissioned" });
  await query(
    "insert into decommissioned_node (serial_number, customer_id, facility_name, site_name, retired_location) values (10003, $1, 'Old Works', 'Old', 'Shelf')",
    [place.customerId],
  );
  await query(
    "update location set billing_start_date = '2026-02-03', equipment_start_at = to_timestamp(1700000000), np_hp = 7.5, fault_library_alert_flags = '{\"longStart\": true}', harmonic_signatures = '[[\"Bearing\", [29.5, -59]], [\"Gear\", [7]]]' where id = $1",
    [place.locationId],
  );
  const [customer, ...others] = await tree();
  expect(others).toEqual([]);
  expect(customer).toMatchObject({ id: place.customerId, name: "Alder Pumping", type: "Revenue", emailDomains: [], revision: 1 });
  expect(customer?.decommissionedNodes).toEqual([
    {
      serialNumber: "10003",
      facilityName: "Old Works",
      siteName: "Old",
      retiredCustomer: "",
      retiredFacility: "",
      retiredLocation: "Shelf",
      decommissionedTimestamp: expect.any(Number),
    },
  ]);
  const [facility] = customer!.facilities;
  expect(facility).toMatchObject({
    id: place.facilityId,
    customerId: place.customerId,
    name: "North Works",
    siteName: "North",
    managers: [],
  });
  expect(facility?.locations).toMatchObject([
    {
      id: place.locationId,
      name: "Feed Pump 1",
      nodeSerialNumber: "10001",
      secondaryNodeSerialNumber: "10002",
      timezone: "America/Chicago",
      equipmentStartTimestamp: 1_700_000_000,
      billingStartDate: "2026-02-03",
      billingEndDate: null,
      npHp: 7.5,
      faultLibraryAlertFlags: { longStart: true },
      harmonicSignatures: [
        ["Bearing", "29.5;-59"],
        ["Gear", "7"],
      ],
      revision: 1,
      nodes: [
        {
          serialNumber: "10001",
          type: "Node",
          container: "Box 7",
          currentDeploymentStatus: "Deployed",
          newDeploymentStatus: "Unassigned",
          deploymentTaskType: "RMA",
          monitorDailyProgress: true,
          monitorMissingData: true,
          monitorDataPointAlerts: true,
        },
        { serialNumber: "10002", currentDeploymentStatus: "Pre-Deployment" },
      ],
    },
  ]);
});

test("an empty directory is an empty list, empty customers and facilities have empty lists, and every name is JSON", async () => {
  const other = await createTestApp();
  const otherToken = await other.login(await other.addAdministrator("reader"));
  const get = async () => (await other.call({ method: "GET", url: "/api/customers", token: otherToken })).json["data"];
  expect(await get()).toEqual([]);
  const nasty = '"</script>\\u2028\u2028\t\\';
  await other.database.pool.query("insert into customer (code, name) values ('empty', $1)", [nasty]);
  await other.database.pool.query("insert into facility (customer_id, name, site_name) select id, $1, $1 from customer", [nasty]);
  expect(await get()).toMatchObject([{ name: nasty, decommissionedNodes: [], facilities: [{ name: nasty, locations: [] }] }]);
  await other.stop();
});

test("A-63 customers, facilities and locations of one name come in the order in which they were made", async () => {
  const other = await createTestApp();
  const otherToken = await other.login(await other.addAdministrator("reader"));
  const { pool } = other.database;
  await pool.query(
    `insert into customer (code, name) select 'c' || n, case when n < 4 then 'Same' else 'A' end from generate_series(1, 4) n;
     insert into facility (customer_id, name, site_name) select id, 'Works', '' from customer order by id;
     insert into location (facility_id, name, timezone) select f.id, 'Pump', 'UTC' from facility f, generate_series(1, 3) order by f.id`,
  );
  const idsIn = async () => {
    const { json } = await other.call({ method: "GET", url: "/api/customers", token: otherToken });
    return (json["data"] as Customer[]).map(({ id, facilities }) => [id, facilities[0]!.locations.map((location) => location.id)]);
  };
  const expected = [4, 1, 2, 3].map((id) => [id, [3 * id - 2, 3 * id - 1, 3 * id]]);
  expect(await idsIn()).toEqual(expected);
  await reverseRows(pool);
  await pool.query("update customer set revision = revision + 1 where id = 4");
  expect(await idsIn()).toEqual(expected);
  await other.stop();
});

test("whatever is changed is in the next answer, and its tag is another", async () => {
  const changes: [string, unknown[]][] = [
    ["update customer set name = 'Alder Board' where id = $1", [place.customerId]],
    ["update facility set site_name = 'South' where id = $1", [place.facilityId]],
    ["update location set name = 'Feed Pump 2' where id = $1", [place.locationId]],
    ["update node set container = 'Box 8' where serial_number = 10001", []],
    ["update node set deployment_task_type = 'NL-NF' where serial_number = 10001", []],
    ["update node set monitor_missing_data = false where serial_number = 10001", []],
    ["update node set new_deployment_status = 'Deployed' where serial_number = 10001", []],
    ["insert into app_user (username, email, customer_id) values ('boss', 'boss@works.example', $1)", [place.customerId]],
    ["insert into facility_manager select $1, id from app_user where username = 'boss'", [place.facilityId]],
    ["delete from node_assignment where serial_number = 10002", []],
    ["delete from decommissioned_node", []],
  ];
  let { etag } = (await ask()).headers;
  for (const [text, values] of changes) {
    await query(text, values);
    const answer = await ask({ "if-none-match": String(etag) });
    // A user alone is nothing that the tree shows.
    expect([text, answer.statusCode]).toEqual([text, text.startsWith("insert into app_user") ? 304 : 200]);
    if (answer.statusCode === 200) etag = answer.headers.etag;
  }
  expect((await tree())[0]).toMatchObject({
    name: "Alder Board",
    decommissionedNodes: [],
    facilities: [
      {
        siteName: "South",
        managers: [expect.any(Number)],
        locations: [
          { name: "Feed Pump 2", secondaryNodeSerialNumber: null, nodes: [{ container: "Box 8", newDeploymentStatus: "Deployed" }] },
        ],
      },
    ],
  });
});

test("is sent compressed as asked, 304 while nothing changed, also when something changed that it does not show", async () => {
  const plain = await ask();
  expect(plain.headers).toMatchObject({ "cache-control": "private, no-cache", vary: expect.stringContaining("accept-encoding") });
  for (const [encoding, decompress] of [
    ["zstd", zstdDecompressSync],
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ] as const) {
    const response = await ask({ "accept-encoding": encoding });
    expect(response.headers["content-encoding"]).toBe(encoding);
    expect(decompress(response.rawPayload).toString()).toBe(plain.body);
    await query("update node set notify_on_connect = not notify_on_connect where serial_number = 10001");
    const again = await ask({ "accept-encoding": encoding, "if-none-match": String(response.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
  }
});

test("a change that commits after later ones is not missed", async () => {
  const slow = await server.database.pool.connect();
  await slow.query("begin");
  await slow.query("update facility set name = 'Slow Works' where id = $1", [place.facilityId]);
  await query("update customer set name = 'Alder Late' where id = $1", [place.customerId]);
  expect((await tree())[0]).toMatchObject({ name: "Alder Late", facilities: [{ name: "North Works" }] });
  await slow.query("commit");
  slow.release();
  expect((await tree())[0]).toMatchObject({ facilities: [{ name: "Slow Works" }] });
});

test("many who ask at once share one reading, and each sees what was committed before it asked", async () => {
  const readModel = createCustomerTreeReadModel(server.database.pool);
  let reads = 0;
  const counted = createCustomerTree({
    ...readModel,
    read: () => {
      reads++;
      return readModel.read();
    },
  });
  const nameNow = async () =>
    (JSON.parse(Buffer.from((await counted.answer("identity", undefined)).body as Uint8Array).toString()) as { data: { name: string }[] })
      .data[0]?.name;
  await Promise.all(Array.from({ length: 30 }, nameNow));
  expect(reads).toBe(1);
  await nameNow();
  expect(reads).toBe(1);
  for (let round = 0; round < 20; round++) {
    const asking = Array.from({ length: 3 }, nameNow);
    await query("update customer set name = $2 where id = $1", [place.customerId, `Alder ${round}`]);
    expect(await nameNow()).toBe(`Alder ${round}`);
    await Promise.all(asking);
  }
});

test("who asks after a change does not get what was read before it", async () => {
  const readModel = createCustomerTreeReadModel(server.database.pool);
  const [hasRead, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let readings = 0;
  const read = async () => {
    const found = await readModel.read();
    if (readings++ > 0) return found;
    hasRead.resolve();
    await goesOn.promise;
    return found;
  };
  const shared = createCustomerTree({ ...readModel, read });
  const early = shared.answer("identity", undefined);
  await hasRead.promise;
  await query("update customer set name = 'Renamed meanwhile' where id = $1", [place.customerId]);
  const late = shared.answer("identity", undefined);
  goesOn.resolve();
  await early;
  expect(Buffer.from((await late).body as Uint8Array).toString()).toContain("Renamed meanwhile");
});
