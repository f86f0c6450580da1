import { promisify } from "node:util";
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib";

export type Encoding = "zstd" | "br" | "gzip" | "identity";
const preferred = ["zstd", "br", "gzip"] as const;

/** The encoding to answer with; `q=0` and `*` are rare enough to mean identity. */
export function chooseEncoding(accepted: string | string[] | undefined): Encoding {
  const names = String(accepted ?? "")
    .split(",")
    .map((part) => part.trim());
  return preferred.find((encoding) => names.includes(encoding)) ?? "identity";
}

/** In the usual parts of 16 KB each part of a body would wait for a thread and for the loop again. Json shrinks to less than an eighth. */
const chunkSize = ({ length }: Uint8Array) => Math.max(16_384, length >> 3);

const run = {
  zstd: (bytes: Uint8Array) =>
    promisify(zstdCompress)(bytes, { chunkSize: chunkSize(bytes), params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, { chunkSize: chunkSize(bytes), params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes, { chunkSize: chunkSize(bytes), level: 1 }),
  identity: (bytes: Uint8Array) => Promise.resolve(bytes),
};

/** Of bytes: what takes a core for tens of milliseconds. */
const largeBody = 1_048_576;
let lastLarge: Promise<unknown> = Promise.resolve();

/**
 * Compresses in the thread pool at the fastest level: bodies live for one tick. Large ones one after another: the pool would take all cores for them,
 * and whoever is answered meanwhile would wait for one.
 */
export function compress(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  if (bytes.length < largeBody || encoding === "identity") return run[encoding](bytes);
  const compressed = lastLarge.then(() => run[encoding](bytes));
  lastLarge = compressed.catch(() => undefined);
  return compressed;
}
