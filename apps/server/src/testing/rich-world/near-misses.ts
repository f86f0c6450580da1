import { systemConfigEntries } from "@busbar/contract/system/system-config.ts";
import type { Pool } from "pg";
import { dataPoint, nameOf, oneSecondFile } from "#testing/sample-files.ts";
import { storeFile } from "#testing/store-file.ts";
import { at, put, type Values } from "./kept-rows.ts";
import type { Places } from "./places.ts";
import type { WorldSteps } from "./world-steps.ts";
import { day, hour, quarter } from "./world-times.ts";

/** What other services, and these of other kinds, have set aside under the same names. */
export async function setAsideOthers({ pool, now }: WorldSteps): Promise<void> {
  await pool.query(
    `with item (kind, item) as (
       select 'file', file_name || ' ' || left(encode(content_hash, 'hex'), 12) from data_file
       union all select 'node', serial_number::text from node
       union all select k, serial_number || ' ' || at from trend_dirty, unnest(array['hour', 'day', 'month']) as k)
     insert into service_set_aside (service, kind, item, reason, tries, first_at, last_at, next_try_at, fault)
     select 'MqttIngest', kind, item, 'Of another service', 1, to_timestamp($1), to_timestamp($1), to_timestamp($2), 'item' from item
     union all select service, 'another kind', item, 'Of another kind', 0, to_timestamp($1), to_timestamp($1), to_timestamp($2), 'none'
     from (select distinct item from item) i, unnest(array['FileExtraction', 'EventFileParser', 'DataAnalysis', 'CoverageFill', 'TrendAggregates']) as s (service)
     on conflict do nothing`,
    [now() - hour, now() + 9_000 * day],
  );
}

/** All of one moment, just before and just after it, ended and open: the last of it that is read is as near to it as can be. */
export async function addNearMisses(world: WorldSteps, places: Places): Promise<number> {
  const moment = world.now() - 3 * hour;
  await addAlarms(world.pool, moment);
  await addIncidents(world.pool, places, moment);
  await addMessages(world.pool, moment);
  await addStays(world.pool, places, moment);
  await addVerdicts(world.pool, world.now());
  await addMeasurements(world, places);
  return moment;
}

async function addAlarms(pool: Pool, moment: number): Promise<void> {
  const alarm = (serial: number, kind: string, raised: number, cleared: number | null) => ({
    serial_number: serial,
    kind,
    raised_at: at(raised),
    cleared_at: cleared === null ? null : at(cleared),
    threshold: 5,
  });
  await put(pool, "alarm", [
    alarm(11_001, "currentImbalance", moment, moment + 60),
    alarm(11_001, "currentImbalance", moment - hour, moment),
    alarm(11_001, "voltageImbalance", moment, null),
    alarm(11_002, "currentImbalance", moment, moment + 60),
    alarm(11_002, "voltageImbalance", moment - hour, null),
    alarm(11_004, "voltageThd", moment - day, moment - hour),
  ]);
  const event = (serial: number, kind: string, ts: number, body: Values) => ({ serial_number: serial, kind, ts: at(ts), body });
  await put(pool, "node_event", [
    event(11_001, "voltageImbalance", moment, { name: "Gear", phase: "A", value: 7, limit: 5 }),
    event(11_001, "voltageImbalance", moment + 1, { name: "Of a second later" }),
    event(11_001, "currentImbalance", moment, { name: "Of another kind" }),
    event(11_002, "voltageImbalance", moment, { name: "Of another node" }),
  ]);
}

