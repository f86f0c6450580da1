/** A count with its noun: `1 facility`, `12,000 facilities`. With a verb both forms are given: `counted(n, "node is", "nodes are")`. */
export const counted = (count: number, one: string, many = pluralOf(one)): string =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;

const pluralOf = (noun: string): string => (/[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`);
