import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import type { DataFileKind } from "@busbar/contract/files/data-file-name.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contentHash, createFolderFileStore, type FileStore } from "#lib/file-store.ts";
import { zipEntries, zipTimes } from "#testing/zip-entries.ts";
import type { PackedFileRow } from "./downloads.store.ts";
import { deflateContent } from "./gzip-content.ts";
import { zipFiles } from "./zip-files.ts";
import { createZipWriter } from "./zip-writer.ts";

let folder: string;
let fileStore: FileStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "busbar-zip-"));
  fileStore = createFolderFileStore(join(folder, "files"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Stored {
  bytes: Buffer;
  isGzip?: boolean;
  kind?: DataFileKind;
  isGone?: boolean;
}

async function* rowsOf(files: readonly Stored[]): AsyncGenerator<PackedFileRow> {
  for (const [index, { bytes, isGzip = true, kind = "D", isGone = false }] of files.entries()) {
    const [hash] = isGone ? [contentHash(bytes)] : await fileStore.putAll([bytes]);
    yield {
      timestamp: index,
      kind,
      part: "",
      fileName: `${index}.txt`,
      hash: hash!,
      isGzip,
      storedBytes: bytes.length,
      receivedAt: 1.79e9,
    };
  }
}

async function pack(files: readonly Stored[], signal = new AbortController().signal) {
  const path = join(folder, "package.zip");
  const made = await zipFiles({ path, fileStore, files: rowsOf(files), onPacked: () => undefined, signal });
  const bytes = await readFile(path);
  expect(made.size).toBe(bytes.length);
  const entries = await zipEntries(bytes);
  expect(made.count).toBe(entries.size);
  return entries;
}

const text = Buffer.from("one\ntwo\nthree\n".repeat(50));
const more = Buffer.from("four\n".repeat(20));
const member = gzipSync(text);
/** The same with a name in its header. */
const named = Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 8]), member.subarray(4, 10), Buffer.from("a.txt\0"), member.subarray(10)]);
const noise = randomBytes(300_000);

test("what is deflated already is not deflated again", () => {
  const quick = gzipSync(text, { level: 0 });
  expect(deflateContent(quick)?.deflated).toEqual(quick.subarray(10, -8));
});

describe("an entry holds what its gzip does", () => {
  const cases: [string, Stored, Buffer][] = [
    ["one whole member", { bytes: member }, text],
    ["nothing", { bytes: gzipSync(Buffer.alloc(0)) }, Buffer.alloc(0)],
    ["two members", { bytes: Buffer.concat([member, gzipSync(more)]) }, Buffer.concat([text, more])],
    ["an empty member first", { bytes: Buffer.concat([gzipSync(Buffer.alloc(0)), member]) }, text],
    ["an empty member last", { bytes: Buffer.concat([member, gzipSync(Buffer.alloc(0))]) }, text],
    ["zeros behind its end", { bytes: Buffer.concat([member, Buffer.alloc(3)]) }, text],
    ["a name in its header", { bytes: named }, text],
    ["the mark of a gzip within it", { bytes: gzipSync(member) }, member],
    ["much in a little", { bytes: gzipSync(Buffer.alloc(2_000_000)), kind: "S" }, Buffer.alloc(2_000_000)],
    ["two large members", { bytes: Buffer.concat([gzipSync(noise), member]), kind: "E" }, Buffer.concat([noise, text])],
    ["large and not packed", { bytes: noise, isGzip: false, kind: "E" }, noise],
    ["small and not packed", { bytes: text, isGzip: false, kind: "X" }, text],
    ["empty and not packed", { bytes: Buffer.alloc(0), isGzip: false, kind: "X" }, Buffer.alloc(0)],
  ];
  for (const [what, file, content] of cases) {
    test(`holds what it should: ${what}`, async () => {
      // Between others: what is before and behind it must stay readable.
      const entries = await pack([{ bytes: gzipSync(more) }, file, { bytes: member }]);
      expect([...entries.keys()]).toEqual(["0.txt", "1.txt", "2.txt"]);
      expect([...entries.values()].map((each) => each.equals(content))[1]).toBe(true);
      expect([entries.get("0.txt"), entries.get("2.txt")]).toEqual([more, text]);
    });
  }
});

test("A-63 an entry carries the time at which its file was received, in every month, none before 1980", async () => {
  const received = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 28, 13, 47, 58)));
  const long = [new Date(Date.UTC(2043, 1, 1)), new Date(Date.UTC(1980, 11, 31, 23, 59, 58))];
  const path = join(folder, "times.zip");
  async function* files(): AsyncGenerator<PackedFileRow> {
    for await (const row of rowsOf([...received, ...long].map(() => ({ bytes: member }))))
      yield { ...row, receivedAt: [...received, ...long][row.timestamp]!.getTime() / 1000 };
  }
  await zipFiles({ path, fileStore, files: files(), onPacked: () => undefined, signal: new AbortController().signal });
  expect(await zipTimes(await readFile(path))).toEqual([...received, ...long]);
});