type Member = readonly [serial: number, began: number, last: number, ended: number | null];
async function addIncidents(pool: Pool, { north, south }: Places, moment: number): Promise<void> {
  const add = async (
    [cause, kind, alarmKind, facilityId]: readonly [string, string, string, number | null],
    [began, ended]: readonly [number, number | null],
    members: readonly Member[],
  ) => {
    const { rows } = await pool.query<{ id: number }>(
      `insert into incident (cause, kind, alarm_kind, facility_id, began_at, ended_at)
       values ($1, $2, $3, $4, to_timestamp($5), to_timestamp($6)) returning id`,
      [cause, kind, alarmKind, facilityId, began, ended],
    );
    for (const [serial, first, last, end] of members)
      await put(pool, "incident_member", [
        {
          incident_id: rows[0]!.id,
          serial_number: serial,
          began_at: at(first),
          last_began_at: at(last),
          ended_at: end === null ? null : at(end),
          count: 2,
        },
      ]);
  };
  const before = moment - 2 * hour;
  const after = moment + hour;
  const alarm = ["alarm/currentImbalance/11001", "alarm", "currentImbalance", north.id] as const;
  await add(alarm, [before, after], [[11_001, before, moment, moment]]);
  await add(alarm, [moment, after], [[11_001, moment, moment + 60, moment + 60]]);
  await add(alarm, [moment, after], [[11_001, moment + 1, moment + 60, after]]);
  await add(alarm, [before, after], [[11_001, before, moment - 1, after]]);
  await add(["alarm/currentImbalance/11002", "alarm", "currentImbalance", south.id], [before, after], [[11_002, before, after, after]]);
  await add(["silent/11001", "silent", "currentImbalance", north.id], [before, after], [[11_001, before, after, after]]);
  await add(
    ["outage of south", "outage", "", south.id],
    [moment, moment + 600],
    [
      [11_001, moment, moment, moment + 600],
      [11_002, moment, moment, moment + 300],
    ],
  );
  await add(["link/11020", "link", "", null], [moment - 600, null], [[11_020, moment - 600, moment - 600, null]]);
  await add(
    ["sensor of both", "sensor", "", south.id],
    [moment - 600, null],
    [
      [11_002, moment - 600, moment, null],
      [11_004, moment - 600, moment, moment],
    ],
  );
}

/** Of the outage: both of its nodes, one at its very end, one that waits, and what is of something else. */
async function addMessages(pool: Pool, moment: number): Promise<void> {
  const messages: readonly [string, Values, readonly (readonly [number, string, number])[]][] = [
    [
      "Of both nodes",
      { sent_at: at(moment + 30) },
      [
        [11_001, "link", moment],
        [11_002, "link", moment],
      ],
    ],
    ["Of its last second", { sent_failed_reason: "Muted: at its end" }, [[11_002, "link", moment + 600.5]]],
    ["A second after its end", { sent_failed_reason: "Muted: after it" }, [[11_002, "link", moment + 601]]],
    ["Before it", { sent_at: at(moment) }, [[11_002, "link", moment - 1]]],
    ["Still to be sent", { next_attempt_at: at(moment + 9_000 * day) }, [[11_002, "link", moment + 5]]],
    ["Of an alarm", { sent_at: at(moment) }, [[11_002, "currentImbalance", moment + 5]]],
    ["Of no node of it", { sent_at: at(moment) }, [[11_004, "link", moment + 5]]],
    [
      "Of one before and one within",
      { sent_at: at(moment) },
      [
        [11_001, "link", moment - 5],
        [11_002, "link", moment + 5],
      ],
    ],
    [
      "Of two topics",
      { sent_at: at(moment) },
      [
        [11_001, "currentImbalance", moment + 5],
        [11_002, "link", moment + 5],
      ],
    ],
    [
      "Of one who is not of it and one who is",
      { sent_at: at(moment) },
      [
        [11_000, "link", moment + 5],
        [11_002, "link", moment + 6],
      ],
    ],
  ];
  for (const [subject, columns, about] of messages) {
    const { rows } = await pool.query<{ id: number }>(
      `insert into notification (kind, subject, recipients_to, body, created_at, sent_at, sent_failed_reason, next_attempt_at, message_id)
       values ('NODE_CONNECTIVITY', $1, '{}', '', to_timestamp($2), $3, $4, $5, $1) returning id::int4`,
      [subject, moment, columns["sent_at"], columns["sent_failed_reason"], columns["next_attempt_at"]],
    );
    for (const [serial, topic, ts] of about)
      await pool.query(
        "insert into notification_subject select $1, serial_number, $3, to_timestamp($4) from node where serial_number = $2",
        [rows[0]!.id, serial, topic, ts],
      );
  }
}

