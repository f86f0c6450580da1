/** Sparkplug's scalar types: what a configuration value can have. */
export const configDatatypes = [
  "Int8",
  "Int16",
  "Int32",
  "Int64",
  "UInt8",
  "UInt16",
  "UInt32",
  "UInt64",
  "Float",
  "Double",
  "Boolean",
  "String",
  "DateTime",
  "Text",
  "UUID",
] as const;
export type ConfigDatatype = (typeof configDatatypes)[number];

/** How a value of one configuration key may look. */
export interface ConfigRule {
  /** Its type on the wire. */
  wireType: ConfigDatatype;
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

/**
 * What a datatype can hold, for a key that is in no catalogue: which of these values the node allows, only the node knows.
 * Values are spelled as a node's are shown, which is 7 digits of a Float and 15 of a Double.
 */
export function datatypeRule(datatype: ConfigDatatype): ConfigRule {
  switch (datatype) {
    case "Boolean":
      return { ...bit, wireType: datatype, canonical: readBoolean, allowed: "1 for true or 0 for false" };
    case "Float":
      return floating(datatype, Math.fround, 7);
    case "Double":
      return floating(datatype, (n) => n, 15);
    case "String":
    case "Text":
      return { ...shortText, wireType: datatype };
    case "UUID":
      return { wireType: datatype, canonical: readUuid, allowed: "a UUID such as 0b1f7f5e-3f0e-4d2c-9b59-2f4a5a1c7e11" };
    case "DateTime":
      return { ...bounded(datatype, 0n, 64n), allowed: "a time in milliseconds since 1970-01-01 UTC" };
    default: {
      const [, unsigned, bits = "0"] = /^(U?)Int(\d+)$/.exec(datatype) ?? [];
      return unsigned ? bounded(datatype, 0n, BigInt(bits)) : bounded(datatype, -(2n ** (BigInt(bits) - 1n)), BigInt(bits));
    }
  }
}

const shortText = textOf(/^[^\p{Cc}\u202A-\u202E\u2066-\u2069]{0,300}$/u, "at most 300 characters of text");

/** Whole numbers from `low` on that `bits` bits can distinguish. */
function bounded(wireType: ConfigDatatype, low: bigint, bits: bigint): ConfigRule {
  const high = low + 2n ** bits - 1n;
  return {
    wireType,
    canonical(text) {
      const word = text.trim();
      if (!/^[+-]?\d{1,20}$/.test(word)) return undefined;
      const value = BigInt(word);
      return value >= low && value <= high ? String(value) : undefined;
    },
    allowed: `a whole number from ${low} to ${high}`,
  };
}

function floating(wireType: ConfigDatatype, stored: (n: number) => number, digits: number): ConfigRule {
  return {
    wireType,
    canonical(text) {
      const word = text.trim();
      if (!numberPattern.test(word)) return undefined;
      const value = stored(Number(word));
      // Too large or too small to be held.
      if (!Number.isFinite(value) || (value === 0 && /^[+-]?[0.]*[1-9]/.test(word))) return undefined;
      return String(Number(value.toPrecision(digits)) + 0);
    },
    allowed: "a number",
  };
}

function readBoolean(text: string): "0" | "1" | undefined {
  const word = text.trim().toLowerCase();
  return readBit(word === "true" ? "1" : word === "false" ? "0" : word);
}

function readUuid(text: string): string | undefined {
  const word = text.trim().toLowerCase();
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(word) ? word : undefined;
}
