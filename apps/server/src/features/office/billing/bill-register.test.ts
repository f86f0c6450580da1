import { randomBytes } from "node:crypto";
import type { Bill, BilledMonth, RegisteredBill } from "@busbar/contract/office/billing.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pdfPieces } from "#testing/pdf-pieces.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addBilledCustomer, addOrganization } from "#testing/test-bills.ts";
import { createBillRegisterStore } from "./bill-register.store.ts";

let server: TestApp;
let token: string;
let serial = 30_000;

beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("accountant", ["accountsAdministrator"]));
});
afterAll(() => server.stop());

const ask = (method: "GET" | "POST", path: string, payload?: object) =>
  server.call({ method, url: `/api/v2/billing${path}`, token, ...(payload ? { payload } : {}) });

/** An organisation with one customer, whose locations are Deployed. */
async function addPayer(code: string, locations: string[]): Promise<number> {
  const nodes = locations.map((name) => ({ name, serial: serial++ }));
  const customer = await addBilledCustomer(server.database.pool, code, `${code} Works`, [{ name: "East", locations: nodes }]);
  return await addOrganization(server.database.pool, `${code} Holding`, [customer]);
}

async function getBill(organization: number, paidThruDate: string, billDate: string, invoiceNumber = ""): Promise<Bill> {
  const query = new URLSearchParams({ billDate, paidThruDate, invoiceNumber }).toString();
  const { status, json, text } = await ask("GET", `/organizations/${organization}/bill?${query}`);
  expect([status, status === 200 ? "" : text]).toEqual([200, ""]);
  return json["data"] as Bill;
}
const makeBill = (bill: Bill) => ask("POST", "/pdf", bill);
const registered = async (query = "") =>
  (await ask("GET", `/bills${query}`)).json["data"] as { bills: RegisteredBill[]; hasOlder: boolean };
const makeVoid = (number: number, reason: string) => ask("POST", `/bills/${number}/void`, { reason });
const fetchFile = async (download: unknown) => {
  const headers = { authorization: `Bearer ${token}` };
  const { statusCode, rawPayload } = await server.app.inject({ method: "GET", url: `/api/v2/download-admin/${String(download)}`, headers });
  expect(statusCode).toBe(200);
  return rawPayload;
};
const month = async (text: string, organization: number) => {
  const { organizations } = (await ask("GET", `/months/${text}`)).json["data"] as BilledMonth;
  return organizations.find(({ organizationId }) => organizationId === organization)?.locations;
};

test("A-30 a bill enters the register when it is made, with its number, who, whom, amount and its PDF, byte for byte", async () => {
  const organization = await addPayer("alder", ["Pump A", "Pump B"]);
  const bill = await getBill(organization, "2026-12-31", "2027-01-31", "INV 1");
  expect([bill.number, bill.billedAlready]).toEqual([null, []]);
  expect((await registered()).bills).toEqual([]);
  const first = await fetchFile((await makeBill(bill)).json["data"]);

  const { bills, hasOlder } = await registered();
  const { number } = bills[0]!;
  expect([bills.length, hasOlder]).toEqual([1, false]);
  expect(bills[0]).toEqual({
    number: 1,
    madeAt: Math.floor(server.clock.now() / 1000),
    madeBy: "accountant",
    organizationId: organization,
    customerName: "alder Holding",
    paidThruDate: "2026-12-31",
    billToDate: "2027-01-31",
    invoiceNumber: "INV 1",
    voltaEnergy: false,
    amountTotal: bill.amountTotal,
    locationCount: 2,
    voidedAt: null,
    voidedBy: null,
    voidReason: null,
  });
  expect((await pdfPieces(first)).title).toBe("Invoice 1 to alder Holding");

  // What changes afterwards changes nothing of it.
  await server.database.pool.query("update location set name = 'Renamed' where name = 'Pump A'");
  expect((await fetchFile((await ask("POST", `/bills/${number}/pdf`)).json["data"])).equals(first)).toBe(true);
  await server.database.pool.query("update location set name = 'Pump A' where name = 'Renamed'");
});

