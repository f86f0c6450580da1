import type { Bill } from "@busbar/contract/office/billing.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addBilledCustomer, addOrganization } from "#testing/test-bills.ts";

let server: TestApp;
let accounts: string;
let other: string;
let organization: number;
const customers: Record<string, number> = {};

beforeAll(async () => {
  server = await createTestApp();
  accounts = await server.login(await server.addAdministrator("accountant", ["accountsAdministrator"]));
  other = await server.login(await server.addAdministrator("otheraccountant", ["accountsAdministrator"]));
  const { pool } = server.database;
  customers["birch"] = await addBilledCustomer(pool, "birch", "Birch Paper", [
    {
      name: "East Works",
      locations: [
        { name: "Pump A", serial: 20001 },
        { name: "Pump B", serial: 20002, paidThruDate: "2027-06-30" },
        { name: "Pump C", serial: 20003, status: "Pre-Deployment", billingStartDate: "2027-07-01" },
        { name: "Pump D", serial: 20004, billingEndDate: "2027-01-31" },
        { name: "Pump E", serial: 20005, paidThruDate: "2027-12-31" },
        { name: "Pump F", serial: 20006, billingEndDate: "2026-11-30" },
        { name: "Pump G", serial: 20007, billingStartDate: "2028-02-01" },
        { name: "Pump H" },
        { name: "Pump I", serial: 20008, status: "Unassigned" },
      ],
    },
    { name: "Test Hall", type: "Internal", locations: [{ name: "Rig", serial: 20009 }] },
  ]);
  customers["cedar"] = await addBilledCustomer(pool, "cedar", "Cedar Board", [
    { name: "West Works", locations: [{ name: "Fan 1", serial: 20010 }] },
  ]);
  customers["elm"] = await addBilledCustomer(pool, "elm", "Elm Mining", [{ name: "Pit", locations: [{ name: "Belt", serial: 20011 }] }]);
  organization = await addOrganization(pool, "Birch and Cedar Holding", [customers["birch"], customers["cedar"]]);
  await addOrganization(pool, "Aspen Holding", []);
});
afterAll(() => server.stop());

const dates = "billDate=2027-12-31&paidThruDate=2026-12-31";
const get = (path: string, token: string | undefined = accounts) =>
  server.call({ method: "GET", url: `/api/v2${path}`, ...(token === "" ? {} : { token }) });
const getBill = async (query = dates, id: number = organization): Promise<Bill> => {
  const { status, json, text } = await get(`/billing/organizations/${id}/bill?${query}`);
  expect([status, status === 200 ? "" : text]).toEqual([200, ""]);
  return json["data"] as Bill;
};
const postPdf = (bill: object, token = accounts) => server.call({ method: "POST", url: "/api/v2/billing/pdf", token, payload: bill });
const said = ({ status, json }: { status: number; json: Record<string, unknown> }) => [status, json["errorMessage"]];

describe("SEC-02 who may", () => {
  test.each(["/billing/organizations", "/billing/organizations/1/bill?billDate=2027-12-31&paidThruDate=2026-12-31"])(
    "%s needs accountsAdministrator",
    async (path) => {
      expect((await get(path, "")).status).toBe(401);
      for (const roles of [[], ["systemAdministrator"]]) {
        const token = await server.login(await server.addAdministrator(`p${Math.random().toString(36).slice(2)}`, roles));
        expect(said(await get(path, token))).toEqual([403, "This needs the role accountsAdministrator"]);
        expect(said(await postPdf(await getBill(), token))).toEqual([403, "This needs the role accountsAdministrator"]);
      }
    },
  );
});

describe("REP-01 dates are required, YYYY-MM-DD and in order", () => {
  test.each([
    ["paidThruDate=2026-12-31", "billDate: Bill To is a date such as 2026-12-31"],
    ["billDate=2027-12-31", "paidThruDate: Paid Thru is a date such as 2026-12-31"],
    ["billDate=2027-02-29&paidThruDate=2026-12-31", "billDate: Bill To is a date such as 2026-12-31"],
    ["billDate=2027-2-1&paidThruDate=2026-12-31", "billDate: Bill To is a date such as 2026-12-31"],
    ["billDate=2060-01-01&paidThruDate=2026-12-31", "billDate: Bill To is a date such as 2026-12-31"],
    ["billDate=2026-12-31&paidThruDate=2026-12-31", "billDate: Bill To is after Paid Thru"],
    [`${dates}&voltaEnergy=yes`, "voltaEnergy: is true or false"],
    [`${dates}&terms=${"x".repeat(61)}`, "terms: Terms has at most 60 characters"],
    [`${dates}&purchaseOrder=a%0Ab`, "purchaseOrder: PO # is one line of text"],
  ])("%s is refused", async (query, message) => {
    expect(said(await get(`/billing/organizations/${organization}/bill?${query}`))).toEqual([400, message]);
  });

  test("the first and last valid values are taken", async () => {
    await getBill("billDate=2028-02-29&paidThruDate=2028-02-28");
    expect((await getBill(`${dates}&terms=${"x".repeat(60)}`)).terms).toHaveLength(60);
  });
});

