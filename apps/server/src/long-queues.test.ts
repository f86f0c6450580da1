import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { contentHash } from "#lib/file-store.ts";
import { fileItemSql } from "#shared/file-item-sql.ts";
import { sampleCev } from "#testing/sample-events.ts";
import { dataPoint, lastQuarter, nameOf } from "#testing/sample-files.ts";
import { storeFile } from "#testing/store-file.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { startTestMailServer, type TestMailServer } from "#testing/test-mail-server.ts";
import { addNode, addPlace } from "#testing/test-world.ts";
import { readConfig } from "./config.ts";
import { createServiceTasks } from "./service-tasks.ts";

/** Set aside by earlier runs, and all due again. */
const known = 3_000;
/** Never tried before. */
const fresh = 450;
/** A run ends with its 201st failure; the third reaches the good one. */
const runs = 3;
const bad = 46_001;
const good = 46_002;
const signal = new AbortController().signal;

let mail: TestMailServer;
let server: TestApp;
beforeAll(async () => {
  mail = await startTestMailServer();
});
afterAll(() => mail.stop());
beforeEach(async () => {
  server = await createTestApp({ SMTP_URL: mail.url });
});
afterEach(() => server.stop());

const query = (text: string, values: unknown[] = []) => server.database.pool.query<Record<string, unknown>>(text, values);
const hasRow = async (text: string, values: unknown[] = []) => (await query(`select from ${text}`, values)).rowCount === 1;

function taskOf(name: string) {
  const { clock, context, database, dataDir } = server;
  const config = readConfig({ DATA_DIR: dataDir, SMTP_URL: mail.url });
  return createServiceTasks({ pool: database.pool, config, log: context.log, clock, context }).find((task) => task.name === name)!;
}

/** The hash of bytes where a folder lies: reading them fails. */
async function unreadable(): Promise<Buffer> {
  const hash = contentHash(Buffer.from("unreadable"));
  const name = hash.toString("hex");
  await mkdir(join(server.dataDir, "files", name.slice(0, 3), name), { recursive: true });
  return hash;
}

async function addBadFiles(service: string, kind: "D" | "E", at: number, processed: boolean | null): Promise<void> {
  const values = [bad, at, kind, known + fresh, await unreadable(), processed, server.clock.now() / 1000 - 60];
  await query(
    `insert into data_file (serial_number, ts, kind, part, file_name, interval_seconds, content_hash, md5, stored_bytes, is_gzip, received_at, source, processed)
     select $1, to_timestamp($2), $3, n::text, 'bad-' || n, 900, $5, '', 1, true, to_timestamp($7), 'node', $6 from generate_series(1, $4) n`,
    values,
  );
  await setAside(service, "file", `select ${fileItemSql} as item from data_file where file_name like 'bad-%' order by part::int4`);
}

/** The first ones of a query's items. */
const setAside = (service: string, kind: string, items: string) =>
  query(
    `insert into service_set_aside (service, kind, item, reason, tries, first_at, last_at, next_try_at)
     select $1, $2, item, 'unreadable', 3, to_timestamp($3), to_timestamp($3), to_timestamp($3) from (${items} limit ${known}) i`,
    [service, kind, server.clock.now() / 1000 - 1],
  );

/** Fills a queue; says when the good one, the last of it, is done. */
const queues: Record<string, () => Promise<() => Promise<boolean>>> = {
  async FileExtraction() {
    const at = lastQuarter(1, server.clock.now());
    await addBadFiles("FileExtraction", "D", at, null);
    const name = nameOf(good, at, "D");
    await storeFile(server, name, dataPoint(good, at));
    return () => hasRow("data_file where file_name = $1 and processed", [name]);
  },

  async EventFileParser() {
    const at = lastQuarter(1, server.clock.now());
    await addBadFiles("EventFileParser", "E", at, null);
    const name = nameOf(good, at, "E", "cev");
    await storeFile(server, name, sampleCev());
    return () => hasRow("data_file where file_name = $1 and processed", [name]);
  },

  async DataAnalysis() {
    const at = lastQuarter(1, server.clock.now());
    const name = nameOf(good, at, "D");
    for (const node of [bad, good]) await storeFile(server, nameOf(node, at, "D"), dataPoint(node, at, { voltageThd1: "21" }));
    await taskOf("FileExtraction").run(signal);
    await addBadFiles("DataAnalysis", "D", at, true);
    await query(
      `with old as (delete from data_file where serial_number = $1 and part = '')
       update location set harmonic_signatures = '[["Gear", {"hertz": 29.5}]]' where id = (select location_id from node_assignment where serial_number = $1)`,
      [bad],
    );
    return () => hasRow("data_file where file_name = $1 and data_analysis_processed", [name]);
  },

  async HarmonicsPackager() {
    const at = lastQuarter(1, server.clock.now());
    const hash = await unreadable();
    await storeFile(server, nameOf(bad, at, "D"), dataPoint(bad, at));
    await query("update data_file set content_hash = $1", [hash]);
    await storeFile(server, nameOf(good, at, "D"), dataPoint(good, at));
    await server.addAdministrator("asker");
    await query(
      `insert into download_job (id, user_id, kind, serial_number, status, address, created_at, expires_at)
       select gen_random_uuid(), u.id, 'files', case n when $1 then $2::int4 else $3::int4 end, 'Waiting', u.email, to_timestamp($4 + n / 1e6), to_timestamp($4 + 86400)
       from generate_series(1, $1) n, app_user u where u.username = 'asker'`,
      [known + fresh + 1, good, bad, server.clock.now() / 1000 - 60],
    );
    await setAside("HarmonicsPackager", "download", "select id::text as item from download_job order by created_at");
    return () => hasRow("download_job where serial_number = $1 and status = 'Ready'", [good]);
  },

  async NotificationSender() {
    await query(
      `insert into notification (kind, subject, body, recipients_to, message_id, created_at, next_attempt_at)
       select 'TEST', case n when $1 then 'good' else 'bad' end, 'Body', '{desk@mail.example}', n::text, to_timestamp($2), to_timestamp($2)
       from generate_series(1, $1) n`,
      [known + fresh + 1, server.clock.now() / 1000 - 60],
    );
    await setAside("NotificationSender", "notification", "select id::text as item from notification order by id");
    await query(
      `create function refuse_row() returns trigger language plpgsql as $$ begin raise exception 'This row is refused' using errcode = '22000'; end $$;
       create trigger refuse_row before update on notification for each row when (old.subject = 'bad') execute function refuse_row()`,
    );
    return () => hasRow("notification where subject = 'good' and sent_success");
  },
};

describe("A-62 thousands of items that fail do not hide the good one behind them", () => {
  test.each(Object.entries(queues))("%s", async (service, fill) => {
    const { pool } = server.database;
    const deployed = { current_deployment_status: "Deployed", current_deployment_status_updated_at: new Date(0) };
    for (const node of [bad, good]) await addNode(pool, node, await addPlace(pool), deployed);
    const isDone = await fill();
    await query("analyze");
    const task = taskOf(service);
    let run = 0;
    while (run < runs && !(await isDone())) {
      await task.run(signal).catch(() => undefined);
      run++;
    }
    expect([await isDone(), run]).toEqual([true, runs]);
    const { rows } = await query("select count(*)::int4 as count, min(tries) as least, max(tries) as most from service_set_aside");
    expect(rows).toEqual([{ count: known + fresh, least: 1, most: 4 }]);
  });
});
