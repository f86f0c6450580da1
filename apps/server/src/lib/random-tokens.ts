import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A random text of `bytes` × 8 bits, made of letters, digits, - and _. */
export const randomToken = (bytes: number): string => randomBytes(bytes).toString("base64url");

/** What is stored of a random secret: so many random bits need no slow hash. */
export const hashToken = (token: string): Buffer => createHash("sha256").update(token).digest();

/** Whether a token has this hash, in a time that reveals nothing about it. */
export const isTokenOf = (token: string, hash: Uint8Array): boolean => {
  const given = hashToken(token);
  return given.length === hash.length && timingSafeEqual(given, hash);
};