test("an organisation that is none is named", async () => {
  expect(said(await get(`/billing/organizations/999999/bill?${dates}`))).toEqual([404, "Billing organization 999999 was not found"]);
  expect((await get(`/billing/organizations/0/bill?${dates}`)).status).toBe(400);
});

test("REP-01 organisations are sorted by name, the configured one marked", async () => {
  const list = async () => (await get("/billing/organizations")).json["data"];
  expect(await list()).toEqual([
    { id: organization + 1, name: "Aspen Holding", isDefault: false },
    { id: organization, name: "Birch and Cedar Holding", isDefault: false },
  ]);
  await server.database.pool.query(
    "insert into system_config (key, value) values ('Billing_defaultOrganization', '\"Birch and Cedar Holding\"')",
  );
  expect(await list()).toMatchObject([{ isDefault: false }, { isDefault: true }]);
});

test("REP-02 the bill has the vendor, every line with its rate, time and status, totals, and what was left out and why", async () => {
  const bill = await getBill(`${dates}&vendorId=V%201&purchaseOrder=PO-7&terms=Net%2030&invoiceNumber=2027-001`);
  expect(bill).toMatchObject({
    vendor: { name: "Busbar", addressLine1: "1 Example Street", city: "Anytown", state: "ZZ", zipCode: "00000" },
    vendorId: "V 1",
    purchaseOrder: "PO-7",
    terms: "Net 30",
    invoiceNumber: "2027-001",
    customerName: "Birch and Cedar Holding",
    billToDate: "2027-12-31",
  });
  const lines = bill.billingFacilityItems.flatMap((facility) =>
    facility.billingLocationItems.map((line) => [
      facility.facilityName,
      line.locationName,
      line.paidThruDate,
      line.billThruDate,
      line.yearsDue,
      line.amountDue,
    ]),
  );
  expect(lines).toEqual([
    ["East Works", "Pump A", "2026-12-31", "2027-12-31", 1, 180_000],
    ["East Works", "Pump B", "2027-06-30", "2027-12-31", 0.5027, 90_492], // 184 of 366 days: the year to 2028-06-30 has a leap day
    ["East Works", "Pump C", "2027-06-30", "2027-12-31", 0.5027, 30_164],
    ["East Works", "Pump D", "2026-12-31", "2027-01-31", 0.0849, 15_288],
    ["West Works", "Fan 1", "2026-12-31", "2027-12-31", 1, 180_000],
  ]);
  expect(bill.billingFacilityItems.map((facility) => [facility.customerName, facility.amountFacilityTotal])).toEqual([
    ["Birch Paper", 315_944],
    ["Cedar Board", 180_000],
  ]);
  expect(bill.amountTotal).toBe(495_944);
  expect(bill.billingFacilityItems[0]!.billingLocationItems[2]).toEqual({
    locationId: expect.any(Number),
    locationName: "Pump C",
    serialNumber: "20003",
    deploymentStatus: "Pre-Deployment",
    deploymentDate: "2026-03-01", // in the location's zone
    paidThruDate: "2027-06-30",
    paidThruReason: "billing start",
    billThruDate: "2027-12-31",
    billThruReason: "bill",
    yearsDue: 0.5027,
    wholeYears: 0,
    extraDays: 184,
    daysOfYear: 366,
    rateParts: [{ name: "Monitoring, Pre-Deployment", amountPerYear: 60_000 }],
    amountPerYear: 60_000,
    amountDue: 30_164,
  });
  expect(bill.leftOut.map(({ locationName, serialNumber, reason }) => [locationName, serialNumber, reason])).toEqual([
    ["Pump E", "20005", "Paid through 2027-12-31"],
    ["Pump F", "20006", "Billing ended 2026-11-30"],
    ["Pump G", "20007", "Billing begins after 2028-01-31"],
    ["Pump H", null, "No node"],
    ["Pump I", "20008", "The node is Unassigned"],
    ["Rig", "20009", "Internal: not billed"],
  ]);
});