/** Who was there before and after, and what was written there in the same second. */
async function addStays(pool: Pool, { pump, saw, blower }: Places, moment: number): Promise<void> {
  const stay = (serial: number, location: number, started: number, ended: number, slot = 1) => ({
    serial_number: serial,
    location_id: location,
    slot,
    customer_name: "Alder Pumping",
    facility_name: "North Works",
    location_name: `Place of ${serial}`,
    started_at: at(started),
    ended_at: at(ended),
  });
  await put(pool, "node_placement", [
    stay(11_007, pump.id, moment - 9 * day, moment - 8 * day),
    stay(11_008, pump.id, moment - 7 * day, moment - 6 * day),
    stay(11_006, pump.id, moment - 7 * day, moment - 6 * day),
    stay(11_012, pump.id, moment - 5 * day, moment - 4 * day, 2),
    stay(11_007, saw.id, moment, moment + 60),
    stay(11_008, saw.id, moment, moment + 60),
  ]);
  const note = (location: number, ts: string) =>
    pool.query(
      `insert into location_note (location_id, ts, note) select $1, ${ts}, 'At ' || $3::text from node_placement where serial_number = $2 order by id limit 1`,
      [location, location === pump.id ? 11_001 : 11_005, ts],
    );
  await note(pump.id, "started_at");
  await note(pump.id, "started_at - interval '1 second'");
  await note(saw.id, "ended_at");
  await note(saw.id, "ended_at - interval '1 second'");
  await put(pool, "location_note", [
    { location_id: pump.id, ts: at(moment), note: "Of the moment" },
    { location_id: pump.id, ts: at(moment), note: "The same again" },
  ]);
  const swap = (old: number, next: number, location: number, swapped: string) =>
    pool.query(
      `insert into node_swap (old_serial_number, new_serial_number, location_id, slot, customer_name, facility_name, location_name, swapped_at, swapped_by, reason, old_node_status)
       select $1, $2, $3, 1, 'Alder Pumping', 'North Works', 'Somewhere', ${swapped}, 'chief', 'Old', 'Unassigned' from node_placement
       where serial_number = 11002 order by id limit 1`,
      [old, next, location],
    );
  await swap(11_007, 11_002, blower.id, `to_timestamp(${moment})`);
  await swap(11_007, 11_003, blower.id, "started_at");
  await swap(11_001, 11_008, blower.id, `to_timestamp(${moment})`);
  const activity = (object: string, action: string, ts: number, description: string) => ({
    ts: at(ts),
    actor_type: "User",
    actor: "chief",
    action,
    object,
    description,
  });
  await put(pool, "activity", [
    activity(`location/${blower.id}`, "SWAP_NODE", moment, "The swap itself"),
    activity(`location/${blower.id}`, "SWAP_NODE", moment + 1, "Another swap of the place"),
    activity(`location/${blower.id}`, "PATCH_LOCATION", moment, "Another change of the moment"),
    activity(`location/${pump.id}`, "SWAP_NODE", moment, "A swap at another place"),
    activity("node/11001", "PATCH_NODE", moment, "First of the moment"),
    activity("node/11001", "PATCH_NODE", moment, "Second of the moment"),
    activity("node/11001", "PATCH_NODE_CONFIG", moment, "A value of the moment"),
    activity("node/11001", "NODE_VERDICT_CHANGED", moment, "A verdict of the moment"),
  ]);
}

/** A month of outages, from its very begin. */
async function addVerdicts(pool: Pool, now: number): Promise<void> {
  const verdict = (serial: number, ago: number, kind: string) => ({
    serial_number: serial,
    began_at: at(now - ago),
    kind,
    gravity: "look",
    sentence: `${kind} of ${serial}`,
  });
  await put(pool, "node_verdict_history", [
    verdict(11_001, 30 * day, "outage"),
    verdict(11_001, 30 * day - 60, "outage"),
    verdict(11_001, 30 * day - 120, "fine"),
    verdict(11_001, 4 * day, "outage"),
    verdict(11_001, 3 * day, "fine"),
    verdict(11_001, 3 * day - 60, "silent"),
    verdict(11_002, 4 * day - 30, "outage"),
    verdict(11_009, 3 * day - 30, "fine"),
    verdict(11_002, 25 * hour, "unknown"),
  ]);
}

