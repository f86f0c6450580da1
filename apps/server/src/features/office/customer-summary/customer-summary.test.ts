import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace } from "#testing/test-world.ts";

let server: TestApp;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("accountant", ["accountsAdministrator"]));
});
afterAll(() => server.stop());

const ask = (by?: string) => server.call({ method: "GET", url: "/api/customers/summary", ...(by === undefined ? {} : { token: by }) });

test("SEC-02 needs accountsAdministrator", async () => {
  expect((await ask()).status).toBe(401);
  for (const roles of [[], ["systemAdministrator"]])
    expect((await ask(await server.login(await server.addAdministrator(`p${roles.length}`, roles)))).status).toBe(403);
});

test("an empty platform has no rows and totals of 0", async () => {
  expect((await ask(token)).json["data"]).toEqual({
    customerList: [],
    totalDeployedNodeCount: 0,
    totalPreDeployedNodeCount: 0,
    totalUnassignedNodeCount: 0,
    nodesOfNoCustomerCount: 0,
  });
});

test("REP-03 customers by name with their nodes of each status, and the totals", async () => {
  const { pool } = server.database;
  const willow = await addPlace(pool, "UTC", "willow Paper");
  const alder = await addPlace(pool, "UTC", "Alder Board");
  await addPlace(pool, "UTC", "Zinnia");
  const codeOf = async (id: number) => (await pool.query<{ code: string }>("select code from customer where id = $1", [id])).rows[0]!.code;
  const [willowCode, alderCode] = [await codeOf(willow.customerId), await codeOf(alder.customerId)];
  const status = (current_deployment_status: string, more: object = {}) => ({
    current_deployment_status,
    new_deployment_status: "Deployed",
    ...more,
  });
  await addNode(pool, 20001, willow, status("Deployed"));
  await pool.query("insert into node (serial_number, current_deployment_status) values (20002, 'Pre-Deployment')");
  await pool.query("insert into node_assignment values (20002, $1, 2)", [willow.locationId]);
  await addNode(pool, 20003, undefined, status("Unassigned", { unassigned_customer: alderCode.toUpperCase() }));
  await addNode(pool, 20004, undefined, status("Unassigned", { unassigned_customer: "Alder Board" }));
  await addNode(pool, 20005, undefined, status("Pre-Deployment", { unassigned_customer: alderCode }));
  await addNode(pool, 20006, undefined, status("Unassigned", { unassigned_customer: "absent" }));
  await addNode(pool, 20007, undefined, status("Unassigned"));
  await addNode(pool, 20008, undefined, status("Decommissioned", { unassigned_customer: alderCode }));
  expect((await ask(token)).json["data"]).toEqual({
    customerList: [
      { customerCode: alderCode, customerName: "Alder Board", deployedNodeCount: 0, preDeployedNodeCount: 1, unassignedNodeCount: 2 },
      { customerCode: willowCode, customerName: "willow Paper", deployedNodeCount: 1, preDeployedNodeCount: 1, unassignedNodeCount: 0 },
      { customerCode: expect.any(String), customerName: "Zinnia", deployedNodeCount: 0, preDeployedNodeCount: 0, unassignedNodeCount: 0 },
    ],
    totalDeployedNodeCount: 1,
    totalPreDeployedNodeCount: 2,
    totalUnassignedNodeCount: 2,
    nodesOfNoCustomerCount: 2,
  });
});

test("A-63 a node whose customer is meant by a code is that one's, though another one has it as its name", async () => {
  const { pool } = server.database;
  await pool.query("insert into customer (code, name) values ('aspen', 'Beech'), ('beech', 'Other Beech')");
  await addNode(pool, 20_020, undefined, { current_deployment_status: "Unassigned", unassigned_customer: "Beech" });
  const { customerList } = (await ask(token)).json["data"] as { customerList: { customerCode: string; unassignedNodeCount: number }[] };
  const countOf = (code: string) => customerList.find(({ customerCode }) => customerCode === code)?.unassignedNodeCount;
  expect([countOf("aspen"), countOf("beech")]).toEqual([0, 1]);
});
