import { createHash } from "node:crypto";
import type { RowChange } from "./table-rows.ts";

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** What is made by chance or belongs to the machine, within a text. */
const byChanceInText: readonly [RegExp, (found: string, part: string) => string][] = [
  // Of a session: what it says of the person is kept.
  [/eyJ[\w-]+\.(eyJ[\w-]+)\.[\w-]+/g, (_, claims) => `<token ${Buffer.from(claims, "base64url").toString()}>`],
  [/\b(bb[ak]_)[\w-]{12}/g, (_, kind) => `${kind}<key>`],
  [/(?<![\w-])[\w-]{43}(?![\w-])/g, () => "<secret>"],
  [/(?<=Memory: ).+?(?= used)/g, () => "<figures>"],
  [/(?<=Disk: ).+?(?= free)/g, () => "<figures>"],
];

/** The same, as columns and fields: that there is one is kept. */
const byChance = new Set(
  "password_hash secret_hash mosquitto_hash token_hash code_hash secret sealed sealed_values changed_xid xid seen_xid message_id requestsServed otpauthAddress pdf content system_secret.value".split(
    " ",
  ),
);
const isByChance = (path: string): boolean =>
  byChance.has(path.slice(path.lastIndexOf(".") + 1)) || byChance.has(path) || /(?:Mb|Gb|FreePercent)$|recoveryCodes\.\d+$/.test(path);

/** Values as lines of `path: value`, the same in every run. */
export function createKeptText() {
  const ids = new Map<string, string>();
  const nameOf = (id: string): string => {
    if (!ids.has(id)) ids.set(id, `id-${ids.size + 1}`);
    return ids.get(id)!;
  };

  const plain = (text: string): string =>
    byChanceInText.reduce((rest, [pattern, replace]) => rest.replaceAll(pattern, replace), text).replaceAll(uuid, nameOf);

  function textOf(path: string, value: unknown): string {
    if (value === null || value === undefined) return String(value);
    // The revision of the fleet is the number of a transaction.
    if (isByChance(path) || (path === "data.revision" && typeof value === "string")) return `<${typeof value}>`;
    if (typeof value !== "string") return JSON.stringify(value);
    if (/^[01]{65,}$/.test(value)) return `ones at ${[...value.matchAll(/1/g)].map(({ index }) => index).join(",")}`;
    if (value.startsWith("\\x") && value.length > 34)
      return `<${value.length / 2 - 1} bytes ${createHash("md5").update(value).digest("hex").slice(0, 8)}>`;
    return JSON.stringify(plain(value));
  }

  function lines(path: string, value: unknown): string[] {
    if (typeof value !== "object" || value === null) return [`${path}: ${textOf(path, value)}`];
    const entries = Object.entries(value);
    if (entries.length === 0) return [`${path}: ${Array.isArray(value) ? "[]" : "{}"}`];
    return entries.flatMap(([name, inner]) => lines(`${path}.${name}`, inner));
  }

  const signs = { added: "+ ", changed: "~ ", removed: "- " };
  const rowLines = (changes: readonly RowChange[]): string[] =>
    changes.flatMap(({ table, what, key, row }) => [
      ...(what === "changed" ? [`~ ${table} ${plain(key)}`] : []),
      ...lines(table, row).map((line) => `${signs[what]}${line}`),
    ]);

  return { plain, lines, rowLines };
}
