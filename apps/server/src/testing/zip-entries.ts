import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { fromBuffer, type Entry, type ZipFile } from "yauzl";

/** Names and contents of a zip, read by another library; their sizes and checksums are right. */
export async function zipEntries(zip: Buffer, isIncluded: (name: string) => boolean = () => true): Promise<Map<string, Buffer>> {
  const file = await openZip(zip);
  const open = promisify(
    file.openReadStream.bind(file) as (one: Entry, done: (error: Error | null, stream: NodeJS.ReadableStream) => void) => void,
  );
  const entries = new Map<string, Buffer>();
  for await (const entry of entriesOf(file)) {
    if (!isIncluded(entry.fileName)) continue;
    const content = await buffer((await open(entry)) as Readable);
    if (crc32(content) !== entry.crc32) throw new Error(`${entry.fileName}: its checksum is another one`);
    entries.set(entry.fileName, content);
  }
  return entries;
}

/** When each entry was modified, UTC. */
export async function zipTimes(zip: Buffer): Promise<Date[]> {
  const times: Date[] = [];
  for await (const entry of entriesOf(await openZip(zip))) times.push(entry.getLastModDate({ timezone: "UTC" }));
  return times;
}

const openZip = (zip: Buffer): Promise<ZipFile> =>
  promisify<Buffer, { lazyEntries: boolean }, ZipFile>(fromBuffer as never)(zip, { lazyEntries: true });

async function* entriesOf(file: ZipFile): AsyncGenerator<Entry> {
  for (let left = file.entryCount; left > 0; left--) {
    const next = once(file, "entry") as Promise<[Entry]>;
    file.readEntry();
    const [entry] = await next;
    yield entry;
  }
}
