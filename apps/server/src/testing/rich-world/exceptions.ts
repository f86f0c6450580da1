import { recordActivity } from "#shared/activities.store.ts";
import { addOrganization } from "#testing/test-bills.ts";
import { setLive } from "#testing/test-world.ts";
import { at, put, type Values } from "./kept-rows.ts";
import type { WorldSteps } from "./world-steps.ts";
import { day, hour } from "./world-times.ts";

/** A node at a place of its own: what is unusual of it, of its place, and of what telemetry says of it. */
type Exception = readonly [serial: number, node: Values, location?: Values, live?: Values];

const facilityOf = (serial: number) => (serial < 12_030 ? 0 : serial < 12_040 ? 1 : 2);

/** For each condition of the services that watch nodes one that misses only this one. */
const exceptionsAt = (now: number): readonly Exception[] => [
  [12_001, {}],
  [12_002, { current_deployment_status: "Pre-Deployment", new_deployment_status: "Pre-Deployment" }],
  [12_003, { disable_monitoring: true }],
  [12_004, { type: "SEL" }],
  [12_005, { type: "subNode", notify_on_connect: true, notify_on_current_above_noise: true }],
  [12_006, { monitor_missing_data: false, notify_on_current_above_noise: true }],
  [12_007, { deployment_issue: true, deployment_issue_details: "No door" }, { notify_missed_data: false }],
  [12_008, { monitor_daily_progress: false }, {}, { clock_skew_ms: 2_000 }],
  [12_009, {}, {}, { clock_skew_ms: -2_600 }],
  [12_010, {}],
  [12_011, { monitor_data_point_alerts: false }],
  [12_012, {}],
  [12_013, { notify_on_current_above_noise: true }],
  [12_014, { current_deployment_status_updated_at: at(now - hour / 4) }],
  [12_015, { pause_notifications: true }, { timezone: "America/New_York" }],
  [12_016, {}],
  [12_017, {}],
  [12_018, { pause_connectivity_notifications: true }],
  [12_019, { pause_connectivity_notifications: true, pause_connectivity_notifications_reason: "Cable" }],
  [12_020, {}, {}, { last_datafile_at: null }],
  [12_030, {}],
  [12_040, {}],
];

/** People who would hear of it, but for one reason each; the first and the internal one do. */
async function addPeople({ pool }: WorldSteps, [own, other]: readonly [number, number], facilityId: number, otherFacility: number) {
  const people: readonly (readonly [string, number, Values, string | null, number?])[] = [
    ["hears", own, { auto_subscribe_all_facilities: true }, null],
    ["suspended", own, { auto_subscribe_all_facilities: true, active_status: "SUSPENDED" }, null],
    ["no-faults", own, { auto_subscribe_all_facilities: true, receive_fault_library_notifications: false }, null],
    ["no-losses", own, { auto_subscribe_all_facilities: true, receive_connectivity_notifications: false }, null],
    ["no-reports", own, { auto_subscribe_all_facilities: true, receive_daily_report: false }, null],
    ["no-row", own, {}, null],
    ["elsewhere", own, {}, "Immediate", otherFacility],
    ["at-once", own, {}, "Immediate"],
    ["daily", own, {}, "Daily"],
    ["weekly", own, { receive_connectivity_notifications: false }, "Weekly"],
    ["suspended-daily", own, { active_status: "SUSPENDED" }, "Daily"],
    ["stranger", other, {}, "Immediate"],
    ["all-of-others", other, { auto_subscribe_all_facilities: true }, null],
    ["stranger-daily", other, {}, "Daily"],
    ["internal", other, { internal_user: true }, "Immediate"],
    ["internal-all", other, { internal_user: true, auto_subscribe_all_facilities: true }, null],
    ["internal-daily", other, { internal_user: true }, "Daily"],
    ["internal-suspended", other, { internal_user: true, active_status: "SUSPENDED" }, "Immediate"],
    ["internal-deaf", other, { internal_user: true, receive_connectivity_notifications: false, receive_daily_report: false }, "Immediate"],
  ];
  for (const [name, customer_id, columns, frequency, facility = facilityId] of people) {
    await put(pool, "app_user", [{ username: name, email: `${name}@fir.example`, customer_id, receive_daily_report: true, ...columns }]);
    if (frequency !== null)
      await pool.query(
        "insert into facility_subscription (user_id, facility_id, frequency) select id, $2, $3 from app_user where username = $1",
        [name, facility, frequency],
      );
  }
}

