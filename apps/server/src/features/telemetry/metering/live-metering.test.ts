import type { Metering } from "@busbar/contract/telemetry/metering.ts";
import { firstConfigAlias, metricAliases, metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { decodePayload } from "@busbar/sparkplug/decode.ts";
import type { MetricInput } from "@busbar/sparkplug/payload.ts";
import { groupOf, nodeTopic } from "@busbar/sparkplug/topic.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { birthMetrics, createTestIngest, scalarMetrics, startTestNode, type TestIngest, type TestNode } from "#testing/test-ingest.ts";
import { addPlace } from "#testing/test-world.ts";

let server: TestApp;
let ingest: TestIngest;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  ingest = await createTestIngest({}, server.database);
  token = await server.login(await server.addAdministrator("watcher"));
});
afterAll(async () => {
  await ingest.stop();
  await server.stop();
});

const read = async (locationId: number) =>
  (await server.call({ method: "GET", url: `/api/locations/${locationId}/metering?string=true`, token })).json["data"] as Metering;

const meterNames = Object.keys(metricAliases).filter((name) => name.startsWith("Meter/") && !/^Meter\/(P|Q|PF)[123]$/.test(name));
const isInteger = (name: string) => name === metricNames.liveLeaseSeconds;
const typeOf = (name: string) => (name === metricNames.meterReset ? DataType.Boolean : isInteger(name) ? DataType.Int32 : DataType.Double);

/** A born node at a place of its own, and the commands that it gets: name and value. */
async function startMeteredNode(
  serial: number,
): Promise<{ node: TestNode; locationId: number; commands: [string | undefined, unknown][] }> {
  const place = await addPlace(server.database.pool, "UTC");
  await ingest.addNode(serial, place);
  const node = await startTestNode(ingest, serial);
  const commands: [string | undefined, unknown][] = [];
  const names = new Map(Object.entries(metricAliases).map(([name, alias]) => [alias, name]));
  node.client.on("message", (_topic, bytes) => {
    for (const { name, alias, value } of decodePayload(bytes).metrics) commands.push([name ?? names.get(alias ?? firstConfigAlias), value]);
  });
  await node.client.subscribeAsync(nodeTopic("NCMD", groupOf(serial), String(serial)), { qos: 1 });
  await node.birth([
    ...birthMetrics(),
    ...meterNames.map((name) => ({
      name,
      alias: metricAliases[name as keyof typeof metricAliases]!,
      datatype: typeOf(name),
      isNull: true,
      timestamp: Date.now(),
    })),
  ]);
  return { node, locationId: place.locationId, commands };
}

const power = (atMs: number, kw: number): MetricInput[] =>
  [metricNames.power1, metricNames.power2, metricNames.power3].map((name) => ({
    alias: metricAliases[name]!,
    datatype: DataType.Float,
    value: kw,
    timestamp: atMs,
  }));
const total = (name: keyof typeof metricAliases, value: number, atMs: number): MetricInput => ({
  alias: metricAliases[name]!,
  datatype: DataType.Double,
  value,
  timestamp: atMs,
});

test("MET-01 totals of the node's meter reach the page, the newest of each; older messages change nothing", async () => {
  const { node, locationId } = await startMeteredNode(41_001);
  const now = Date.now();
  await node.data([...scalarMetrics(now, 100), ...power(now, 20), total("Meter/Running s", 172_800, now), total("Meter/kWh", 5, now)]);
  await node.data([total("Meter/kWh", 6.5, now + 1_000)]);
  await node.data([total("Meter/kWh", 1, now - 60_000), total("Meter/Ah", Number.NaN, now + 2_000)]);
  expect(await read(locationId)).toMatchObject({
    meteringStatus: "Metering",
    powerKw: 60,
    runningTimeDays: 2,
    kilowattHours: 6.5,
    ampHours: null,
    totalsTimestamp: Math.floor((now + 1_000) / 1000),
  });
});

test("MET-01 a total too small for a column of single precision is zero, and its message counts", async () => {
  const { node, locationId } = await startMeteredNode(41_005);
  const now = Date.now();
  await node.data([...scalarMetrics(now, 100), total("Meter/kW", 1e-60, now), total("Meter/kWh", 7, now)]);
  expect(await read(locationId)).toMatchObject({ meteringStatus: "Metering", powerKw: 0, kilowattHours: 7 });
});

