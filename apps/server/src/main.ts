import { parseArgs } from "node:util";
import { ConfigError, readConfig } from "./config.ts";
import { readRoles } from "./roles.ts";
import { startServer } from "./server.ts";
import { postgresFolder } from "#db/database.ts";
import { fullDisk } from "#lib/full-disk.ts";
import { createLog } from "#lib/log.ts";
import { endLate, notifyLauncher, stopRequested } from "#lib/stop-signal.ts";

/** Production entry: no demo data, no accounts; see docs/operations.md. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const roles = readRoles(readArguments());
  const log = createLog(config.logLevel);
  const stopping = stopRequested();
  if (config.databaseUrl === undefined) notifyLauncher(postgresFolder(config.dataDir));
  const server = await startServer(config, { log, roles }).catch((error: unknown) => {
    const sentence = fullDisk(error, config.dataDir);
    throw sentence === undefined ? error : new Error(sentence, { cause: error });
  });
  log.info({ roles, ...server.urls }, "ready");
  log.info({ reason: await stopping }, "stopping");
  endLate(log);
  await server.stop();
  log.info("stopped");
}

function readArguments(): string | undefined {
  try {
    return parseArgs({ options: { roles: { type: "string" } } }).values.roles;
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

try {
  await main();
} catch (error) {
  // One sentence for whoever started it; the rest is for whoever asks for it.
  process.stderr.write(`${(error as Error).message}\n`);
  if (process.env["LOG_LEVEL"] === "debug" || process.env["LOG_LEVEL"] === "trace") process.stderr.write(`${(error as Error).stack}\n`);
  process.exitCode = error instanceof ConfigError ? 2 : 1;
}
