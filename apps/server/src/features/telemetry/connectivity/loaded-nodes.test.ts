import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction } from "#db/transaction.ts";
import { createLiveState } from "#features/telemetry/scalars/live-state.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { addNode, addPlace, setLive } from "#testing/test-world.ts";
import { createConnectivityStore } from "./connectivity.store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

test("what ingest knows of a node when it meets it is each column of the node's own rows", async () => {
  const { pool } = database;
  const at = Date.UTC(2026, 1, 3, 12);
  const facts = {
    mac_address: "aa:bb",
    ip_address: "10.0.0.7",
    node_hardware_version: "NH 1",
    vi_module_hardware_version: "VI 2",
    poe_enabled: true,
    active_pa: true,
    active_pb: false,
    active_pc: true,
    scalar_interval_seconds: 20,
  };
  await addNode(pool, 17_001, await addPlace(pool, "America/Denver"), facts);
  await setLive(pool, 17_001, {
    last_scalar_at: new Date(at),
    last_scalar_data: "1,2,60,10.5,11,12,460,461,462",
    missing_scalar_day: "2026-02-03",
    missing_scalar_count: 4,
    platform_missed_scalar_count: 5,
    demand_at: new Date(at - 60_000),
    demand_kw_seconds: 600,
    demand_covered_seconds: 50,
  });
  await addNode(pool, 17_002, undefined, { type: "subNode", parent_serial_number: 17_001 });
  await addNode(pool, 17_003);
  const rows = await createConnectivityStore(pool).loadNodes([17_001]);
  expect(rows.map(({ serial, parentSerial }) => [serial, parentSerial]).toSorted(([a], [b]) => a! - b!)).toEqual([
    [17_001, null],
    [17_002, 17_001],
  ]);
  const stateOf = (serial: number) => createLiveState(rows.find((row) => row.serial === serial)!);
  const state = stateOf(17_001);
  expect(state).toMatchObject({
    serial: 17_001,
    timezone: "America/Denver",
    scalarIntervalSeconds: 20,
    newestStoredMs: at,
    missing: { day: "2026-02-03", count: 4, platformCount: 5 },
    facts: {
      macAddress: "aa:bb",
      ipAddress: "10.0.0.7",
      nodeHardwareVersion: "NH 1",
      viModuleHardwareVersion: "VI 2",
      isPoeEnabled: true,
    },
    activePower: [true, false, true],
  });
  expect(JSON.stringify(state.demand)).toMatch(new RegExp(`${at - 60_000}.*600.*50`));
  expect(stateOf(17_002)).toMatchObject({
    timezone: "UTC",
    newestStoredMs: undefined,
    missing: { day: undefined, count: 0, platformCount: 0 },
  });
  expect(stateOf(17_002).facts).toMatchObject({ macAddress: undefined, viModuleHardwareVersion: undefined, isPoeEnabled: false });
});

test("a birth takes the place of all of the one before, and the broker's end disconnects who was connected", async () => {
  const { pool } = database;
  const store = createConnectivityStore(pool);
  for (const serial of [17_011, 17_012]) await addNode(pool, serial);
  await setLive(pool, 17_011, { is_connected: true, connection_changed_at: new Date(0) });
  await setLive(pool, 17_012, { is_connected: false, connection_changed_at: new Date(0) });
  for (const bdSeq of [3, 4]) {
    const snapshot = { bdSeq, metrics: [{ name: `metric ${bdSeq}`, alias: bdSeq, datatype: 10 }], devices: [] } as never;
    await inTransaction(pool, (client) =>
      store.writeBirths(client, [{ serial: 17_011, bdSeq, bornAtMs: 1_790_000_000_000 + bdSeq, snapshot }]),
    );
    const { rows } = await pool.query<{ seq: number; at: number; metrics: unknown }>(
      "select bd_seq as seq, round(extract(epoch from born_at) * 1000)::float8 as at, metrics from node_birth where serial_number = 17011",
    );
    expect(rows.map(({ seq, at: born, metrics }) => [seq, born, JSON.stringify(metrics).includes(`metric ${bdSeq}`)])).toEqual([
      [bdSeq, 1_790_000_000_000 + bdSeq, true],
    ]);
  }
  expect(await store.markAllDisconnected()).toBe(1);
  const { rows } = await pool.query<object>(
    "select is_connected, connection_changed_at > to_timestamp(0), disconnect_reason from node_live where serial_number in (17011, 17012) order by serial_number",
  );
  expect(rows.map((row) => Object.values(row))).toEqual([
    [false, true, "restart"],
    [false, false, null],
  ]);
});
