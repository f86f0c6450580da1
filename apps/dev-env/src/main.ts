import { ConfigError, readConfig } from "@busbar/server/config.ts";
import { postgresFolder } from "@busbar/server/db/database.ts";
import { createLog } from "@busbar/server/lib/log.ts";
import { stopRequested, notifyLauncher } from "@busbar/server/lib/stop-signal.ts";
import { startDevEnv } from "./start-dev-env.ts";
import { welcomeText } from "./welcome.ts";

/** `npm start`: the demo, for people to look at. */
async function main(): Promise<void> {
  const stopping = stopRequested();
  const config = readConfig({ LOG_LEVEL: "error", LOGIN_TWO_FACTOR: "off", ...process.env });
  if (config.databaseUrl === undefined) notifyLauncher(postgresFolder(config.dataDir));
  const env = await startDevEnv({ config, log: createLog(config.logLevel) });
  process.stdout.write(
    `${welcomeText({ consoleUrl: env.urls.console, mqttUrl: env.urls.mqtt, simulatedNodes: config.simNodes, administrators: env.administrators })}\n`,
  );
  await stopping;
  await env.stop();
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = error instanceof ConfigError ? 2 : 1;
}
