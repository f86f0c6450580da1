/** Search parameters are plain strings: `filterText=10001` stays text and is written without quotes. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Texts and numbers are written; what is empty or anything else is left out. */
export function stringifySearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === "number" || (typeof value === "string" && value !== "")) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text ? `?${text}` : "";
}
