/** Names of protobuf fields by number; a map in place of a word is a message inside. */
interface Schema {
  [field: number]: string | [name: string, schema: Schema];
}

const propertyValue: Schema = { 1: "type", 2: "is_null", 3: "int_value", 4: "long_value", 5: "float_value", 8: "string_value" };
const propertySet: Schema = { 1: "key", 2: ["value", propertyValue] };
const metric: Schema = {
  1: "name",
  2: "alias",
  3: "timestamp",
  4: "datatype",
  5: "is_historical",
  7: "is_null",
  9: ["properties", propertySet],
  10: "int_value",
  11: "long_value",
  12: "float_value",
  13: "double_value",
  14: "boolean_value",
  15: "string_value",
};
const payload: Schema = { 1: "timestamp", 2: ["metric", metric], 3: "seq", 4: "uuid", 5: "body" };

/** The bytes of a Sparkplug payload, a field on each line, with what they say. */
export function annotatePayload(bytes: Uint8Array): string {
  return annotate(Buffer.from(bytes), payload, 0).join("\n");
}

function annotate(bytes: Buffer, schema: Schema, depth: number): string[] {
  const lines: string[] = [];
  for (let position = 0; position < bytes.length;) {
    const start = position;
    const varint = () => {
      let value = 0n;
      for (let shift = 0n; ; shift += 7n) {
        const byte = BigInt(bytes[position++]!);
        value |= (byte & 0x7fn) << shift;
        if (byte < 0x80n) return value;
      }
    };
    const key = Number(varint());
    const wireType = key & 7;
    const field = schema[key >> 3] ?? `field ${key >> 3}`;
    const name = typeof field === "string" ? field : field[0];
    const line = (end: number, text: string) => {
      const hex = (bytes.subarray(start, end).toString("hex").match(/../g) ?? []).join(" ");
      lines.push(`${"  ".repeat(depth)}${hex}  # ${text}`);
    };
    if (wireType === 0) {
      const value = varint();
      line(position, `${name} ${value}`);
    } else if (wireType === 5) {
      line(position + 4, `${name} ${bytes.readFloatLE(position)}`);
      position += 4;
    } else if (wireType === 1) {
      line(position + 8, `${name} ${bytes.readDoubleLE(position)}`);
      position += 8;
    } else {
      const length = Number(varint());
      const inner = bytes.subarray(position, position + length);
      if (typeof field === "string") line(position + length, `${name} "${inner.toString()}"`);
      else {
        line(position, `${name}, ${length} bytes`);
        lines.push(...annotate(inner, field[1], depth + 1));
      }
      position += length;
    }
  }
  return lines;
}
