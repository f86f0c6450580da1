/** A count that changes all the time, as it is said once: `7`, then `more than 10`, `more than 100`. */
export function atLeast(count: number): string {
  if (count < 10) return String(count);
  return `more than ${10 ** Math.floor(Math.log10(count))}`;
}
