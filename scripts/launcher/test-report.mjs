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
 * What a stage adds to the last line: its tests, else itself. A stage that failed never adds nothing.
 * @param {Count | undefined} tests
 * @param {boolean} isOk
 * @returns {Count}
 */
export function countStage(tests, isOk) {
  const count = tests ?? { passed: isOk ? 1 : 0, failed: isOk ? 0 : 1 };
  return isOk ? count : { passed: count.passed, failed: Math.max(1, count.failed) };
}

/** @param {Count[]} counts */
export function lastLine(counts) {
  const sum = (/** @type {keyof Count} */ key) => counts.reduce((total, count) => total + count[key], 0);
  return `${sum("passed")} passed, ${sum("failed")} failed`;
}