test("A-30 the same bill requested again is the same bill, also by the body that was sent before", async () => {
  const organization = await addPayer("birch", ["Fan"]);
  const bill = await getBill(organization, "2026-12-31", "2027-12-31");
  const first = await fetchFile((await makeBill(bill)).json["data"]);
  const count = (await registered()).bills.length;
  const again = await getBill(organization, "2026-12-31", "2027-12-31");
  expect([again.number, again.billedAlready]).toEqual([count, []]);
  for (const body of [bill, again]) expect((await fetchFile((await makeBill(body)).json["data"])).equals(first)).toBe(true);
  expect((await registered()).bills).toHaveLength(count);
});

test("A-30 who would bill days twice is warned before, and knows it when the bill is made", async () => {
  const organization = await addPayer("cedar", ["Saw 1", "Saw 2"]);
  const early = await getBill(organization, "2026-12-31", "2027-03-31");
  await makeBill(await getBill(organization, "2026-12-31", "2027-01-31"));
  const { number: january } = (await registered()).bills[0]!;
  expect([(await makeBill(early)).status, (await makeBill(early)).json["errorMessage"]]).toEqual([
    409,
    "What is billed already has changed meanwhile. Request the bill again",
  ]);
  const overlapping = await getBill(organization, "2027-01-15", "2027-02-28");
  expect(overlapping.billedAlready).toMatchObject([{ number: january, billToDate: "2027-01-31", locationCount: 2 }]);
  // Both ends count to their end: the next bill begins on the day after.
  expect((await getBill(organization, "2027-01-31", "2027-02-28")).billedAlready).toEqual([]);
  expect((await getBill(organization, "2026-11-30", "2026-12-31")).billedAlready).toEqual([]);
  expect((await makeBill(overlapping)).status).toBe(200);
  expect((await makeVoid(january, "Wrong month")).status).toBe(200);
  expect((await getBill(organization, "2026-12-31", "2027-01-15")).billedAlready).toEqual([]);
});

test("A-30 a bill is made void once, with a reason, and stays with its PDF", async () => {
  const organization = await addPayer("elm", ["Belt"]);
  const bill = await getBill(organization, "2026-12-31", "2027-12-31");
  const file = await fetchFile((await makeBill(bill)).json["data"]);
  const { number } = (await registered()).bills[0]!;
  const refused = await makeVoid(number, " ");
  expect([refused.status, refused.json["errorMessage"]]).toEqual([400, "reason: Reason has at least 3 characters"]);
  const answers = await Promise.all([1, 2, 3].map(() => makeVoid(number, "Sent to the wrong customer")));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  expect((await registered()).bills[0]).toMatchObject({ number, voidedBy: "accountant", voidReason: "Sent to the wrong customer" });
  const { rows } = await server.database.pool.query(
    "select actor, object, description, before, after from activity where action = 'VOID_BILL' and object = 'elm Holding'",
  );
  expect(rows).toEqual([
    {
      actor: "accountant",
      object: "elm Holding",
      description: `Bill ${number} of elm Holding is void: Sent to the wrong customer`,
      before: { number, voidReason: null },
      after: { number, voidReason: "Sent to the wrong customer" },
    },
  ]);
  expect((await fetchFile((await ask("POST", `/bills/${number}/pdf`)).json["data"])).equals(file)).toBe(true);
  // The same bill may be made again, under the next number.
  await makeBill(await getBill(organization, "2026-12-31", "2027-12-31"));
  expect((await registered()).bills[0]).toMatchObject({ number: number + 1, voidReason: null });
  for (const answer of [ask("POST", "/bills/999/pdf"), ask("POST", "/bills/999/void", { reason: "No such bill" })])
    expect((await answer).json["errorMessage"]).toBe("Bill 999 was not found");
});

test("A-30 bills that are made at the same time get numbers without a hole, each its own, and never bill a day twice unknowingly", async () => {
  const payers = await Promise.all(["fir", "gorse", "hazel"].map((code) => addPayer(code, ["Mill"])));
  const before = (await registered()).bills[0]!.number;
  const bodies = await Promise.all(
    payers.flatMap((payer) => ["one", "two"].map((name) => getBill(payer, "2026-12-31", "2027-12-31", name))),
  );
  const answers = await Promise.all(bodies.map((body) => makeBill(body)));
  // Of two for the same days one is made; who made the other asks again.
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 409, 409, 409]);
  const numbers = (await registered()).bills.map(({ number }) => number);
  expect(numbers).toEqual(Array.from({ length: before + 3 }, (_, index) => before + 3 - index));
  for (const payer of payers) expect((await month("2027-06", payer))?.map(({ status }) => status)).toEqual(["once"]);
});

