import { systemConfigEntries } from "@busbar/contract/system/system-config.ts";
import { foundKinds, mostOfAKind, nothingFound, wordsOfFound, type Found, type FoundKind } from "@busbar/contract/system/find.ts";
import { serialNumberPattern } from "@busbar/contract/values/serial-number.ts";
import type { Handlers } from "#http/endpoints.ts";
import type { FileStart, FindReadModel } from "./find.read-model.ts";

/** A file's name as far as it is typed: its node and the month at least. */
function fileStartOf(text: string): FileStart | undefined {
  const [start, serial, year, month] = /^([1-9]\d{4})_(20\d\d)(0[1-9]|1[0-2])[\w.]*$/.exec(text.trim()) ?? [];
  return start === undefined ? undefined : { start, serialNumber: Number(serial), month: `${year}-${month}-01T00:00:00Z` };
}

export function findHandlers(readModel: FindReadModel) {
  return {
    async find({ query: { text } }, { caller, asShown }) {
      const words = text.toLowerCase().split(/\s+/).filter(Boolean);
      if (words.length === 0) return [];
      const isSystem = caller.roles.includes("systemAdministrator");
      // Whoever reads other names finds by those.
      const named = asShown ? await readModel.all() : await readModel.withWords(words);
      const serials = words.filter((word) => serialNumberPattern.test(word)).map(Number);
      const earlier = serials.length > 0 ? await readModel.earlierPlaces(serials) : [];
      const start = fileStartOf(text);
      const files = start ? await readModel.files(start, mostOfAKind) : [];
      const services = isSystem ? await readModel.services() : [];
      const settings = isSystem ? Object.keys(systemConfigEntries) : [];
      const candidates = [
        // First: it says which node is there now.
        ...earlier,
        ...named,
        ...files.map((id) => foundOf("file", id)),
        ...services.map((id) => foundOf("service", id)),
        ...settings.map((id) => foundOf("setting", id)),
      ];
      return ranked(candidates, words, asShown);
    },
  } satisfies Partial<Handlers>;
}

const foundOf = (kind: FoundKind, id: string): Found => ({ ...nothingFound, kind, id });

/** Those with all words, the likeliest first; of each kind a few. */
function ranked(candidates: readonly Found[], words: readonly string[], asShown: (<Part>(part: Part) => Part) | undefined): Found[] {
  const likely = candidates
    .flatMap((found) => {
      const shown = wordsOfFound(asShown ? asShown(found) : found);
      const likeness = likenessOf(shown.name.toLowerCase(), shown.detail.toLowerCase(), words);
      return likeness === undefined ? [] : [{ found, likeness, name: shown.name }];
    })
    .toSorted(
      (a, b) =>
        b.likeness - a.likeness ||
        foundKinds.indexOf(a.found.kind) - foundKinds.indexOf(b.found.kind) ||
        a.name.length - b.name.length ||
        (a.name < b.name ? -1 : 1),
    );
  const counts = new Map<FoundKind, number>();
  const seen = new Set<string>();
  return likely.flatMap(({ found }) => {
    const object = `${found.kind}/${found.id}`;
    if (seen.has(object)) return [];
    seen.add(object);
    const count = (counts.get(found.kind) ?? 0) + 1;
    counts.set(found.kind, count);
    return count > mostOfAKind ? [] : [found];
  });
}

const wordStart = (text: string, word: string): boolean => ` ${text.replaceAll(/[^\p{L}\p{N}]+/gu, " ")}`.includes(` ${word}`);

/** The name itself, its beginning, the beginning of its words, a part of it, or what is beside it; undefined where a word is nowhere. */
function likenessOf(name: string, detail: string, words: readonly string[]): number | undefined {
  const both = `${name} ${detail}`;
  if (!words.every((word) => both.includes(word))) return undefined;
  const text = words.join(" ");
  if (name === text) return 5;
  if (name.startsWith(text)) return 4;
  if (words.every((word) => wordStart(name, word))) return 3;
  if (words.every((word) => name.includes(word))) return 2;
  return words.some((word) => name.includes(word)) ? 1 : 0;
}
