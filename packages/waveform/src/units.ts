const prefixes: Readonly<Record<string, string>> = {
  "": "",
  k: "k",
  kilo: "k",
  m: "m",
  milli: "m",
  mega: "M",
  u: "µ",
  µ: "µ",
  μ: "µ",
  micro: "µ",
};

/** Words for one unit, in lower case; the prefixes above may come before them. */
const words: readonly (readonly [unit: string, ...words: string[]])[] = [
  ["A", "a", "amp", "amps", "ampere", "amperes", "ampère", "ampères"],
  ["V", "v", "volt", "volts"],
  ["Hz", "hz", "hertz", "cps"],
  ["W", "w", "watt", "watts"],
  ["VA", "va", "volt-ampere", "volt-amperes", "voltampere", "voltamperes"],
  ["var", "var", "vars", "vr"],
  ["°", "°", "º", "deg", "degs", "degr", "degree", "degrees", "el.deg"],
  ["%", "%", "percent", "pct", "pc"],
  ["s", "s", "sec", "secs", "second", "seconds"],
  ["Ω", "ω", "ohm", "ohms"],
];
const units = new Map(words.flatMap(([unit, ...names]) => names.map((name) => [name, unit] as const)));
const prefixed = /^(kilo|milli|mega|micro|[kmuµμ])[ -]?(.+)$/;

const longest = 40;

// Which of its values a channel holds, and on which side of its transformer: `V rms`, `kA (pri)`, `A_pk`.
const qualifier =
  /[\s_.,/-]*(?:r\.?m\.?s\.?|eff|peak|pk|inst(?:antaneous)?|prim(?:ary)?|pri|sec(?:ondary)?|ac|dc|ph-?ph|ph-?n|l-?[lng])[\s.)\]]*$/i;

/**
 * A unit as the field writes it, of the many ways in which recorders do: `AMPERE`, `Amps`, `KV`, `V rms`, `degrees`. What is no unit that
 * is known stays as it is.
 */
export function canonicalUnit(written: string): string {
  if (written.length > longest) return written.trim();
  let text = written.trim().replace(/^[[(](.*)[\])]$/, "$1");
  for (let left = 3; left > 0; left--) {
    const unit = knownUnit(text.trim());
    if (unit !== undefined) return unit;
    text = text.replace(qualifier, "").replace(/[\s_.,/([-]+$/, "");
  }
  return written.trim();
}

function knownUnit(text: string): string | undefined {
  const lower = text.toLowerCase();
  const whole = units.get(lower);
  if (whole !== undefined) return whole;
  const [, prefix = "", name = ""] = prefixed.exec(lower) ?? [];
  const unit = units.get(name);
  // Only a capital distinguishes a million from a thousandth: no recorder counts thousandths of a watt.
  const isMega = prefix === "m" && (text.startsWith("M") || ["W", "VA", "var"].includes(unit ?? "")) && !/^MA(MP|$)/i.test(text);
  return unit && `${isMega ? "M" : prefixes[prefix]}${unit}`;
}
