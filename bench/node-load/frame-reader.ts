/** Splits what a socket receives into MQTT frames; of each it gives the first byte and where its body is. */
export function createFrameReader(
  onFrame: (firstByte: number, chunk: Buffer, bodyAt: number, bodyEnd: number) => void,
): (chunk: Buffer) => void {
  let rest: Buffer | undefined;

  return (chunk) => {
    const bytes = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
    rest = undefined;
    let at = 0;
    while (at < bytes.length) {
      const frame = readLength(bytes, at + 1);
      if (frame === undefined || frame.bodyAt + frame.length > bytes.length) {
        rest = bytes.subarray(at);
        return;
      }
      onFrame(bytes[at] ?? 0, bytes, frame.bodyAt, frame.bodyAt + frame.length);
      at = frame.bodyAt + frame.length;
    }
  };
}

function readLength(bytes: Buffer, from: number): { length: number; bodyAt: number } | undefined {
  let length = 0;
  for (let index = 0; index < 4; index++) {
    const byte = bytes[from + index];
    if (byte === undefined) return undefined;
    length += (byte & 0x7f) * 0x80 ** index;
    if (byte < 0x80) return { length, bodyAt: from + index + 1 };
  }
  throw new Error("A frame's length has more than four bytes");
}
