import { createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { ZipFile } from "yazl";
import type { FileStore } from "#lib/file-store.ts";
import type { PackedFileRow } from "./downloads.store.ts";

const unpack = promisify(gunzip);
const largestEntry = 20 * 1024 * 1024;

export interface ZipFilesOptions {
  path: string;
  fileStore: FileStore;
  /** In their order; read ahead no further than the package is written. */
  files: AsyncIterable<PackedFileRow>;
  onPacked: (count: number) => void;
  signal: AbortSignal;
}

/** Writes a zip of unpacked files with bounded memory; there under its name only when it is whole. @returns its size */
export async function zipFiles({ path, fileStore, files, onPacked, signal }: ZipFilesOptions): Promise<number> {
  const next = `${path}.part`;
  const zip = new ZipFile();
  let count = 0;
  // An entry is added when the one before it has been taken: only one file's bytes are held.
  const addAll = async () => {
    for await (const row of files) {
      signal.throwIfAborted();
      const content = await readEntry(fileStore, row);
      const taken = Promise.withResolvers<void>();
      const entry = Readable.from([content]);
      entry.once("close", taken.resolve);
      zip.addReadStream(entry, row.fileName, { mtime: new Date(row.receivedAt * 1000), mode: 0o100644, size: content.length });
      await Promise.race([taken.promise, aborted(signal)]);
      onPacked(++count);
    }
    zip.end();
  };
  try {
    const output = pipeline(zip.outputStream, createWriteStream(next, { mode: 0o600 }), { signal });
    await Promise.all([addAll(), output]);
    await sync(next);
    await rename(next, path);
    return (await stat(path)).size;
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}

/** What was stored, unpacked; a gzip that cannot be unpacked goes in as it is. */
async function readEntry(fileStore: FileStore, { hash, isGzip }: PackedFileRow): Promise<Buffer> {
  const stored = await fileStore.read(hash);
  if (!isGzip) return stored;
  try {
    return await unpack(stored, { maxOutputLength: largestEntry });
  } catch {
    return stored;
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

async function sync(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
