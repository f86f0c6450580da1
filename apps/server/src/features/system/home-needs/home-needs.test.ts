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

test("nothing is said when nothing needs anyone; all that does is counted, and each person reads what is theirs", async () => {
  const { pool } = server.database;
  expect(await needs(tokens.all)).toEqual([]);

  const now = server.clock.now() / 1_000;
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
  await pool.query("insert into service (name, interval_seconds, next_run_at, failing_since) values ('Broken', 5, now(), now())");
  await pool.query(
    `insert into notification (kind, subject, body, message_id, created_at, sent_failed_reason) values
       ('A', '', '', '1', to_timestamp($1), 'SMTP: refused'), ('A', '', '', '2', to_timestamp($1), 'Paused: works')`,
    [now - 60],
  );
  await pool.query(
    `insert into recorded_event (serial_number, ts, number, kind) select 10001, to_timestamp($1::float8 + t), 1, k
     from (values (-3600, 'trip'), (-7200, 'trip'), (-7300, 'alarm'), (-90000, 'trip'), (90000, 'trip')) as e (t, k)`,
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
    "act nodes 1",
    "act mail 1",
    "look trips 2",
    "look deployments 1",
    "note statusChanges 1",
  ];
  expect(await needs(tokens.plain)).toEqual(everyone);
  expect(await needs(tokens.all)).toEqual([...everyone.slice(0, 3), "act services 1", ...everyone.slice(3), "note bills 1"]);
});
