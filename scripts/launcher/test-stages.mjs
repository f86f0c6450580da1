import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {string} heading
 * @property {string[][]} runs arguments for Node, one after the other
 * @property {Record<string, string>} [env]
 * @property {"vitest" | "playwright"} [counts] how its report counts tests; without, the stage is one test
 * @property {boolean} [needsBrowser]
 * @property {boolean} [needsFirefox] skipped where there is none
 * @property {boolean} [needsConsole] a production build of it
 * @property {boolean} [waitsMostly] and leaves the processors to others
 */

const packageFile = (/** @type {string[]} */ ...parts) => join(root, "node_modules", ...parts);
const vitest = (/** @type {string} */ project) => [
  packageFile("vitest", "vitest.mjs"),
  "run",
  "--project",
  project,
  "--passWithNoTests=false",
];

/** For programs in Go. Several checkers would each derive for themselves what files share; other stages use the other cores meanwhile. */
const oneCore = { GOMAXPROCS: "1", GOGC: "200" };

/**
 * For tests in Node: thousands of short ones make much that is soon forgotten, and V8 looks for it less often in more memory. Programs that tests start
 * have it too; those that are measured have what `environment` gives them.
 */
const roomForNew = { NODE_OPTIONS: `--max-semi-space-size=32 ${process.env["NODE_OPTIONS"] ?? ""}`.trim() };

/**
 * All stages of this checkout in their order: cheap and general ones first, then those that wait most of their time, then the one that has a single
 * page for all its tests and cannot use two cores, then from the longest to the shortest, so that they end together.
 * @returns {Stage[]}
 */
export function listStages() {
  const tsc = packageFile("typescript", "bin", "tsc");
  /** @type {Stage[]} */
  const stages = [
    {
      name: "types",
      heading: "Types",
      runs: typescriptProjects().map((project) => [tsc, "-p", project, "--noEmit", "--checkers", "1"]),
      env: oneCore,
    },
    { name: "lint", heading: "Lint", runs: [[packageFile("oxlint", "bin", "oxlint"), "--threads=1"]], env: oneCore },
    { name: "format", heading: "Format", runs: [[packageFile("oxfmt", "bin", "oxfmt"), "--check"]] },
    { name: "dead-code", heading: "Dead code", runs: [[packageFile("knip", "bin", "knip.js")]] },
    {
      name: "bench",
      heading: "Benchmarks, short",
      runs: [["bench/main.ts", "--short"]],
      needsBrowser: true,
      needsConsole: true,
      waitsMostly: true,
    },
    {
      name: "faults",
      heading: "Fault injection, short",
      runs: [["bench/faults/main.ts", "--short"]],
      needsConsole: true,
      waitsMostly: true,
    },
    {
      name: "browser",
      heading: "Component tests in a real browser",
      runs: [vitest("browser")],
      // React as people have it, which takes a quarter less than the one that looks for mistakes.
      env: { NODE_ENV: "production" },
      counts: "vitest",
      needsBrowser: true,
    },
    { name: "server", heading: "Server tests on a real database", runs: [vitest("server")], env: roomForNew, counts: "vitest" },
    {
      name: "e2e",
      heading: "End-to-end tests in a real browser",
      runs: [[packageFile("@playwright", "test", "cli.js"), "test", "-c", "e2e"]],
      counts: "playwright",
      needsBrowser: true,
      needsConsole: true,
    },
    { name: "unit", heading: "Unit tests", runs: [vitest("unit")], env: roomForNew, counts: "vitest" },
    {
      name: "firefox",
      heading: "The jobs in Firefox",
      runs: [[packageFile("@playwright", "test", "cli.js"), "test", "-c", "e2e/firefox.config.ts"]],
      counts: "playwright",
      needsFirefox: true,
      needsConsole: true,
    },
  ];
  return stages.filter(({ runs }) => runs.every(([script = ""]) => !script.startsWith("bench/") || existsSync(join(root, script))));
}

/** That of all programs for Node, and every folder with a TypeScript project of its own. */
function typescriptProjects() {
  const groups = ["packages", "apps"].flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}`));
  return [".", ...groups, "e2e", "bench", "scripts"]
    .map((folder) => join(folder, "tsconfig.json"))
    .filter((file) => existsSync(join(root, file)));
}

/**
 * The stages that the arguments name, and what is left for the stage's own program (one stage only).
 * @param {Stage[]} stages
 * @param {string[]} args
 * @returns {{ chosen: Stage[], rest: string[] }}
 */
export function chooseStages(stages, [name, ...rest]) {
  if (name === undefined) return { chosen: stages, rest: [] };
  const stage = stages.find((candidate) => candidate.name === name);
  if (!stage) throw new Error(`"${name}" is no stage of the tests. There are: ${stages.map((candidate) => candidate.name).join(", ")}.`);
  return { chosen: [stage], rest };
}
