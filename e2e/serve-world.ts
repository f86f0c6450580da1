import { rm } from "node:fs/promises";
import { startDevEnv } from "@busbar/dev-env/start-dev-env.ts";
import { readConfig } from "@busbar/server/config.ts";
import { createLog } from "@busbar/server/lib/log.ts";
import { hashCheaply } from "@busbar/server/lib/passwords.ts";
import { stopRequested } from "@busbar/server/lib/stop-signal.ts";
import { takeBrokenAnswers } from "@busbar/server/testing/check-answers.ts";
import { addHoles } from "./hole-nodes.ts";
import { addLostNodes } from "./lost-nodes.ts";
import { addOddFiles } from "./odd-files.ts";
import { addOddNodes } from "./odd-nodes.ts";
import { addTaskNodes } from "./task-nodes.ts";

// A process of its own that runs the whole platform for the tests and says where, in one line.
hashCheaply();
const stopping = stopRequested();
const isOwn = process.env["E2E_WORLD_IS_OWN"] === "yes";
const config = readConfig({ LOGIN_TWO_FACTOR: "off", SESSIONS_PER_PERSON: "1000", ...process.env });
// Nothing fails or stops by itself: a test meets only the faults that it names, at any hour of any day.
const world = await startDevEnv({
  config,
  log: createLog(config.logLevel),
  faultScale: 0,
  hasStops: false,
  historyHours: isOwn ? 0 : 1,
  fileHistoryHours: isOwn ? 0 : 1,
  startDelayMaxSeconds: 1,
});
if (!isOwn) {
  await addOddNodes(world.pool);
  await addLostNodes(world.pool);
  await addOddFiles(world.pool, config.dataDir);
  await world.filesFilled;
  await addHoles(world.pool);
  await addTaskNodes(world.pool);
}
process.stdout.write(`${JSON.stringify({ url: world.urls.console, mqttUrl: world.urls.mqtt })}\n`);
await stopping;
await world.stop();
await rm(config.dataDir, { recursive: true, force: true });
const broken = takeBrokenAnswers();
for (const sentence of broken) process.stderr.write(`An answer breaks its contract: ${sentence}\n`);
process.exit(broken.length > 0 ? 1 : 0);
