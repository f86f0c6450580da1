import { readConfig } from "@busbar/server/config.ts";
import { createLog } from "@busbar/server/lib/log.ts";
import { startServer } from "@busbar/server/server.ts";

// The server as `npm run serve` starts it, printing also where its database is.
const config = readConfig({ LOGIN_TWO_FACTOR: "off", ...process.env });
const server = await startServer(config, { log: createLog(config.logLevel) });
process.stdout.write(`ready ${server.databaseUrl}\n`);
process.once("SIGTERM", () => void server.stop().then(() => process.exit(0)));
