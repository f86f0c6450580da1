import type { HomeNeed } from "@busbar/contract/system/home-needs.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace } from "#testing/test-world.ts";

let server: TestApp;
let tokens: { all: string; plain: string };
beforeAll(async () => {
  server = await createTestApp();
  tokens = {
    all: await server.login(await server.addAdministrator("all", ["systemAdministrator", "accountsAdministrator"])),
    plain: await server.login(await server.addAdministrator("plain")),
  };
});
afterAll(() => server.stop());

async function needs(token: string): Promise<string[]> {
  const { json, status } = await server.call({ method: "GET", url: "/api/home/needs", token });
  expect(status).toBe(200);
  return (json["data"] as HomeNeed[]).map(({ kind, gravity, count }) => `${gravity} ${kind} ${count}`);
}

/** What looks like a need and is none: muted, ended, looked at, switched off, too old or still to come. */
async function addAlmostNeeds(now: number): Promise<void> {
  const { pool } = server.database;
  const place = await addPlace(pool);
  const at = (days: number) => new Date((now + days * 86_400) * 1_000);
  await addNode(pool, 10101, place, { new_deployment_status: "Deployed", new_deployment_status_updated_at: at(1) });
  await addNode(pool, 10102);
  await pool.query(
    `insert into node_verdict (serial_number, kind, gravity, sentence, evidence) values (10101, 'late', 'look', '', '[]'), (10102, 'paused', 'note', '', '[]')`,
  );
  const { rows } = await pool.query<{ id: number }>(
    `insert into incident (cause, kind, alarm_kind, began_at, calm_since, ended_at, acknowledged_at) values
       ('ended', 'link', '', $1, null, $1, null), ('calm', 'link', '', $1, $1, null, null), ('seen', 'link', '', $1, null, null, $1),
       ('paused', 'link', '', $1, null, null, null), ('over', 'link', '', $1, null, null, null) returning id`,
    [at(0)],
  );
  const [ended, calm, seen, paused, over] = rows.map(({ id }) => id);
  await pool.query(
    `insert into incident_member (incident_id, serial_number, began_at, last_began_at, ended_at, count)
     select i, s, $1, $1, e, 1 from (values ($2::int4, 10101, null), ($3, 10101, null), ($4, 10101, null), ($5, 10102, null), ($6, 10101, $1::timestamptz)) v (i, s, e)`,
    [at(0), ended, calm, seen, paused, over],
  );
  await pool.query("insert into ingest_presence (started_at, alive_at) values ($1, $1), ($2, $3)", [
    at(-9),
    at(-8),
    new Date((now - 60) * 1_000),
  ]);
  await pool.query(
    "insert into service (name, interval_seconds, next_run_at, failing_since, is_enabled) values ('Fine', 5, now(), null, true), ('Off', 5, now(), now(), false)",
  );
  await pool.query(
    `insert into notification (kind, subject, body, message_id, created_at, sent_at, sent_failed_reason) values
       ('A', '', '', '11', $1, null, 'SMTP: refused'), ('A', '', '', '12', $2, $2, 'SMTP: refused')`,
    [at(-1), at(-0.1)],
  );
  await pool.query("insert into recorded_event (serial_number, ts, number, kind) values (10101, $1, 1, 'trip'), (10101, $2, 2, 'trip')", [
    at(-1),
    new Date((now + 1) * 1_000),
  ]);
  const today = at(0).toISOString().slice(0, 10);
  const day = (days: number) => at(days).toISOString().slice(0, 10);
  const payer = await pool.query<{ id: number }>("insert into billing_organization (name) values ('Nothing due') returning id");
  await pool.query("insert into billing_organization_customer (customer_id, organization_id) values ($1, $2)", [
    place.customerId,
    payer.rows[0]!.id,
  ]);
  for (const [start, end, paid] of [
    [day(1), null, null],
    [day(-9), today, null],
    [day(-9), null, today],
  ])
    await pool.query(
      "insert into location (facility_id, name, timezone, billing_start_date, billing_end_date, paid_thru_date) values ($1, $2, 'UTC', $3, $4, $5)",
      [place.facilityId, `${start} ${end} ${paid}`, start, end, paid],
    );
}

