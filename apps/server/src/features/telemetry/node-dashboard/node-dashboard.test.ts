import { zstdDecompressSync, gunzipSync, brotliDecompressSync } from "node:zlib";
import { NodeDashboard } from "@busbar/contract/telemetry/node-dashboard.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { zoneAtDaytime } from "#testing/test-ingest.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, setLive } from "#testing/test-world.ts";

let server: TestApp;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("watcher"));
});
afterAll(() => server.stop());

/** The dashboard as it is after the next tick. */
async function dashboard(since?: string): Promise<NodeDashboard> {
  // A machine that is busy with other tests may miss a tick.
  await expect
    .poll(async () => {
      await server.context.fleet.runTick();
      return server.context.fleet.snapshot.isStale;
    })
    .toBe(false);
  const { status, json } = await server.call({
    method: "GET",
    url: `/api/node-dashboard${since === undefined ? "" : `?since=${since}`}`,
    token,
  });
  expect(status).toBe(200);
  return NodeDashboard.parse(json["data"]);
}

describe("the whole map", () => {
  test("DSH-02 holds every node, the server's start and the requests served", async () => {
    const place = await addPlace(server.database.pool);
    await addNode(server.database.pool, 10001, place, {
      notify_on_connect: true,
      scalar_interval_seconds: 3_600,
      current_deployment_status: "Deployed",
      new_deployment_status: "Unassigned",
    });
    const lastScalarAt = Math.floor(Date.now() / 1000) - 5;
    await setLive(server.database.pool, 10001, {
      is_connected: true,
      last_scalar_at: new Date(lastScalarAt * 1000),
      last_scalar_data: "3,1,x",
    });
    const { dashboardNodeMap, serverStartUpTime, requestsServed, isFull, isStale } = await dashboard();
    expect([isFull, isStale]).toEqual([true, false]);
    expect(serverStartUpTime).toBe(Math.floor(server.clock.now() / 1000));
    expect(requestsServed).toBeGreaterThan(0);
    expect(dashboardNodeMap["10001"]).toEqual({
      serialNumber: "10001",
      type: "Node",
      nodeConnected: true,
      hasConnected: true,
      notifyOnConnect: true,
      customerCode: expect.stringMatching(/^test/),
      customerName: "Alder Pumping",
      facilityName: "North Works",
      locationName: "Feed Pump 1",
      locationId: place.locationId,
      timezone: "America/Chicago",
      currentDeploymentStatus: "Deployed",
      newDeploymentStatus: "Unassigned",
      lastScalarTimestamp: lastScalarAt,
      lastScalarData: "3,1,x",
      oldestValueTimestamp: Math.floor(lastScalarAt),
      missingScalarStreamCount: 0,
      platformMissedScalarCount: 0,
      voltaSensor: null,
      lastOneSecondFileTimestamp: null,
      lastDatafileTimestamp: null,
      missingDatafileCount: 0,
      lastExternalFileTimestamp: null,
      eventCount: 0,
      meterConnected: false,
      dataInterval: 900,
      scalarInterval: 3_600,
      verdict: null,
    });
  });

  test("an unassigned node shows where it is meant to go, a decommissioned one where it was", async () => {
    const { pool } = server.database;
    const place = await addPlace(pool, "Asia/Kolkata", "Cobalt Ridge Mining");
    await addNode(pool, 10002, undefined, {
      current_deployment_status: "Unassigned",
      unassigned_customer: "Willow Paper",
      unassigned_facility: "Dock",
    });
    await addNode(pool, 10003, undefined, { current_deployment_status: "Decommissioned" });
    await pool.query(
      "insert into decommissioned_node (serial_number, customer_id, facility_name, site_name) values (10003, $1, 'Old Works', 'Old')",
      [place.customerId],
    );
    const { dashboardNodeMap } = await dashboard();
    expect(dashboardNodeMap["10002"]).toMatchObject({
      customerName: "Willow Paper",
      facilityName: "Dock",
      locationId: null,
      timezone: null,
    });
    expect(dashboardNodeMap["10003"]).toMatchObject({ customerName: "Cobalt Ridge Mining", facilityName: "Old Works", locationId: null });
  });

  test("is sent compressed as asked, and 304 when nothing moved", async () => {
    await server.context.fleet.runTick();
    const plain = (await server.call({ method: "GET", url: "/api/node-dashboard", token })).json["data"] as NodeDashboard;
    for (const [encoding, decompress] of [
      ["zstd", zstdDecompressSync],
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync],
    ] as const) {
      const response = await server.app.inject({
        method: "GET",
        url: "/api/node-dashboard",
        headers: { token, "accept-encoding": `deflate, ${encoding}` },
      });
      expect(response.headers).toMatchObject({
        "content-encoding": encoding,
        "cache-control": "private, no-cache",
        vary: expect.stringContaining("accept-encoding"),
      });
      expect(JSON.parse(decompress(response.rawPayload).toString()).data.dashboardNodeMap).toEqual(plain.dashboardNodeMap);
      const again = await server.app.inject({
        method: "GET",
        url: "/api/node-dashboard",
        headers: { token, "accept-encoding": encoding, "if-none-match": String(response.headers.etag) },
      });
      expect([again.statusCode, again.body]).toEqual([304, ""]);
    }
  });
});

// The console knows by it, unread, that names and places may have changed.
test("what is said of a whole node begins with its serial number", async () => {
  const { json } = await server.call({ method: "GET", url: "/api/node-dashboard", token });
  const { dashboardNodeMap } = json["data"] as NodeDashboard;
  for (const node of Object.values(dashboardNodeMap)) expect(Object.keys(node)[0]).toBe("serialNumber");
  expect(Object.keys(dashboardNodeMap).length).toBeGreaterThan(0);
});

