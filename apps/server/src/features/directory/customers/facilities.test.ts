import type { SavedFacility } from "@busbar/contract/directory/facilities.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDirectoryServer, statuses, type DirectoryServer } from "./directory.fixture.ts";

let directory: DirectoryServer;
let customerId: number;
beforeAll(async () => {
  directory = await createDirectoryServer();
  customerId = await directory.addCustomer({ code: "mainco" });
});
afterAll(() => directory.stop());

const facilityOf = (json: Record<string, unknown>) => json["data"] as SavedFacility;
const placeNames = {
  good: ["Abc", "1bc", "A, b_c.d-e", `A${"b".repeat(119)}`],
  bad: ["", "Ab", " bc", "-bc", ".bc", "A&b", "A(b", "Ab\n", "Ære", "工場です", `A${"b".repeat(120)}`, null, 5],
};

/** Both sides of each boundary of CUS-05. */
const rules: { field: string; good: unknown[]; bad: unknown[] }[] = [
  { field: "name", ...placeNames },
  { field: "siteName", ...placeNames },
  { field: "customerXRefId", good: ["", "X-12/34", "x".repeat(100)], bad: ["x".repeat(101), "a\nb", null] },
  {
    field: "division",
    good: ["", "Corrugated", "CPG", "Gypsum", "Guardian", "Lumber", "OSB", "P&C", "Plywood"],
    bad: ["corrugated", "Other", null],
  },
  { field: "groundingType", good: ["", "Solid Ground", "High Impedance Ground", "Ungrounded"], bad: ["solid ground", "None", null] },
  { field: "type", good: ["Inherit from Customer", "Revenue", "Internal"], bad: ["", "inherit", null] },
  {
    field: "facilityLocation",
    good: ["", "0,0", "44.1,-122.9", "-90,180", "+90.0,-180", "89.999999,179.999999"],
    bad: [
      "44.1",
      "44.1,",
      ",1",
      "44.1;-122.9",
      "44.1, -122.9",
      "90.1,0",
      "-90.0001,0",
      "0,180.1",
      "0,-181",
      "a,b",
      "1e1,2",
      "Infinity,0",
      "1,2,3",
      ".5,1",
      "４４,１",
      null,
    ],
  },
];

