import type { SystemConfigEntry } from "@busbar/contract/system/system-config.ts";

/** A setting's value as the page shows it; of a list each item has its line. */
export function settingToText(type: SystemConfigEntry["type"], value: unknown): string {
  if (type !== "list") return String(value);
  return Array.isArray(value) && value.length > 0
    ? `[\n${value.map((item) => JSON.stringify(item)).join(",\n")}\n]`
    : JSON.stringify(value);
}

/** What a text of the page means; undefined when it cannot be a value of this type. The entry's schema decides the rest. */
export function settingFromText(type: SystemConfigEntry["type"], text: string): unknown {
  switch (type) {
    case "text":
      return text.trim();
    case "number":
      return /^-?\d{1,15}(\.\d{1,6})?$/.test(text.trim()) ? Number(text) : undefined;
    case "flag":
      return { true: true, false: false }[text.trim()];
    case "list":
      return parsed(text);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // refused by name
  }
}
