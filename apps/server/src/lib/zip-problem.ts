const endSignature = 0x06_05_4b_50;
const directorySignature = 0x02_01_4b_50;
const entrySignature = 0x04_03_4b_50;
const endLength = 22;
const longestComment = 0xff_ff;
/** Says that a Zip64 record has the number, which no file of 20 MB needs. */
const elsewhere16 = 0xff_ff;
const elsewhere32 = 0xff_ff_ff_ff;

/**
 * Why bytes are no whole zip (PKWARE APPNOTE 6.3): its directory is read, and that each entry is there to its end. What the entries hold stays
 * packed.
 */
export function zipProblem(content: Uint8Array): string | undefined {
  const zip = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const end = endOf(zip);
  if (end === undefined) return "No zip archive, or it is cut off: it has no directory";
  const count = zip.readUInt16LE(end + 10);
  let at = zip.readUInt32LE(end + 16);
  if (count === elsewhere16 || at === elsewhere32) return undefined;
  for (let index = 0; index < count; index++) {
    if (at + 46 > end || zip.readUInt32LE(at) !== directorySignature) return `Damaged zip archive: entry ${index + 1} of its directory`;
    const packed = zip.readUInt32LE(at + 20);
    const start = zip.readUInt32LE(at + 42);
    const isThere = start + 30 <= end && zip.readUInt32LE(start) === entrySignature;
    if (!isThere || start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28) + packed > end)
      return `Damaged zip archive: entry ${index + 1} is not there to its end`;
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return undefined;
}

function endOf(zip: Buffer): number | undefined {
  for (let at = zip.length - endLength; at >= Math.max(0, zip.length - endLength - longestComment); at--) {
    if (zip.readUInt32LE(at) === endSignature && at + endLength + zip.readUInt16LE(at + 20) === zip.length) return at;
  }
  return undefined;
}