describe("CUS-05 a facility's fields", () => {
  let unique = 0;
  for (const { field, good, bad } of rules) {
    test(`${field}: what is right is stored, what is wrong is refused by name`, async () => {
      for (const value of good) {
        const ownCustomer = field === "name" ? await directory.addCustomer() : customerId;
        const body = { name: `Fields ${unique++}`, siteName: "North", [field]: value };
        const { status, json } = await directory.send("POST", `/customers/${ownCustomer}/facilities`, body);
        expect([value, status, facilityOf(json)?.[field as keyof SavedFacility]]).toEqual([value, 200, value]);
      }
      for (const value of bad) {
        const body = { name: `Fields ${unique++}`, siteName: "North", [field]: value };
        const { status, json } = await directory.send("POST", `/customers/${customerId}/facilities`, body);
        expect([value, status, json["errorMessage"]]).toEqual([value, 400, expect.stringMatching(new RegExp(`^${field}: .{5,}`))]);
      }
    });
  }

  test("defaults, and what no body may set", async () => {
    const add = (fields: object) =>
      directory.send("POST", `/customers/${customerId}/facilities`, { name: "Plain Works", siteName: "Plain", ...fields });
    for (const readOnly of [{ id: 1 }, { customerId: 1 }, { managers: [1] }]) expect((await add(readOnly)).status).toBe(400);
    const { json } = await add({ id: null, managers: [], locations: [] });
    const { id, ...facility } = facilityOf(json);
    expect(id).toBeGreaterThan(1);
    expect(facility).toEqual({
      customerId,
      name: "Plain Works",
      siteName: "Plain",
      customerXRefId: "",
      division: "",
      groundingType: "",
      type: "Inherit from Customer",
      facilityLocation: "",
      managers: [],
      revision: 1,
    });
  });

  test("division and facility location are required where the customer requires them, also when editing", async () => {
    const strict = await directory.addCustomer({ requireDivisionFacilityLocation: true });
    const add = (fields: object) =>
      directory.send("POST", `/customers/${strict}/facilities`, { name: "Strict", siteName: "Strict", ...fields });
    expect(directory.said(await add({ facilityLocation: "1,2" }))).toEqual([400, "division: Division is required for this customer"]);
    expect(directory.said(await add({ division: "OSB" }))).toEqual([
      400,
      "facilityLocation: Facility location is required for this customer",
    ]);
    const { status, json } = await add({ division: "OSB", facilityLocation: "1,2" });
    expect(status).toBe(200);
    const path = `/customers/${strict}/facilities/${facilityOf(json).id}`;
    expect((await directory.send("PATCH", path, { division: "" })).status).toBe(400);
    expect((await directory.send("PATCH", path, { siteName: "Stricter" })).status).toBe(200);
  });

  test("a name is one facility's of its customer", async () => {
    await directory.addFacility(customerId, { name: "Twin" });
    const other = await directory.addFacility(customerId, { name: "Other Twin" });
    const taken = [409, "Willow Paper already has a facility named Twin"];
    expect(
      directory.said(await directory.send("POST", `/customers/${customerId}/facilities`, { name: "Twin", siteName: "North" })),
    ).toEqual(taken);
    expect(directory.said(await directory.send("PATCH", `/customers/${customerId}/facilities/${other}`, { name: "Twin" }))).toEqual(taken);
    expect(
      directory.said(await directory.send("POST", `/customers/${customerId}/facilities`, { name: " Twin ", siteName: "North" })),
    ).toEqual(taken);
    expect(
      (await directory.send("POST", `/customers/${await directory.addCustomer()}/facilities`, { name: "Twin", siteName: "North" })).status,
    ).toBe(200);
  });

  test("A-63 what else the database refuses is no name that is taken", async () => {
    const id = await directory.addFacility(customerId);
    await directory.pool.query("alter table facility add constraint odd check (site_name <> 'Odd Site')");
    const { status } = await directory.send("PATCH", `/customers/${customerId}/facilities/${id}`, { siteName: "Odd Site" });
    await directory.pool.query("alter table facility drop constraint odd");
    expect(status).toBe(500);
  });

  test("is found under its own customer only", async () => {
    const id = await directory.addFacility(customerId);
    const stranger = await directory.addCustomer();
    for (const path of [`/customers/${stranger}/facilities/${id}`, `/customers/${customerId}/facilities/999999`]) {
      expect((await directory.send("PATCH", path, { siteName: "South" })).status).toBe(404);
      expect((await directory.send("PATCH", `${path}/managers`, [])).status).toBe(404);
      expect((await directory.send("DELETE", `${path}/2fa/123456`)).status).toBe(404);
    }
    expect((await directory.send("POST", "/customers/999999/facilities", { name: "Nowhere", siteName: "Nowhere" })).status).toBe(404);
  });

  test("editing is recorded and refuses what someone else changed meanwhile", async () => {
    const id = await directory.addFacility(customerId, { name: "Edited" });
    const path = `/customers/${customerId}/facilities/${id}`;
    expect(facilityOf((await directory.send("PATCH", path, { siteName: "South", revision: 1 })).json)).toMatchObject({
      siteName: "South",
      revision: 2,
    });
    expect(directory.said(await directory.send("PATCH", path, { siteName: "West", division: "OSB", revision: 1 }))).toEqual([
      409,
      "keeper changed site name of facility Edited meanwhile. Load it again and repeat your change",
    ]);
    expect((await directory.send("PATCH", path, { division: "OSB", revision: 1 })).status).toBe(200);
    const [activity] = await directory.rows(
      "select before, after from activity where object = $1 and action = 'PATCH_FACILITY' order by id",
      [`facility/${id}`],
    );
    expect(activity).toMatchObject({ before: { siteName: "North" }, after: { siteName: "South" } });
  });
});

