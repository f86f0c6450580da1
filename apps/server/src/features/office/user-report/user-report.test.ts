import type { UserReport } from "@busbar/contract/office/user-report.ts";
import { parse } from "csv-parse/sync";
import { assert, property, string } from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { presentUsers } from "./user-report.view.ts";

let server: TestApp;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("accountant", ["accountsAdministrator"]));
  const { pool } = server.database;
  await pool.query("insert into customer (code, name) values ('rowan', 'Rowan, Mills'), ('ash', 'Ash Mills')");
  await pool.query(
    `insert into app_user (username, email, first_name, last_name, customer_id, internal_user, active_status)
     select u.username, u.username || '@x.example', u.first, 'Berg', c.id, u.internal, u.status
     from (values ('bea', 'Bea', 'rowan', false, 'ACTIVE'), ('cas', 'Cas "C"', 'ash', false, 'ACTIVE'), ('dee', 'Dee', 'rowan', true, 'ACTIVE'),
       ('eli', 'Eli', 'rowan', false, 'SUSPENDED'), ('fay', 'Fay', 'rowan', true, 'SUSPENDED')) u (username, first, code, internal, status)
     join customer c on c.code = u.code`,
  );
});
afterAll(() => server.stop());

const ask = (query = "", by: string | undefined = token) =>
  server.call({ method: "GET", url: `/api/reports/users${query}`, ...(by === "" ? {} : { token: by }) });
const report = async (query = "") => {
  const data = (await ask(query)).json["data"] as UserReport;
  return { ...data, records: parse(data.csvString, { columns: true }) as Record<string, string>[] };
};
const names = async (query = "") => (await report(query)).records.map((record) => record["Username"]);

test("SEC-02 needs accountsAdministrator", async () => {
  expect((await ask("", "")).status).toBe(401);
  for (const roles of [[], ["systemAdministrator"]])
    expect((await ask("", await server.login(await server.addAdministrator(`p${roles.length}`, roles)))).status).toBe(403);
  await server.database.pool.query("delete from app_user where username in ('p0', 'p1')");
});

test.each([
  ["?customer_code=R", 400, "customer_code: A customer code is lowercase letters"],
  ["?include_internal_users=1", 400, "include_internal_users: include_internal_users is true or false"],
  ["?include_inactive_users=yes", 400, "include_inactive_users: include_inactive_users is true or false"],
  ["?customer_code=absent", 404, "Customer absent was not found"],
])("%s is refused", async (query, status, message) => {
  const answer = await ask(query);
  expect([answer.status, answer.json["errorMessage"]]).toEqual([status, message]);
});

test("REP-05 internal and inactive users only when requested, one customer when chosen; the count is that of the lines", async () => {
  expect(await names()).toEqual(["bea", "cas"]);
  expect(await names("?include_internal_users=true")).toEqual(["accountant", "bea", "cas", "dee"]);
  expect(await names("?include_inactive_users=true")).toEqual(["bea", "cas", "eli"]);
  expect(await names("?customer_code=rowan&include_internal_users=true&include_inactive_users=true")).toEqual(["bea", "dee", "eli", "fay"]);
  const { rowCount, csvString, records } = await report("?customer_code=rowan");
  expect([rowCount, records]).toEqual([
    1,
    [
      {
        Username: "bea",
        "First Name": "Bea",
        "Last Name": "Berg",
        Email: "bea@x.example",
        "Customer Code": "rowan",
        "Customer Name": "Rowan, Mills",
        Status: "ACTIVE",
        Internal: "no",
        "Daily Report": "no",
        "Connectivity Notifications": "yes",
        "Fault Library Notifications": "yes",
        "All Facilities": "no",
      },
    ],
  ]);
  expect(csvString.split("\r\n")[0]).toBe(
    "Username,First Name,Last Name,Email,Customer Code,Customer Name,Status,Internal,Daily Report,Connectivity Notifications,Fault Library Notifications,All Facilities",
  );
});

test("A-63 each flag is in its own column; staff are internal", async () => {
  const flags = {
    internal_user: "Internal",
    receive_daily_report: "Daily Report",
    receive_connectivity_notifications: "Connectivity Notifications",
    receive_fault_library_notifications: "Fault Library Notifications",
    auto_subscribe_all_facilities: "All Facilities",
  };
  const yesOf = async (username: string) => {
    const found = (await report("?include_internal_users=true")).records.find((record) => record["Username"] === username) ?? {};
    return Object.keys(found).filter((column) => found[column] === "yes");
  };
  for (const [flag, column] of Object.entries(flags)) {
    const values = Object.keys(flags).map((name) => `${name} = ${name === flag}`);
    await server.database.pool.query(`update app_user set ${values.join(", ")} where username = 'cas'`);
    expect(await yesOf("cas")).toEqual([column]);
  }
  await server.database.pool.query("update app_user set auto_subscribe_all_facilities = false where username = 'cas'");
  expect(await yesOf("accountant")).toContain("Internal");
});

test("more users than one page of the query keep their order and none is lost or doubled", async () => {
  const { pool } = server.database;
  await pool.query("insert into customer (code, name) values ('many', 'Many')");
  await pool.query(
    `insert into app_user (username, email, customer_id) select 'm' || lpad(n::text, 6, '0'), n || '@m.example', c.id
     from generate_series(1, 3001) n, customer c where c.code = 'many'`,
  );
  const { rowCount, records } = await report("?customer_code=many");
  expect([rowCount, records.length, new Set(records.map((record) => record["Username"])).size]).toEqual([3_001, 3_001, 3_001]);
  expect(records.at(-1)?.["Username"]).toBe("m003001");
});

describe("REP-05 formulas become texts", () => {
  const user = (text: string) => ({
    username: text,
    firstName: text,
    lastName: text,
    email: text,
    customerCode: text,
    customerName: text,
    activeStatus: "ACTIVE",
    isInternal: false,
    receiveDailyReport: false,
    receiveConnectivityNotifications: false,
    receiveFaultLibraryNotifications: false,
    autoSubscribeAllFacilities: false,
  });
  const cellsOf = (text: string) => parse(presentUsers([user(text)]))[0]!.slice(0, 6);
  const starts = ["=", "+", "-", "@", "\t", "\r", "\n", "|", "%"];
  const bodies = ["", 'HYPERLINK("http://x")', "1+1", "cmd|' /C calc'!A0", "a,b", 'say "x"', "line\r\nbreak", "ünïcode;漢"];

  test.each(starts.flatMap((start) => bodies.map((body) => start + body)))("%j", (text) => {
    expect(cellsOf(text)).toEqual(Array.from({ length: 6 }, () => `'${text}`));
  });

  test("any text survives another parser, unchanged or behind one apostrophe, and no cell begins a formula", () => {
    assert(
      property(string({ unit: "binary", minLength: 0, maxLength: 30 }), (text) => {
        const [cell = ""] = cellsOf(text);
        expect([text, `'${text}`]).toContain(cell);
        expect(cell).not.toMatch(/^[=+\-@\t\r\n]/);
      }),
    );
  });
});
