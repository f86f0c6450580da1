import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openTypeOf } from "./woff.ts";

/** As OpenType adds up a table: 32-bit words, wrapping. */
function checksum(table: Buffer): number {
  const padded = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]);
  let sum = 0;
  for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0;
  return sum;
}

test("every table of the font comes out as its checksum says", () => {
  const woff = readFileSync(fileURLToPath(import.meta.resolve("@fontsource/unifont/files/unifont-latin-400-normal.woff")));
  const font = openTypeOf(woff);
  const count = font.readUInt16BE(4);
  expect(count).toBeGreaterThan(8);
  for (let index = 0; index < count; index++) {
    const entry = 12 + 16 * index;
    const [tag, sum] = [font.toString("latin1", entry, entry + 4), font.readUInt32BE(entry + 4)];
    const at = font.readUInt32BE(entry + 8);
    const table = Buffer.from(font.subarray(at, at + font.readUInt32BE(entry + 12)));
    // The field that completes the whole font's checksum does not count.
    if (tag === "head") table.writeUInt32BE(0, 8);
    expect([tag, checksum(table)]).toEqual([tag, sum]);
  }
  expect(() => openTypeOf(font)).toThrow("Not a WOFF file");
});
