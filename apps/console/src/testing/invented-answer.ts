import type { Endpoint } from "@busbar/contract/endpoint.ts";
import * as z from "zod/v4/core";

/** What an answer is invented for: its rows are counted from here, and each number gives other values in every field. */
export interface Invention {
  first: number;
  rows: number;
  /** Nothing that may be left out is left out. */
  isWhole?: boolean;
}

/** When all that is invented has happened, or not yet. */
export const inventedNow = Date.UTC(2026, 4, 14, 15, 30) / 1000;

/** Where a value is: the names on the way to it, and the number of its row, different in each list. */
interface Place {
  names: readonly string[];
  row: number;
  depth: number;
  invention: Invention;
}

const hashOf = (text: string): number => {
  let hash = 7;
  for (const letter of text) hash = (hash * 31 + letter.charCodeAt(0)) % 1_000_003;
  return hash;
};

/** Each choice once in as many rows; in which order is another one for each name and in the next rows: so two names meet in every way. */
function pick<T>(choices: readonly T[], { names, row }: Place): T {
  const round = Math.floor(row / choices.length);
  return choices[(row + hashOf(`${round} ${names.join(".")}`)) % choices.length]!;
}

const minute = 60;
const day = 86_400;

function instantOf(name: string, row: number): number {
  const apart = (hashOf(name) % 41) * minute + row * 3 * 3_607;
  if (/^(?:from|began|begin|start|first|created|oldest)/i.test(name)) return inventedNow - 9 * day - apart;
  if (/(?:until|expire|resume|next|due)/i.test(name)) return inventedNow + day + apart;
  return inventedNow - 2 * minute - apart;
}

/** Values that are more than a text or a number, by the end of their names. */
const meant: readonly [name: RegExp, value: (row: number, name: string) => unknown][] = [
  [/^(?:serial|serialNumber|nodesBeside|(?:previous|next|old|new)SerialNumber|removed)$/, (row) => String(10_001 + row)],
  [/[tT]imestamps?$|(?:Time|At)$|^(?:asOf|at|from|to)$/, (row, name) => instantOf(name, row)],
  // One code is that of one customer everywhere.
  [/^(?:code|customerCode)$/, (row) => ["alder", "birch", "cedar", "damson", "elder", "gorse", "hazel", "juniper"][row % 8]],
  [/timezone$/i, (row) => ["America/Denver", "Europe/Berlin", "Asia/Kolkata"][row % 3]],
  [/^fromDay$/, () => "2026-05-04"],
  [/^toDay$/, () => "2026-05-14"],
  [/^place$/, (row) => (row % 4) - 1],
  [/^date$|Date$/, (row) => `2026-05-${String(4 + (row % 9)).padStart(2, "0")}`],
  [/^month$/, (row) => `2026-0${1 + (row % 5)}`],
  // Of an event: its currents and voltages in columns, from -127 to 127.
  [/^picture$/, (row) => btoa(Array.from({ length: 48 }, (_, at) => String.fromCharCode((row * 7 + at * 5) % 120)).join(""))],
  [/^days$/, (row) => [".wlbfp159M.", "wwwwwwwwwww", "MM9.1pfblww"][row % 3]],
  [/^quantity$/, (row) => ["current", "powerKw", "voltageLL"][row % 3]],
  [/revision$/i, (row) => row + 1],
  [/email$/i, (row) => `user${row}@works.example`],
  [/^emailDomains$/, (row) => `works${row}.example`],
  [/^(?:completeness|share|ratio)$/, (row) => 0.25 + (row % 3) * 0.3],
  [/^lastScalarData$/, (row) => [0, 1, 2, 60, 28, 29, 30, 478, 479, 480, 5].map((value) => value + row).join(",")],
  [/deploymentStatus$/i, (row) => ["Deployed", "Installed", "New", "Decommissioned"][row % 4]],
];

/** Numbers of different objects differ, and a reference finds its object. */
const nouns = ["customer", "facilit", "location", "node", "user"];
function idOf([own = "", parent = ""]: readonly string[], row: number): number | undefined {
  if (!/^id$|[a-z]Id$/.test(own)) return undefined;
  const noun = nouns.findIndex((each) => (own === "id" ? parent : own).toLowerCase().includes(each));
  return (noun + 1) * 100 + row + 1;
}

const wordsOf = (name: string): string => name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

const mayBeEmpty = (name: string): boolean => !/^(?:id|name|code|title|username|key)$|serial/i.test(name);

/** Texts that a rule of the contract may ask for. */
const formed = [
  "1",
  "10001",
  "2026-05-14",
  "2026-05",
  "alder",
  "user1@works.example",
  "123456",
  "d9428888-122b-11e1-b85c-61cd3cbb3210",
  "https://works.example/a",
];

