/** Lines that are gone (-) and lines that have come (+), in their order. */
export function lineChanges(before: readonly string[], after: readonly string[]): string[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let [oldEnd, newEnd] = [before.length, after.length];
  while (oldEnd > start && newEnd > start && before[oldEnd - 1] === after[newEnd - 1]) [oldEnd, newEnd] = [oldEnd - 1, newEnd - 1];
  const [gone, come] = [before.slice(start, oldEnd), after.slice(start, newEnd)];
  // How many lines of the two rests are the same at most.
  const same = Array.from({ length: gone.length + 1 }, () => new Uint16Array(come.length + 1));
  for (let i = gone.length - 1; i >= 0; i--)
    for (let j = come.length - 1; j >= 0; j--)
      same[i]![j] = gone[i] === come[j] ? same[i + 1]![j + 1]! + 1 : Math.max(same[i + 1]![j]!, same[i]![j + 1]!);
  const changes: string[] = [];
  let [i, j] = [0, 0];
  while (i < gone.length || j < come.length) {
    if (i < gone.length && gone[i] === come[j]) [i, j] = [i + 1, j + 1];
    else if (j === come.length || (i < gone.length && same[i + 1]![j]! >= same[i]![j + 1]!)) changes.push(`- ${gone[i++]!}`);
    else changes.push(`+ ${come[j++]!}`);
  }
  return shortened(changes);
}

const mostGone = 3;
const mostKnown = 80;
const cut = (line: string): string => (line.length > mostKnown ? `${line.slice(0, mostKnown)}…` : line);

/** What is gone was said when it came, and so was what is only elsewhere now. */
function shortened(changes: readonly string[]): string[] {
  const isGone = (line: string | undefined) => line?.startsWith("- ") === true;
  const gone = new Set(changes.filter(isGone).map((line) => line.slice(2)));
  const lines: string[] = [];
  for (let at = 0; at < changes.length; at++) {
    let end = at;
    while (isGone(changes[end])) end++;
    const line = changes[at]!;
    if (end > at) {
      const more = end - at > mostGone ? [`- … ${end - at - mostGone} more lines`] : [];
      lines.push(...changes.slice(at, Math.min(end, at + mostGone)).map(cut), ...more);
      at = end - 1;
    } else lines.push(gone.has(line.slice(2)) ? cut(line) : line);
  }
  return lines.map((line) => line.replaceAll(/( of the long hall beside the river)+/g, " …"));
}
