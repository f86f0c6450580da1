import type { SavedCustomer } from "@busbar/contract/directory/customers.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDirectoryServer, statuses, type DirectoryServer } from "./directory.fixture.ts";

let directory: DirectoryServer;
beforeAll(async () => {
  directory = await createDirectoryServer();
});
afterAll(() => directory.stop());

const customerOf = (json: Record<string, unknown>) => json["data"] as SavedCustomer;

/** Both sides of each boundary of CUS-04. */
const rules: { field: string; good: unknown[]; bad: unknown[] }[] = [
  {
    field: "code",
    good: ["ab", "abcdefghijklmnopqrstuvwxyz", "a".repeat(63)],
    bad: ["", "a", "Ab", "a1", "a b", "ab\n", "äb", "a".repeat(64), null, 7, ["ab"]],
  },
  {
    field: "name",
    good: ["Abc", "a12", "A, B. C", `A${"b".repeat(119)}`],
    bad: ["", "Ab", "1bc", " bc", "A-b", "A&b", "Åre", "Ab\n", "アルダ", `A${"b".repeat(120)}`, null, {}],
  },
  { field: "type", good: ["Revenue", "Internal"], bad: ["", "revenue", "Inherit from Customer", null] },
  { field: "enableDataTransfer", good: [true, false], bad: ["true", 1, null] },
  { field: "requireDivisionFacilityLocation", good: [true, false], bad: ["", 0, null] },
  {
    field: "emailDomains",
    good: [[], ["works.example"], ["a.bc", "x-y.z9.example"], Array.from({ length: 50 }, (_, index) => `d${index}.example`)],
    bad: [
      "works.example",
      [""],
      ["example"],
      ["Works.example"],
      ["@works.example"],
      ["a..b.example"],
      ["-a.example"],
      ["a.example", "a.example"],
      [`${"a".repeat(64)}.example`],
      Array.from({ length: 51 }, (_, index) => `d${index}.example`),
    ],
  },
];

describe("CUS-04 a customer's fields", () => {
  let unique = 0;
  const valid = () => ({ code: `fields${String.fromCharCode(97 + Math.floor(unique / 26), 97 + (unique++ % 26))}`, name: "Field Test" });

  for (const { field, good, bad } of rules) {
    test(`${field}: what is right is stored, what is wrong is refused by name`, async () => {
      for (const value of good) {
        const { status, json } = await directory.send("POST", "/customers", { ...valid(), [field]: value });
        expect([value, status, customerOf(json)?.[field as keyof SavedCustomer]]).toEqual([value, 200, value]);
      }
      for (const value of bad) {
        const { status, json } = await directory.send("POST", "/customers", { ...valid(), [field]: value });
        expect([value, status, json["errorCode"]]).toEqual([value, 400, "INVALID"]);
        expect(json["errorMessage"]).toMatch(new RegExp(`^${field}(\\.\\d+)?: .{5,}`));
      }
    });
  }

  test("blanks around a name are no one's: they are not kept, and do not count as characters", async () => {
    const { json } = await directory.send("POST", "/customers", { ...valid(), name: " \tWillow Paper  " });
    expect(customerOf(json).name).toBe("Willow Paper");
    expect((await directory.send("PATCH", `/customers/${customerOf(json).id}`, { name: "Wi " })).status).toBe(400);
  });

  test("defaults, and what no body may set", async () => {
    const { json } = await directory.send("POST", "/customers", { ...valid(), id: null, facilities: [{ id: 1 }] });
    expect(customerOf(json)).toMatchObject({
      type: "Revenue",
      enableDataTransfer: false,
      requireDivisionFacilityLocation: false,
      emailDomains: [],
      revision: 1,
    });
    for (const readOnly of [{ id: 1 }, { revision: 9 }])
      expect((await directory.send("POST", "/customers", { ...valid(), ...readOnly })).status).toBe(400);
    expect(json["data"]).not.toHaveProperty("facilities");
  });

  test("code and name are required, and a code is one customer's", async () => {
    expect(directory.said(await directory.send("POST", "/customers", { name: "Some Company" }))).toEqual([400, "code: Code is required"]);
    expect(directory.said(await directory.send("POST", "/customers", { code: "someco" }))).toEqual([400, "name: Name is required"]);
    const first = valid();
    expect((await directory.send("POST", "/customers", first)).status).toBe(200);
    expect(directory.said(await directory.send("POST", "/customers", first))).toEqual([
      409,
      `There is already a customer with the code ${first.code}`,
    ]);
  });
});