test("A-30 a month can be seen to be billed once, more often, in part, or not", async () => {
  const organization = await addPayer("juniper", ["Crane", "Press"]);
  const nowhere = await addPayer("hawthorn", []);
  expect(await month("2027-02", nowhere)).toBeUndefined();
  const statuses = async (text: string) => (await month(text, organization))?.map(({ locationName, status }) => [locationName, status]);
  expect(await statuses("2027-02")).toEqual([
    ["Crane", "not"],
    ["Press", "not"],
  ]);
  await makeBill(await getBill(organization, "2026-12-31", "2027-02-28"));
  const { number } = (await registered()).bills[0]!;
  for (const text of ["2027-01", "2027-02"])
    expect((await month(text, organization))?.map(({ status }) => status)).toEqual(["once", "once"]);
  expect(await statuses("2027-03")).toEqual([
    ["Crane", "not"],
    ["Press", "not"],
  ]);
  await server.database.pool.query("update location set paid_thru_date = '2027-12-31' where name = 'Press'");
  await makeBill(await getBill(organization, "2027-02-27", "2027-03-15"));
  expect(await month("2027-02", organization)).toMatchObject([
    { locationName: "Crane", status: "more than once", bills: [number, number + 1] },
    { locationName: "Press", status: "once", bills: [number] },
  ]);
  expect(await statuses("2027-03")).toEqual([["Crane", "in part"]]);
  await makeVoid(number, "Replaced by another");
  expect(await statuses("2027-02")).toEqual([["Crane", "in part"]]);
  // Whoever pays for it now, another has paid for that month.
  const { pool } = server.database;
  const heirs = await addOrganization(pool, "Juniper Heirs", []);
  await pool.query("update billing_organization_customer set organization_id = $1 where organization_id = $2", [heirs, organization]);
  expect((await month("2027-02", heirs))?.map(({ locationName, status }) => [locationName, status])).toEqual([["Crane", "in part"]]);
  expect((await ask("GET", "/months/2027-13")).json["errorMessage"]).toBe("month: A month is such as 2026-12");
});

test("A-30 the register is read a hundred at a time, and outlives what its bills name", async () => {
  const organization = await addPayer("larch", ["Dryer"]);
  await makeBill(await getBill(organization, "2026-12-31", "2027-12-31"));
  const { number } = (await registered()).bills[0]!;
  await server.database.pool.query("delete from node_assignment where location_id in (select id from location where name = 'Dryer')");
  await server.database.pool.query("delete from location where name = 'Dryer'");
  await server.database.pool.query("delete from billing_organization where id = $1", [organization]);
  expect((await registered()).bills[0]).toMatchObject({ number, organizationId: null, customerName: "larch Holding", locationCount: 1 });
  const { organizations } = (await ask("GET", "/months/2027-05")).json["data"] as BilledMonth;
  expect(organizations.find(({ organizationId }) => organizationId === null)).toMatchObject({
    name: "larch Holding",
    locations: [{ locationName: "Dryer", status: "once", bills: [number] }],
  });
  const older = await registered(`?before=${number}`);
  expect(older.bills.map((bill) => bill.number)).toEqual(Array.from({ length: number - 1 }, (_, index) => number - 1 - index));
});

test("A-63 the register shows a hundred bills at a time, and says whether there are older ones", async () => {
  const store = createBillRegisterStore(server.database.pool);
  const bill = await getBill(await addPayer("rowan", ["Pump R"]), "2026-12-31", "2027-01-31");
  let number = await store.nextNumber();
  const add = async () => {
    const entry = { number: number++, madeAt: 1, madeBy: "accountant", bill, contentHash: randomBytes(32), pdf: Buffer.of(1) };
    expect(await store.transaction((client) => store.insert(client, entry))).toBe(true);
  };
  for (let count = (await registered()).bills.length; count < 100; count++) await add();
  const whole = await registered();
  expect([whole.bills.length, whole.hasOlder]).toEqual([100, false]);
  await add();
  const newest = await registered();
  expect([newest.bills.length, newest.bills[0]?.number, newest.hasOlder]).toEqual([100, number - 1, true]);
  const older = await registered(`?before=${newest.bills.at(-1)!.number}`);
  expect([older.bills.map((each) => each.number), older.hasOlder]).toEqual([[whole.bills.at(-1)!.number], false]);
});
