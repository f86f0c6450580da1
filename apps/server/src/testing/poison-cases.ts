import { markScalarTrends } from "#shared/trend-marks.store.ts";
import { randomUUID } from "node:crypto";
import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ensureScalarPartitions } from "#db/scalar-partitions.ts";
import { inTransaction } from "#db/transaction.ts";
import { recordActivity } from "#shared/activities.store.ts";
import { fileItem } from "#shared/file-item-sql.ts";
import { createFileExtractionStore } from "#features/files/file-extraction/file-extraction.store.ts";
import { createFileExtraction } from "#features/files/file-extraction/file-extraction.task.ts";
import { createNodeCommandsStore } from "#features/telemetry/node-commands/node-commands.store.ts";
import { createFolderFileStore } from "#lib/file-store.ts";
import { dataPoint, lastQuarter, nameOf } from "./sample-files.ts";
import { sampleCev } from "./sample-events.ts";
import { storeFile } from "./store-file.ts";
import type { TestApp } from "./test-app.ts";
import { addNode, addPlace, setLive, type TestPlace } from "./test-world.ts";

/** Work of a service for several items, one of which it cannot do. */
export interface Poisoned {
  /** How the service names it. */
  bad: string;
  repair: () => Promise<unknown>;
  isDone: (which: "good" | "bad") => Promise<boolean>;
  /** Runs until the good ones are done. */
  runs?: number;
}
export type Poison = (server: TestApp) => Promise<Poisoned>;

let serial = 47_000;
const unknownZone = "Mars/Olympus";

/** Two nodes at places of their own; `bad` has the higher number. */
async function twoNodes(server: TestApp, columns: Record<string, unknown> = {}) {
  const { pool } = server.database;
  const [goodPlace, badPlace] = [await addPlace(pool), await addPlace(pool)];
  const [good, bad] = [++serial, ++serial];
  const since = new Date(server.clock.now() - 30 * 86_400_000);
  const deployed = { current_deployment_status: "Deployed", current_deployment_status_updated_at: since, ...columns };
  await addNode(pool, good, goodPlace, deployed);
  await addNode(pool, bad, badPlace, deployed);
  return { good, bad, goodPlace, badPlace };
}

/** A zone that this program or the database does not know (any more). */
const loseZone = (server: TestApp, { locationId }: TestPlace) =>
  server.database.pool.query("update location set timezone = $2 where id = $1", [locationId, unknownZone]);
const findZone = (server: TestApp, { locationId }: TestPlace) =>
  server.database.pool.query("update location set timezone = 'UTC' where id = $1", [locationId]);

/** The database refuses to touch one row. */
async function refuse(
  server: TestApp,
  table: string,
  when: string,
  action: "insert" | "update" | "delete",
): Promise<() => Promise<unknown>> {
  await server.database.pool.query(
    `create or replace function refuse_row() returns trigger language plpgsql as $$ begin raise exception 'This row is refused' using errcode = '22000'; end $$;
     create trigger refuse_row before ${action} on ${table} for each row when (${when}) execute function refuse_row()`,
  );
  return () => server.database.pool.query(`drop trigger refuse_row on ${table}`);
}

const exists = async (server: TestApp, text: string, values: unknown[]): Promise<boolean> =>
  ((await server.database.pool.query(`select 1 from ${text}`, values)).rowCount ?? 0) > 0;

/** Of nodes: the work is done when a row speaks of the node. */
const doneWhen = (server: TestApp, nodes: { good: number; bad: number }, text: string) => (which: "good" | "bad") =>
  exists(server, text, [nodes[which]]);

const subscribe = (server: TestApp, name: string, { customerId }: TestPlace, columns: Record<string, unknown> = {}) =>
  server.addUser(`${name}${randomUUID().slice(0, 8)}`, customerId, {
    email: `${randomUUID()}@mail.example`,
    auto_subscribe_all_facilities: true,
    ...columns,
  });

