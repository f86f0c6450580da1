/** The one name that differs from `text` by case, separators, or a single letter added, lost, changed or swapped; else undefined. */
export function closestName(text: string, names: readonly string[]): string | undefined {
  return names.find((name) => isOneEditAway(plain(text), plain(name)));
}

const plain = (name: string): string => name.toUpperCase().replaceAll(/[_-]/g, "");

function isOneEditAway(a: string, b: string): boolean {
  if (a === b) return true;
  if (Math.abs(a.length - b.length) > 1 || Math.min(a.length, b.length) < 4) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const restA = a.slice(start, a.length - end);
  const restB = b.slice(start, b.length - end);
  if (restA.length <= 1 && restB.length <= 1) return true;
  return restA.length === 2 && restB.length === 2 && restA === `${restB[1]}${restB[0]}`;
}
