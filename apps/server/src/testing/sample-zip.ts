import { crc32, deflateRawSync } from "node:zlib";
import { createZipWriter } from "#features/files/downloads/zip-writer.ts";

/** A zip with two files, made as the product makes them. */
export async function sampleZip(content: Buffer): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const zip = createZipWriter((piece) => Promise.resolve(void pieces.push(Buffer.from(piece))));
  const packed = deflateRawSync(content);
  for (const name of ["one.csv", "two.csv"]) await zip.addDeflated(name, packed, { crc: crc32(content), size: content.length }, new Date());
  await zip.end();
  return Buffer.concat(pieces);
}