describe("CUS-06 facility managers", () => {
  test("are users of the facility's customer, each once; the list is replaced whole", async () => {
    const id = await directory.addFacility(customerId);
    const path = `/customers/${customerId}/facilities/${id}/managers`;
    const [one, two] = [await directory.addUser(customerId), await directory.addUser(customerId)];
    const outsider = await directory.addUser(await directory.addCustomer());
    const save = async (ids: unknown) => await directory.send("PATCH", path, ids as object);
    expect(facilityOf((await save([two, one])).json).managers).toEqual([one, two]);
    expect(facilityOf((await save([two])).json).managers).toEqual([two]);
    expect(directory.said(await save([two, outsider]))).toEqual([400, `managers: ${outsider} is no user of Willow Paper`]);
    expect(directory.said(await save([999_998, 999_999]))).toEqual([400, "managers: 999998, 999999 are no users of Willow Paper"]);
    for (const bad of [{}, [one, one], ["1"], [0], [1.5], [null], Array.from({ length: 201 }, (_, index) => index + 1)]) {
      expect([bad, (await save(bad)).status]).toEqual([bad, 400]);
    }
    expect(await directory.rows("select user_id from facility_manager where facility_id = $1", [id])).toEqual([{ user_id: two }]);
    const activities = await directory.rows<{ after: { managers: number[] } }>(
      "select after from activity where object = $1 and action = 'PATCH_FACILITY_MANAGERS' order by id",
      [`facility/${id}`],
    );
    expect(activities.map(({ after }) => after.managers)).toEqual([[one, two], [two]]);
  });

  test("R20 of two people who change the managers from one list, the second is informed of the first", async () => {
    const id = await directory.addFacility(customerId);
    const path = `/customers/${customerId}/facilities/${id}/managers`;
    const [one, two] = [await directory.addUser(customerId), await directory.addUser(customerId)];
    expect((await directory.send("PATCH", `${path}?revision=1`, [one])).status).toBe(200);
    expect(directory.said(await directory.send("PATCH", `${path}?revision=1`, [two]))).toEqual([
      409,
      expect.stringMatching(/^keeper changed managers of facility Works .. meanwhile\. Load it again and repeat your change$/),
    ]);
    // Another field's change does not hurt.
    await directory.send("PATCH", `/customers/${customerId}/facilities/${id}`, { siteName: "South" });
    expect((await directory.send("PATCH", `${path}?revision=2`, [one, two])).status).toBe(200);
    for (const bad of ["0", "-1", "1.5", "x", "", "1e3"]) {
      expect(directory.said(await directory.send("PATCH", `${path}?revision=${bad}`, []))).toEqual([
        400,
        "revision: revision is a whole number, at least 1",
      ]);
    }
  });

  test("R20 each change of the managers is recorded upon the one before it, also at the same moment", async () => {
    const id = await directory.addFacility(customerId);
    const users = await Promise.all(Array.from({ length: 12 }, () => directory.addUser(customerId)));
    await Promise.all(users.map((user) => directory.send("PATCH", `/customers/${customerId}/facilities/${id}/managers`, [user])));
    const changes = await directory.rows<{ before: SavedFacility; after: SavedFacility }>(
      "select before, after from activity where object = $1 and action = 'PATCH_FACILITY_MANAGERS' order by id",
      [`facility/${id}`],
    );
    expect(changes.map(({ before }) => before.managers)).toEqual([[], ...changes.slice(0, -1).map(({ after }) => after.managers)]);
  });

  test("who leaves the customer leaves the office, also when it happens at the same moment", async () => {
    const id = await directory.addFacility(customerId);
    const other = await directory.addCustomer();
    for (let round = 0; round < 10; round++) {
      const user = await directory.addUser(customerId);
      await Promise.all([
        directory.send("PATCH", `/customers/${customerId}/facilities/${id}/managers`, [user]),
        directory.rows("update app_user set customer_id = $2 where id = $1", [user, other]),
      ]);
      expect(await directory.rows("select 1 from facility_manager where user_id = $1", [user])).toEqual([]);
    }
  });
});

