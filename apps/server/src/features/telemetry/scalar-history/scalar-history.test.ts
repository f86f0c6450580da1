import type { ScalarHistoryRow } from "@busbar/contract/telemetry/scalar-history.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureScalarPartitions } from "#db/scalar-partitions.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode } from "#testing/test-world.ts";

let server: TestApp;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("reader"));
});
afterAll(() => server.stop());

const history = (serial: string, query = "") => server.call({ method: "GET", url: `/api/nodes/${serial}/realtime${query}`, token });

/** One scalar every 10 s up to `last`, its line frequency showing which it is. */
async function addScalars(serialNumber: number, last: number, count: number): Promise<void> {
  await ensureScalarPartitions(server.database.pool, last - count * 10, last);
  await server.database.pool.query(
    `insert into scalar (serial_number, ts, version, flag, line_frequency, current1, current2, current3, voltage1, voltage2, voltage3)
     select $1, to_timestamp($2::float8 - 10 * n), 1, 0, n, 1.5, 2.5, 3.5, 460.5, 461.5, 462.5 from generate_series(0, $3 - 1) n`,
    [serialNumber, last, count],
  );
}

test("DSH-11 gives an hour of scalars, newest first, with every column", async () => {
  const last = 1_790_000_000;
  await addNode(server.database.pool, 20001);
  await addScalars(20001, last, 400);
  const { status, json } = await history("20001");
  const rows = json["data"] as ScalarHistoryRow[];
  expect([status, rows.length]).toEqual([200, 360]);
  expect(rows[0]).toEqual({
    timestamp: last,
    version: 1,
    flag: 0,
    lineFrequency: 0,
    current1: 1.5,
    current2: 2.5,
    current3: 3.5,
    voltage1: 460.5,
    voltage2: 461.5,
    voltage3: 462.5,
  });
  expect(rows.map(({ lineFrequency }) => lineFrequency)).toEqual(Array.from({ length: 360 }, (_, index) => index));
});

test("before gives those that lead up to a time", async () => {
  const rows = (await history("20001", "?limit=2&before=1790000000")).json["data"] as ScalarHistoryRow[];
  expect(rows.map(({ timestamp }) => timestamp)).toEqual([1_789_999_990, 1_789_999_980]);
  expect((await history("20001", "?before=yesterday")).json["errorMessage"]).toMatch(/^before: /);
});

test("works across the midnight between two partitions", async () => {
  const last = Date.parse("2026-06-02T00:00:20Z") / 1000;
  await addNode(server.database.pool, 20002);
  await addScalars(20002, last, 6);
  const rows = (await history("20002")).json["data"] as ScalarHistoryRow[];
  expect(rows.map(({ timestamp }) => last - timestamp)).toEqual([0, 10, 20, 30, 40, 50]);
});

test("limit is from 1 to 2000", async () => {
  expect((await history("20001", "?limit=2")).json["data"]).toHaveLength(2);
  expect((await history("20001", "?limit=2000")).json["data"]).toHaveLength(400);
  for (const limit of ["0", "2001", "-1", "ten", "1e3", "1&limit=2"]) {
    const { status, json } = await history("20001", `?limit=${limit}`);
    expect([status, json["errorMessage"]]).toEqual([400, expect.stringMatching(/^limit: /)]);
  }
});

test("a node without scalars gives an empty list, an unknown one 404 that names it, no node at all 400", async () => {
  await addNode(server.database.pool, 20003);
  expect((await history("20003")).json).toEqual({ data: [] });
  const unknown = await history("29999");
  expect([unknown.status, unknown.json]).toEqual([404, { errorCode: "NOT_FOUND", errorMessage: "Node 29999 was not found" }]);
  for (const serial of ["0123", "00000", "123456", "__proto__", "..%2f10001", "1%00"]) {
    const { status, json } = await history(serial);
    expect([status, json["errorMessage"]]).toEqual([400, expect.stringMatching(/^serial: /)]);
  }
});
