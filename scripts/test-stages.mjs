// The stages of `npm test`, in order; the first that fails ends the run.
import { spawn } from "node:child_process";
import { findChromium } from "./find-chromium.mjs";
import { fail } from "./toolchain.mjs";

const vitest = (project) => ["node_modules/vitest/vitest.mjs", "run", "--project", project];
const tsc = (project) => ["node_modules/typescript/bin/tsc", "--noEmit", "-p", project];

const stages = {
  types: [
    "packages/contract",
    "packages/sparkplug",
    "apps/server",
    "apps/simulator",
    "apps/dev-env",
    "apps/console",
    "e2e",
    "bench",
    "tools",
  ].map(tsc),
  lint: [["node_modules/oxlint/bin/oxlint", "--deny-warnings"]],
  format: [["node_modules/oxfmt/bin/oxfmt", "--check"]],
  "dead-code": [["node_modules/knip/bin/knip.js", "--no-progress"]],
  unit: [vitest("unit")],
  server: [vitest("server")],
  browser: [vitest("browser")],
  e2e: [["node_modules/@playwright/test/cli.js", "test", "--config", "e2e/playwright.config.ts"]],
  bench: [["bench/main.ts", "--short"]],
  faults: [["bench/faults/main.ts", "--short"]],
};
const needsBrowser = new Set(["browser", "e2e", "bench"]);

/** @returns the exit code */
export async function runTests(root, node, names) {
  const unknown = names.find((name) => !(name in stages));
  if (unknown) fail(`Unknown stage "${unknown}": it is one of ${Object.keys(stages).join(", ")}.`);
  const wanted = names.length > 0 ? names : Object.keys(stages);
  const env = { ...process.env };
  if (wanted.some((name) => needsBrowser.has(name))) env.CHROME_PATH = findChromium();

  let passed = 0;
  for (const name of wanted) {
    const startedAt = performance.now();
    console.log(`\n── ${name}`);
    for (const args of stages[name]) {
      const code = await run(node, args, root, env);
      if (code !== 0) {
        console.log(`\n${name} failed (${args.join(" ")})\n${passed} passed, 1 failed`);
        return code;
      }
    }
    passed++;
    console.log(`── ${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  }
  console.log(`\n${passed} passed, 0 failed`);
  return 0;
}

function run(node, args, cwd, env) {
  return new Promise((done) => {
    const child = spawn(node, args, { cwd, env, stdio: ["ignore", "inherit", "inherit"] });
    const pass = (signal) => child.kill(signal);
    process.once("SIGINT", pass).once("SIGTERM", pass);
    child.once("exit", (code) => {
      process.off("SIGINT", pass).off("SIGTERM", pass);
      done(code ?? 1);
    });
  });
}
