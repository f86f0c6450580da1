import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { fromBuffer } from "yauzl";
import type { Entry, ZipFile } from "yauzl";

/** Names and contents of a zip, read by another library; their sizes and checksums are right. */
export async function zipEntries(zip: Buffer, isWanted: (name: string) => boolean = () => true): Promise<Map<string, Buffer>> {
  const file = await promisify<Buffer, { lazyEntries: boolean }, ZipFile>(fromBuffer as never)(zip, { lazyEntries: true });
  const open = promisify(
    file.openReadStream.bind(file) as (one: Entry, done: (error: Error | null, stream: NodeJS.ReadableStream) => void) => void,
  );
  const entries = new Map<string, Buffer>();
  for (let left = file.entryCount; left > 0; left--) {
    const next = once(file, "entry") as Promise<[Entry]>;
    file.readEntry();
    const [entry] = await next;
    if (!isWanted(entry.fileName)) continue;
    const content = await buffer((await open(entry)) as Readable);
    if (crc32(content) !== entry.crc32) throw new Error(`${entry.fileName}: its checksum is another one`);
    entries.set(entry.fileName, content);
  }
  return entries;
}
