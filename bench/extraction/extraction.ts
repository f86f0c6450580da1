import { join } from "node:path";
import { createFileExtractionStore } from "@busbar/server/features/files/file-extraction/file-extraction.store.ts";
import { createFileExtraction } from "@busbar/server/features/files/file-extraction/file-extraction.task.ts";
import { systemClock } from "@busbar/server/lib/clock.ts";
import { createFolderFileStore } from "@busbar/server/lib/file-store.ts";
import { makeFleet } from "@busbar/simulator/make-fleet.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount } from "../lib/format-figure.ts";
import { openBenchDatabase } from "../lib/open-bench-database.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";
import { storeFleetFiles } from "../lib/store-fleet-files.ts";

const seed = 7;
const firstSerial = 10_000;
/** All nodes' files of one interval are to be extracted well before the next ones come. */
const allowedSeconds = 180;

/** The data points and one-second files of a whole fleet for one quarter of an hour, from bytes in the store to sensor data. */
export async function benchExtraction(context: BenchContext): Promise<Report> {
  const { isShort, folder, say } = context;
  const nodes = isShort ? 40 : 10_000;
  const pool = await openBenchDatabase(context);
  const fleet = makeFleet({ seed, count: nodes, firstSerial });
  await pool.query("insert into node (serial_number) select generate_series($1::int4, $2::int4)", [firstSerial, firstSerial + nodes - 1]);
  const fileStore = createFolderFileStore(join(folder, "files"), { isDurable: false });
  const timestamp = (Math.floor(Date.now() / 900_000) - 1) * 900;

  say(`making ${formatCount(2 * nodes)} files`);
  const making = performance.now();
  const storedBytes = await storeFleetFiles({ pool, fileStore, seed, fleet, timestamp });
  const makingSeconds = (performance.now() - making) / 1_000;

  say("extracting");
  const task = createFileExtraction({ pool, store: createFileExtractionStore(pool), fileStore, clock: systemClock });
  const beganAt = performance.now();
  const cpu = process.cpuUsage();
  const count = Number(await task.run(new AbortController().signal));
  const seconds = (performance.now() - beganAt) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const { rows } = await pool.query<{ pending: number; failed: number; records: number }>(
    `select count(*) filter (where processed is null)::int as pending, count(*) filter (where not processed)::int as failed,
       (select count(*)::int from sensor_data) as records from data_file`,
  );
  const { pending = 0, failed = 0, records = 0 } = rows[0] ?? {};

  const report = createReport("extraction", `${formatCount(count)} files of ${formatCount(nodes)} nodes`);
  report.tables.push({
    columns: ["files", "seconds", "files/s", "share of the 3 minutes", "CPU seconds of ours", "stored MB", "records", "failed"],
    rows: [
      [
        formatCount(count),
        seconds.toFixed(1),
        formatCount(count / seconds),
        `${((100 * seconds) / allowedSeconds).toFixed(0)} %`,
        ((user + system) / 1e6).toFixed(1),
        (storedBytes / 1e6).toFixed(0),
        formatCount(records),
        failed,
      ],
    ],
  });
  report.notes.push(
    `Making and storing the same files took ${makingSeconds.toFixed(1)} s. Failed ones are those that the simulator spoils on purpose.`,
  );
  expectNone(report, "files that were left pending", pending);
  report.facts["filesPerSecond"] = count / seconds;
  report.facts["seconds"] = seconds;
  return report;
}