function inventText(schema: z.$ZodType, place: Place): string {
  const name = place.names.at(-1) ?? "";
  const words = `${place.names.slice(-2).map(wordsOf).join(" ")} ${place.row + 1}`;
  const empty = mayBeEmpty(name) && (place.row + hashOf(name)) % 5 === 3 ? [""] : [];
  const long = (place.row + hashOf(name)) % 7 === 2 ? [`${words} ${"of the long hall beside the river ".repeat(2).trim()}`] : [];
  const fits = [...empty, ...long, words, words.replaceAll(" ", "-"), ...formed].find((text) => z.safeParse(schema, text).success);
  if (fits === undefined) throw new Error(`${place.names.join(".")}: which text does its rule ask for?`);
  return fits;
}

function inventNumber(schema: z.$ZodType, place: Place): number {
  const spread = hashOf(`${place.row} ${place.names.slice(-2).join(".")}`);
  // Words differ where there is none, and where there is one.
  const few = pick([[], [], [1], [], [0]], place);
  const choices = [...few, (spread % 900) + place.row * 1.25, (spread % 900) + place.row, (spread % 9) + place.row, spread % 2, 1, 0.5];
  const fits = choices.find((number) => z.safeParse(schema, number).success);
  if (fits === undefined) throw new Error(`${place.names.join(".")}: which number does its rule ask for?`);
  return fits;
}

function inventList(element: z.$ZodType, place: Place): unknown[] {
  const { rows } = place.invention;
  const isNestedEmpty = place.depth > 0 && place.row % 4 === 3;
  const count = isNestedEmpty ? 0 : Math.max(0, rows - place.depth);
  const first = place.depth === 0 ? place.row : place.row * 4;
  return Array.from({ length: count }, (_, index) => invent(element, { ...place, row: first + index, depth: place.depth + 1 }));
}

function inventRecord({ keyType, valueType }: z.$ZodRecordDef, place: Place): Record<string, unknown> {
  const isByNode = /node|serial/i.test(place.names.at(-1) ?? "");
  const keys = inventList(keyType, { ...place, names: [...place.names, isByNode ? "serial" : "key"] }) as string[];
  return Object.fromEntries(
    keys.map((key, index) => [key, invent(valueType, { ...place, row: place.row + index, depth: place.depth + 1 })]),
  );
}

function invent(schema: z.$ZodType, place: Place): unknown {
  const { def } = (schema as z.$ZodTypes)._zod;
  const name = place.names.at(-1) ?? "";
  const known = idOf(place.names.toReversed(), place.row) ?? meant.find(([pattern]) => pattern.test(name))?.[1](place.row, name);
  if (known !== undefined && def.type !== "nullable" && z.safeParse(schema, known).success) return known;
  switch (def.type) {
    case "string":
      return inventText(schema, place);
    case "number":
      return inventNumber(schema, place);
    case "boolean":
      return pick([true, false], place);
    case "enum":
      return pick(Object.values(def.entries), place);
    case "literal":
      return pick(def.values, place);
    case "null":
      return null;
    case "nullable":
      return pick([false, false, true], place) ? null : invent(def.innerType, place);
    case "optional":
      return !place.invention.isWhole && pick([false, false, true], place) ? undefined : invent(def.innerType, place);
    case "object": {
      const fields = Object.entries(def.shape).map(
        ([field, each]) => [field, invent(each, { ...place, names: [...place.names, field] })] as const,
      );
      return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
    }
    case "array":
      return inventList(def.element, place);
    case "record":
      return inventRecord(def, place);
    case "tuple":
      return def.items.map((item, index) => invent(item, { ...place, names: [...place.names, String(index)] }));
    case "union":
      return invent(pick(def.options, place), place);
    case "pipe":
      return invent(def.in, place);
    case "unknown":
      return pick(["unknown value", 5, null], place);
    default:
      throw new Error(`${place.names.join(".")}: nothing is invented for ${def.type}`);
  }
}

/** An answer as the contract describes it, full of what a screen may have to show: everything different, and some of it empty, long or null. */
export function inventAnswer(endpoint: Endpoint, invention: Invention): unknown {
  const noun = endpoint.path.split("/").findLast((part) => !part.startsWith("{")) ?? "";
  const answers = [false, true].map((isWhole) =>
    invent(endpoint.data, { names: [noun], row: invention.first, depth: 0, invention: { ...invention, isWhole } }),
  );
  const kept = answers.find((answer) => z.safeParse(endpoint.data, answer).success);
  if (kept === undefined) throw new Error(`${endpoint.method} ${endpoint.path}: what is invented breaks the contract`);
  return kept;
}
