import { createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { gunzip, gunzipSync } from "node:zlib";
import type { FileStore } from "#lib/file-store.ts";
import type { PackedFileRow } from "./downloads.store.ts";
import { createZipWriter } from "./zip-writer.ts";

const unpack = promisify(gunzip);
const largestEntry = 20 * 1024 * 1024;
const inlineBytes = 64 * 1024;

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
  const pieces = async function* (): AsyncGenerator<Buffer> {
    const zip = createZipWriter();
    let count = 0;
    for await (const row of files) {
      signal.throwIfAborted();
      const modified = new Date(row.receivedAt * 1000);
      const stored = await fileStore.read(row.hash);
      const asItIs = row.isGzip && row.isExtracted ? zip.addGzip(row.fileName, stored, modified) : undefined;
      yield asItIs ?? (await zip.add(row.fileName, await readEntry(stored, row.isGzip), modified));
      onPacked(++count);
    }
    yield zip.end();
  };
  try {
    await pipeline(pieces, createWriteStream(next, { mode: 0o600 }), { signal });
    await sync(next);
    await rename(next, path);
    return (await stat(path)).size;
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}

/** What was stored, unpacked; a gzip that cannot be unpacked goes in as it is. */
async function readEntry(stored: Buffer, isGzip: boolean): Promise<Buffer> {
  if (!isGzip) return stored;
  try {
    // Thousands of small ones by another thread each would leave its memory in pieces.
    return stored.length < inlineBytes
      ? gunzipSync(stored, { maxOutputLength: largestEntry })
      : await unpack(stored, { maxOutputLength: largestEntry });
  } catch {
    return stored;
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
