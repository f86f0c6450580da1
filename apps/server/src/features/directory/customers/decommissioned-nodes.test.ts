import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createNodeCredentials } from "#features/directory/node-credentials/node-credentials.service.ts";
import { createNodeCredentialsStore } from "#features/directory/node-credentials/node-credentials.store.ts";
import { hashNodeSecret } from "#lib/node-secrets.ts";
import { createDirectoryServer, statuses, type DirectoryServer } from "./directory.fixture.ts";

let directory: DirectoryServer;
let customerId: number;
beforeAll(async () => {
  directory = await createDirectoryServer();
  customerId = await directory.addCustomer({ code: "retireco" });
});
afterAll(() => directory.stop());

const addNode = (serial: number, columns = "") =>
  directory.rows(
    `insert into node (serial_number, current_deployment_status, new_deployment_status) values ($1, 'Unassigned', 'Unassigned') ${columns}`,
    [serial],
  );
const retire = (serialNumber: unknown, fields: object = {}) =>
  directory.send("POST", `/customers/${customerId}/decommissionednodes`, {
    serialNumber,
    facilityName: "Old Works",
    siteName: "Old",
    ...fields,
  });
const takeBack = (serial: string | number, customer = customerId) =>
  directory.send("DELETE", `/customers/${customer}/decommissionednodes/${serial}`);
const statusOf = async (serial: number) =>
  (
    await directory.rows<{ current: string; next: string }>(
      "select current_deployment_status as current, new_deployment_status as next from node where serial_number = $1",
      [serial],
    )
  )[0];

