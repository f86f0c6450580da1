import { createHash, randomBytes } from "node:crypto";

/**
 * A node's password at the broker: 256 random bits, so that a fast hash is enough to keep it. It begins with a letter or digit: with a dash
 * first, a spreadsheet would take it for a formula and a command for an option.
 */
export function newNodeSecret(): string {
  const secret = randomBytes(32).toString("base64url");
  return /^[a-z\d]/i.test(secret) ? secret : newNodeSecret();
}

/** What is stored of it. */
export const hashNodeSecret = (secret: string): Buffer => createHash("sha256").update(secret).digest();
