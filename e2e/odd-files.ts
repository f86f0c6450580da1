import { createHash } from "node:crypto";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { createFolderFileStore } from "@busbar/server/lib/file-store.ts";
import type { Pool } from "@busbar/server/db/pool.ts";

/** A node with more files than a page keeps, all with one content. */
export const filesNode = "91006";
const filesCount = 1_500;
/** Newest data file of that node, epoch seconds. */
export const newestFile = Date.UTC(2026, 9, 20, 12) / 1000;
const failedReason = "Truncated: 12 of 269 rows";

/** A file of 3 MB, and one whose text wants to be more than text. */
export const longFile = `${filesNode}_20261020T121000Z_E0001.txt`;
export const hostileFile = `${filesNode}_20261020T121100Z_E0002.txt`;
export const hostileText = `</pre><script>window.__xss = 1</script><img src=x onerror="window.__xss = 1">\u0000\u202Edesrever`;

export async function addOddFiles(database: Pool, dataDir: string): Promise<void> {
  const { rows } = await database.query<{ id: number }>(
    `with owner as (insert into customer (code, name) values ('longco', 'Long Files Testing') returning id),
       site as (insert into facility (customer_id, name, site_name) select id, 'Archive Works', 'Archive' from owner returning id)
     insert into location (facility_id, name, timezone) select id, 'Long Line 3', 'America/Chicago' from site returning id`,
  );
  await database.query(
    "insert into node (serial_number, current_deployment_status, new_deployment_status) values ($1, 'Deployed', 'Deployed')",
    [filesNode],
  );
  await database.query("insert into node_assignment values ($1, $2, 1)", [filesNode, rows[0]?.id]);
  const store = async (text: string) => {
    const bytes = gzipSync(text);
    const [hash] = await createFolderFileStore(join(dataDir, "files")).putAll([bytes]);
    return [hash, createHash("md5").update(bytes).digest(), bytes.length];
  };
  // The ninth newest failed. However long ago that was: they came lately, and are kept.
  await database.query(
    `insert into data_file (serial_number, ts, kind, part, file_name, interval_seconds, content_hash, md5, stored_bytes, is_gzip, received_at, source, processed, failed_reason, extracted_at)
     select $1::int4, t, 'D', '', $8 || '_' || to_char(t at time zone 'UTC', 'YYYYMMDD"T"HH24MISS"Z"') || '_D0900.txt', 900, $4, $5, $6, true, greatest(t + interval '16 minutes', now() - interval '30 days'), 'node',
       n <> 8, case when n = 8 then $7::text end, now()
     from (select n, to_timestamp($2::float8) - n * interval '15 minutes' as t from generate_series(0, $3::int4 - 1) n) times`,
    [filesNode, newestFile, filesCount, ...(await store("#VDF=2\nserialNumber=91006\n")), failedReason, filesNode],
  );
  const addEvent = async (name: string, minute: number, text: string) =>
    database.query(
      `insert into data_file (serial_number, ts, kind, part, file_name, interval_seconds, content_hash, md5, stored_bytes, is_gzip, received_at, source)
       values ($1, to_timestamp($2), 'E', $3, $4, 0, $5, $6, $7, true, now(), 'node')`,
      [filesNode, newestFile + minute * 60, name.slice(-8), name, ...(await store(text))],
    );
  await addEvent(longFile, 10, Array.from({ length: 60_000 }, (_, line) => `line ${line} of a long file, ${"x".repeat(30)}`).join("\n"));
  await addEvent(hostileFile, 11, hostileText);
}
