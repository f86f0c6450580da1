import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { ExtractionFailure } from "./extraction-failure.ts";

const unzip = promisify(gunzip);

/**
 * The bytes of a stored file, unpacked, at most `limit` of them: a small gzip may hold gigabytes.
 * @throws ExtractionFailure for what is too large or no gzip
 */
export async function unpack(stored: Buffer, isGzip: boolean, limit: number): Promise<Buffer> {
  if (!isGzip) {
    if (stored.length > limit) throw new ExtractionFailure(`File too large (${stored.length} bytes)`);
    return stored;
  }
  try {
    return await unzip(stored, { maxOutputLength: limit });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE") throw new ExtractionFailure("Checksum mismatch");
    throw new ExtractionFailure(`File too large (${Math.max(limit + 1, toldSize(stored))} bytes)`);
  }
}

// The last four bytes of a gzip tell the size of what it holds, modulo 2³².
function toldSize(stored: Buffer): number {
  return stored.length < 4 ? 0 : stored.readUInt32LE(stored.length - 4);
}

/** @throws ExtractionFailure when it is empty, holds a NUL byte or is not UTF-8 */
export function readText(content: Buffer): string {
  if (content.length === 0) throw new ExtractionFailure("Empty file");
  const nul = content.indexOf(0);
  if (nul >= 0) throw new ExtractionFailure(`NUL byte at ${nul}`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    throw new ExtractionFailure("Not UTF-8 text");
  }
}
