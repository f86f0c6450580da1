import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolders } from "#lib/make-folders.ts";

const keyBytes = 32;

/** Seals the secrets that the database keeps. It is outside of it, so that no one reads them in a dump or a stolen backup. */
export interface SecretsKey {
  file: string;
  /** @throws Error when the file is not there or holds no key */
  forOpening(): Uint8Array;
  /** Makes the key when there is none yet. */
  forSealing(): Uint8Array;
}

export function createSecretsKey(file: string): SecretsKey {
  return {
    file,
    forOpening() {
      return readKey(file);
    },
    forSealing() {
      makeKey(file);
      return readKey(file);
    },
  };
}

/** Where the key is by default. */
export const secretsKeyFileIn = (dataDir: string): string => join(dataDir, "secrets.key");

export const secretsKeyOf = (dataDir: string): SecretsKey => createSecretsKey(secretsKeyFileIn(dataDir));

function readKey(file: string): Uint8Array {
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new Error(`The key of this database's secrets cannot be read (SECRETS_KEY_FILE): ${(error as Error).message}`, { cause: error });
  }
  const key = Buffer.from(text, "base64url");
  if (key.length !== keyBytes || key.toString("base64url") !== text) throw new Error(`SECRETS_KEY_FILE ${file} holds no key of ours.`);
  return new Uint8Array(key);
}

// An existing file is never written: it may hold the only copy. Another process that starts at the same moment finds all of it or nothing.
function makeKey(file: string): void {
  if (existsSync(file)) return;
  const draft = `${file}.${randomUUID()}`;
  try {
    makeFolders(dirname(file));
    writeFileSync(draft, `${randomBytes(keyBytes).toString("base64url")}\n`, { mode: 0o600, flag: "wx", flush: true });
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return;
    throw new Error(`The key of this database's secrets cannot be made (SECRETS_KEY_FILE): ${(error as Error).message}`, { cause: error });
  } finally {
    rmSync(draft, { force: true });
  }
}
