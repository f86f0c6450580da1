import { parseArgs } from "node:util";
import { askSecret } from "./ask-secret.ts";
import { commands } from "./commands.ts";
import { readConfig } from "#src/config.ts";
import { joinDatabase } from "#db/database.ts";
import { migrate } from "#db/migrate.ts";
import { createPool } from "#db/pool.ts";
import { createSecretsKey } from "#db/secrets-key.ts";
import { createLog } from "#lib/log.ts";

/** `npm run admin -- <command>`: works beside a running program, or alone on its data folder. */
async function main(): Promise<void> {
  const [name = "", ...args] = process.argv.slice(2);
  const command = commands.get(name);
  if (!command) {
    const help = ["npm run admin -- <command>", ...[...commands.values()].map(({ usage }) => `  ${usage}`)].join("\n");
    if (name !== "--help" && name !== "help") throw new Error(name === "" ? help : `There is no command ${name}.\n${help}`);
    process.stdout.write(`${help}\n`);
    return;
  }
  if (args.includes("--help")) {
    process.stdout.write(`npm run admin -- ${command.usage}\n`);
    return;
  }
  const { positionals, values } = parseArgs({ args, options: command.options, allowPositionals: true });
  const subject = positionals[0];
  if (subject === undefined || positionals.length > 1) throw new Error(`Usage: npm run admin -- ${command.usage}`);
  const config = readConfig({ LOG_LEVEL: "warn", ...process.env });
  const log = createLog(config.logLevel);
  const database = await joinDatabase({ databaseUrl: config.databaseUrl, dataDir: config.dataDir, log });
  const pool = createPool(database.url, { max: 3, applicationName: "busbar admin" });
  try {
    await migrate(pool, log);
    const exitCode = await command.run({
      pool,
      config,
      secretsKey: createSecretsKey(config.secretsKeyFile),
      subject,
      options: values as Record<string, string | boolean | undefined>,
      askSecret,
      print: (line) => process.stdout.write(`${line}\n`),
    });
    if (exitCode) process.exitCode = exitCode;
  } finally {
    await pool.end();
    await database.stop();
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = (error as { exitCode?: number }).exitCode ?? 1;
}
