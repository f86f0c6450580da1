import type { DataFileKind } from "@busbar/contract/files/data-file-name.ts";
import { channels } from "#node-model/channels.ts";
import { between, uniform } from "#node-model/random.ts";
import type { PlantNode } from "#node-model/plant.ts";

export type DataFileFault =
  | { kind: "fileTruncated"; share: number }
  | { kind: "fileBadMd5" }
  | { kind: "fileNotANumber"; place: number }
  | { kind: "fileDuplicate" }
  | { kind: "fileLate"; seconds: number };

const spoiledShare = 0.5;
const kindNumbers: Record<DataFileKind, number> = { D: 0, S: 1, H: 2, E: 3, X: 4 };

// Domain 3.6: of 1,000 files 1 is truncated, .5 has a wrong checksum, 2 a column without numbers, 1 comes twice, 1 comes hours late.
const shares = [
  ["fileTruncated", 0.001],
  ["fileBadMd5", 0.0005],
  ["fileNotANumber", 0.002],
  ["fileDuplicate", 0.001],
  ["fileLate", 0.001],
] as const;

/** What goes wrong with one file; a pure function of seed, node, its faults, kind and time. */
export function dataFileFault(
  seed: number,
  { model: { node }, link }: PlantNode,
  kind: DataFileKind,
  timestamp: number,
  scale: number,
): DataFileFault | undefined {
  if (link.at(timestamp).areFilesSpoiled) return { kind: "fileTruncated", share: spoiledShare };
  const index = Math.floor(timestamp / 60) * 8 + kindNumbers[kind];
  const factor = node.quirks.badFiles === undefined ? scale : node.quirks.badFiles / 0.0055;
  let draw = uniform(seed, node.serial, channels.fileFault, index);
  for (const [name, share] of shares) {
    if (draw < share * factor) return faultOf(name, seed, node.serial, index);
    draw -= share * factor;
  }
  return undefined;
}

function faultOf(name: DataFileFault["kind"], seed: number, serial: number, index: number): DataFileFault {
  const detail = uniform(seed, serial, channels.fileFaultDetail, index);
  switch (name) {
    case "fileTruncated":
      return { kind: name, share: 0.3 + 0.6 * detail };
    case "fileNotANumber":
      return { kind: name, place: detail };
    case "fileLate":
      return { kind: name, seconds: Math.round(between(3_600, 10_800, seed, serial, channels.fileFaultDetail, index)) };
    default:
      return { kind: name };
  }
}
