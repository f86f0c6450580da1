import { parseArgs } from "node:util";
import { killServer } from "./kill-server.ts";
import { killWhileMailing } from "./mail.ts";

interface Fault {
  run: (kills: number) => Promise<boolean>;
  kills: number;
  shortKills: number;
}
const faults: Record<string, Fault> = {
  "kill-server": { run: killServer, kills: 200, shortKills: 20 },
  mail: { run: killWhileMailing, kills: 50, shortKills: 3 },
};

const { values, positionals } = parseArgs({
  options: { short: { type: "boolean", default: false }, kills: { type: "string" } },
  allowPositionals: true,
});
const names = positionals.length > 0 ? positionals : Object.keys(faults);
const unknown = names.find((name) => !(name in faults));
if (unknown !== undefined) {
  console.error(`There is no fault test "${unknown}"; there is ${Object.keys(faults).join(", ")}.`);
  process.exit(2);
}
let isGood = true;
for (const name of names) {
  const fault = faults[name];
  const kills = values.kills === undefined ? (values.short ? fault?.shortKills : fault?.kills) : Number(values.kills);
  if (!(await fault?.run(kills ?? 0))) isGood = false;
}
process.exit(isGood ? 0 : 1);
