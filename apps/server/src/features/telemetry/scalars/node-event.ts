import { cleanText } from "#lib/clean-text.ts";

/** A power-quality, start or stop event that a node reports in `Event/Last`. */
export interface NodeEvent {
  kind: string;
  atMs: number;
  /** Known fields only, cleaned. */
  body: Record<string, string | number>;
}

const maxBytes = 4_096;
const textFields = ["phase", "fileName"] as const;
const numberFields = ["value", "limit"] as const;

/** @returns undefined when the text is no event: JSON with a kind and a time in epoch milliseconds */
export function readNodeEvent(text: string): NodeEvent | undefined {
  if (text.length > maxBytes) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof parsed !== "object" || parsed === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(parsed));
  const kind = fields.get("kind");
  const atMs = fields.get("ts");
  if (typeof kind !== "string" || cleanText(kind, 64) === "" || typeof atMs !== "number" || !Number.isFinite(atMs)) return undefined;
  const body: NodeEvent["body"] = {};
  for (const name of textFields) {
    const value = fields.get(name);
    if (typeof value === "string") body[name] = cleanText(value, 200);
  }
  for (const name of numberFields) {
    const value = fields.get(name);
    if (typeof value === "number" && Number.isFinite(value)) body[name] = value;
  }
  return { kind: cleanText(kind, 64), atMs, body };
}
