const rules: readonly [RegExp, string][] = [
  // A word that names a secret, and what is given for it.
  [
    /\b((?:[a-z]*(?:password|passcode|token|secret)|authorization|apikey|accesskey|code)["']?\s*[:=]\s*)(?:"[^"]*"?|'[^']*'?|(?:bearer |basic )?[^\s,;&)}]+)/gi,
    "$1[left out]",
  ],
  [/\b(bearer|basic)\s+[^\s,;]+/gi, "$1 [left out]"],
  [/\bey[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, "[left out]"],
  [/[^\s@"'<>()]+@[^\s@"'<>()]+\.[a-z]{2,}/gi, "[address]"],
  // Keys and secrets: long, without a separator, with digits among the letters, or base32.
  [/\b(?=[A-Za-z_]*\d)[A-Za-z0-9_]{20,}\b|\b[A-Z2-7]{16,}\b/g, "[left out]"],
];

/** Text of a program as others may read it: without what looks like a credential or someone's address. */
export const withoutSecrets = (text: string): string => rules.reduce((left, [pattern, put]) => left.replaceAll(pattern, put), text);