/** Runs the services that watch nodes and notify people in a fleet of exceptions. */
export async function watchExceptions(world: WorldSteps, birch: { id: number }, mill: { id: number }): Promise<void> {
  const { pool, now, ran } = world;
  // Reads have asked nodes for values, and give up when no one hands them on, at some moment.
  await pool.query("update node_command set state = 'failed', failure = 'no-ingest' where state in ('pending', 'sent')");
  const id = async (text: string, values: unknown[]) => (await pool.query<{ id: number }>(`${text} returning id`, values)).rows[0]!.id;
  const customer = await id("insert into customer (code, name) values ('fir', 'Fir Docks')", []);
  const facilities: number[] = [];
  for (const name of ["Fir Dock", "Fir Pier", "Fir Slip"])
    facilities.push(await id("insert into facility (customer_id, name, site_name) values ($1, $2, $2)", [customer, name]));
  await addPeople(world, [customer, birch.id], facilities[0]!, mill.id);
  const places = new Map<number, number>();
  const exceptions = exceptionsAt(now());
  for (const [serial, node, location = {}, live = {}] of exceptions) {
    const deployed = { type: "Node", current_deployment_status: "Deployed", new_deployment_status: "Deployed" };
    await put(pool, "node", [{ serial_number: serial, current_deployment_status_updated_at: at(now() - 3 * day), ...deployed, ...node }]);
    const place = {
      facility_id: facilities[facilityOf(serial)],
      name: `Place ${serial}`,
      timezone: "America/Chicago",
      np_voltage: 400,
      ...location,
    };
    await put(pool, "location", [place]);
    places.set(serial, (await pool.query<{ id: number }>("select id from location where name = $1", [place.name])).rows[0]!.id);
    await pool.query("insert into node_assignment (serial_number, location_id, slot) values ($1, $2, 1)", [serial, places.get(serial)]);
    await setLive(pool, serial, {
      is_connected: true,
      connection_changed_at: at(now() - 2 * day),
      last_datafile_at: at(now() - 5 * hour),
      clock_skew_ms: 2_500,
      ...live,
    });
  }
  const end = now() + hour;
  const mute = (reason: string, from: number, until: number, object: Values) => ({
    reason,
    username: "chief",
    from_at: at(from),
    until_at: at(until),
    ...object,
  });
  await put(pool, "mute", [
    mute("By itself", now() - hour, end, { serial_number: 12_009 }),
    mute("With its place, for longer", now() - hour, end + hour, { location_id: places.get(12_009) }),
    mute("With its place", now() - hour, end, { location_id: places.get(12_010) }),
    mute("Not any more", now() - day, now() - hour, { serial_number: 12_001 }),
    mute("Not yet", end, end + day, { serial_number: 12_001 }),
    mute("With its facility", now() - hour, end, { facility_id: facilities[2] }),
  ]);
  const soon = () => now() + 1;

  await put(pool, "notice_told", [
    { kind: "MISSED_DATA", object_id: 12_012, period: at(now() - 5 * hour), told_at: at(now()) },
    { kind: "MISSED_DATA", object_id: 12_013, period: at(now() - 6 * hour), told_at: at(now()) },
    { kind: "ANOTHER", object_id: 12_013, period: at(now() - 5 * hour), told_at: at(now()) },
  ]);
  await setLive(pool, 12_016, { last_datafile_at: at(soon() - 4 * hour) });
  await ran("MissedDataMonitor");
  await ran("NodeClockMonitor");

  await put(
    pool,
    "data_point_alert",
    ([12_001, 12_002, 12_003, 12_004, 12_005, 12_011] as const).map((serial) => ({
      serial_number: serial,
      kind: "incomplete",
      raised_at: at(now() - hour),
      detail: "Of before",
    })),
  );
  await put(
    pool,
    "data_point_alert",
    ([12_012, 12_014, 12_016] as const).map((serial) => ({
      serial_number: serial,
      kind: "late",
      raised_at: at(now() - hour),
      detail: "Late before",
    })),
  );
  await setLive(pool, 12_016, { last_datafile_at: at(soon() - 3_600) });
  await setLive(pool, 12_017, { connection_changed_at: at(soon() - 2_700) });
  await setLive(pool, 12_013, { is_connected: false });
  await ran("DataPointMonitor");

  await addDays(world);
  await ran("DailyProgressReport");

  await pool.query("update alarm_evaluation set evaluated_until = to_timestamp($1)", [now() - 120]);
  await put(
    pool,
    "alarm",
    [12_002, 12_001].map((serial) => ({ serial_number: serial, kind: "currentImbalance", raised_at: at(now() - hour), threshold: 5 })),
  );
  await pool.query(
    `insert into scalar (serial_number, ts, version, flag, line_frequency, current1, current2, current3, voltage1, voltage2, voltage3)
     select s, to_timestamp($2::float8 - n), 1, 1, 60, c, c, c, 900, 900, 900
     from unnest($1::int4[]) s, generate_series(0, 300, 10) n, lateral (select case s when 12005 then 1 when 12013 then 3 else 2 end as c) c`,
    [exceptions.map(([serial]) => serial), now()],
  );
  await pool.query(
    "update node_live set last_scalar_at = to_timestamp($1), changed_xid = pg_current_xact_id() where serial_number > 12000",
    [now()],
  );
  await ran("AlarmEvaluation");

  await lose(world);
  await addOrganization(pool, "Fir Holding", [customer]);
  await world.advance(day);
  await ran("SubscriptionReport");
}

