import { chownSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { makeFolders } from "#lib/make-folders.ts";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PostgresUser } from "./postgres-user.ts";
import { acquireProcessLock } from "./process-lock.ts";

const supportedMajor = "18";

/** Refuses a folder that holds something else, or another major version's database. */
export function refuseForeignFolder(dataDir: string): void {
  let names: string[];
  try {
    names = existsSync(dataDir) ? readdirSync(dataDir) : [];
  } catch (error) {
    throw new Error(`The data folder ${dataDir} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  if (names.includes("PG_VERSION")) {
    const major = readFileSync(join(dataDir, "PG_VERSION"), "utf8").trim();
    if (major !== supportedMajor)
      throw new Error(`The data folder ${dataDir} holds a PostgreSQL ${major} database; this version needs ${supportedMajor}.`);
  } else if (names.length > 0) {
    throw new Error(`The data folder ${dataDir} is not empty and holds no database of ours (found ${names[0]}). Choose another DATA_DIR.`);
  }
}

/** Makes the way to the folder and takes its lock; returns what releases the lock. */
export function lockFolder(dataDir: string): () => void {
  const parent = dirname(dataDir);
  try {
    makeFolders(parent);
    return acquireProcessLock(`${dataDir}.lock`, `The data folder ${parent}`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(`The data folder ${parent} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}

/** Private folder of the unix socket: short (a socket's path has at most 107 bytes) and always the same for a data folder. */
export function socketFolder(dataDir: string): string {
  const name = `busbar-${createHash("sha256").update(dataDir).digest("hex").slice(0, 12)}`;
  const folder = join(tmpdir(), name);
  return folder.length < 80 ? folder : join("/tmp", name);
}

/** Address of the server that listens in a socket folder. */
export const embeddedUrl = (socketDir: string): string => `postgresql://postgres@/postgres?host=${encodeURIComponent(socketDir)}`;

/** Makes a folder that only the database's user can enter. */
export function makePrivateFolder(folder: string, user: PostgresUser): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  const owners = [process.getuid?.(), user.ids?.uid];
  // Someone else's folder of this name would let them pose as our database.
  if (!found.isDirectory() || !owners.includes(found.uid)) throw new Error(`The folder ${folder} belongs to someone else. Remove it.`);
  if (user.ids) chownSync(folder, user.ids.uid, user.ids.gid);
}
