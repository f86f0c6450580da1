import { decodePayload, defaultDecodeLimits, type DecodeLimits } from "./decode.ts";
import { SparkplugDecodeError } from "./decode-error.ts";
import type { Payload } from "./payload.ts";

/** The uuid of a payload whose body is another one, compressed (as Eclipse Tahu does it). */
export const compressedUuid = "SPBV1.0_COMPRESSED";

/** DEFLATE is the zlib format (RFC 1950), as in all libraries. */
export type CompressionAlgorithm = "DEFLATE" | "GZIP";

/**
 * Unpacks a body, in the host's own way.
 * @throws SparkplugDecodeError for one that is broken, or larger than `maxBytes` when unpacked
 */
export type Inflate = (body: Uint8Array, algorithm: CompressionAlgorithm, maxBytes: number) => Uint8Array;

/** No more than a payload may have that comes as it is: compression saves the way, it is no way around the limit. */
export const maxInflatedBytes = 256 * 1024;

/**
 * Decodes a payload, unpacked if it is compressed. What the inner one lacks of seq and timestamp is taken from the outer one.
 * @throws SparkplugDecodeError and nothing else, whatever the bytes are
 */
export function decodeMaybeCompressed(bytes: Uint8Array, inflate: Inflate, limits: DecodeLimits = defaultDecodeLimits): Payload {
  const outer = decodePayload(bytes, limits);
  if (outer.uuid !== compressedUuid) return outer;
  const inflated = inflate(outer.body ?? new Uint8Array(), algorithmOf(outer), maxInflatedBytes);
  const inner = decodePayload(inflated, limits);
  if (inner.uuid === compressedUuid) throw new SparkplugDecodeError("compressed-twice");
  return { ...inner, inflatedBytes: inflated.length, seq: inner.seq ?? outer.seq, timestamp: inner.timestamp ?? outer.timestamp };
}

/** Without a word about it, it is DEFLATE. */
function algorithmOf({ metrics }: Payload): CompressionAlgorithm {
  const value = metrics.find(({ name }) => name === "algorithm")?.value ?? "DEFLATE";
  const algorithm = typeof value === "string" ? value.toUpperCase() : "";
  if (algorithm !== "DEFLATE" && algorithm !== "GZIP") throw new SparkplugDecodeError("compression-algorithm");
  return algorithm;
}