describe("CUS-07 moving a facility", () => {
  const move = (from: number, id: number, to: number) => directory.send("PATCH", `/customers/${from}/facilities/${id}/customers/${to}`);

  test("takes locations and nodes along, resets the type, ends managers, and says so", async () => {
    const to = await directory.addCustomer({ name: "Cobalt Ridge" });
    const id = await directory.addFacility(customerId, { type: "Internal" });
    const location = await directory.addLocation(id, [32_001, 32_002]);
    await directory.addLocation(id);
    const user = await directory.addUser(customerId);
    await directory.send("PATCH", `/customers/${customerId}/facilities/${id}/managers`, [user]);

    const { status, json } = await move(customerId, id, to);
    expect([status, json["data"]]).toEqual([200, { facilityId: id, customerId: to, locations: 2, nodes: 2, removedManagers: 1 }]);
    expect(await directory.rows("select customer_id, type from facility where id = $1", [id])).toEqual([
      { customer_id: to, type: "Inherit from Customer" },
    ]);
    expect(await directory.rows("select serial_number from node_assignment where location_id = $1 order by 1", [location])).toHaveLength(2);
    const [activity] = await directory.rows(
      "select description, before, after from activity where object = $1 and action = 'MOVE_FACILITY'",
      [`facility/${id}`],
    );
    expect(activity).toMatchObject({
      description: expect.stringMatching(
        /^Facility Works .. was moved from Willow Paper to Cobalt Ridge with 2 locations and 2 nodes; 1 manager left it$/,
      ),
      before: { customerId, type: "Internal", managers: [user] },
      after: { customerId: to, type: "Inherit from Customer", managers: [] },
    });
  });

  test("needs another customer, that exists, has no facility of the name and is content with what the facility has", async () => {
    const id = await directory.addFacility(customerId, { name: "Mover" });
    expect(directory.said(await move(customerId, id, customerId))).toEqual([
      400,
      "newCustomerId: The facility is at this customer already. Choose another one",
    ]);
    expect(directory.said(await move(customerId, id, 999_999))).toEqual([404, "This customer was not found: it may have been deleted"]);
    const taken = await directory.addCustomer({ name: "Taken Names" });
    await directory.addFacility(taken, { name: "Mover" });
    expect(directory.said(await move(customerId, id, taken))).toEqual([409, "Taken Names already has a facility named Mover"]);
    const strict = await directory.addCustomer({ name: "Strict Board", requireDivisionFacilityLocation: true });
    expect(directory.said(await move(customerId, id, strict))).toEqual([
      409,
      "Strict Board requires a division and a facility location. Give both to Mover first",
    ]);
    await directory.send("PATCH", `/customers/${customerId}/facilities/${id}`, { division: "OSB", facilityLocation: "1,2" });
    expect((await move(customerId, id, strict)).status).toBe(200);
  });

  test("of fifty moves of one facility at once one wins, the others find it gone", async () => {
    const id = await directory.addFacility(customerId);
    const targets = await Promise.all(Array.from({ length: 50 }, () => directory.addCustomer()));
    const answers = await Promise.all(targets.map((to) => move(customerId, id, to)));
    expect(statuses(answers)).toEqual({ 200: 1, 404: 49 });
    const winner = targets[answers.findIndex(({ status }) => status === 200)];
    expect(await directory.rows("select customer_id from facility where id = $1", [id])).toEqual([{ customer_id: winner }]);
  });

  test("against deleting the facility or either customer at the same moment: one order or the other, never an orphan", async () => {
    for (let round = 0; round < 8; round++) {
      const [from, to] = [await directory.addCustomer(), await directory.addCustomer()];
      const id = await directory.addFacility(from);
      const code = await directory.passcode();
      const path = [
        `/customers/${from}/facilities/${id}/2fa/${code}`,
        `/customers/${to}/2fa/${code}?confirm=0,0`,
        `/customers/${from}/2fa/${code}?confirm=1,0`,
      ];
      const [moved, removed] = await Promise.all([move(from, id, to), directory.send("DELETE", path[round % 3]!)]);
      expect([200, 404]).toContain(moved.status);
      expect([200, 404, 409]).toContain(removed.status);
      expect(
        await directory.rows("select 1 from facility f left join customer c on c.id = f.customer_id where f.id = $1 and c.id is null", [
          id,
        ]),
      ).toEqual([]);
      const exists = (await directory.rows("select 1 from facility where id = $1", [id])).length === 1;
      // A customer that went before the facility came to it took nothing along.
      const isTargetGone = round % 3 === 1 && moved.status === 404;
      expect(exists).toBe(moved.status === 200 || removed.status !== 200 || isTargetGone);
    }
  });
});

describe("R20 a facility's name is one at its customer, also at the same moment", () => {
  const taken = expect.stringMatching(/^Willow Paper already has a facility named /);

  test("of twenty facilities that take one name at once one gets it", async () => {
    const id = await directory.addCustomer();
    const facilities = await Promise.all(Array.from({ length: 20 }, () => directory.addFacility(id)));
    const answers = await Promise.all(
      facilities.map((facility) => directory.send("PATCH", `/customers/${id}/facilities/${facility}`, { name: "Wanted Name" })),
    );
    expect(statuses(answers)).toEqual({ 200: 1, 409: 19 });
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(directory.said)).toEqual(refused.map(() => [409, taken]));
  });

  test("of twenty facilities of one name that move to one customer at once one arrives", async () => {
    const to = await directory.addCustomer();
    const moving = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const from = await directory.addCustomer();
        return { from, id: await directory.addFacility(from, { name: "Common Name" }) };
      }),
    );
    const answers = await Promise.all(
      moving.map(({ from, id }) => directory.send("PATCH", `/customers/${from}/facilities/${id}/customers/${to}`)),
    );
    expect(statuses(answers)).toEqual({ 200: 1, 409: 19 });
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(directory.said)).toEqual(refused.map(() => [409, taken]));
  });
});