test("nothing is said when nothing needs anyone; all that does is counted, and each person reads what is theirs", async () => {
  const { pool } = server.database;
  const now = Math.floor(server.clock.now() / 1_000);
  server.clock.advance(now - server.clock.now() / 1_000);
  await addAlmostNeeds(now);
  expect(await needs(tokens.all)).toEqual([]);

  const [first, second] = [await addPlace(pool), await addPlace(pool)];
  const judge = (serial: number, kind: string) =>
    pool.query("insert into node_verdict (serial_number, kind, gravity, sentence, evidence) values ($1, $2, 'act', '', '[]')", [
      serial,
      kind,
    ]);
  await addNode(pool, 10001, first, { deployment_issue: true, new_deployment_status: "Deployed", current_deployment_status: "Deployed" });
  await addNode(pool, 10002, second, {
    current_deployment_status: "Pre-Deployment",
    new_deployment_status: "Deployed",
    new_deployment_status_updated_at: new Date((now + 3_600) * 1_000),
  });
  await addNode(pool, 10003, undefined, {
    current_deployment_status: "Decommissioned",
    new_deployment_status: "Decommissioned",
    deployment_issue: true,
  });
  await judge(10001, "outage");
  await judge(10002, "alarm");
  await judge(10003, "clock");
  await pool.query("insert into ingest_presence (started_at, alive_at) values (to_timestamp($1), to_timestamp($1))", [now - 300]);
  await pool.query("delete from ingest_presence where alive_at > to_timestamp($1)", [now - 300]);
  const { rows } = await pool.query<{ id: number }>(
    "insert into incident (cause, kind, alarm_kind, began_at) values ('open', 'link', '', now()) returning id",
  );
  await pool.query(
    "insert into incident_member (incident_id, serial_number, began_at, last_began_at, count) select $1, s, now(), now(), 1 from unnest(array[10001, 10002]) s",
    [rows[0]!.id],
  );
  await pool.query("insert into service (name, interval_seconds, next_run_at, failing_since) values ('Broken', 5, now(), now())");
  await pool.query(
    `insert into notification (kind, subject, body, message_id, created_at, sent_failed_reason) values
       ('A', '', '', '1', to_timestamp($1), 'SMTP: refused'), ('A', '', '', '2', to_timestamp($1), 'Paused: works')`,
    [now - 60],
  );
  await pool.query(
    `insert into recorded_event (serial_number, ts, number, kind) select 10001, to_timestamp($1::float8 + t), 1, k
     from (values (-3600, 'trip'), (0, 'trip'), (-7300, 'alarm'), (-90000, 'trip'), (90000, 'trip')) as e (t, k)`,
    [now],
  );
  const organization = await pool.query<{ id: number }>("insert into billing_organization (name) values ('Payer') returning id");
  await pool.query("insert into billing_organization_customer (customer_id, organization_id) values ($1, $2)", [
    first.customerId,
    organization.rows[0]!.id,
  ]);
  await pool.query("update location set billing_start_date = '2020-01-01', paid_thru_date = '2024-12-31' where id = $1", [
    first.locationId,
  ]);

  const everyone = [
    "act platform 1",
    "act outages 1",
    "act incidents 1",
    "act nodes 1",
    "act mail 1",
    "look trips 2",
    "look deployments 1",
    "note statusChanges 1",
  ];
  expect(await needs(tokens.plain)).toEqual(everyone);
  expect(await needs(tokens.all)).toEqual([...everyone.slice(0, 4), "act services 1", ...everyone.slice(4), "note bills 1"]);
});
