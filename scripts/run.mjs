// The one entry of every npm script: plain JavaScript that runs on Node 20, prepares the checkout, then runs a command on Node >= 24.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildConsole, install } from "./prepare.mjs";
import { findToolchain, fail } from "./toolchain.mjs";
import { runTests } from "./test-stages.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [command, ...args] = process.argv.slice(2);

const programs = {
  start: ["apps/dev-env/src/main.ts"],
  serve: ["apps/server/src/main.ts"],
  admin: ["apps/server/src/admin/main.ts"],
  sim: ["apps/simulator/src/main.ts"],
  bench: ["bench/main.ts"],
  faults: ["bench/faults/main.ts"],
  format: ["node_modules/oxfmt/bin/oxfmt"],
};
const needsConsole = new Set(["start", "serve", "bench", "faults", "test"]);

if (!(command in programs) && command !== "test") {
  fail(`Unknown command "${command}": it is one of ${[...Object.keys(programs), "test"].join(", ")}.`);
}

const toolchain = findToolchain(root);
process.env.PATH = `${dirname(toolchain.node)}:${process.env.PATH}`;
install(root, toolchain);
if (needsConsole.has(command)) buildConsole(root, toolchain.node);
process.exitCode = command === "test" ? await runTests(root, toolchain.node, args) : await runProgram();

/**
 * Runs the program to its end and passes signals on. A Ctrl-C reaches the whole terminal group by itself, so it is passed on
 * only when it came from elsewhere (`kill`); the program stops everything it started.
 */
function runProgram() {
  const [script] = programs[command];
  const child = spawn(toolchain.node, [join(root, script), ...args], { cwd: process.cwd(), stdio: "inherit", detached: false });
  let interrupts = 0;
  const onInterrupt = () => {
    interrupts++;
    if (interrupts > 1) child.kill("SIGKILL");
    else if (!process.stdin.isTTY) child.kill("SIGINT");
  };
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  process.on("SIGHUP", () => child.kill("SIGTERM"));
  return new Promise((done) => {
    child.once("error", (error) => fail(`${script} could not be started: ${error.message}`));
    child.once("exit", (code, signal) => done(code ?? (signal === "SIGINT" ? 130 : 1)));
  });
}
