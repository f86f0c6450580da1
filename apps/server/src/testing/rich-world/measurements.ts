import { recordActivity } from "#shared/activities.store.ts";
import { createIngestPresenceStore } from "#shared/ingest-presence.store.ts";
import { markScalarTrends } from "#shared/trend-marks.store.ts";
import { inTransaction } from "#db/transaction.ts";
import { createNodeAnswersStore } from "#features/telemetry/node-commands/node-answers.store.ts";
import { sampleCev } from "#testing/sample-events.ts";
import { storeFile } from "#testing/store-file.ts";
import { ensureScalarPartitions } from "#db/scalar-partitions.ts";
import { addOrganization } from "#testing/test-bills.ts";
import { setLive } from "#testing/test-world.ts";
import { dataPoint, harmonicsFile, nameOf, oneSecondFile } from "#testing/sample-files.ts";
import { day, hour, quarter } from "./world-times.ts";
import type { WorldSteps } from "./world-steps.ts";
import type { Places } from "./places.ts";

const sine = (at: number, serial: number) => Math.sin(at / 900 + serial);

/** What nodes sent within the last hours, stored as ingest and uploads store it. */
export async function addTelemetry(world: WorldSteps): Promise<void> {
  const { pool, server, now } = world;
  const presence = createIngestPresenceStore(pool);
  for (const [from, to] of [
    [2 * day, 30 * hour],
    [29 * hour, 0],
  ] as const)
    await presence.beat(await presence.begin((now() - from) * 1000), (now() - to) * 1000);
  await ensureScalarPartitions(pool, now() - 3 * day, now() + day);
  const measuring = [11_001, 11_002, 11_003, 11_005];
  await inTransaction(pool, async (client) => {
    const hours = Array.from({ length: 8 }, (_, index) => now() - index * hour);
    await markScalarTrends(
      client,
      measuring.flatMap((serial) => hours.map((at) => ({ serial, at }))),
    );
    for (const serial of measuring)
      for (const [length, every] of [
        [7 * hour, 120],
        [1_500, 10],
      ] as const)
        await client.query(
          `insert into scalar (serial_number, ts, version, flag, line_frequency, current1, current2, current3, voltage1, voltage2, voltage3)
           select $1::int4, to_timestamp(t), 1, 1, 60 + ($1::int4 % 10) * 0.01, c, c + 1, c + 3, v, v + 2, v + 5
           from (select $2::float8 - n as t, 40 + ($1::int4 % 10) * 5 + 10 * sin(n / 900.0) as c, 440 + ($1::int4 % 10) * 20 as v
             from generate_series($3::int4, $4::int4, $5::int4) n) s`,
          [serial, now(), every === 10 ? 0 : 1_510, length, every],
        );
    await createNodeAnswersStore().write(
      client,
      measuring.map((serial) => ({
        serial,
        atMs: (now() - (serial % 100)) * 1000,
        values: new Map([
          ["np_voltage", serial === 11_005 ? "480" : "460"],
          ["np_current", "60"],
          ["i_noise", "1"],
          ["v_noise", String(serial % 10)],
          ["vendor_x", `x${serial}`],
        ]),
        types: new Map([["vendor_x", 12]]),
        answers: [],
      })),
    );
    for (const serial of measuring)
      await recordActivity(client, {
        actorType: "Node",
        actor: String(serial),
        action: "NODE_BIRTH",
        object: `node/${serial}`,
        description: `Node ${serial} connected`,
      });
  });
  const live: Record<number, [boolean, number]> = {
    11_001: [true, 40 * hour],
    11_002: [true, 3 * hour],
    11_003: [true, 5 * hour],
    11_005: [false, 2 * hour],
    11_006: [false, 30 * hour],
    11_009: [true, 4 * hour],
    11_010: [true, hour],
  };
  for (const [serial, [isConnected, since]] of Object.entries(live)) {
    const number = Number(serial);
    const at = new Date((isConnected ? now() : now() - since) * 1000);
    await setLive(pool, number, {
      is_connected: isConnected,
      connection_changed_at: new Date((now() - since) * 1000),
      last_seen_at: at,
      disconnect_reason: isConnected ? null : "closed",
      clock_skew_ms: number % 100,
      event_count: number % 10,
      ...(measuring.includes(number)
        ? {
            last_scalar_at: at,
            last_scalar_data: `1,1,${at.getTime()},60.0${number % 10},41,42,43,44${number % 10},450,460`,
            last_meter_at: new Date(at.getTime() - 20_000),
            missing_scalar_day: at,
            missing_scalar_count: number % 7,
            is_sensor_ok: number !== 11_002,
            last_one_second_file_at: new Date(at.getTime() - 1_800_000),
            last_datafile_at: new Date(at.getTime() - 900_000),
            newest_datafile_at: new Date(at.getTime() - 960_000),
            missing_datafile_day: at,
            missing_datafile_count: number % 5,
            last_external_file_at: new Date(at.getTime() - 7_200_000),
            oldest_value_at: new Date(at.getTime() - 5_000),
            platform_missed_scalar_count: number % 3,
          }
        : {}),
    });
  }
  for (const serial of measuring)
    await pool.query(
      `update node_meter set metered_at = to_timestamp($2), kw = $3, kva = $4, kvar = $5, power_factor = $6, running_seconds = $7, amp_hours = $8,
         kilowatt_hours = $9, kilovar_hours = $10, field_voltage = $11, field_current = $12 where serial_number = $1`,
      [serial, now() - 20, ...Array.from({ length: 10 }, (_, index) => (index === 3 ? 0.87 : (serial % 100) * 10 + index))],
    );
  await pool.query("insert into coverage_fill select unnest($1::int4[]) on conflict do nothing", [measuring]);
  await pool.query(
    "insert into node_demand_block select s, to_timestamp($2::float8 - n * 900), 9000 + s % 10 * 100 + n, 900, to_timestamp($2::float8 - n * 900 + 890) from unnest($1::int4[]) s, generate_series(1, 200, 3) n",
    [measuring, Math.floor(now() / 900) * 900],
  );

  const receivedAtMs = (now() - 600) * 1000;
  for (const serial of [11_001, 11_002, 11_005])
    for (const ago of [2, 3, 5]) {
      const at = quarter(ago);
      const value = (base: number) => (base + (serial % 10) + sine(at, serial)).toFixed(2);
      const values = {
        voltageAvg: value(460),
        voltage1Avg: value(459),
        voltage2Avg: value(460),
        voltage3Avg: value(461),
        currentAvg: value(60),
        powerKwAvg: value(30),
        voltageThd1: value(serial === 11_001 ? 20 : 2),
      };
      await storeFile(server, nameOf(serial, at, "D"), dataPoint(serial, at, values), { receivedAtMs: receivedAtMs - ago * 900_000 });
    }
  await storeFile(server, nameOf(11_001, quarter(2), "S"), oneSecondFile(11_001, quarter(2)), { receivedAtMs });
  await storeFile(server, nameOf(11_002, quarter(2), "H"), harmonicsFile(11_002, quarter(2)), { receivedAtMs });
  await storeFile(server, nameOf(11_002, quarter(7), "D"), "no data point\n", { receivedAtMs });
  await storeFile(server, nameOf(11_005, quarter(4), "X", "csv"), "time,volts\n1,2\n", { receivedAtMs, source: "upload" });
  const events = [
    [11_004, 5, {}],
    // At night by the clocks of its place.
    [11_004, 22, { event: "BC T", cycles: 8, word: "80" }],
    [11_004, 9, { event: "ABC T", targets: "", cycles: 6 }],
    [11_007, 30, { fid: "SEL-351-R107", word: "A0" }],
  ] as const;
  for (const [serial, ago, options] of events)
    await storeFile(server, nameOf(serial, quarter(ago) + 7, "E", "cev"), sampleCev(options), { receivedAtMs });
  await storeFile(server, nameOf(11_004, quarter(12) + 1, "E", "cfg"), "not a configuration\n", { receivedAtMs });
}

/** Runs the services that judge what came. */
export async function judge(world: WorldSteps, { alder }: Places): Promise<void> {
  const { pool, ran, now, advance, server } = world;
  await pool.query(
    "insert into alarm_evaluation (evaluated_until) values (to_timestamp($1)) on conflict (is_only) do update set evaluated_until = excluded.evaluated_until",
    [now() - 1_400],
  );
  for (const name of [
    "FileExtraction",
    "EventFileParser",
    "DataAnalysis",
    "AlarmEvaluation",
    "DataPointMonitor",
    "CoverageFill",
    "DemandRollup",
    "TrendAggregates",
    "NodeVerdicts",
    "Incidents",
  ])
    await ran(name);
  await advance(120);
  for (const name of ["ConnectivityMonitor", "MissedDataMonitor", "NodeClockMonitor", "NodeVerdicts", "Incidents", "NotificationSender"])
    await ran(name);
  await addOrganization(pool, "Alder Holding", [alder.id]);
  await server.context.fleet.runTick();
}