describe("CUS-18 decommissioned nodes", () => {
  test("serial number, facility name and site name are required", async () => {
    await addNode(41_001);
    for (const serial of ["", "1234", "01234", "123456", "41001 ", 41_001, null, undefined]) {
      expect(directory.said(await retire(serial))).toEqual([400, expect.stringMatching(/^serialNumber: .{5,}/)]);
    }
    for (const field of ["facilityName", "siteName"]) {
      for (const value of ["", "   ", "\t", "a\nb", "x".repeat(121), null, undefined]) {
        expect([value, ...directory.said(await retire("41001", { [field]: value }))]).toEqual([
          value,
          400,
          expect.stringMatching(new RegExp(`^${field}: .{5,}`)),
        ]);
      }
      const longest = await retire("41001", { [field]: "x".repeat(120) });
      expect(longest.status).toBe(200);
      await takeBack(41_001);
    }
  });

  test("a node at no location is retired: its status, where it was last, an activity", async () => {
    await addNode(41_002);
    await directory.rows(
      "update node set unassigned_customer = 'Willow Paper', unassigned_facility = 'Mill', unassigned_location = 'Shelf 3' where serial_number = 41002",
    );
    const { status, json } = await retire("41002");
    expect([status, json["data"]]).toEqual([
      200,
      {
        serialNumber: "41002",
        facilityName: "Old Works",
        siteName: "Old",
        retiredCustomer: "Willow Paper",
        retiredFacility: "Mill",
        retiredLocation: "Shelf 3",
        decommissionedTimestamp: expect.any(Number),
      },
    ]);
    expect(await statusOf(41_002)).toEqual({ current: "Decommissioned", next: "Decommissioned" });
    const [activity] = await directory.rows("select action, actor, before, after from activity where object = 'node/41002'");
    expect(activity).toMatchObject({
      action: "POST_DECOMMISSIONED_NODE",
      actor: directory.username,
      before: { currentDeploymentStatus: "Unassigned" },
      after: { currentDeploymentStatus: "Decommissioned", customerId },
    });
  });

  test("a node that was at a location is retired from the last one", async () => {
    const first = await directory.addLocation(await directory.addFacility(customerId, { name: "First Works" }), [41_020]);
    await directory.rows("delete from location where id = $1", [first]);
    const last = await directory.addLocation(await directory.addFacility(customerId, { name: "Last Works" }));
    await directory.rows("insert into node_assignment values (41020, $1, 1)", [last]);
    await directory.rows("delete from location where id = $1", [last]);
    expect((await retire("41020")).json["data"]).toMatchObject({
      retiredCustomer: "Willow Paper",
      retiredFacility: "Last Works",
      retiredLocation: expect.stringMatching(/^Pump/),
    });
  });

  test("one at a location, one that is retired already, one that is none: refused with the reason", async () => {
    const facility = await directory.addFacility(customerId, { name: "Busy Works" });
    const location = await directory.addLocation(facility, [41_003]);
    const [{ name }] = (await directory.rows<{ name: string }>("select name from location where id = $1", [location])) as [
      { name: string },
    ];
    expect(directory.said(await retire("41003"))).toEqual([
      409,
      `Node 41003 is at location ${name} of facility Busy Works of Willow Paper. Take it off there first`,
    ]);
    expect(await statusOf(41_003)).toEqual({ current: "Deployed", next: "Deployed" });
    await addNode(41_004);
    expect((await retire("41004")).status).toBe(200);
    expect(directory.said(await retire("41004"))).toEqual([409, "Node 41004 is already decommissioned at customer retireco"]);
    expect(directory.said(await retire("49999"))).toEqual([404, "Node 49999 was not found"]);
    expect(
      (await directory.send("POST", "/customers/999999/decommissionednodes", { serialNumber: "41004", facilityName: "x", siteName: "x" }))
        .status,
    ).toBe(404);
  });

  test("its credential opens nothing, and does again once it is taken back", async () => {
    await addNode(41_005);
    await directory.rows("insert into node_credential (serial_number, secret_hash) values (41005, $1)", [hashNodeSecret("its-secret")]);
    const mayConnect = async () => {
      const credentials = createNodeCredentials(createNodeCredentialsStore(directory.pool), directory.server.clock);
      return (await credentials.verify("41005", Buffer.from("its-secret"))) !== undefined;
    };
    expect(await mayConnect()).toBe(true);
    await retire("41005");
    expect(await mayConnect()).toBe(false);
    await takeBack(41_005);
    expect(await mayConnect()).toBe(true);
  });

  test("taken back a node is Unassigned; only from its own customer, only once", async () => {
    await addNode(41_006);
    const age = () =>
      directory.rows(
        `update node set current_deployment_status_updated_at = '2020-01-01', new_deployment_status_updated_at = '2020-01-02' where serial_number = 41006`,
      );
    const changedAtOnce = async () =>
      (
        await directory.rows<{ both: boolean }>(
          `select current_deployment_status_updated_at = new_deployment_status_updated_at and new_deployment_status_updated_at > '2020-01-03' as both
           from node where serial_number = 41006`,
        )
      )[0]!.both;
    await age();
    await retire("41006");
    expect(await changedAtOnce()).toBe(true);
    await age();
    expect((await takeBack(41_006, await directory.addCustomer())).status).toBe(404);
    expect((await takeBack(41_006)).json).toEqual({ data: { deleted: true } });
    expect(await changedAtOnce()).toBe(true);
    expect(await statusOf(41_006)).toEqual({ current: "Unassigned", next: "Unassigned" });
    expect(directory.said(await takeBack(41_006))).toEqual([
      404,
      "Decommissioned node 41006 of Willow Paper was not found: it may have been deleted, or taken back",
    ]);
    expect((await takeBack("0123")).status).toBe(400);
    const actions = await directory.rows<{ action: string }>("select action from activity where object = 'node/41006' order by id");
    expect(actions.map(({ action }) => action)).toEqual(["POST_DECOMMISSIONED_NODE", "DELETE_DECOMMISSIONED_NODE"]);
  });

  test("of fifty who retire one node at once one wins", async () => {
    await addNode(41_007);
    expect(statuses(await Promise.all(Array.from({ length: 50 }, () => retire("41007"))))).toEqual({ 200: 1, 409: 49 });
    expect(statuses(await Promise.all(Array.from({ length: 50 }, () => takeBack(41_007))))).toEqual({ 200: 1, 404: 49 });
  });

  test("retired and put at a location at the same moment: one of both, never both", async () => {
    const facility = await directory.addFacility(customerId);
    for (let round = 0; round < 20; round++) {
      const serial = 42_000 + round;
      await addNode(serial);
      const location = await directory.addLocation(facility);
      const assigning = directory.rows("insert into node_assignment values ($1, $2, 1)", [serial, location]).then(
        () => "assigned",
        (error: Error) => error.message,
      );
      const [retired, assigned] = await Promise.all([retire(String(serial)), assigning]);
      expect([
        [200, `Node ${serial} is decommissioned`],
        [409, "assigned"],
      ]).toContainEqual([retired.status, assigned]);
    }
    await addNode(42_100);
    await directory.rows(
      "insert into decommissioned_node (serial_number, customer_id, facility_name, site_name) values (42100, $1, 'x', 'x')",
      [customerId],
    );
    await expect(
      directory.rows("insert into node_assignment values (42100, $1, 1)", [await directory.addLocation(facility)]),
    ).rejects.toMatchObject({ code: "BB409" });
  });
});
