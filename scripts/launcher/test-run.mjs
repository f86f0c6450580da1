import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildConsole } from "./build-console.mjs";
import { findOrInstallChromium } from "./find-chromium.mjs";
import { findFirefox } from "./find-firefox.mjs";
import { runForeground } from "./processes.mjs";
import { takeProcessorSeconds } from "./processor-time.mjs";
import { countStage, countTests, lastLine, listFailedFiles, listFailures, usageLine } from "./test-report.mjs";
import { runAtOnce } from "./run-at-once.mjs";
import { chooseStages, listStages } from "./test-stages.mjs";

/** Of one stage. The longest takes a quarter of an hour on two cores, twice that on busy ones; what hangs must not keep the others' results. */
const stageLimitMs = 35 * 60_000;

/** Of one stage: as many may have met a machine that was too slow for them. What is broken fails more, or again. */
const mostRepeatedFiles = 3;

/** While one waits for its browser or its database, others work: of three, two cores were idle for a quarter of the time. */
const stagesAtOnce = 4;
/** Of such a place: what a stage takes that waits most of its time. */
const waitingStage = 0.5;

/**
 * Runs the stages in order, a few at the same time, and starts none after one that failed.
 * @param {string} node
 * @param {string[]} args a stage's name and what its program gets; nothing for all
 * @returns {Promise<number>} exit code
 */
