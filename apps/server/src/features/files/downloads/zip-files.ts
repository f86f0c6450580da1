import { open, rename, rm, type FileHandle } from "node:fs/promises";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { FileStore } from "#lib/file-store.ts";
import { maxFileBytes } from "#lib/file-limits.ts";
import type { PackedFileRow } from "./downloads.store.ts";
import { deflateContent } from "./gzip-content.ts";
import { createZipWriter, type ZipWriter } from "./zip-writer.ts";

/** Larger ones are never held as a whole. */
const inlineBytes = 64 * 1024;
const chunkBytes = 256 * 1024;

export interface ZipFilesOptions {
  path: string;
  fileStore: FileStore;
  /** In their order; read ahead no further than the package is written. */
  files: AsyncIterable<PackedFileRow>;
  onPacked: (count: number) => void;
  signal: AbortSignal;
}

/**
 * Writes a zip of unpacked files with bounded memory; there under its name only when it is whole. A file whose bytes went meanwhile
 * is left out. @returns size and number of files
 */
export async function zipFiles({ path, fileStore, files, onPacked, signal }: ZipFilesOptions): Promise<{ size: number; count: number }> {
  const next = `${path}.part`;
  const file = await open(next, "w", 0o600);
  try {
    const sink = createChunkWriter(file);
    const zip = createZipWriter((piece) => sink.write(piece));
    let count = 0;
    for await (const row of files) {
      signal.throwIfAborted();
      try {
        await addFile(zip, fileStore, row);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
        continue;
      }
      onPacked(++count);
    }
    await zip.end();
    await sink.flush();
    await file.sync();
    const { size } = await file.stat();
    await file.close();
    await rename(next, path);
    return { size, count };
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(next, { force: true });
    throw error;
  }
}

async function addFile(zip: ZipWriter, fileStore: FileStore, row: PackedFileRow): Promise<void> {
  const { fileName, hash, isGzip, storedBytes } = row;
  const modified = new Date(row.receivedAt * 1000);
  if (isGzip && storedBytes <= inlineBytes) {
    const content = deflateContent(await fileStore.read(hash));
    if (content) return zip.addDeflated(fileName, content.deflated, content, modified);
  }
  const isUnpackable = isGzip && (await canUnpack(await fileStore.open(hash), maxFileBytes[row.kind]));
  const stored = await fileStore.open(hash);
  // A gzip that cannot be unpacked goes in as it is.
  await zip.addStream(fileName, isUnpackable ? pipeline(stored, createGunzip(), () => undefined) : stored, modified);
}

/** Reads a gzip of any number of members to its end, keeping nothing of it. */
async function canUnpack(stored: Readable, limit: number): Promise<boolean> {
  let size = 0;
  try {
    for await (const piece of pipeline(stored, createGunzip(), () => undefined) as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > limit) return false;
    }
    return true;
  } catch (error) {
    if (!isNoGzip(error)) throw error;
    return false;
  }
}

const isNoGzip = (error: unknown): boolean => (error as NodeJS.ErrnoException).code?.startsWith("Z_") === true;

/** Gathers small pieces into chunks, always in the same memory. */
function createChunkWriter(file: FileHandle) {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let used = 0;
  const flush = async (): Promise<void> => {
    for (let done = 0; done < used;) done += (await file.write(chunk, done, used - done)).bytesWritten;
    used = 0;
  };
  return {
    async write(piece: Uint8Array): Promise<void> {
      for (let rest = piece; rest.length > 0;) {
        if (used === chunkBytes) await flush();
        const part = rest.subarray(0, chunkBytes - used);
        chunk.set(part, used);
        used += part.length;
        rest = rest.subarray(part.length);
      }
    },
    flush,
  };
}
