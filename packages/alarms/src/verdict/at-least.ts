/** A count that changes all the time, as it is said once: `7`, then `at least 10`, `at least 100`. */
export function atLeast(count: number): string {
  if (count < 10) return String(count);
  return `at least ${10 ** Math.floor(Math.log10(count))}`;
}
