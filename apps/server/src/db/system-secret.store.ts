import { randomBytes } from "node:crypto";
import { isSealedText, openSealedText, sealText } from "#lib/sealed-text.ts";
import type { SecretsKey } from "./secrets-key.ts";
import { planned, type Db } from "./statement.ts";

const secretBytes = 32;
const ownerOf = (name: string): string => `system secret ${name}`;

/**
 * A secret of this installation, made at first use, sealed by `key` and shared by all processes.
 * @throws Error when the key is not the one that sealed it
 */
export async function systemSecret(db: Db, name: string, key: SecretsKey): Promise<Uint8Array> {
  const stored = (await read(db, name)) ?? (await make(db, name, key));
  // An older version kept it in the clear.
  return open(isSealedText(stored.toString()) ? stored : await seal(db, name, key, stored), name, key);
}

async function read(db: Db, name: string): Promise<Buffer | undefined> {
  const rows = await planned<{ value: Buffer }>(db, "system-secret", [name])`select value from system_secret where name = $1`;
  return rows[0]?.value;
}

async function make(db: Db, name: string, key: SecretsKey): Promise<Buffer> {
  await planned(db, "make-system-secret", [name, sealed(randomBytes(secretBytes), name, key)])`
    insert into system_secret (name, value) values ($1, $2) on conflict do nothing`;
  return await written(db, name);
}

async function seal(db: Db, name: string, key: SecretsKey, clear: Buffer): Promise<Buffer> {
  await planned(db, "seal-system-secret", [name, clear, sealed(clear, name, key)])`
    update system_secret set value = $3 where name = $1 and value = $2`;
  return await written(db, name);
}

/** What this process or another one wrote just now. */
async function written(db: Db, name: string): Promise<Buffer> {
  const value = await read(db, name);
  if (!value) throw new Error(`The system secret ${name} vanished while it was read`);
  return value;
}

const sealed = (value: Buffer, name: string, key: SecretsKey): Buffer =>
  Buffer.from(sealText(value.toString("base64"), key.forSealing(), ownerOf(name)));

function open(stored: Buffer, name: string, key: SecretsKey): Uint8Array {
  const bytes = key.forOpening();
  try {
    return new Uint8Array(Buffer.from(openSealedText(stored.toString(), bytes, ownerOf(name)), "base64"));
  } catch (error) {
    throw new Error(
      `The secrets of this database were sealed with another key than that of ${key.file}. Bring the key file of the server that made them (SECRETS_KEY_FILE).`,
      { cause: error },
    );
  }
}
