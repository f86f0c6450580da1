/** A segment of a JPEG: its marker, its length, its content. */
export const jpegSegment = (marker: number, content: Uint8Array | string): Buffer => {
  const bytes = Buffer.from(content);
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(bytes.length + 2, 2);
  return Buffer.concat([head, bytes]);
};

export const jpegStart = Buffer.from([0xff, 0xd8]);
export const jpegEnd = Buffer.from([0xff, 0xd9]);
export const jfif = jpegSegment(0xe0, Buffer.from("JFIF\0\x01\x01\0\0\x01\0\x01\0\0", "latin1"));

/** A table with one symbol, whose code is a single 0. */
const oneCode = (id: number) => jpegSegment(0xc4, Buffer.from([id, 1, ...Array.from({ length: 15 }, () => 0), 0]));

export interface TestPicture {
  /** Makes pictures differ. */
  quantum?: number;
  frame?: number;
  width?: number;
  height?: number;
}

/** Tables, frame and scan of a grey picture of 8 x 8 pixels: what every decoder shows. */
export function jpegPicture({ quantum = 1, frame = 0xc0, width = 8, height = 8 }: TestPicture = {}): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16BE(height, 0);
  size.writeUInt16BE(width, 2);
  return Buffer.concat([
    jpegSegment(0xdb, Buffer.from([0, ...Array.from({ length: 64 }, () => quantum)])),
    jpegSegment(frame, Buffer.from([8, ...size, 1, 1, 0x11, 0])),
    oneCode(0x00),
    oneCode(0x10),
    jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x3f]),
  ]);
}

export const testJpeg = (picture: TestPicture = {}): Buffer => Buffer.concat([jpegStart, jfif, jpegPicture(picture), jpegEnd]);

/** APP1 with the orientation, the camera and the place of a photo, as phones write it. */
export function exifOfPhone(): Buffer {
  const entry = (tag: number, type: number, count: number, value: number | string) => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt16LE(tag, 0);
    bytes.writeUInt16LE(type, 2);
    bytes.writeUInt32LE(count, 4);
    if (typeof value === "number") bytes.writeUInt32LE(value, 8);
    else bytes.write(value, 8, "latin1");
    return bytes;
  };
  const count = (entries: number) => Buffer.from([entries, 0]);
  const next = Buffer.alloc(4);
  const rationals = Buffer.alloc(24);
  [47, 1, 36, 1, 2216, 100].forEach((part, index) => rationals.writeUInt32LE(part, index * 4));
  const model = Buffer.from("Pear Phone 9\0", "latin1");
  const modelAt = 8 + 2 + 3 * 12 + 4;
  const gpsAt = modelAt + model.length;
  const rationalsAt = gpsAt + 2 + 2 * 12 + 4;
  return jpegSegment(
    0xe1,
    Buffer.concat([
      Buffer.from("Exif\0\0II*\0\x08\0\0\0", "latin1"),
      count(3),
      entry(0x0110, 2, model.length, modelAt),
      entry(0x0112, 3, 1, 6),
      entry(0x8825, 4, 1, gpsAt),
      next,
      model,
      count(2),
      entry(1, 2, 2, "N\0"),
      entry(2, 5, 3, rationalsAt),
      next,
      rationals,
    ]),
  );
}