const enqueue = (server: TestApp, subject: string, notSentReason?: string) =>
  inTransaction(server.database.pool, (client) =>
    server.context.mail.enqueue(client, {
      kind: "TEST",
      to: ["desk@mail.example"],
      subject,
      body: "Body\n",
      ...(notSentReason ? { notSentReason } : {}),
    }),
  );

async function removeContent(server: TestApp, hash: Buffer): Promise<string> {
  const name = hash.toString("hex");
  const path = join(server.dataDir, "files", name.slice(0, 3), name);
  await rm(path);
  await mkdir(path);
  return path;
}

/** A node's files of one kind, one of which cannot be read for now: a folder is where its bytes should. */
async function twoFiles(server: TestApp, kind: "D" | "E") {
  const isEvent = kind === "E";
  const { good, bad } = await twoNodes(server, isEvent ? { type: "SEL" } : {});
  const at = lastQuarter(1, server.clock.now());
  const extension = isEvent ? "cev" : undefined;
  const names = { good: nameOf(good, at, kind, extension), bad: nameOf(bad, at, kind, extension) };
  const contentOf = (own: number) => (isEvent ? sampleCev({ fid: `SEL-751-R${own}` }) : dataPoint(own, at));
  await storeFile(server, names.good, contentOf(good));
  const hash = await storeFile(server, names.bad, contentOf(bad));
  const path = await removeContent(server, hash);
  const repair = async () => {
    await rm(path, { recursive: true });
    await storeFile(server, names.bad, contentOf(bad));
  };
  const isDone = (which: "good" | "bad") => exists(server, "data_file where file_name = $1 and processed", [names[which]]);
  return { bad: `file ${fileItem({ fileName: names.bad, hash })}`, repair, isDone };
}

