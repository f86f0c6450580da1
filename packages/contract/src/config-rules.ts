/** How a value of one configuration key may look. */
export interface ConfigRule {
  /** Its type on the wire. */
  wireType: "String" | "Int32" | "Double";
  /** The one spelling of a value; undefined when the value is not allowed. */
  canonical: (text: string) => string | undefined;
  /** What is allowed, in words that follow "must be". */
  allowed: string;
  /** The whole list when the value is one of a few. */
  options?: readonly string[];
}

const numberPattern = /^[+-]?\d{1,18}(\.\d{1,18})?(e[+-]?\d{1,3})?$/i;

function canonicalNumber(text: string, isAllowed: (n: number) => boolean): string | undefined {
  const word = text.trim();
  if (!numberPattern.test(word)) return undefined;
  const n = Number(word);
  // Minus zero is zero.
  return isAllowed(n) ? String(n + 0) : undefined;
}

export const textOf = (pattern: RegExp, allowed: string): ConfigRule => ({
  wireType: "String",
  canonical: (text) => (pattern.test(text.trim()) && text.isWellFormed() ? text.trim() : undefined),
  allowed,
});

export const choiceOf = (options: readonly string[]): ConfigRule => ({
  wireType: "String",
  canonical: (text) => options.find((option) => option.toLowerCase() === text.trim().toLowerCase()),
  allowed: `one of ${options.map((option) => option || "(blank)").join(", ")}`,
  options,
});

export const decimal = (low: number, high: number, unit = ""): ConfigRule => ({
  wireType: "Double",
  canonical: (text) => canonicalNumber(text, (n) => n >= low && n <= high),
  allowed: `a number from ${low} to ${high}${unit && ` ${unit}`}`,
});

export const integer = (isAllowed: (n: number) => boolean, allowed: string): ConfigRule => ({
  wireType: "Int32",
  canonical: (text) => canonicalNumber(text, (n) => Number.isInteger(n) && isAllowed(n)),
  allowed,
});

export const wholeNumber = (low: number, high: number, unit = ""): ConfigRule =>
  integer((n) => n >= low && n <= high, `a whole number from ${low} to ${high}${unit && ` ${unit}`}`);

function readBit(text: string): "0" | "1" | undefined {
  const word = text.trim().toLowerCase();
  if (word === "1" || word === "yes") return "1";
  return word === "0" || word === "no" ? "0" : undefined;
}

/** 1 or 0, also spelled yes and no. */
export const bit: ConfigRule = { wireType: "Int32", canonical: readBit, allowed: "1 or 0", options: ["1", "0"] };

export const yesNo: ConfigRule = {
  wireType: "String",
  canonical(text) {
    const value = readBit(text);
    return value === undefined ? undefined : value === "1" ? "yes" : "no";
  },
  allowed: "yes or no",
  options: ["yes", "no"],
};

export const macAddress: ConfigRule = {
  wireType: "String",
  canonical(text) {
    const word = text.trim();
    if (word.toLowerCase() === "none") return "none";
    return /^([0-9A-F]{2}:){5}[0-9A-F]{2}$/.test(word.toUpperCase()) ? word.toUpperCase() : undefined;
  },
  allowed: "a MAC address such as 02:42:AC:11:00:02, or none",
};

/** v123i123 are all channels, v1 is one, i23 are two, 0 is none. */
export const channelList = textOf(
  /^(?:0|(?=.)(?:v(?=[123])1?2?3?)?(?:i(?=[123])1?2?3?)?)$/,
  "a channel list such as v123i123, v1 or i23, or 0 for none",
);