describe("what cannot be unpacked goes in as it is", () => {
  const broken = Buffer.from(member);
  broken[broken.length - 6]! ^= 1;
  const cut = gzipSync(noise).subarray(0, 200_000);
  const cases: [string, Stored][] = [
    ["cut", { bytes: member.subarray(0, -20) }],
    ["a wrong checksum", { bytes: broken }],
    ["no gzip at all", { bytes: text }],
    ["a large one that is cut", { bytes: cut, kind: "E" }],
    ["more than a file of its kind may hold", { bytes: gzipSync(Buffer.alloc(2_200_000)), kind: "S" }],
  ];
  for (const [what, file] of cases) {
    test(`holds what it should: ${what}`, async () => {
      const entries = await pack([{ bytes: member }, file, { bytes: member }]);
      expect(entries.get("1.txt")!.equals(file.bytes)).toBe(true);
      expect(entries.get("2.txt")).toEqual(text);
    });
  }
});

test("files whose bytes have gone are left out, small and large ones", async () => {
  const gone = (bytes: Buffer, isGzip: boolean): Stored => ({ bytes, isGzip, kind: "E", isGone: true });
  const files = [
    { bytes: member },
    gone(randomBytes(10), true),
    gone(randomBytes(99_999), false),
    gone(randomBytes(99_998), true),
    { bytes: member },
  ];
  expect([...(await pack(files)).keys()]).toEqual(["0.txt", "4.txt"]);
});

test("one that was given up leaves nothing behind", async () => {
  const stopping = new AbortController();
  const files = async function* () {
    yield* rowsOf([{ bytes: member }]);
    stopping.abort(new Error("given up"));
    yield* rowsOf([{ bytes: member }]);
  };
  const path = join(folder, "other.zip");
  const packing = zipFiles({ path, fileStore, files: files(), onPacked: () => undefined, signal: stopping.signal });
  await expect(packing).rejects.toThrow("given up");
  expect((await readdir(folder)).filter((name) => name.startsWith("other"))).toEqual([]);
});

test("more entries than sixteen bits can count are all there", async () => {
  const pieces: Uint8Array[] = [];
  const zip = createZipWriter((piece) => Promise.resolve(void pieces.push(Buffer.from(piece))));
  const deflated = deflateRawSync(more);
  const count = 70_000;
  for (let index = 0; index < count; index++)
    await zip.addDeflated(`${index}.txt`, deflated, { crc: crc32(more), size: more.length }, new Date(1.79e12));
  await zip.end();
  const names: string[] = [];
  const last = await zipEntries(Buffer.concat(pieces), (name) => names.push(name) === count);
  expect(names).toEqual(Array.from({ length: count }, (_, index) => `${index}.txt`));
  expect([...last.values()]).toEqual([more]);
});

test("A-63 what begins at four gigabytes or later is found by its far address, and what begins before by its near one", async () => {
  const far = 0xffff_ffff;
  const written: Buffer[] = [];
  // What is large is not looked at: no memory is taken for it.
  const zip = createZipWriter((piece) => Promise.resolve(void (piece.length < 1_000 && written.push(Buffer.from(piece)))));
  const headBytes = 31;
  const add = (name: string, length: number) => zip.addDeflated(name, Buffer.alloc(length), { crc: 0, size: 0 }, new Date(1.79e12));
  await add("a", 2 ** 31);
  await add("b", far - 1 - 2 ** 31 - 2 * headBytes);
  await add("c", 0);
  await add("d", 2 ** 20);
  await zip.end();
  const directory = Buffer.concat(written.slice(-2));
  const entries = [];
  let at = 0;
  for (; directory.readUInt32LE(at) === 0x0201_4b50;) {
    const extraLength = directory.readUInt16LE(at + 30);
    const extra = directory.subarray(at + 47, at + 47 + extraLength);
    const farAddress = extraLength === 0 ? undefined : [extra.readUInt16LE(0), extra.readUInt16LE(2), Number(extra.readBigUInt64LE(4))];
    entries.push([directory.toString("latin1", at + 46, at + 47), directory.readUInt32LE(at + 42), farAddress]);
    at += 47 + extraLength;
  }
  expect(entries).toEqual([
    ["a", 0, undefined],
    ["b", 2 ** 31 + headBytes, undefined],
    ["c", far - 1, undefined],
    ["d", far, [1, 8, far - 1 + headBytes]],
  ]);
  // How many there are, how long the directory is and where it begins; then where this is said.
  const begins = far - 1 + 2 * headBytes + 2 ** 20;
  const figures = [24, 32, 40, 48, 64].map((place) => Number(directory.readBigUInt64LE(at + place)));
  expect(figures).toEqual([4, 4, at, begins, begins + at]);
});

test("A-63 a store that cannot be read for a moment packs nothing, rather than a gzip as it is", async () => {
  let opened = 0;
  const open: FileStore["open"] = async (hash) => {
    const stored = await fileStore.open(hash);
    if (opened++ === 0) stored.destroy(Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" }));
    return stored;
  };
  const files = rowsOf([{ bytes: gzipSync(noise) }]);
  const path = join(folder, "sick.zip");
  const signal = new AbortController().signal;
  await expect(zipFiles({ path, fileStore: { ...fileStore, open }, files, onPacked: () => undefined, signal })).rejects.toThrow("EIO");
  expect((await readdir(folder)).filter((name) => name.startsWith("sick"))).toEqual([]);
});
