import { compress, type Encoding } from "./compression.ts";
import type { PreparedAnswer } from "./endpoints.ts";

/** A body that is made ready once and sent to many. */
export interface PreparedBody {
  /** Of the contents: equal ones keep the tag that clients know. */
  hash: string;
  body: Buffer;
  /** Compressed once per encoding that someone requested. */
  encoded: Map<Encoding, Promise<Uint8Array>>;
}

/** The body as the caller can read it, or 304 when it has these contents already. */
export async function answerPrepared(
  { hash, body, encoded }: PreparedBody,
  encoding: Encoding,
  ifNoneMatch: string | undefined,
): Promise<PreparedAnswer> {
  const etag = `"${hash}-${encoding}"`;
  const headers: Record<string, string> = {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "private, no-cache",
    vary: "accept-encoding, origin",
    etag,
  };
  if (ifNoneMatch === etag) return { status: 304, headers, body: "" };
  if (encoding === "identity") return { status: 200, headers, body };
  let bytes = encoded.get(encoding);
  if (!bytes) {
    bytes = compress(body, encoding);
    encoded.set(encoding, bytes);
  }
  headers["content-encoding"] = encoding;
  return { status: 200, headers, body: await bytes };
}
