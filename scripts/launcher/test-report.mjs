import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { root } from "./root.mjs";

/**
 * @typedef {{ passed: number, failed: number }} Count
 */

/**
 * Tests counted in a JSON report; undefined when it is no report, as when the program died before writing one.
 * @param {"vitest" | "playwright"} kind
 * @param {string} text
 * @returns {Count | undefined}
 */
export function countTests(kind, text) {
  if (text === "") return undefined;
  const report = JSON.parse(text);
  return kind === "vitest"
    ? { passed: report.numPassedTests, failed: report.numFailedTests }
    : { passed: report.stats.expected + report.stats.flaky, failed: report.stats.unexpected };
}

/**
 * The tests of a JSON report that failed, each with the first line of why.
 * @param {"vitest" | "playwright"} kind
 * @param {string} text
 * @returns {string[]}
 */
export function listFailures(kind, text) {
  if (text === "") return [];
  const report = JSON.parse(text);
  return kind === "vitest" ? report.testResults.flatMap(failuresOfFile) : report.suites.flatMap(failuresOfSuite);
}

/**
 * The files of a JSON report in which something failed, as their program takes them.
 * @param {"vitest" | "playwright"} kind
 * @param {string} text
 * @returns {string[]}
 */
export function listFailedFiles(kind, text) {
  if (text === "") return [];
  const report = JSON.parse(text);
  const files = kind === "vitest" ? report.testResults.filter(isFailed).map(nameOf) : report.suites.flatMap(failedFilesOfSuite);
  return [...new Set(files)];
}

const isFailed = (/** @type {{ status: string }} */ { status }) => status === "failed";
const nameOf = (/** @type {{ name: string }} */ { name }) => relative(root, name);
/**
 * @param {PlaywrightSuite} suite
 * @returns {string[]}
 */
const failedFilesOfSuite = ({ suites = [], specs = [] }) => [
  ...specs.filter(({ ok }) => !ok).map(({ file }) => file),
  ...suites.flatMap(failedFilesOfSuite),
];

/** @param {{ name: string, status: string, message: string, assertionResults: { status: string, fullName: string, failureMessages: string[] }[] }} file */
function failuresOfFile({ name, status, message, assertionResults }) {
  const file = relative(root, name);
  const failed = assertionResults.filter((test) => test.status === "failed");
  // A file that could not be loaded has failed without a test.
  if (failed.length === 0) return status === "failed" ? [failureLine(file, message)] : [];
  return failed.map(({ fullName, failureMessages: [why = ""] }) => failureLine(`${file}: ${fullName}`, why));
}

/**
 * @typedef {object} PlaywrightSuite
 * @property {PlaywrightSuite[]} [suites]
 * @property {{ ok: boolean, title: string, file: string, tests: { results: { error?: { message?: string } }[] }[] }[]} [specs]
 */

/**
 * @param {PlaywrightSuite} suite
 * @returns {string[]}
 */
function failuresOfSuite({ suites = [], specs = [] }) {
  const failed = specs.filter(({ ok }) => !ok);
  return [
    ...failed.map(({ file, title, tests }) => {
      const error = tests.flatMap(({ results }) => results).find((result) => result.error)?.error;
      return failureLine(`${file}: ${title}`, error?.message ?? "");
    }),
    ...suites.flatMap(failuresOfSuite),
  ];
}

/**
 * @param {string} title
 * @param {string} why
 */
function failureLine(title, why) {
  return `${title}: ${stripVTControlCharacters(why).split("\n", 1)[0]}`;
}

/**
 * What a stage adds to the last line: its tests, else itself. A stage that failed never adds nothing; what failed in one that is in order
 * passed when it was repeated.
 * @param {Count | undefined} tests
 * @param {boolean} isOk
 * @returns {Count}
 */
export function countStage(tests, isOk) {
  const count = tests ?? { passed: isOk ? 1 : 0, failed: isOk ? 0 : 1 };
  return isOk ? { passed: count.passed + count.failed, failed: 0 } : { passed: count.passed, failed: Math.max(1, count.failed) };
}

/** @param {Count[]} counts */
export function lastLine(counts) {
  const sum = (/** @type {keyof Count} */ key) => counts.reduce((total, count) => total + count[key], 0);
  return `${sum("passed")} passed, ${sum("failed")} failed`;
}

/**
 * What the stages used of the processors, most first; nothing where it is not known.
 * @param {ReadonlyMap<string, number>} used seconds by heading
 */
export function usageLine(used) {
  const known = [...used].filter(([, seconds]) => seconds > 0).sort(([, a], [, b]) => b - a);
  if (known.length === 0) return "";
  const sum = known.reduce((total, [, seconds]) => total + seconds, 0);
  return `\nProcessor time: ${sum.toFixed(0)} s (${known.map(([heading, seconds]) => `${heading} ${seconds.toFixed(0)}`).join(", ")})\n`;
}
