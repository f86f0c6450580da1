import type { NetworkConfigEntry } from "@busbar/contract/telemetry/network-config-log.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { networkConfigLogHandlers } from "./network-config-log.handlers.ts";
import type { AuditRow, AuditSearch } from "./network-config-log.read-model.ts";

let server: TestApp;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("reader"));
  // Row 500 was written in its turn by a process whose clock was ahead.
  await server.database.pool.query(
    `insert into audit_log (ts, username, serial_number, location_id, location_name, timezone, key, old_value, new_value, result, detail)
     select to_timestamp(1790000000 + n + case when n = 500 then 700 else 0 end), case when n % 2 = 0 then 'pat' else 'kim' end, 10000 + n, null, 'Feed Pump ' || n, 'America/Chicago', 'np_voltage',
       '460', case when n = 7 then '100%' else '480' end, case when n = 3 then 'refused' else 'confirmed' end, case when n = 3 then 'The 2FA code is not right' else '' end
     from generate_series(1, 1100) n order by n`,
  );
});
afterAll(() => server.stop());

const ask = (query: string) => server.call({ method: "GET", url: `/api/auditlog/networkconfig${query}`, token });
const list = async (query: string) => (await ask(query)).json["data"] as NetworkConfigEntry[];

describe("REP-06 the log of configuration changes", () => {
  test("needs a session", async () => {
    expect((await server.call({ method: "GET", url: "/api/auditlog/networkconfig" })).status).toBe(401);
  });

  test("refuses what is no number, no id or too long, by name", async () => {
    for (const limit of ["0", "1001", "-1", "x"]) expect((await ask(`?limit=${limit}`)).json["errorMessage"]).toMatch(/^limit: /);
    for (const before of ["0", "x", "-1", "1".repeat(16)])
      expect((await ask(`?before=${before}`)).json["errorMessage"]).toMatch(/^before: /);
    expect((await ask(`?filter=${"x".repeat(201)}`)).json["errorMessage"]).toMatch(/^filter: /);
    expect((await ask("?filter=a%00b")).json["errorMessage"]).toMatch(/^filter: /);
    expect((await ask(`?filter=${"x".repeat(200)}`)).json).toEqual({ data: [] });
  });

  test("gives the newest first, with everything that was tried, and the time of the place", async () => {
    expect((await list("?limit=1"))[0]).toEqual({
      id: 1100,
      timestamp: 1_790_001_100,
      displayTimestamp: "2026-09-21 09:31:40 CDT",
      timezone: "America/Chicago",
      username: "pat",
      locationName: "Feed Pump 1100",
      serialNumber: "11100",
      key: "np_voltage",
      oldValue: "460",
      newValue: "480",
      result: "confirmed",
      detail: "",
      batchId: null,
    });
    expect(await list("?filter=10003")).toMatchObject([{ result: "refused", detail: "The 2FA code is not right" }]);
  });

  test("goes on page by page to the oldest, none twice and none left out", async () => {
    const first = await list("");
    const rest = await list(`?before=${first.at(-1)?.id}`);
    expect([first.length, rest.length]).toEqual([1000, 100]);
    expect([...first, ...rest].map(({ id }) => id)).toEqual(Array.from({ length: 1100 }, (_, index) => 1100 - index));
  });

  test("finds every word, as it is written, in any order and case", async () => {
    expect((await list("?filter=PUMP%2012%20pat")).map(({ locationName }) => locationName)).toContain("Feed Pump 12");
    expect((await list("?filter=PUMP%2012%20kim")).map(({ username }) => username)).not.toContain("pat");
    expect(await list("?filter=100%25")).toHaveLength(1);
    expect(await list("?filter=_")).toHaveLength(1000); // in np_voltage, not any character
    expect(await list("?filter=%5C")).toEqual([]);
  });
});

test("USR-11 a demo user finds what is shown and not what is hidden, by one word and by several, page after page", async () => {
  const rows = Array.from(
    { length: 5 },
    (_, index) =>
      ({ id: 5 - index, timestamp: 0, timezone: "UTC", username: "kim", locationName: index === 0 ? "Mill" : "Pump" }) as AuditRow,
  );
  const asked: AuditSearch[] = [];
  const handlers = networkConfigLogHandlers({
    list: (search: AuditSearch) => {
      asked.push(search);
      return Promise.resolve(rows.filter(({ id }) => search.before === undefined || id < search.before).slice(0, 2));
    },
  });
  const call = { asShown: <T>(row: T): T => ({ ...row, username: "Person 7" }) } as unknown as Parameters<
    typeof handlers.getNetworkConfigLog
  >[1];
  const find = async (filter: string, limit: number) =>
    (await handlers.getNetworkConfigLog({ query: { filter, limit } }, call)).map(({ id }) => id);
  expect([await find("kim", 9), await find("PERSON", 3), await find("7 pump", 9), await find("mill person", 1)]).toEqual([
    [],
    [5, 4, 3],
    [4, 3, 2, 1],
    [5],
  ]);
  expect(new Set(asked.map(({ words }) => words.length))).toEqual(new Set([0]));
  expect(await find("", 2)).toEqual([5, 4]);
  expect(asked.at(-1)).toEqual({ before: undefined, words: [], limit: 2 });
});
