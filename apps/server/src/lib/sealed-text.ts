import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const prefix = "sealed1:";
const ivBytes = 12;
const tagBytes = 16;

/** Text that only holders of the 256-bit key can read or change (AES-256-GCM); `owner` binds it to its row. */
export function sealText(text: string, key: Uint8Array, owner: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return prefix + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64");
}

export const isSealedText = (text: string): boolean => text.startsWith(prefix);

/** @throws Error when it was changed, or belongs to another owner or key */
export function openSealedText(stored: string, key: Uint8Array, owner: string): string {
  if (!isSealedText(stored)) return stored; // from before secrets were sealed
  const bytes = Buffer.from(stored.slice(prefix.length), "base64");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, ivBytes))
    .setAAD(Buffer.from(owner))
    .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString("utf8");
}
