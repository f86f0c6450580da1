import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { quickFolder } from "@busbar/server/testing/quick-folder.ts";
import { killBroker } from "./broker.ts";
import { endAllWithin } from "./end-all-within.ts";
import { failOver } from "./failover.ts";
import { killFileStorage } from "./files.ts";
import { killServer } from "./kill-server.ts";
import { killWhileMailing } from "./mail.ts";
import { restartBehindProxy } from "./proxy.ts";
import { rollOut } from "./roll-out.ts";
import { storm } from "./storm.ts";
import { swapUnderKills } from "./swap.ts";
import { killWorkers } from "./workers.ts";

interface Fault {
  run: (count: number) => Promise<boolean>;
  /** What is counted. */
  unit: "kills" | "nodes" | "restarts";
  count: number;
  shortCount: number;
}
const faults: Record<string, Fault> = {
  "kill-server": { run: killServer, unit: "kills", count: 200, shortCount: 1 },
  mail: { run: killWhileMailing, unit: "kills", count: 50, shortCount: 2 },
  broker: { run: killBroker, unit: "kills", count: 20, shortCount: 1 },
  workers: { run: killWorkers, unit: "kills", count: 50, shortCount: 1 },
  files: { run: killFileStorage, unit: "kills", count: 21, shortCount: 1 },
  failover: { run: failOver, unit: "kills", count: 20, shortCount: 1 },
  proxy: { run: restartBehindProxy, unit: "restarts", count: 20, shortCount: 2 },
  "roll-out": { run: rollOut, unit: "kills", count: 100, shortCount: 1 },
  swap: { run: swapUnderKills, unit: "kills", count: 50, shortCount: 1 },
  storm: { run: storm, unit: "nodes", count: 10_000, shortCount: 50 },
};

const { values, positionals } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    kills: { type: "string" },
    nodes: { type: "string" },
    restarts: { type: "string" },
  },
  allowPositionals: true,
});
const names = positionals.length > 0 ? positionals : Object.keys(faults);
const unknown = names.find((name) => !(name in faults));
if (unknown !== undefined) {
  console.error(`There is no fault test "${unknown}"; there is ${Object.keys(faults).join(", ")}.`);
  process.exit(2);
}

// All servers, databases and brokers of a fault are started in it, and end with it, however the fault ends.
const folder = mkdtempSync(join(values.short ? await quickFolder() : tmpdir(), "busbar-faults-"));
// PostgreSQL is another user's where this one is root.
chmodSync(folder, 0o711);
process.env["TMPDIR"] = folder;
const end = (code: number): never => {
  endAllWithin(folder);
  process.exit(code);
};
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"] as const) process.once(signal, () => end(1));

let isGood = true;
for (const name of names) {
  const { run, unit, count, shortCount } = faults[name]!;
  const asked = values[unit];
  try {
    if (!(await run(asked === undefined ? (values.short ? shortCount : count) : Number(asked)))) isGood = false;
  } catch (error) {
    console.error(error);
    end(1);
  }
}
end(isGood ? 0 : 1);