describe("changes since a revision", () => {
  test("carry only the live fields of what moved, whole entries of what was renamed, and what is gone", async () => {
    const { pool } = server.database;
    const place = await addPlace(pool);
    for (const serial of [11001, 11002, 11003]) await addNode(pool, serial, serial === 11001 ? place : undefined);
    const before = await dashboard();
    await setLive(pool, 11001, { is_connected: true });
    let change = await dashboard(before.revision);
    expect(change).toMatchObject({ isFull: false, removed: [] });
    expect(change.dashboardNodeMap["11001"]).toMatchObject({ nodeConnected: true });
    expect(change.dashboardNodeMap["11001"]).not.toHaveProperty("locationName");
    expect(change.dashboardNodeMap).not.toHaveProperty("11002");

    await pool.query("delete from node where serial_number = 11003");
    await pool.query("update location set name = 'Feed Pump 2' where id = $1", [place.locationId]);
    change = await dashboard(change.revision);
    expect(change.dashboardNodeMap["11001"]).toMatchObject({
      locationName: "Feed Pump 2",
      nodeConnected: true,
      customerName: "Alder Pumping",
    });
    expect(change.dashboardNodeMap).not.toHaveProperty("11002");
    expect(change.removed).toEqual(["11003"]);
    expect((await dashboard(change.revision)).removed).toEqual([]);
    const whole = await dashboard();
    expect(whole.dashboardNodeMap).not.toHaveProperty("11003");
    expect(whole.removed).toEqual([]);
  });

  test("an unknown revision, one of another database or of before this process, gives the whole map", async () => {
    for (const since of ["0", "1", "99999999999999"]) expect((await dashboard(since)).isFull).toBe(true);
    const { status, json } = await server.call({ method: "GET", url: "/api/node-dashboard?since=abc", token });
    expect([status, json["errorMessage"]]).toEqual([400, "since: since is a revision from an earlier answer"]);
  });

  test("a transaction that commits after later ones is not missed", async () => {
    const { pool } = server.database;
    await addNode(pool, 12001);
    await addNode(pool, 12002);
    const before = await dashboard();
    const slow = await pool.connect();
    await slow.query("begin");
    await slow.query("update node_live set event_count = 7, changed_xid = pg_current_xact_id() where serial_number = 12001");
    await setLive(pool, 12002, { event_count: 8 });
    const first = await dashboard(before.revision);
    expect(first.dashboardNodeMap["12002"]).toMatchObject({ eventCount: 8 });
    expect(first.dashboardNodeMap).not.toHaveProperty("12001");
    await slow.query("commit");
    slow.release();
    const second = await dashboard(first.revision);
    expect(second.dashboardNodeMap["12001"]).toMatchObject({ eventCount: 7 });
  });

  test("a client that only ever applies changes ends with the whole map", async () => {
    const { pool } = server.database;
    const serials = Array.from({ length: 30 }, (_, index) => 13001 + index);
    for (const serial of serials) await addNode(pool, serial);
    let answer = await dashboard();
    const held = new Map<string, object>(Object.entries(answer.dashboardNodeMap));
    for (let round = 0; round < 12; round++) {
      for (let change = 0; change < 5; change++) {
        const serial = serials[(round * 7 + change * 11) % serials.length]!;
        await setLive(pool, serial, { event_count: round * 10 + change, is_connected: change % 2 === 0 });
      }
      await pool.query("update node set unassigned_customer = $2 where serial_number = $1", [serials[round]!, `Customer ${round}`]);
      answer = await dashboard(answer.revision);
      expect(answer.isFull).toBe(false);
      for (const [serial, part] of Object.entries(answer.dashboardNodeMap)) held.set(serial, { ...held.get(serial), ...part });
      for (const serial of answer.removed) held.delete(serial);
    }
    expect(Object.fromEntries(held)).toEqual((await dashboard()).dashboardNodeMap);
  });
});

describe("values that time moves", () => {
  test("the open gap of a silent node counts as missing, from local midnight on, and never for one that never sent", async () => {
    const { pool } = server.database;
    const zone = zoneAtDaytime();
    await addNode(pool, 14001, await addPlace(pool, zone));
    await addNode(pool, 14002);
    const { rows } = await pool.query<{ midnight: Date; now: Date; today: string }>(
      "select date_trunc('day', now(), $1) as midnight, now(), (now() at time zone $1)::date::text as today",
      [zone],
    );
    const { midnight, now, today } = rows[0]!;
    await setLive(pool, 14001, {
      last_scalar_at: new Date(midnight.getTime() - 3_600_000),
      missing_scalar_day: today,
      missing_scalar_count: 4,
    });
    const { dashboardNodeMap, asOf } = await dashboard();
    const sinceMidnight = asOf - midnight.getTime() / 1000;
    expect(dashboardNodeMap["14002"]?.missingScalarStreamCount).toBe(0);
    const missing = dashboardNodeMap["14001"]?.missingScalarStreamCount ?? -1;
    expect(Math.abs(missing - 4 - Math.max(0, Math.round(sinceMidnight / 10) - 1))).toBeLessThanOrEqual(2);
    // However long that takes, the next scalar is not due yet.
    await pool.query("update node set scalar_interval_seconds = 3600 where serial_number = 14001");
    await setLive(pool, 14001, { last_scalar_at: now, missing_scalar_day: "2020-01-01" });
    expect((await dashboard()).dashboardNodeMap["14001"]?.missingScalarStreamCount).toBe(0);
  });
});