test("MET-01 who watches keeps the node at one value a second: a lease of 30 s, requested twice while it lasts", async () => {
  const { node, locationId, commands } = await startMeteredNode(41_002);
  await node.data(scalarMetrics(Date.now(), 1));
  for (let poll = 0; poll < 5; poll++) await read(locationId);
  await vi.waitFor(() => expect(commands).toEqual([["Meter/Live Lease s", 30]]));
  server.clock.advance(13);
  await read(locationId);
  // Another process renewed it meanwhile: this one has nothing to do.
  await server.database.pool.query("update node_meter set lease_renewed_at = now() where serial_number = 41002");
  server.clock.advance(2);
  await read(locationId);
  await server.database.pool.query("update node_meter set lease_renewed_at = now() - interval '14 seconds' where serial_number = 41002");
  server.clock.advance(15);
  await read(locationId);
  await vi.waitFor(() => expect(commands).toHaveLength(2));
});

test("a look now and then keeps no node publishing", async () => {
  const [looked, watched, away] = [await startMeteredNode(41_006), await startMeteredNode(41_007), await startMeteredNode(41_009)];
  for (const { node } of [looked, watched, away]) await node.data(scalarMetrics(Date.now(), 1));
  const url = `/api/locations/${looked.locationId}/metering?watch=false`;
  expect((await server.call({ method: "GET", url, token })).json["data"]).toMatchObject({ meteringStatus: "Metering" });
  await ingest.rows("update node_live set is_connected = false, changed_xid = pg_current_xact_id() where serial_number = 41009");
  expect(await read(away.locationId)).toMatchObject({ connectedStatus: "Not connected" });
  await read(watched.locationId);
  await vi.waitFor(() => expect(watched.commands).toHaveLength(1));
  expect([looked.commands, away.commands]).toEqual([[], []]);
  // Nor is one that is away.
  expect(
    await ingest.rows(
      "select serial_number, lease_renewed_at is null as is_free from node_meter where serial_number in (41006, 41007, 41009) order by 1",
    ),
  ).toEqual([
    { serial_number: 41_006, is_free: true },
    { serial_number: 41_007, is_free: false },
    { serial_number: 41_009, is_free: true },
  ]);
});

test("MET-03 a reset zeroes the node's meter and shows nothing until it reports something new", async () => {
  const { node, locationId, commands } = await startMeteredNode(41_003);
  const now = Date.now();
  await node.data([...scalarMetrics(now, 100), total("Meter/kWh", 5, now), total("Meter/Running s", 60, now)]);
  expect(await read(locationId)).toMatchObject({ meteringStatus: "Metering", kilowattHours: 5 });
  const { status, json } = await server.call({ method: "DELETE", url: "/api/nodes/41003/metering", token });
  expect([status, json]).toEqual([200, { data: { reset: true } }]);
  await vi.waitFor(() => expect(commands).toContainEqual(["Meter/Reset", true]));
  expect(await read(locationId)).toMatchObject({
    connectedStatus: "Connected",
    meteringStatus: "Waiting",
    meterString: null,
    current: null,
    kilowattHours: null,
    runningTimeDays: null,
    totalsTimestamp: null,
  });
  const { rows } = await server.database.pool.query("select actor, object, description from activity where action = 'RESET_METERING'");
  expect(rows).toEqual([{ actor: "watcher", object: "node/41003", description: "Metering of node 41003 reset" }]);
  await node.data([...scalarMetrics(now + 10_000, 50), total("Meter/kWh", 0, now + 10_000)]);
  expect(await read(locationId)).toMatchObject({ meteringStatus: "Metering", current: 50, kilowattHours: 0, runningTimeDays: null });
});

test("power is summed up in quarters of the hour, each second once, also when the same comes again", async () => {
  const { node } = await startMeteredNode(41_004);
  const quarter = Math.floor((Date.now() - 1_800_000) / 900_000) * 900_000;
  const at = (index: number) => quarter + 840_000 + index * 10_000;
  for (let index = 0; index <= 12; index++) await node.data([...scalarMetrics(at(index), 1), ...power(at(index), 10)]);
  for (const index of [3, 12]) await node.data([...scalarMetrics(at(index), 1), ...power(at(index), 10)]);
  await node.data([
    ...scalarMetrics(at(13), 1, { isHistorical: true }),
    ...power(at(13), 99).map((metric) => ({ ...metric, isHistorical: true })),
  ]);
  // A node that goes leaves nothing unwritten.
  await node.send(node.edge.death(Date.now()));
  const { rows } = await server.database.pool.query(
    "select block_at, kw_seconds, covered_seconds from node_demand_block where serial_number = 41004 order by block_at",
  );
  expect(rows).toEqual([
    { block_at: new Date(quarter), kw_seconds: 1_800, covered_seconds: 60 },
    { block_at: new Date(quarter + 900_000), kw_seconds: 1_800, covered_seconds: 60 },
  ]);
});
