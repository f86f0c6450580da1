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

/** In the usual parts of 16 KB each part of a body would wait for a thread and for the loop again. Json shrinks to less than a quarter. */
const chunkSize = ({ length }: Uint8Array) => Math.max(16_384, length >> 2);

const run = {
  zstd: (bytes: Uint8Array) =>
    promisify(zstdCompress)(bytes, { chunkSize: chunkSize(bytes), params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, { chunkSize: chunkSize(bytes), params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes, { chunkSize: chunkSize(bytes), level: 1 }),
  identity: (bytes: Uint8Array) => Promise.resolve(bytes),
};

/** Compresses in the thread pool at the fastest level: bodies live for one tick. */
export const compress = (bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array> => run[encoding](bytes);