describe("CUS-04 editing a customer", () => {
  test("changes what is given, counts the revision and is recorded with before and after", async () => {
    const id = await directory.addCustomer({ emailDomains: ["a.example"] });
    const { json } = await directory.send("PATCH", `/customers/${id}`, {
      name: "Willow Board",
      type: "Internal",
      id,
      facilities: [],
      decommissionedNodes: [],
      revision: 1,
    });
    expect(customerOf(json)).toMatchObject({ id, name: "Willow Board", type: "Internal", emailDomains: ["a.example"], revision: 2 });
    const [activity] = await directory.rows(
      "select actor, action, description, before, after from activity where object = $1 order by id desc",
      [`customer/${id}`],
    );
    expect(activity).toMatchObject({
      actor: directory.username,
      action: "PATCH_CUSTOMER",
      description: expect.stringContaining("name, type changed"),
      before: { name: "Willow Paper", revision: 1 },
      after: { name: "Willow Board", revision: 2 },
    });
  });

  test("A-21 another id and unknown fields are refused by name", async () => {
    const id = await directory.addCustomer();
    const said = async (change: object) => directory.said(await directory.send("PATCH", `/customers/${id}`, change));
    expect(await said({ id: id + 1 })).toEqual([400, "id: cannot be changed here"]);
    expect(await said({ name: "Willow Board", nickname: "Will" })).toEqual([400, "nickname: this call has no such field"]);
  });

  test("the code stays; sending the same one along is no change and writes nothing", async () => {
    const id = await directory.addCustomer();
    const [{ code }] = (await directory.rows<{ code: string }>("select code from customer where id = $1", [id])) as [{ code: string }];
    expect(directory.said(await directory.send("PATCH", `/customers/${id}`, { code: "another" }))).toEqual([
      400,
      "code: The code of a customer cannot be changed",
    ]);
    const { json } = await directory.send("PATCH", `/customers/${id}`, { code, name: "Willow Paper" });
    expect(customerOf(json).revision).toBe(1);
    expect(await directory.rows("select 1 from activity where object = $1 and action = 'PATCH_CUSTOMER'", [`customer/${id}`])).toEqual([]);
  });

  test("a change of a field that someone else changed meanwhile is refused and says so; other fields go through", async () => {
    const id = await directory.addCustomer();
    await directory.send("PATCH", `/customers/${id}`, { name: "Willow First", revision: 1 });
    expect(directory.said(await directory.send("PATCH", `/customers/${id}`, { name: "Willow Second", revision: 1 }))).toEqual([
      409,
      "keeper changed name of customer Willow First meanwhile. Load it again and repeat your change",
    ]);
    const { status, json } = await directory.send("PATCH", `/customers/${id}`, { enableDataTransfer: true, revision: 1 });
    expect([status, customerOf(json)]).toEqual([
      200,
      expect.objectContaining({ name: "Willow First", enableDataTransfer: true, revision: 3 }),
    ]);
    await directory.rows("delete from activity where object = $1", [`customer/${id}`]);
    expect(directory.said(await directory.send("PATCH", `/customers/${id}`, { type: "Internal", revision: 2 }))).toEqual([
      409,
      "customer Willow First was changed meanwhile. Load it again and repeat your change",
    ]);
  });

  test("of fifty who edit the same revision at once one wins, and what is stored is the winner's", async () => {
    const id = await directory.addCustomer();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => directory.send("PATCH", `/customers/${id}`, { name: `Willow ${index}`, revision: 1 })),
    );
    expect(statuses(answers)).toEqual({ 200: 1, 409: 49 });
    const winner = customerOf(answers.find(({ status }) => status === 200)!.json);
    expect(await directory.rows("select name, revision from customer where id = $1", [id])).toEqual([{ name: winner.name, revision: 2 }]);
  });

  test("an unknown customer is 404, an id that is none 400", async () => {
    expect(directory.said(await directory.send("PATCH", "/customers/999999", { name: "Absent" }))).toEqual([
      404,
      "This customer was not found: it may have been deleted",
    ]);
    for (const id of ["0", "-1", "1.5", "abc", "2147483648", "99999999999999"]) {
      expect(directory.said(await directory.send("PATCH", `/customers/${id}`, {}))).toEqual([
        400,
        "id: An id is a whole number from 1 to 2147483647",
      ]);
    }
    expect((await directory.send("PATCH", "/customers/2147483647", {})).status).toBe(404);
  });
});