export async function runTests(node, args) {
  const { chosen, rest } = chooseStages(listStages(), args);
  const firefox = chosen.some((stage) => stage.needsFirefox) ? findFirefox(process.env) : undefined;
  /** @type {Record<string, string>} */
  const firefoxPath = firefox === undefined ? {} : { FIREFOX_PATH: firefox };
  const folder = mkdtempSync(join(tmpdir(), "busbar-report-"));
  /** @type {import("./test-report.mjs").Count[]} */
  const counts = [];
  /** Shown at the end, where a reader of a long log looks first. @type {string[]} */
  const failures = [];
  /** Failed first and passed when they were repeated. @type {string[]} */
  const unsteady = [];
  /** Processor seconds by heading. @type {Map<string, number>} */
  const used = new Map();
  let exitCode = 0;
  try {
    const canRun = (/** @type {import("./test-stages.mjs").Stage} */ stage) => !stage.needsFirefox || firefox !== undefined;
    for (const { heading } of chosen.filter((stage) => !canRun(stage)))
      process.stdout.write(`\n== ${heading} ==\nSkipped: no Firefox is installed, and FIREFOX_PATH names none.\n`);
    const prepare = preparation(node, chosen);
    used.set("preparation", takeProcessorSeconds());
    /** What the others said while one was watched. @type {string[]} */
    const said = [];
    let isWatched = false;
    const runNext = async (/** @type {import("./test-stages.mjs").Stage} */ stage) => {
      const watches = !isWatched;
      const log = watches ? undefined : join(folder, `${stage.name}.log`);
      if (watches) {
        isWatched = true;
        process.stdout.write(`\n== ${stage.heading} ==\n`);
      }
      const startedAt = performance.now();
      const code = await prepare(stage).then(
        (env) => runStage(node, stage, rest, { ...env, ...firefoxPath }, folder, { counts, failures, unsteady, used }, log),
        (/** @type {Error} */ { message }) => {
          failures.push(`${stage.heading}: ${message}`);
          return 1;
        },
      );
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      const end = `-- ${stage.heading}: ${code === 0 ? "ok" : "failed"}, ${seconds} s\n`;
      if (log === undefined) said.unshift(end);
      else said.push(`\n== ${stage.heading} ==\n${readFileSync(log, "utf8")}${end}`);
      if (watches) isWatched = false;
      if (!isWatched) process.stdout.write(said.splice(0).join(""));
      return code;
    };
    exitCode = await runAtOnce(chosen.filter(canRun), stagesAtOnce, runNext, (stage) => (stage.waitsMostly ? waitingStage : 1));
    process.stdout.write(said.join(""));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  for (const failure of unsteady)
    process.stdout.write(`\nUnsteady, which is a bug of the test or the product (it passed when its file was repeated): ${failure}`);
  process.stdout.write(usageLine(used));
  process.stdout.write(`\n${failures.map((failure) => `Failed: ${failure}\n`).join("")}${lastLine(counts)}\n`);
  return exitCode;
}

/**
 * Begins to install a browser and to build the console, once for all, while stages run that need neither.
 * @param {string} node
 * @param {import("./test-stages.mjs").Stage[]} chosen
 */
function preparation(node, chosen) {
  const chromium = chosen.some((stage) => stage.needsBrowser) ? findOrInstallChromium() : undefined;
  const builtConsole = chosen.some((stage) => stage.needsConsole) ? buildConsole(node) : undefined;
  // Who needs them says why they are missing.
  for (const each of [chromium, builtConsole]) each?.catch(() => undefined);
  /**
   * Resolves with a stage's environment when it may begin.
   * @param {import("./test-stages.mjs").Stage} stage
   * @returns {Promise<Record<string, string>>}
   */
  return async ({ needsBrowser, needsConsole }) => {
    if (needsConsole) await builtConsole;
    return needsBrowser && chromium ? { CHROME_PATH: await chromium } : {};
  };
}

/**
 * @param {string} node
 * @param {import("./test-stages.mjs").Stage} stage
 * @param {string[]} rest
 * @param {Record<string, string>} env
 * @param {string} folder
 * @param {{ counts: import("./test-report.mjs").Count[], failures: string[], unsteady: string[], used: Map<string, number> }} outcome
 * @param {string | undefined} log a file for what it says, instead of the terminal
 */
async function runStage(node, stage, rest, env, folder, { counts, failures, unsteady, used }, log) {
  const output = log === undefined ? {} : { output: openSync(log, "w") };
  const run = async (/** @type {string} */ report, /** @type {string[]} */ chosen) => {
    let exitCode = 0;
    for (const program of stage.runs) {
      exitCode = await runForeground(node, [...program, ...reportArguments(stage, report), ...chosen], {
        env: { ...env, ...stage.env, ...reportEnvironment(stage, report) },
        limitMs: stageLimitMs,
        ...output,
        onEnd: (processorSeconds) => used.set(stage.heading, (used.get(stage.heading) ?? 0) + processorSeconds),
      });
      if (exitCode !== 0) break;
    }
    return exitCode;
  };
  const report = join(folder, `${stage.name}.json`);
  let exitCode = await run(report, rest);
  const text = stage.counts && existsSync(report) ? readFileSync(report, "utf8") : "";
  const failed = exitCode !== 0 && stage.counts ? listFailures(stage.counts, text) : [];
  // Who names tests sees for themselves.
  const files = exitCode !== 0 && stage.counts && rest.length === 0 ? listFailedFiles(stage.counts, text) : [];
  const isUnsteady =
    files.length > 0 && files.length <= mostRepeatedFiles && (await run(join(folder, `${stage.name}-repeated.json`), files)) === 0;
  if (isUnsteady) {
    exitCode = 0;
    unsteady.push(...failed);
  } else if (exitCode !== 0) failures.push(...(failed.length > 0 ? failed : [stage.heading]));
  if (output.output !== undefined) closeSync(output.output);
  counts.push(countStage(stage.counts && countTests(stage.counts, text), exitCode === 0));
  return exitCode;
}

/**
 * @param {import("./test-stages.mjs").Stage} stage
 * @param {string} report
 */
function reportArguments({ counts }, report) {
  if (counts === "vitest") return ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  return counts === "playwright" ? ["--reporter=list,json"] : [];
}

/**
 * @param {import("./test-stages.mjs").Stage} stage
 * @param {string} report
 * @returns {Record<string, string>}
 */
function reportEnvironment({ counts }, report) {
  return counts === "playwright" ? { PLAYWRIGHT_JSON_OUTPUT_NAME: report } : {};
}