test("REP-01 a place that inherits is as internal as its customer; a location is billed for its primary node alone", async () => {
  const { pool } = server.database;
  const fir = await addBilledCustomer(pool, "fir", "Fir Labs", [
    { name: "Lab", locations: [{ name: "Rig 1", serial: 20012 }] },
    { name: "Works", type: "Revenue", locations: [{ name: "Pump 1", serial: 20013 }] },
  ]);
  await pool.query("update customer set type = 'Internal' where id = $1", [fir]);
  await pool.query("insert into node (serial_number, current_deployment_status) values (20014, 'Deployed')");
  await pool.query(
    "insert into node_assignment (serial_number, location_id, slot) select 20014, location_id, 2 from node_assignment where serial_number = 20013",
  );
  const bill = await getBill(dates, await addOrganization(pool, "Fir Holding", [fir]));
  expect(bill.leftOut.map(({ locationName, reason }) => [locationName, reason])).toEqual([["Rig 1", "Internal: not billed"]]);
  expect(
    bill.billingFacilityItems.flatMap(({ billingLocationItems }) => billingLocationItems.map(({ serialNumber }) => serialNumber)),
  ).toEqual(["20013"]);
});

test("REP-01 the energy flag adds its rate to deployed nodes only; rates are settings", async () => {
  const plain = await getBill();
  const energy = await getBill(`${dates}&voltaEnergy=true`);
  const perYear = (bill: Bill) => bill.billingFacilityItems.flatMap((each) => each.billingLocationItems.map((line) => line.amountPerYear));
  expect(perYear(plain)).toEqual([180_000, 180_000, 60_000, 180_000, 180_000]);
  expect(perYear(energy)).toEqual([204_000, 204_000, 60_000, 204_000, 204_000]);
  await server.database.pool.query("insert into system_config (key, value) values ('Billing_preDeploymentCentsPerYear', '0')");
  const free = await getBill();
  expect(free.leftOut.find(({ locationName }) => locationName === "Pump C")?.reason).toBe("Pre-Deployment costs nothing");
  await server.database.pool.query("delete from system_config where key = 'Billing_preDeploymentCentsPerYear'");
});