/** For every service: what it cannot do its work on, while the rest goes on. */
export const poisons: Record<string, Poison> = {
  async RetentionPruner(server) {
    const good = await enqueue(server, "good", "Kept back");
    const bad = await enqueue(server, "bad", "Kept back");
    server.clock.advance((await server.context.retentionDays()).notifications * 86_400 + 60);
    const repair = await refuse(server, "notification", `old.id = ${bad}`, "delete");
    const isDone = async (which: "good" | "bad") => !(await exists(server, "notification where id = $1", [which === "good" ? good : bad]));
    return { bad: `notification ${bad}`, repair, isDone };
  },

  async SessionReaper(server) {
    const ids: Record<"good" | "bad", string> = { good: "", bad: "" };
    for (const which of ["good", "bad"] as const) {
      const username = await server.addAdministrator(`${which}${randomUUID().slice(0, 8)}`);
      await server.login(username);
      const { rows } = await server.database.pool.query<{ id: string }>(
        "select s.id::text from session s join app_user u on u.id = s.user_id where username = $1",
        [username],
      );
      ids[which] = rows[0]!.id;
    }
    server.clock.advance(400 * 86_400);
    const repair = await refuse(server, "session", `old.id = '${ids.bad}'`, "update");
    const isDone = (which: "good" | "bad") => exists(server, "session where id = $1 and ends_at is not null", [ids[which]]);
    return { bad: `session ${ids.bad}`, repair, isDone };
  },

  async NotificationSender(server) {
    const bad = await enqueue(server, "bad");
    const good = await enqueue(server, "good");
    const repair = await refuse(server, "notification", `old.id = ${bad}`, "update");
    const isDone = (which: "good" | "bad") =>
      exists(server, "notification where id = $1 and sent_success", [which === "good" ? good : bad]);
    return { bad: `notification ${bad}`, repair, isDone };
  },

  async ConnectivityMonitor(server) {
    const nodes = await twoNodes(server);
    const connection_changed_at = new Date(server.clock.now() - 3_600_000);
    for (const node of [nodes.good, nodes.bad]) await setLive(server.database.pool, node, { is_connected: false, connection_changed_at });
    await loseZone(server, nodes.badPlace);
    const isDone = doneWhen(server, nodes, "connection_loss where serial_number = $1");
    return { bad: `node ${nodes.bad}`, repair: () => findZone(server, nodes.badPlace), isDone };
  },

  async MissedDataMonitor(server) {
    const nodes = await twoNodes(server);
    await loseZone(server, nodes.badPlace);
    await server.database.pool.query("update location set notify_missed_data = true");
    server.clock.advance(3_600);
    const isDone = doneWhen(server, nodes, "notice_told where kind = 'MISSED_DATA' and object_id = $1");
    return { bad: `node ${nodes.bad}`, repair: () => findZone(server, nodes.badPlace), isDone };
  },

  async NodeClockMonitor(server) {
    const nodes = await twoNodes(server);
    for (const node of [nodes.good, nodes.bad]) await setLive(server.database.pool, node, { is_connected: true, clock_skew_ms: 9_000 });
    const repair = await refuse(server, "notice_told", `new.object_id = ${nodes.bad}`, "insert");
    return {
      bad: `node ${nodes.bad}`,
      repair,
      isDone: doneWhen(server, nodes, "notice_told where kind = 'CLOCK_DRIFT' and object_id = $1"),
    };
  },

  async DailyProgressReport(server) {
    const nodes = await twoNodes(server);
    for (const place of [nodes.goodPlace, nodes.badPlace]) await subscribe(server, "daily", place, { receive_daily_report: true });
    await loseZone(server, nodes.badPlace);
    server.clock.advance(3_600);
    const facilities = { good: nodes.goodPlace.facilityId, bad: nodes.badPlace.facilityId };
    const isDone = doneWhen(server, facilities, "notice_told where kind = 'DAILY_PROGRESS' and object_id = $1");
    return { bad: `facility ${facilities.bad}`, repair: () => findZone(server, nodes.badPlace), isDone };
  },

  async SubscriptionReport(server) {
    const place = await addPlace(server.database.pool);
    const users = { good: await subscribe(server, "good", place), bad: await subscribe(server, "bad", place) };
    for (const id of Object.values(users))
      await server.database.pool.query("insert into facility_subscription values ($1, $2, 'Daily')", [id, place.facilityId]);
    await inTransaction(server.database.pool, (client) =>
      server.context.fleetNotices.digests.add(client, {
        facilityId: place.facilityId,
        preference: "receive_connectivity_notifications",
        isInternalOnly: false,
        at: server.clock.now() / 1000,
        timezone: "UTC",
        words: "Connectivity lost",
      }),
    );
    server.clock.advance(86_400);
    const repair = await refuse(server, "digest_item", `old.user_id = ${users.bad}`, "delete");
    const isDone = async (which: "good" | "bad") => !(await exists(server, "digest_item where user_id = $1", [users[which]]));
    return { bad: `user ${users.bad}`, repair, isDone };
  },

  async BillingRoll(server) {
    const nodes = await twoNodes(server);
    const payers = { good: 0, bad: 0 };
    for (const which of ["good", "bad"] as const) {
      const { customerId, locationId } = nodes[`${which}Place`];
      const { rows } = await server.database.pool.query<{ id: number }>(
        `with o as (insert into billing_organization (name) values ($1) returning id),
           c as (insert into billing_organization_customer select $2, id from o) select id from o`,
        [`${which} payer`, customerId],
      );
      payers[which] = rows[0]!.id;
      await server.database.pool.query(
        "update location set billing_start_date = '2020-01-01', paid_thru_date = '2024-12-31' where id = $1",
        [locationId],
      );
    }
    await loseZone(server, nodes.badPlace);
    const isDone = doneWhen(server, payers, "notice_told where kind = 'BILL_READY' and object_id = $1");
    return { bad: `organization ${payers.bad}`, repair: () => findZone(server, nodes.badPlace), isDone };
  },

  async AlarmEvaluation(server) {
    const { pool } = server.database;
    const nodes = await twoNodes(server);
    const now = server.clock.now() / 1000;
    await ensureScalarPartitions(pool, now - 86_400, now + 86_400);
    for (const node of [nodes.good, nodes.bad]) {
      await pool.query("insert into node_config values ($1, now(), $2)", [
        node,
        { np_voltage: "460", np_current: "100", i_noise: "1", v_noise: "5" },
      ]);
      await pool.query(
        `insert into scalar (serial_number, ts, current1, current2, current3, voltage1, voltage2, voltage3)
         select $1, to_timestamp($2::float8 - n), 80, 80, 80, 520, 520, 520 from generate_series(0, 1200, 10) n`,
        [node, now],
      );
    }
    await pool.query(
      "insert into alarm_evaluation (evaluated_until) values (to_timestamp($1)) on conflict (is_only) do update set evaluated_until = excluded.evaluated_until",
      [now - 900],
    );
    await loseZone(server, nodes.badPlace);
    const isDone = doneWhen(server, nodes, "alarm where kind = 'overVoltage' and serial_number = $1");
    return { bad: `node ${nodes.bad}`, repair: () => findZone(server, nodes.badPlace), isDone };
  },

  async DataAnalysis(server) {
    const { pool } = server.database;
    const nodes = await twoNodes(server);
    const at = lastQuarter(1, server.clock.now());
    const hashes: Buffer[] = [];
    for (const node of [nodes.good, nodes.bad])
      hashes.push(
        await storeFile(
          server,
          nameOf(node, at, "D"),
          dataPoint(node, at, { voltageThd1: "21", voltage1Avg: "460", voltage2Avg: "460", voltage3Avg: "460" }),
        ),
      );
    const fileStore = createFolderFileStore(join(server.dataDir, "files"));
    await createFileExtraction({ pool, store: createFileExtractionStore(pool), fileStore, clock: server.clock }).run(
      new AbortController().signal,
    );
    const setSignatures = (signatures: unknown) =>
      pool.query("update location set harmonic_signatures = $2 where id = $1", [nodes.badPlace.locationId, JSON.stringify(signatures)]);
    await setSignatures([["Gear", { hertz: 29.5 }]]);
    const isDone = doneWhen(server, nodes, "data_file where serial_number = $1 and data_analysis_processed");
    return { bad: `file ${fileItem({ fileName: nameOf(nodes.bad, at, "D"), hash: hashes[1]! })}`, repair: () => setSignatures([]), isDone };
  },

  async DataPointMonitor(server) {
    const nodes = await twoNodes(server);
    for (const node of [nodes.good, nodes.bad])
      await setLive(server.database.pool, node, { is_connected: true, connection_changed_at: new Date(server.clock.now() - 86_400_000) });
    await loseZone(server, nodes.badPlace);
    server.clock.advance(3_600);
    const isDone = doneWhen(server, nodes, "data_point_alert where kind = 'late' and serial_number = $1");
    return { bad: `node ${nodes.bad}`, repair: () => findZone(server, nodes.badPlace), isDone };
  },

  async DemandRollup(server) {
    const nodes = await twoNodes(server);
    const at = new Date(server.clock.now() - 2 * 86_400_000);
    for (const node of [nodes.good, nodes.bad])
      await server.database.pool.query("insert into node_demand_block values ($1, $2, 9000, 900, $2)", [node, at]);
    await loseZone(server, nodes.badPlace);
    const isDone = doneWhen(server, nodes, "node_demand_day where serial_number = $1");
    return { bad: `node ${nodes.bad}`, repair: () => findZone(server, nodes.badPlace), isDone };
  },

  async NodeVerdicts(server) {
    const nodes = await twoNodes(server);
    const repair = await refuse(server, "node_verdict", `new.serial_number = ${nodes.bad}`, "insert");
    return { bad: `node ${nodes.bad}`, repair, isDone: doneWhen(server, nodes, "node_verdict where serial_number = $1") };
  },

  async Incidents(server) {
    const nodes = await twoNodes(server);
    for (const serial of [nodes.good, nodes.bad])
      await server.database.pool.query(
        "insert into alarm (serial_number, kind, raised_at, threshold) values ($1, 'overVoltage', to_timestamp($2), 1)",
        [serial, server.clock.now() / 1000],
      );
    const repair = await refuse(server, "incident_member", `new.serial_number = ${nodes.bad}`, "insert");
    const isDone = doneWhen(server, nodes, "incident_member where serial_number = $1");
    return { bad: `incident alarm/${nodes.bad}/overVoltage`, repair, isDone };
  },

  async CoverageFill(server) {
    const nodes = await twoNodes(server);
    for (const serialNumber of [nodes.good, nodes.bad]) {
      const at = lastQuarter(1, server.clock.now());
      await storeFile(server, nameOf(serialNumber, at, "D"), dataPoint(serialNumber, at));
      await server.database.pool.query("insert into coverage_fill (serial_number) values ($1)", [serialNumber]);
    }
    const repair = await refuse(server, "coverage", `new.serial_number = ${nodes.bad}`, "insert");
    const isDone = async (which: "good" | "bad") => !(await exists(server, "coverage_fill where serial_number = $1", [nodes[which]]));
    return { bad: `node ${nodes.bad}`, repair, isDone };
  },

  async TrendAggregates(server) {
    const nodes = await twoNodes(server);
    const at = server.clock.now() / 1000 - 86_400;
    await ensureScalarPartitions(server.database.pool, at, at + 86_400);
    const rows = [nodes.good, nodes.bad].map((serial) => ({ serial, at }));
    await server.database.pool.query("update trend_state set closed_hour = $1, queued_hour = $1", [Math.floor(at / 3600) + 1]);
    await inTransaction(server.database.pool, (client) => markScalarTrends(client, rows));
    for (const { serial } of rows)
      await server.database.pool.query("insert into scalar (serial_number, ts, current1) values ($1, to_timestamp($2), 7)", [serial, at]);
    const repair = await refuse(server, "trend_minute", `new.serial_number = ${nodes.bad}`, "insert");
    const isDone = doneWhen(server, nodes, "trend_minute where serial_number = $1");
    return { bad: `hour ${nodes.bad} ${Math.floor(at / 3600)}`, repair, isDone };
  },

  async NodeCommandPruner(server) {
    const { good: serialNumber } = await twoNodes(server);
    const ids = { good: randomUUID(), bad: randomUUID() };
    for (const id of Object.values(ids))
      await createNodeCommandsStore(server.database.pool).insert(id, { serialNumber, metrics: [], timeoutMs: 10 });
    server.clock.advance(2 * 86_400);
    const repair = await refuse(server, "node_command", `old.id = '${ids.bad}'`, "delete");
    const isDone = async (which: "good" | "bad") => !(await exists(server, "node_command where id = $1", [ids[which]]));
    return { bad: `command ${ids.bad}`, repair, isDone };
  },

  async ConfigBatches(server) {
    const token = await server.login(await server.addAdministrator(`changer${randomUUID().slice(0, 8)}`));
    const { good, bad } = await twoNodes(server);
    const makeBatch = async (serial: number): Promise<number> => {
      const payload = { serialNumbers: [String(serial)], values: [{ key: "v_noise", value: "6" }] };
      const { json } = await server.call({ method: "POST", url: "/api/batches", payload, token });
      return (json["data"] as { id: number }).id;
    };
    const ids = { good: await makeBatch(good), bad: await makeBatch(bad) };
    const repair = await refuse(server, "config_batch_node", `old.batch_id = ${ids.bad}`, "update");
    const isDone = (which: "good" | "bad") => exists(server, "config_batch where id = $1 and state = 'ready'", [ids[which]]);
    return { bad: `batch ${ids.bad}`, repair, isDone };
  },

  FileExtraction: (server) => twoFiles(server, "D"),
  EventFileParser: (server) => twoFiles(server, "E"),

  async HarmonicsPackager(server) {
    const { good, bad } = await twoNodes(server);
    const at = lastQuarter(1, server.clock.now());
    await storeFile(server, nameOf(good, at, "D"), dataPoint(good, at));
    const path = await removeContent(server, await storeFile(server, nameOf(bad, at, "D"), dataPoint(bad, at)));
    const token = await server.login(await server.addAdministrator(`asker${randomUUID().slice(0, 8)}`));
    for (const node of [bad, good]) await server.call({ method: "GET", url: `/api/node-dashboard/nodes/${node}/files/download`, token });
    const isDone = doneWhen(server, { good, bad }, "download_job where serial_number = $1 and status = 'Ready'");
    const { rows } = await server.database.pool.query<{ id: string }>("select id::text from download_job where serial_number = $1", [bad]);
    const repair = async () => {
      await rm(path, { recursive: true });
      await storeFile(server, nameOf(bad, at, "D"), dataPoint(bad, at));
    };
    return { bad: `download ${rows[0]!.id}`, repair, isDone };
  },

  async DownloadCleaner(server) {
    const folder = join(server.dataDir, "downloads");
    await mkdir(folder, { recursive: true });
    const names = { good: `${randomUUID()}.zip`, bad: `${randomUUID()}.zip` };
    await writeFile(join(folder, names.good), "");
    await mkdir(join(folder, names.bad));
    const isThere = (name: string) =>
      stat(join(folder, name)).then(
        () => true,
        () => false,
      );
    const repair = async () => {
      await rm(join(folder, names.bad), { recursive: true });
      await writeFile(join(folder, names.bad), "");
    };
    return { bad: `package ${names.bad}`, repair, isDone: async (which) => !(await isThere(names[which])) };
  },

  async DeploymentStatusRoll(server) {
    const nodes = await twoNodes(server);
    await server.database.pool.query(
      "update node set new_deployment_status = 'Unassigned', new_deployment_status_updated_at = to_timestamp($1) where serial_number = any ($2)",
      [server.clock.now() / 1000 - 60, [nodes.good, nodes.bad]],
    );
    const repair = await refuse(server, "activity", `new.object = 'node/${nodes.bad}'`, "insert");
    return {
      bad: `node ${nodes.bad}`,
      repair,
      isDone: doneWhen(server, nodes, "node where serial_number = $1 and current_deployment_status = 'Unassigned'"),
    };
  },

  async ActivityTally(server) {
    const { pool } = server.database;
    const { rows } = await pool.query<{ block: number }>("select ((coalesce(max(id), 0) >> 12) + 1)::int4 as block from activity");
    const first = rows[0]!.block;
    for (const [index, action] of (["ARCHIVE_NOTE", "POST_NOTE", "PATCH_NOTE"] as const).entries()) {
      await pool.query(`alter table activity alter column id restart with ${(first + index) * 4_096 + 1}`);
      await inTransaction(pool, (client) =>
        recordActivity(client, { actorType: "System", actor: "Test", action, object: "test", description: "Counted" }),
      );
    }
    await pool.query("update activity_tally_state set settled_block = $1, seen_block = $1", [first]);
    const repair = await refuse(server, "activity_tally", "new.action = 'ARCHIVE_NOTE'", "insert");
    const isDone = (which: "good" | "bad") =>
      exists(server, "activity_tally where action = $1", [which === "good" ? "POST_NOTE" : "ARCHIVE_NOTE"]);
    return { bad: `block ${first}`, repair, isDone, runs: 2 };
  },
};
