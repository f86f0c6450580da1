import { createHash, randomBytes } from "node:crypto";

/** A node's password at the broker: 256 random bits, so that a fast hash is enough to keep it. */
export const newNodeSecret = (): string => randomBytes(32).toString("base64url");

/** What is stored of it. */
export const hashNodeSecret = (secret: string): Buffer => createHash("sha256").update(secret).digest();
