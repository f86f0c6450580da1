import { parseDataFileName, type DataFileKind, type DataFileName } from "@busbar/contract/files/data-file-name.ts";
import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import type { Metric } from "@busbar/sparkplug/payload.ts";
import { maxFileBytes } from "#lib/file-limits.ts";

/** One part of a file, or a whole small one, as a File metric carries it. */
export interface FilePart {
  name: string;
  parsed: DataFileName;
  seq: number;
  /** Of the whole file. */
  size: number;
  /** Of the whole file, lower-case hex. */
  md5: string;
  isGzip: boolean;
  bytes: Uint8Array;
}

export type FileProblem = "file-name" | "file-of-other-node" | "file-metadata" | "file-too-large" | "file-part-size" | "file-manifest";

const maxPartBytes = 64 * 1024;
/** The largest file in parts of 2 KiB. */
export const maxParts = 10_000;

const metricKinds: ReadonlyMap<string, readonly DataFileKind[]> = new Map([
  [metricNames.dataFile, ["D"]],
  [metricNames.oneSecondFile, ["S"]],
  [metricNames.harmonicsFile, ["H"]],
  [metricNames.eventFile, ["E"]],
]);

export function isFileMetric(name: string): boolean {
  return metricKinds.has(name);
}

/** Reads a part of a node's own file; everything in it is foreign until it has been checked here. */
export function readFilePart(metric: Metric, serial: number): FilePart | { problem: FileProblem; name: string } {
  const { metadata, value } = metric;
  const name = metadata?.fileName ?? "";
  const refuse = (problem: FileProblem) => ({ problem, name: name.slice(0, 64) });
  const parsed = parseDataFileName(name);
  if (!parsed || !metricKinds.get(metric.name ?? "")?.includes(parsed.kind)) return refuse("file-name");
  if (parsed.serial !== serial) return refuse("file-of-other-node");
  const { size, md5, isMultiPart = false, seq = 0, contentType = "" } = metadata ?? {};
  const isNumbered = Number.isInteger(seq) && seq >= 0 && seq < maxParts && (isMultiPart || seq === 0);
  if (!(value instanceof Uint8Array) || size === undefined || !isNumbered || !/^[0-9a-f]{32}$/i.test(md5 ?? "")) {
    return refuse("file-metadata");
  }
  if (size > maxFileBytes[parsed.kind]) return refuse("file-too-large");
  if (value.length > maxPartBytes || value.length > size || (value.length === 0 && size > 0)) return refuse("file-part-size");
  return { name, parsed, seq, size, md5: md5!.toLowerCase(), isGzip: contentType === "application/gzip", bytes: value };
}
