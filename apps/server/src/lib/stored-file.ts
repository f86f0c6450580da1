import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { FileStore } from "./file-store.ts";
import { UnreadableFile } from "./unreadable-file.ts";

const unzip = promisify(gunzip);

/** Why a file cannot be read whose bytes were lost; it is read again when they come again. */
export const bytesGone = "The stored bytes are gone";

export interface StoredFile {
  hash: Buffer;
  isGzip: boolean;
}

/**
 * All bytes of a stored file, unpacked, at most `limit` of them: a small gzip may hold gigabytes.
 * @throws UnreadableFile for what is gone, too large or no gzip
 */
export async function readStoredFile(fileStore: FileStore, { hash, isGzip }: StoredFile, limit: number): Promise<Buffer> {
  return unpack(await readStored(fileStore, hash), isGzip, limit);
}

async function readStored(fileStore: FileStore, hash: Buffer): Promise<Buffer> {
  try {
    return await fileStore.read(hash);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new UnreadableFile(bytesGone);
  }
}

async function unpack(stored: Buffer, isGzip: boolean, limit: number): Promise<Buffer> {
  if (!isGzip) {
    if (stored.length > limit) throw new UnreadableFile(`File too large (${stored.length} bytes)`);
    return stored;
  }
  try {
    return await unzip(stored, { maxOutputLength: limit });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE") throw new UnreadableFile("Checksum mismatch");
    throw new UnreadableFile(`File too large (${Math.max(limit + 1, declaredSize(stored))} bytes)`);
  }
}

// The last four bytes of a gzip are the size of what it holds, modulo 2³².
function declaredSize(stored: Buffer): number {
  return stored.length < 4 ? 0 : stored.readUInt32LE(stored.length - 4);
}