/** Of other nodes, kinds, places and days. */
async function addMeasurements({ pool, server }: WorldSteps, { crusher, saw }: Places): Promise<void> {
  const evidence = (serial: number, place: { id: number }, outcome: string) => ({
    serial_number: serial,
    location_id: place.id,
    taken_by: "chief",
    measured_at: at(quarter(2)),
    outcome,
    sentence: `Found ${outcome}`,
    snapshot: {},
  });
  await pool.query("delete from wiring_evidence where serial_number in (11001, 11004, 11009)");
  await put(pool, "wiring_evidence", [
    evidence(11_001, crusher, "right"),
    evidence(11_004, crusher, "wrong"),
    evidence(11_009, saw, "right"),
  ]);
  await storeFile(server, nameOf(11_002, quarter(4), "D"), dataPoint(11_002, quarter(4)));
  await storeFile(server, nameOf(11_001, quarter(4), "S"), oneSecondFile(11_001, quarter(4)));
  for (const [serial, ago] of [
    [11_002, 4],
    [11_002, 2.5],
    [11_001, 6],
  ] as const)
    await put(pool, "sensor_data", [{ serial_number: serial, ts: at(quarter(ago)), interval_seconds: 600, data: { fw: `of ${serial}` } }]);
  const ofDay = (date: string, kw: number) => ({
    serial_number: 11_001,
    day: date,
    average_kw: kw,
    peak_kw: kw + 5,
    covered_seconds: 80_000,
    length_seconds: day,
  });
  await put(pool, "node_demand_day", [ofDay("2026-03-12", 70), ofDay("2026-02-10", 50), ofDay("2026-02-09", 90), ofDay("2026-02-11", 20)]);
}

/** Rows whose time is over at just this second, or a second later, and what the pruner has set aside of other kinds. */
export async function addExpired({ pool, now }: WorldSteps): Promise<void> {
  const overAt = (days: number) => now() + 1 - days * day;
  const events = overAt(systemConfigEntries.Retention_eventDays.default);
  const activities = overAt(systemConfigEntries.Retention_activityDays.default);
  const notifications = overAt(systemConfigEntries.Retention_notificationDays.default);
  const files = overAt(systemConfigEntries.Retention_fileDays.default);
  const alarm = (raised: number, cleared: number | null) => ({
    serial_number: 11_001,
    kind: "underVoltage",
    raised_at: at(raised),
    cleared_at: cleared === null ? null : at(cleared),
    threshold: 5,
  });
  await put(pool, "alarm", [
    alarm(events, events),
    alarm(events - 1, events),
    alarm(events - 2, events - 1),
    alarm(events - 3, null),
    alarm(events + 1, events - 1),
  ]);
  for (const after of [-1, 0]) {
    await put(pool, "node_event", [{ serial_number: 11_002, ts: at(events + after), kind: "RELAY_EVENT", body: {} }]);
    await put(pool, "mute", [
      { serial_number: 11_002, reason: "Over", username: "chief", from_at: at(activities - day), until_at: at(activities + after) },
    ]);
    await put(pool, "activity", [
      { ts: at(activities + after), actor_type: "User", actor: "chief", action: "PATCH_NODE", object: "", description: `Of ${after}` },
    ]);
    await put(pool, "incident", [
      {
        cause: `expired ${after}`,
        kind: "alarm",
        alarm_kind: "underVoltage",
        began_at: at(activities - day),
        ended_at: at(activities + after),
      },
    ]);
    await put(pool, "node_verdict_history", [
      { serial_number: 11_010, began_at: at(activities + after), kind: "fine", gravity: "fine", sentence: `Of ${after}` },
    ]);
    await put(pool, "file_ask", [
      { serial_number: 11_001, kind: "D", from_at: at(0), to_at: at(1), file_count: 1, asked_by: "chief", asked_at: at(files + after) },
    ]);
    for (const next of [null, at(now() + day)])
      await put(pool, "notification", [
        {
          kind: "MISSED_DATA",
          subject: `Of ${after}`,
          body: "",
          created_at: at(notifications + after),
          next_attempt_at: next,
          message_id: `${after} ${next}`,
        },
      ]);
  }
  await pool.query(
    `with item (kind, item) as (
       select 'alarm', id::text from alarm union all select 'notification', id::text from notification
       union all select 'incident', id::text from incident union all select 'mute', id::text from mute
       union all select 'activity', id::text from activity
       union all select 'verdict', serial_number || ' ' || extract(epoch from began_at) from node_verdict_history)
     insert into service_set_aside (service, kind, item, reason, tries, first_at, last_at, next_try_at, fault)
     select 'MqttIngest', kind, item, 'Of another service', 1, to_timestamp($1), to_timestamp($1), to_timestamp($2), 'item' from item
     union all select distinct 'RetentionPruner', 'another kind', item, 'Of another kind', 0, to_timestamp($1), to_timestamp($1), to_timestamp($2), 'none'
     from item`,
    [now(), now() + day],
  );
}
