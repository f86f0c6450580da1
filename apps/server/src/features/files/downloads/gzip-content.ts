import { crc32, deflateRawSync, gunzipSync, inflateRawSync } from "node:zlib";

/** Deflated bytes, with checksum and size of what they hold. */
export interface DeflatedContent {
  deflated: Buffer;
  crc: number;
  size: number;
}

/** Deflated, without name, comment or extra fields. */
const plainHeader = 0x1f8b0800;
const headerBytes = 10;
const trailerBytes = 8;
/** Of a gzip's content that is held in memory. */
const largestContent = 1024 * 1024;

/**
 * What a small gzip holds, deflated; the gzip itself when it cannot be unpacked. Undefined when it holds more than 1 MB.
 */
export function deflateContent(gzip: Buffer): DeflatedContent | undefined {
  return takeOver(gzip) ?? deflateAgain(gzip);
}

/**
 * The deflated bytes of a gzip (RFC 1952) that is nothing but one whole member with a plain header. Where they end only inflating shows:
 * a second member may follow, or bytes that belong to none.
 */
function takeOver(gzip: Buffer): DeflatedContent | undefined {
  if (gzip.length < headerBytes + trailerBytes || gzip.readUInt32BE(0) !== plainHeader) return undefined;
  const body = gzip.subarray(headerBytes);
  const end = body.length - trailerBytes;
  try {
    const { buffer, engine } = inflateRawSync(body, { info: true, maxOutputLength: largestContent }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    const crc = crc32(buffer);
    const isWhole = engine.bytesWritten === end && crc === body.readUInt32LE(end) && buffer.length === body.readUInt32LE(end + 4);
    return isWhole ? { deflated: body.subarray(0, end), crc, size: buffer.length } : undefined;
  } catch {
    return undefined;
  }
}

function deflateAgain(gzip: Buffer): DeflatedContent | undefined {
  let content = gzip;
  try {
    content = gunzipSync(gzip, { maxOutputLength: largestContent });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") return undefined;
  }
  return { deflated: deflateRawSync(content), crc: crc32(content), size: content.length };
}