describe("CUS-04 deleting a customer", () => {
  const remove = async (id: number, confirm?: string, code?: string) =>
    await directory.send(
      "DELETE",
      `/customers/${id}/2fa/${code ?? (await directory.passcode())}${confirm === undefined ? "" : `?confirm=${confirm}`}`,
    );

  test("needs a right code, and a wrong one deletes nothing", async () => {
    const id = await directory.addCustomer();
    await directory.passcode();
    expect(directory.said(await remove(id, undefined, "000000"))).toEqual([403, "The 2FA code is not right"]);
    for (const code of ["12-34", "12%2034", "1%2F2"]) {
      expect(directory.said(await remove(id, undefined, code))).toEqual([400, "code: A 2FA code is letters and digits only"]);
    }
    const code = await directory.passcode();
    expect((await remove(id, undefined, code)).json).toEqual({ data: { deleted: true, facilities: 0, locations: 0, freedNodes: [] } });
    expect(directory.said(await remove(id))).toEqual([404, "This customer was not found: it may have been deleted"]);
    expect(directory.server.logText()).not.toContain(code);
  });

  test("A-12 the call of the texts deletes it with its contents: the passcode is the confirmation", async () => {
    const id = await directory.addCustomer();
    const facility = await directory.addFacility(id);
    await directory.addFacility(id);
    await directory.addLocation(facility, [31_001, 31_002]);
    await directory.addLocation(facility, [31_003]);
    await directory.rows(
      "update node set current_deployment_status_updated_at = '2020-01-01', new_deployment_status_updated_at = '2020-01-02' where serial_number <= 31002",
    );

    const { status, json } = await remove(id);
    expect([status, json["data"]]).toEqual([200, { deleted: true, facilities: 2, locations: 2, freedNodes: ["31001", "31002", "31003"] }]);
    const nodes = await directory.rows(
      `select serial_number as serial, current_deployment_status as current, new_deployment_status as next, unassigned_customer as customer,
         unassigned_facility like 'Works %' as "hasFacility", unassigned_location like 'Pump %' as "hasLocation",
         current_deployment_status_updated_at = new_deployment_status_updated_at and new_deployment_status_updated_at > '2020-01-03' as "isNow" from node where serial_number between 31001 and 31003`,
    );
    const free = { current: "Unassigned", next: "Unassigned", customer: "Willow Paper", hasFacility: true, hasLocation: true, isNow: true };
    expect(nodes).toEqual([31_001, 31_002, 31_003].map((serial) => ({ serial, ...free })));
    const [activity] = await directory.rows<{ description: string; before: { facilities: unknown[]; locations: { nodes: string[] }[] } }>(
      "select description, before from activity where action = 'DELETE_CUSTOMER' and object = $1",
      [`customer/${id}`],
    );
    expect(activity?.description).toMatch(/^Customer Willow Paper \(\w+\) was deleted with 2 facilities and 2 locations; 3 nodes freed$/);
    expect(activity?.before).toMatchObject({ name: "Willow Paper", facilities: [{}, {}], locations: [{ nodes: ["31001", "31002"] }, {}] });
  });

  test("A-12 numbers that are sent guard against what changed meanwhile", async () => {
    const id = await directory.addCustomer();
    const facility = await directory.addFacility(id);
    await directory.addLocation(facility);
    for (const [confirm, words] of [
      ["2,1", "2 facilities and 1 location"],
      ["1,0", "1 facility and 0 locations"],
      ["0,0", "0 facilities and 0 locations"],
    ] as const)
      expect(directory.said(await remove(id, confirm))).toEqual([
        409,
        `Customer Willow Paper has 1 facility and 1 location now, not ${words} as confirmed. Nothing was deleted`,
      ]);
    for (const confirm of ["2", "2,2,2", "a,b", "-2,2", ""]) expect((await remove(id, confirm)).status).toBe(400);
    expect(await directory.rows("select 1 from facility where customer_id = $1", [id])).toHaveLength(1);
    expect((await remove(id, "1,1")).status).toBe(200);
  });

  test("people and retired nodes are never deleted along; what cannot be done spends no code", async () => {
    const id = await directory.addCustomer();
    const code = await directory.passcode();
    const user = await directory.addUser(id);
    expect(directory.said(await remove(id, undefined, code))).toEqual([
      409,
      "1 user of Willow Paper must be deleted or moved to another customer first",
    ]);
    await directory.rows("delete from app_user where id = $1", [user]);
    await directory.rows("insert into node (serial_number) values (31010)");
    await directory.send("POST", `/customers/${id}/decommissionednodes`, { serialNumber: "31010", facilityName: "Old", siteName: "Old" });
    expect(directory.said(await remove(id, undefined, code))).toEqual([409, "Willow Paper has 1 decommissioned node. Remove them first"]);
    await directory.send("DELETE", `/customers/${id}/decommissionednodes/31010`);
    expect((await remove(id, undefined, code)).status).toBe(200);
  });

  test("against fifty facilities that are added at once: either it goes or they stay, nothing is orphaned", async () => {
    for (let round = 0; round < 4; round++) {
      const id = await directory.addCustomer();
      const code = await directory.passcode();
      const adding = Array.from({ length: 50 }, (_, index) =>
        directory.send("POST", `/customers/${id}/facilities`, { name: `Race ${index}`, siteName: "Race" }),
      );
      const [removed, ...added] = await Promise.all([remove(id, "0,0", code), ...adding]);
      const left = await directory.rows("select 1 from facility where customer_id = $1", [id]);
      const whenGone = { removed: 200, added: { 404: 50 }, left: 0 };
      const whenKept = { removed: 409, added: { 200: 50 }, left: 50 };
      expect([whenGone, whenKept]).toContainEqual({ removed: removed.status, added: statuses(added), left: left.length });
    }
  });
});
