import { randomToken } from "#lib/random-tokens.ts";

// An API key is `bbk_<9 random bytes>.<32 random bytes>`: the part before the dot is public and finds the row.
const publicBytes = 9;
const secretBytes = 32;

export interface NewKeyParts {
  /** Public part, kept and listed. */
  key: string;
  /** Shown once, kept as a hash. */
  secret: string;
}

export const newKeyParts = (kind: "api" | "access"): NewKeyParts => ({
  key: `${kind === "api" ? "bbk" : "bba"}_${randomToken(publicBytes)}`,
  secret: randomToken(secretBytes),
});

/** The API key as a program sends it. */
export const wholeApiKey = ({ key, secret }: NewKeyParts): string => `${key}.${secret}`;

/** The parts of an API key as a program sent it. */
export function splitApiKey(text: string): NewKeyParts {
  const [key = "", secret = ""] = text.split(".", 2);
  return { key, secret };
}
