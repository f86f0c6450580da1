import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildConsole } from "./build-console.mjs";
import { findOrInstallChromium } from "./find-chromium.mjs";
import { runForeground } from "./processes.mjs";
import { countStage, countTests, lastLine } from "./test-report.mjs";
import { chooseStages, listStages } from "./test-stages.mjs";

/**
 * Runs the stages in order and stops at the first that fails.
 * @param {string} node
 * @param {string[]} args a stage's name and what its program is told; nothing for all
 * @returns {Promise<number>} exit code
 */
export async function runTests(node, args) {
  const { chosen, rest } = chooseStages(listStages(), args);
  /** @type {Record<string, string>} */
  const env = chosen.some((stage) => stage.needsBrowser) ? { CHROME_PATH: findOrInstallChromium() } : {};
  const folder = mkdtempSync(join(tmpdir(), "busbar-report-"));
  /** @type {import("./test-report.mjs").Count[]} */
  const counts = [];
  let exitCode = 0;
  try {
    for (const stage of chosen) {
      process.stdout.write(`\n== ${stage.heading} ==\n`);
      const startedAt = performance.now();
      exitCode = await runStage(node, stage, rest, env, folder, counts);
      process.stdout.write(
        `-- ${stage.heading}: ${exitCode === 0 ? "ok" : "failed"}, ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`,
      );
      if (exitCode !== 0) break;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.stdout.write(`\n${lastLine(counts)}\n`);
  return exitCode;
}

/**
 * @param {string} node
 * @param {import("./test-stages.mjs").Stage} stage
 * @param {string[]} rest
 * @param {Record<string, string>} env
 * @param {string} folder
 * @param {import("./test-report.mjs").Count[]} counts
 */
async function runStage(node, stage, rest, env, folder, counts) {
  if (stage.needsConsole) buildConsole(node);
  const report = join(folder, `${stage.name}.json`);
  let exitCode = 0;
  for (const run of stage.runs) {
    exitCode = await runForeground(node, [...run, ...reportArguments(stage, report), ...rest], {
      env: { ...env, ...reportEnvironment(stage, report) },
    });
    if (exitCode !== 0) break;
  }
  const text = stage.counts && existsSync(report) ? readFileSync(report, "utf8") : "";
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
