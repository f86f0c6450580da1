import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { FileStore } from "./file-store.ts";
import { readStoredFile } from "./stored-file.ts";

const limit = 1_000;
const readFrom = (stored: Buffer | Error, isGzip: boolean) =>
  readStoredFile(
    { read: () => (stored instanceof Error ? Promise.reject(stored) : Promise.resolve(stored)) } as unknown as FileStore,
    { hash: Buffer.alloc(32), isGzip },
    limit,
  );

test("A-63 a file may have as many bytes as its limit, packed or not", async () => {
  const full = Buffer.alloc(limit, 7);
  expect(await readFrom(full, false)).toEqual(full);
  expect(await readFrom(gzipSync(full), true)).toEqual(full);
});

test("A-63 one more is too many, and is named by what it holds or says that it holds", async () => {
  const over = Buffer.alloc(limit + 1);
  for (const isGzip of [false, true])
    await expect(readFrom(isGzip ? gzipSync(over) : over, isGzip)).rejects.toThrow(`File too large (${limit + 1} bytes)`);
  const modest = gzipSync(Buffer.alloc(500_000));
  await expect(readFrom(modest, true)).rejects.toThrow("File too large (500000 bytes)");
  modest.writeUInt32LE(7, modest.length - 4);
  await expect(readFrom(modest, true)).rejects.toThrow(`File too large (${limit + 1} bytes)`);
});

test("A-63 what is no gzip or cut says so, also of a few bytes, bytes that are gone are named as such, and other failures are ours", async () => {
  for (const stored of [Buffer.from("no gzip"), Buffer.from([1]), gzipSync(Buffer.alloc(100)).subarray(0, -9)])
    await expect(readFrom(stored, true)).rejects.toThrow("Checksum mismatch");
  await expect(readFrom(Object.assign(new Error("gone"), { code: "ENOENT" }), true)).rejects.toThrow("The stored bytes are gone");
  await expect(readFrom(Object.assign(new Error("broken disk"), { code: "EIO" }), true)).rejects.toThrow("broken disk");
});