/** Connections that are lost, and that are back. */
async function lose({ pool, now, ran }: WorldSteps): Promise<void> {
  const soon = () => now() + 1;
  const loss = (serial: number, isHeld: boolean) => ({
    serial_number: serial,
    lost_at: at(now() - hour),
    told_at: at(now() - hour),
    is_held: isHeld,
  });
  await pool.query(
    "update node_live set is_connected = false, connection_changed_at = to_timestamp($1), changed_xid = pg_current_xact_id() where serial_number > 12000",
    [now() - 300],
  );
  await setLive(pool, 12_006, { connection_changed_at: at(now() - 700) });
  await setLive(pool, 12_020, { connection_changed_at: null });
  await setLive(pool, 12_030, { connection_changed_at: at(soon() - 600), disconnect_reason: "no-answer" });
  await put(pool, "connection_loss", [
    ...[12_002, 12_003, 12_004, 12_008, 12_012].map((serial) => loss(serial, false)),
    ...[12_009, 12_011].map((serial) => loss(serial, true)),
  ]);
  await ran("ConnectivityMonitor");
  await pool.query(
    "update node_live set is_connected = true, connection_changed_at = to_timestamp($1), changed_xid = pg_current_xact_id() where serial_number > 12000",
    [now() - 700],
  );
  await setLive(pool, 12_030, { connection_changed_at: at(soon() - 600) });
  await setLive(pool, 12_005, { connection_changed_at: at(soon() - 599) });
  await setLive(pool, 12_013, { is_connected: false });
  await ran("ConnectivityMonitor");
}

/** What is measured from the first moment of a local day on, and that of the next one. */
async function addDays({ pool }: WorldSteps): Promise<void> {
  const start = Date.UTC(2026, 2, 11, 5) / 1000;
  const moments = [start - 1, start, start + day - 1, start + day];
  for (const serial of [12_001, 12_005])
    for (const [index, ts] of moments.entries()) {
      const figures = { running_seconds: 800 + index, kwh: 10 + index, current_avg: 20 + index, power_kw_avg: 30 + index };
      const data = index === 1 ? { currentMax: 90 } : index === 2 ? { currentMax: "high" } : {};
      await put(pool, "sensor_data", [{ serial_number: serial, ts: at(ts), interval_seconds: 900, ...figures, data }]);
      await put(pool, "node_event", [{ serial_number: serial, ts: at(ts), kind: "RELAY_EVENT", body: {} }]);
      await put(pool, "alarm", [{ serial_number: serial, kind: "underVoltage", raised_at: at(ts), cleared_at: at(ts + 9), threshold: 5 }]);
      await recordActivity(pool, {
        actorType: "Node",
        actor: String(serial),
        action: "NODE_DEATH",
        description: `Node ${serial} disconnected`,
      });
      await pool.query("update activity set ts = to_timestamp($1) where id = (select max(id) from activity)", [ts]);
    }
  const ofDay = (serial: number, date: string, kw: number) => ({
    serial_number: serial,
    day: date,
    average_kw: kw,
    peak_kw: kw + 5,
    covered_seconds: 80_000,
    length_seconds: day,
  });
  await put(pool, "node_demand_day", [ofDay(12_001, "2026-03-10", 70), ofDay(12_001, "2026-03-11", 40), ofDay(12_006, "2026-03-11", 60)]);
}
