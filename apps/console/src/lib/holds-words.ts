import { wordsOfFound, type Found } from "@busbar/contract/system/find.ts";

/** Until the answer to a text is there, that to the one before is shown: what of it is still right. */
export function holdsWords(found: Found, text: string): boolean {
  const { name, detail } = wordsOfFound(found);
  const all = `${name} ${detail}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
