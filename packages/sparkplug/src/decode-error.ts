export type DecodeReason =
  | "truncated"
  | "varint-too-long"
  | "length-beyond-buffer"
  | "wrong-wire-type"
  | "invalid-field"
  | "too-many-metrics"
  | "too-many-elements"
  | "too-deep"
  | "string-too-long"
  | "invalid-utf8"
  | "alias-too-large"
  | "dataset-shape"
  | "properties-shape"
  | "value-outside-type"
  | "compression-algorithm"
  | "compression-broken"
  | "compression-too-large"
  | "compressed-twice";

const sentences: Record<DecodeReason, string> = {
  truncated: "the payload ends inside a field",
  "varint-too-long": "a varint is longer than 10 bytes",
  "length-beyond-buffer": "a length points beyond its message",
  "wrong-wire-type": "a field has the wrong wire type",
  "invalid-field": "a field number is 0",
  "too-many-metrics": "the payload has too many metrics",
  "too-many-elements": "a data set or property set has too many elements",
  "too-deep": "templates or property sets are nested too deeply",
  "string-too-long": "a string is too long",
  "invalid-utf8": "a string is not UTF-8",
  "alias-too-large": "an alias is beyond 2^53",
  "dataset-shape": "the columns, types and rows of a data set do not fit each other",
  "properties-shape": "the keys and values of a property set do not fit each other",
  "value-outside-type": "a value does not fit its datatype",
  "compression-algorithm": "its compression is neither DEFLATE nor GZIP",
  "compression-broken": "its compressed body cannot be unpacked",
  "compression-too-large": "its compressed body is too large when unpacked",
  "compressed-twice": "its compressed body is compressed again",
};

/** The only error that `decodePayload` throws: the bytes are no Sparkplug payload, or exceed a limit. */
export class SparkplugDecodeError extends Error {
  override name = "SparkplugDecodeError";
  reason: DecodeReason;
  constructor(reason: DecodeReason) {
    super(`Not a Sparkplug payload: ${sentences[reason]}`);
    this.reason = reason;
  }
}
