import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import type { Metric } from "@busbar/sparkplug/payload.ts";
import { expect, test } from "vitest";
import { nameOf } from "#testing/sample-files.ts";
import { readFilePart } from "./file-part.ts";

const [serial, at, md5] = [10_234, 1_790_000_100, "0123456789abcdef0123456789ABCDEF"];
const name = nameOf(serial, at, "D");
const read = (metadata: object, value: unknown = new Uint8Array(3), metricName: string = metricNames.dataFile) =>
  readFilePart({ name: metricName, value, metadata: { fileName: name, size: 3, md5, ...metadata } } as unknown as Metric, serial);
const limit = 256 * 1024;
const largestPart = 64 * 1024;

test("A-63 a part has what is said of it, its digest in small letters", () => {
  const part = { name, parsed: { serial, kind: "D" }, seq: 0, size: 3, md5: md5.toLowerCase(), isGzip: false, bytes: new Uint8Array(3) };
  expect(read({})).toMatchObject(part);
  expect(read({ isMultiPart: true, seq: 9_999, contentType: "application/gzip" })).toMatchObject({ ...part, seq: 9_999, isGzip: true });
  expect(read({ size: limit }, new Uint8Array(largestPart))).toMatchObject({ size: limit });
  expect(read({ size: 0 }, new Uint8Array(0))).toMatchObject({ size: 0 });
});

test.each([
  [metricNames.dataFile, "D", undefined],
  [metricNames.oneSecondFile, "S", undefined],
  [metricNames.harmonicsFile, "H", undefined],
  [metricNames.eventFile, "E", "cev"],
] as const)("A-63 %s carries files of its kind only", (metricName, kind, part) => {
  expect(read({ fileName: nameOf(serial, at, kind, part) }, new Uint8Array(3), metricName)).toMatchObject({ parsed: { kind } });
  const other = kind === "D" ? metricNames.oneSecondFile : metricNames.dataFile;
  expect(read({ fileName: nameOf(serial, at, kind, part) }, new Uint8Array(3), other)).toMatchObject({ problem: "file-name" });
});

test.each<[string, object, unknown?]>([
  ["file-name", { fileName: undefined }],
  ["file-name", { fileName: "x".repeat(65) }],
  ["file-of-other-node", { fileName: nameOf(serial + 1, at, "D") }],
  ["file-metadata", {}, "text"],
  ["file-metadata", { size: undefined }],
  ["file-metadata", { md5: undefined }],
  ["file-metadata", { md5: md5.slice(1) }],
  ["file-metadata", { md5: `${md5}0` }],
  ["file-metadata", { md5: `g${md5.slice(1)}` }],
  ["file-metadata", { seq: 1 }],
  ["file-metadata", { seq: -1, isMultiPart: true }],
  ["file-metadata", { seq: 0.5, isMultiPart: true }],
  ["file-metadata", { seq: 10_000, isMultiPart: true }],
  ["file-too-large", { size: limit + 1 }],
  ["file-part-size", { size: 2 }],
  ["file-part-size", { size: limit }, new Uint8Array(largestPart + 1)],
  ["file-part-size", {}, new Uint8Array(0)],
])("A-63 %s: %j is refused", (problem, metadata, value) => {
  const refused = read(metadata, ...(value === undefined ? [] : [value]));
  expect(refused).toEqual({ problem, name: ({ fileName: name, ...metadata }.fileName ?? "").slice(0, 64) });
});
