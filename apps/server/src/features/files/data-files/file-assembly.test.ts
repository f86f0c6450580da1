import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createFileAssembly } from "./file-assembly.ts";

const md5Of = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("hex");

/** An assembly of a file that was cut into parts of these lengths, and its parts. */
function cut(...lengths: number[]) {
  const whole = Buffer.from("abcdefghijklmnopqrstuvwxyz").subarray(
    0,
    lengths.reduce((sum, length) => sum + length, 0),
  );
  const head = { md5: md5Of(whole), size: whole.length };
  let from = 0;
  const parts = lengths.map((length, seq) => ({
    ...head,
    name: "a",
    parsed: undefined,
    isGzip: false,
    seq,
    bytes: whole.subarray(from, (from += length)),
  }));
  const assembly = createFileAssembly(head, 0);
  return { whole, assembly, add: (seq: number, at = seq) => assembly.add(parts[seq] as never, at) };
}

test("A-63 the last of parts of one length asks for those before it, each once, and the last of these completes the file", () => {
  const { whole, assembly, add } = cut(4, 4, 2);
  expect(add(2)).toBeUndefined();
  expect(add(0)).toBeUndefined();
  expect(assembly.missing()).toEqual([1]);
  expect(add(2, 7)).toBeUndefined();
  expect([assembly.held, assembly.touchedAt]).toEqual([6, 7]);
  expect(add(1)).toMatchObject({ bytes: whole });
});

test("A-63 a short part in the middle does not hide that one after it is there", () => {
  const { whole, assembly, add } = cut(4, 1, 1, 4);
  add(0);
  expect(add(3)).toEqual({ code: 100, missing: [1, 2] });
  expect(assembly.missing()).toEqual([1, 2]);
  expect(add(3)).toBeUndefined();
  expect(add(2)).toBeUndefined();
  expect(add(1)).toMatchObject({ bytes: whole });
});
