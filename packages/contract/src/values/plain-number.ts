const plainNumber = /^[-+]?(\d+\.?\d*|\.\d+)$/;

/** A number as someone writes it: digits, at most one point. What is none, such as 1,000 or 1e3, stays the text that it is. */
export function readPlainNumber(text: string): number | string {
  const trimmed = text.trim();
  return plainNumber.test(trimmed) ? Number(trimmed) : trimmed;
}

/** What is wrong with something that should be a number, in words that follow its name. */
export function numberProblem(value: unknown): string {
  if (value === undefined || value === null || (typeof value === "string" && value.trim() === "")) return "is required: a number";
  if (typeof value === "string" && /\d,\d/.test(value)) return "has a comma: a number has a point before its decimals, such as 12.5";
  return "is not a number: write digits, with a point before decimals, such as 12.5";
}

/** What a schema says of a number that has the name `label`. */
export const numberError = (label: string) => ({ error: ({ input }: { readonly input?: unknown }) => `${label} ${numberProblem(input)}` });