describe("CUS-08 deleting a facility", () => {
  const remove = async (id: number, query = "", code?: string) =>
    await directory.send("DELETE", `/customers/${customerId}/facilities/${id}/2fa/${code ?? (await directory.passcode())}${query}`);

  test("A-12 the call of the texts deletes it with its locations; nodes are free, what they measured stays", async () => {
    const id = await directory.addFacility(customerId, { name: "Doomed" });
    await directory.addLocation(id, [33_001]);
    await directory.addLocation(id);
    await directory.rows("insert into activity (actor_type, actor, action, description) values ('Node', '33001', 'NODE_BIRTH', 'kept')");
    const { status, json } = await remove(id);
    expect([status, json["data"]]).toEqual([200, { deleted: true, locations: 2, freedNodes: ["33001"] }]);
    expect(
      await directory.rows(
        "select current_deployment_status as status, unassigned_facility as place from node where serial_number = 33001",
      ),
    ).toEqual([{ status: "Unassigned", place: "Doomed" }]);
    expect(await directory.rows("select 1 from activity where actor = '33001'")).toHaveLength(1);
    expect(
      await directory.rows("select description, before->>'name' as name from activity where object = $1 and action = 'DELETE_FACILITY'", [
        `facility/${id}`,
      ]),
    ).toEqual([{ description: "Facility Doomed was deleted with 2 locations; 1 node freed", name: "Doomed" }]);
  });

  test("A-12 a number that is sent guards against what changed meanwhile", async () => {
    const id = await directory.addFacility(customerId, { name: "Guarded" });
    await directory.addLocation(id);
    for (const confirm of [0, 3])
      expect(directory.said(await remove(id, `?confirm=${confirm}`))).toEqual([
        409,
        `Facility Guarded has 1 location now, not ${confirm} locations as confirmed. Nothing was deleted`,
      ]);
    expect((await remove(id, "?confirm=1,2")).status).toBe(400);
    expect((await remove(id, "?confirm=1")).status).toBe(200);
  });

  test("needs a right code", async () => {
    const id = await directory.addFacility(customerId);
    expect(directory.said(await remove(id, "", "000000"))).toEqual([403, "The 2FA code is not right"]);
    expect(directory.said(await remove(id, "", "12.34"))).toEqual([400, "code: A 2FA code is letters and digits only"]);
    expect((await remove(id)).status).toBe(200);
  });

  test("fifty times at once with one code it is deleted once", async () => {
    const id = await directory.addFacility(customerId);
    const code = await directory.passcode();
    const counts = statuses(await Promise.all(Array.from({ length: 50 }, () => remove(id, "", code))));
    expect(counts[200]).toBe(1);
    expect((counts[403] ?? 0) + (counts[404] ?? 0)).toBe(49);
  });

  test("R20 waits for someone who is taking a node off one of its locations, instead of each waiting for the other", async () => {
    const id = await directory.addFacility(customerId);
    await directory.addLocation(id, [33_050]);
    const code = await directory.passcode();
    const client = await directory.pool.connect();
    try {
      await client.query("begin");
      await client.query("select from node where serial_number = 33050 for update");
      const removing = remove(id, "?confirm=1", code);
      await expect
        .poll(() => directory.rows("select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"))
        .toHaveLength(1);
      await client.query("delete from node_assignment where serial_number = 33050");
      await client.query("commit");
      expect((await removing).json["data"]).toEqual({ deleted: true, locations: 1, freedNodes: [] });
    } finally {
      client.release();
    }
  });

  test("against a location that is added at the same moment: never an orphan", async () => {
    for (let round = 0; round < 10; round++) {
      const id = await directory.addFacility(customerId);
      const code = await directory.passcode();
      const adding = directory.addLocation(id).then(
        () => "added",
        () => "refused",
      );
      const [removed, added] = await Promise.all([remove(id, "?confirm=0", code), adding]);
      expect([removed.status, added]).toEqual(removed.status === 200 ? [200, "refused"] : [409, "added"]);
    }
  });
});
