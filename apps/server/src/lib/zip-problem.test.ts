import { expect, test } from "vitest";
import { sampleZip } from "#testing/sample-zip.ts";
import { zipProblem } from "./zip-problem.ts";

const withoutDirectory = "No zip archive, or it is cut off: it has no directory";

test("a whole zip has no problem, also with nothing in it or a comment behind it", async () => {
  const zip = await sampleZip(Buffer.from("a,b\n1,2\n"));
  expect(zipProblem(zip)).toBeUndefined();
  expect(zipProblem(Buffer.concat([Buffer.from("PK\u0005\u0006"), Buffer.alloc(18)]))).toBeUndefined();
  const commented = Buffer.concat([zip, Buffer.from("made by hand")]);
  commented.writeUInt16LE(12, zip.length - 2);
  expect(zipProblem(commented)).toBeUndefined();
});

test("a zip that is cut anywhere, and what is none", async () => {
  const zip = await sampleZip(Buffer.from("a,b\n1,2\n"));
  for (let length = 0; length < zip.length; length++) expect(zipProblem(zip.subarray(0, length))).toBe(withoutDirectory);
  expect(zipProblem(Buffer.from("a,b,c".repeat(40)))).toBe(withoutDirectory);
});

test("a zip without its beginning, or whose directory names what is not there", async () => {
  const zip = await sampleZip(Buffer.from("a,b\n1,2\n"));
  expect(zipProblem(zip.subarray(10))).toMatch(/^Damaged zip archive: entry 1/);
  const directory = zip.readUInt32LE(zip.length - 6);
  const changed = (at: number, value: number) => {
    const copy = Buffer.from(zip);
    copy.writeUInt32LE(value, at);
    return zipProblem(copy);
  };
  expect(changed(directory, 0)).toBe("Damaged zip archive: entry 1 of its directory");
  expect(changed(0, 0)).toBe("Damaged zip archive: entry 1 is not there to its end");
  expect(changed(directory + 20, 60_000)).toBe("Damaged zip archive: entry 1 is not there to its end");
});
