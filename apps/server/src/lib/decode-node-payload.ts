import { gunzipSync, inflateSync } from "node:zlib";
import { decodeMaybeCompressed, type Inflate } from "@busbar/sparkplug/compressed.ts";
import { SparkplugDecodeError } from "@busbar/sparkplug/decode-error.ts";
import type { Payload } from "@busbar/sparkplug/payload.ts";

const inflate: Inflate = (body, algorithm, maxOutputLength) => {
  try {
    return algorithm === "GZIP" ? gunzipSync(body, { maxOutputLength }) : inflateSync(body, { maxOutputLength });
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    throw new SparkplugDecodeError(isTooLarge ? "compression-too-large" : "compression-broken");
  }
};

/**
 * The payload of a node's message, compressed or not.
 * @throws SparkplugDecodeError
 */
export const decodeNodePayload = (bytes: Uint8Array): Payload => decodeMaybeCompressed(bytes, inflate);
