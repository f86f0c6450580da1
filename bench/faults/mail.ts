import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@busbar/server/testing/free-port.ts";
import { createPool, type Pool } from "@busbar/server/db/pool.ts";
import { startFaultyMailServer, type FaultyMailServer } from "@busbar/server/testing/faulty-mail-server.ts";
import { fillMigrated } from "../lib/migrated-folder.ts";
import { startServerProcess } from "./server-process.ts";

const messagesPerKill = 5;
const longestDelayMs = 4;

/**
 * R19: kills the server (SIGKILL) again and again between the sending of a message and its mark: when the mail server has the message and
 * has not answered yet, and in the first milliseconds after its answer. Returns whether every message arrived, no kill left more than one message
 * that was sent and not marked, and none came twice for another reason.
 */
export async function killWhileMailing(kills: number): Promise<boolean> {
  const dataDir = await mkdtemp(join(tmpdir(), "busbar-mail-"));
  const smtp = await startFaultyMailServer();
  const ports = { PORT: String(await freePort()), V2_PORT: "0", MQTT_PORT: String(await freePort()) };
  const env = { DATA_DIR: dataDir, ...ports, LOG_LEVEL: "error", SMTP_URL: smtp.url };
  const written: string[] = [];
  const left = { unmarked: 0, mostUnmarked: 0, failed: 0 };

  await fillMigrated(dataDir);
  for (let kill = 0; kill < kills; kill++) {
    const server = await startServerProcess(env);
    const pool = createPool(server.databaseUrl, { max: 1 });
    pool.on("error", () => undefined);
    const earlier = smtp.received.length;
    const hit = atMessage(smtp, 1 + Math.floor(Math.random() * messagesPerKill), kill % 2 === 0);
    written.push(...(await writeMessages(pool)));
    await hit;
    await server.kill();
    smtp.fault = undefined;
    const { unmarked, failed } = await sentAndNotMarked(pool, smtp.received.slice(earlier));
    left.unmarked += unmarked;
    left.mostUnmarked = Math.max(left.mostUnmarked, unmarked);
    left.failed += failed;
    // No one waits two minutes for a lease to end: it is ended by hand.
    await sendSoon(pool);
    await pool.end();
  }

  const last = await startServerProcess(env);
  const pool = createPool(last.databaseUrl, { max: 1 });
  await sendSoon(pool);
  await allSent(pool);
  const { rows } = await pool.query<{ count: number }>(
    "select count(*)::int as count from notification where kind = 'R19' and sent_success",
  );
  await pool.end();
  await last.stop();
  await smtp.stop();
  await rm(dataDir, { recursive: true, force: true });

  const arrived = new Set(smtp.received);
  const missing = written.filter((id) => !arrived.has(id)).length;
  const strangers = smtp.received.filter((id) => !written.includes(id)).length;
  const twice = doubled(smtp.received);
  console.log(`mail: ${kills} kills between sending and marking, ${written.length} messages`);
  console.log(
    `  arrived ${arrived.size}, missing ${missing}, marked as sent ${rows[0]?.count}; sent again under the same Message-ID ${twice}; sent and not marked ${left.unmarked}, at most ${left.mostUnmarked} at a kill, and ${left.failed} whose answer came too late`,
  );
  // If nothing came twice, no kill hit the moment that this is about.
  if (twice === 0) console.error("  no message came twice: the kills did not hit between sending and marking");
  const isAsPromised = missing === 0 && strangers === 0 && rows[0]?.count === written.length;
  return isAsPromised && twice > 0 && left.mostUnmarked <= 1 && twice <= left.unmarked + left.failed;
}

const doubled = (received: readonly string[]): number => received.length - new Set(received).size;

/**
 * What came to the mail server since the last kill and the database does not know of; what that one left may still wait for its turn. A message
 * counts as failed, not as unmarked, when the sender gave it up for now: on a machine that stops for seconds the answer comes after the
 * sender's patience has ended.
 */
async function sentAndNotMarked(pool: Pool, received: readonly string[]): Promise<{ unmarked: number; failed: number }> {
  const { rows } = await pool.query<{ hasFailed: boolean }>(
    `select sent_failed_reason is not null as "hasFailed" from notification where next_attempt_at is not null and message_id = any ($1)`,
    [received],
  );
  const failed = rows.filter(({ hasFailed }) => hasFailed).length;
  return { unmarked: rows.length - failed, failed };
}

/** Resolves when the mail server has that message of this round and, if it answers at all, within milliseconds of its answer. */
function atMessage(smtp: FaultyMailServer, place: number, isBeforeAnswer: boolean): Promise<void> {
  let count = 0;
  return new Promise((done) => {
    smtp.onReceived = () => {
      if (++count !== place) return;
      if (isBeforeAnswer) {
        smtp.fault = { stage: "body", does: "hang" };
        done();
      } else setTimeout(done, Math.random() * longestDelayMs);
    };
  });
}

async function writeMessages(pool: Pool): Promise<string[]> {
  const ids = Array.from({ length: messagesPerKill }, () => `<${randomUUID()}@busbar.example>`);
  await pool.query(
    `insert into notification (kind, subject, recipients_to, body, next_attempt_at, message_id)
     select 'R19', 'Kill test', '{one@customer.example}', 'Body', now(), id from unnest($1::text[]) as id`,
    [ids],
  );
  await runSender(pool);
  return ids;
}

const runSender = (pool: Pool) =>
  pool.query(
    "with asked as (update service set is_run_requested = true where name = 'NotificationSender' returning 1) select pg_notify('busbar_service', '') from asked",
  );

async function sendSoon(pool: Pool): Promise<void> {
  await pool.query("update notification set next_attempt_at = now() where next_attempt_at is not null");
  await runSender(pool);
}

async function allSent(pool: Pool): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query("select 1 from notification where next_attempt_at is not null limit 1");
    if (rowCount === 0) return;
    await new Promise((done) => setTimeout(done, 50));
  }
}