describe("REP-02 the PDF", () => {
  const fetchPdf = (token: string, headers: Record<string, string> = { authorization: `Bearer ${accounts}` }) =>
    server.app.inject({ method: "GET", url: `/api/v2/download-admin/${token}`, headers });
  const tokenOf = async (bill?: Bill) => (await postPdf(bill ?? (await getBill()))).json["data"] as string;

  test("is opened once through its token, with the session's cookie as a new tab sends it", async () => {
    const token = await tokenOf();
    expect(token).toMatch(/^[\w-]{43}$/);
    const answer = await fetchPdf(token, { cookie: `admin-roles=%5B%5D; admin-token=${accounts}` });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      "content-type": "application/pdf",
      "content-disposition": `inline; filename="invoice-1.pdf"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    });
    expect(answer.rawPayload.subarray(0, 5).toString()).toBe("%PDF-");
    expect((await fetchPdf(token)).statusCode).toBe(404);
  });

  test("a replayed, foreign, late, unknown or anonymous fetch is refused with the same words", async () => {
    const refusal = [404, "This file (it can be fetched once, within two minutes, by the person who requested it) was not found"];
    const tried = async (token: string, headers?: Record<string, string>) => {
      const answer = await fetchPdf(token, headers);
      return [answer.statusCode, answer.json<{ errorMessage: string }>().errorMessage];
    };
    const token = await tokenOf();
    const wrong: Record<string, string>[] = [
      {},
      { authorization: `Bearer ${other}` },
      { cookie: `admin-token=${other}` },
      { cookie: "admin-token=%E0%A4%A" },
      { cookie: "admin-token=x.y.z" },
    ];
    for (const headers of wrong) expect(await tried(token, headers)).toEqual(refusal);
    expect(await tried("A".repeat(43))).toEqual(refusal);
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetchPdf(token)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    const late = await tokenOf();
    server.clock.advance(119);
    const inTime = await tokenOf();
    server.clock.advance(2);
    expect(await tried(late)).toEqual(refusal);
    expect((await fetchPdf(inTime)).statusCode).toBe(200);
  });

  test("HEAD does not use a token up, and neither token nor hash of it can be read in the log or the database", async () => {
    const token = await tokenOf();
    const head = await server.app.inject({
      method: "HEAD",
      url: `/api/v2/download-admin/${token}`,
      headers: { authorization: `Bearer ${accounts}` },
    });
    expect(head.statusCode).toBe(405);
    expect(server.logText()).not.toContain(token);
    const stored = await server.database.pool.query(
      "select 1 from download_token where position(convert_to($1, 'UTF8') in token_hash) > 0",
      [token],
    );
    expect(stored.rowCount).toBe(0);
    expect((await fetchPdf(token)).statusCode).toBe(200);
  });

  test("a person has at most 20 files waiting", async () => {
    const bill = await getBill();
    for (let count = 0; count < 3; count++) await tokenOf(bill);
    await server.database.pool.query(
      `insert into download_token select decode(md5(n::text), 'hex'), u.id, 'x', 'x', '', now() + interval '1 hour' from generate_series(1, 30) n, app_user u where u.username = 'accountant'`,
    );
    await tokenOf(bill);
    const { rows } = await server.database.pool.query(
      "select count(*)::int as count from download_token t join app_user u on u.id = t.user_id where u.username = 'accountant'",
    );
    expect(rows).toEqual([{ count: 20 }]);
    await server.database.pool.query("delete from download_token");
  });

  test.each<[string, (bill: Bill) => void]>([
    [
      "billingFacilityItems.0.billingLocationItems.0.amountDue",
      (bill) => void bill.billingFacilityItems[0]!.billingLocationItems[0]!.amountDue++,
    ],
    ["amountTotal", (bill) => void bill.amountTotal--],
    ["customerName", (bill) => void (bill.customerName = "Someone Else")],
    ["vendor.name", (bill) => void (bill.vendor.name = "Forger")],
    ["leftOut.5", (bill) => void bill.leftOut.pop()],
    ["leftOut.0.reason", (bill) => void (bill.leftOut[0]!.reason = "")],
    ["billingFacilityItems.2", (bill) => void bill.billingFacilityItems.push(structuredClone(bill.billingFacilityItems[0]!))],
  ])("a bill with a forged %s is refused and nothing is kept", async (path, forge) => {
    const bill = await getBill();
    forge(bill);
    expect(said(await postPdf(bill))).toEqual([
      409,
      `This is not the bill that the server computes now: ${path} differs. Request the bill again`,
    ]);
    expect((await server.database.pool.query("select 1 from download_token")).rowCount).toBe(0);
  });

  test("a bill that became another one meanwhile is refused", async () => {
    const bill = await getBill();
    await server.database.pool.query("update location set paid_thru_date = '2027-03-31' where name = 'Pump A'");
    expect((await postPdf(bill)).status).toBe(409);
    await server.database.pool.query("update location set paid_thru_date = null where name = 'Pump A'");
  });

  test("the bill is recorded once, with its amount", async () => {
    await server.database.pool.query("delete from activity where action = 'POST_BILL'");
    await tokenOf(await getBill(`${dates}&invoiceNumber=2027-001`));
    const { rows } = await server.database.pool.query(
      "select actor_type, actor, action, object, description, after from activity where action = 'POST_BILL'",
    );
    expect(rows).toEqual([
      {
        actor_type: "User",
        actor: "accountant",
        action: "POST_BILL",
        object: "Birch and Cedar Holding",
        description: expect.stringMatching(/^Bill \d+ of Birch and Cedar Holding to 2027-12-31: \$4,959\.44$/),
        after: {
          number: expect.any(Number),
          customerName: "Birch and Cedar Holding",
          paidThruDate: "2026-12-31",
          billToDate: "2027-12-31",
          invoiceNumber: "2027-001",
          amountTotal: 495_944,
        },
      },
    ]);
  });

  test("an empty bill and hostile names are printed too", async () => {
    const id = await addOrganization(server.database.pool, "{{x}} <b>&=1+1", []);
    expect((await fetchPdf(await tokenOf(await getBill(dates, id)))).statusCode).toBe(200);
  });
});

test("P13 many who ask for PDFs at once wait their turn, and beyond ten are asked to try again", async () => {
  const bill = await getBill(`${dates}&invoiceNumber=many`);
  const statuses = (await Promise.all(Array.from({ length: 30 }, () => postPdf(bill)))).map(({ status }) => status);
  const made = statuses.filter((status) => status === 200);
  // One that is made before the last asks leaves its place.
  expect(made.length).toBeGreaterThanOrEqual(10);
  expect(statuses.filter((status) => status !== 200)).toEqual(Array.from({ length: 30 - made.length }, () => 429));
  expect(made.length).toBeLessThan(30);
});
