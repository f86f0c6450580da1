import { parseArgs } from "node:util";
import { killServer } from "./kill-server.ts";

const faults: Record<string, (kills: number) => Promise<boolean>> = { "kill-server": killServer };
const longKills = 200;
const usualKills = 20;

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
  const kills = values.kills === undefined ? (values.short ? usualKills : longKills) : Number(values.kills);
  if (!(await faults[name]?.(kills))) isGood = false;
}
process.exit(isGood ? 0 : 1);
