// A process of its own that boots a database and says so; tests kill it in every way.
import { bootPostgres } from "#db/embedded-postgres.ts";
import { silentLog } from "#lib/log.ts";

try {
  const postgres = await bootPostgres({ dataDir: process.argv[2] ?? "", log: silentLog, settings: { shared_buffers: "16MB" } });
  // Before it says anything: a signal that comes at once would end it without its database.
  process.once("SIGTERM", () => void postgres.stop());
  process.stdout.write(`${JSON.stringify({ mode: postgres.mode, pid: postgres.pid, url: postgres.url })}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: (error as Error).message })}\n`);
  process.exitCode = 1;
}
