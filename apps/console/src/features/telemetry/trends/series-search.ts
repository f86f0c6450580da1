import { quantities } from "@busbar/contract/telemetry/quantities.ts";

const mostQuantities = 4;
const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
const shortest = 3;

const named = quantities.map(({ id, name }) => ({ id, words: wordsOf(name) }));

/**
 * What of a typed text names a quantity, as `kiln fan power` does: the last words, where each begins a word of its name. The rest
 * is looked for among the machines.
 */
export function splitSearch(typed: string): { machine: string; quantities: string[] } {
  const words = wordsOf(typed);
  const plain = typed.trim().replaceAll(/\s+/g, " ");
  for (let count = Math.min(4, words.length - 1); count > 0; count--) {
    const last = words.slice(-count);
    if (last.some((word) => word.length < shortest && !/^\d$/.test(word)) || /^\d/.test(last[0] ?? "")) continue;
    const found = named.filter((quantity) => last.every((word) => quantity.words.some((each) => each.startsWith(word))));
    if (found.length === 0) continue;
    // Those that begin so come first: `power` before `apparent power`.
    const isFirst = ({ words: [first = ""] }: { words: string[] }) => (first.startsWith(last[0] ?? "") ? 0 : 1);
    found.sort((a, b) => isFirst(a) - isFirst(b));
    return {
      machine: plain
        .split(/[\s,]+/)
        .slice(0, words.length - count)
        .join(" "),
      quantities: found.slice(0, mostQuantities).map(({ id }) => id),
    };
  }
  return { machine: plain, quantities: [] };
}
