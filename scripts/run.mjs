// The one entry of every npm script: prepares what is missing, then runs the command. Plain JavaScript, no dependency, Node 20 or newer.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildConsole } from "./launcher/build-console.mjs";
import { installDependencies } from "./launcher/install.mjs";
import { findOrFetchNode } from "./launcher/node-runtime.mjs";
import { runForeground } from "./launcher/processes.mjs";
import { root } from "./launcher/root.mjs";
import { runTests } from "./launcher/test-run.mjs";

// Beyond what an orderly stop takes at its slowest: connections, jobs and the database's last checkpoint have ten seconds each.
const stopMs = 120_000;

/** @type {Record<string, { script: string, needsConsole?: boolean, ownsTerminal?: boolean, killAfterMs?: number }>} */
const commands = {
  start: { script: "apps/dev-env/src/main.ts", needsConsole: true, killAfterMs: stopMs },
  serve: { script: "apps/server/src/main.ts", needsConsole: true, killAfterMs: stopMs },
  admin: { script: "apps/server/src/admin/main.ts", ownsTerminal: true },
  sim: { script: "apps/simulator/src/main.ts" },
  bench: { script: "bench/main.ts", needsConsole: true },
  faults: { script: "bench/faults/main.ts", needsConsole: true },
  mutate: { script: "tools/mutate/main.ts" },
  format: { script: "node_modules/oxfmt/bin/oxfmt" },
};

async function main() {
  const [command = "", ...args] = process.argv.slice(2);
  if (command !== "test" && !Object.hasOwn(commands, command)) {
    throw new Error(`"${command}" is no command. There are: ${[...Object.keys(commands), "test"].join(", ")}.`);
  }
  const node = findOrFetchNode();
  installDependencies(node);
  if (command === "test") return runTests(node, args);
  const { script, needsConsole = false, ...how } = /** @type {(typeof commands)[string]} */ (commands[command]);
  if (!existsSync(join(root, script))) throw new Error(`There is no ${script} in this checkout.`);
  if (needsConsole) await buildConsole(node);
  return runForeground(node, [script, ...args], how);
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
  process.exitCode = 1;
}
