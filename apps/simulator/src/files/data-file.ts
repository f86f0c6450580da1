import { gzipSync } from "node:zlib";
import { dataFileName } from "@busbar/contract/files/data-file-name.ts";
import type { PlantNode } from "#node-model/plant.ts";
import { dataFileFault, type DataFileFault } from "./data-file-faults.ts";
import { dataPointText, harmonicsText, md5Of, oneSecondText, type DataFileSpan } from "./data-file-text.ts";

/** Kinds that the simulated nodes make. */
export type SimulatedFileKind = "D" | "S" | "H";

/** A file as a node uploads it: compressed, with the digest of the compressed bytes. */
export interface DataFile {
  name: string;
  kind: SimulatedFileKind;
  timestamp: number;
  bytes: Uint8Array;
  md5: string;
  fault: DataFileFault | undefined;
}

export const defaultDataInterval = 900;

export interface DataFileRequest {
  seed: number;
  plantNode: PlantNode;
  kind: SimulatedFileKind;
  /** Start of the interval by the node's clock. */
  timestamp: number;
  faultScale: number;
}

/** The same bytes whenever it is made; undefined when the node had no power in all of the interval. */
export function makeDataFile(request: DataFileRequest): DataFile | undefined {
  const { seed, plantNode, kind, timestamp, faultScale } = request;
  const { node } = plantNode.model;
  const seconds = node.dataIntervalSeconds ?? defaultDataInterval;
  const text = textOf(seed, plantNode, kind, { timestamp, startedAt: timestamp - clockOffset(plantNode, timestamp), seconds });
  if (text === undefined) return undefined;
  const fault = dataFileFault(seed, plantNode, kind, timestamp, faultScale);
  const bytes = gzipSync(spoiled(text, fault));
  const name = dataFileName({ serial: node.serial, timestamp, kind, interval: seconds });
  return { name, kind, timestamp, bytes, md5: md5Of(bytes), fault };
}

/** Whole seconds that the node's clock is ahead. */
export function clockOffset({ link }: PlantNode, epochSeconds: number): number {
  return Math.round(link.at(epochSeconds).clockOffsetMs / 1000);
}

function textOf(seed: number, plantNode: PlantNode, kind: SimulatedFileKind, span: DataFileSpan): string | undefined {
  if (kind === "D") return dataPointText(seed, plantNode, span);
  return kind === "S" ? oneSecondText(plantNode, span) : harmonicsText(seed, plantNode, span);
}

function spoiled(text: string, fault: DataFileFault | undefined): string {
  if (fault?.kind === "fileTruncated") return text.slice(0, Math.floor(text.length * fault.share));
  if (fault?.kind === "fileBadMd5") return withWrongChecksum(text);
  return fault?.kind === "fileNotANumber" ? withoutNumber(text, fault.place) : text;
}

// Only data points carry their own checksum; of the others the digest of the upload is wrong once, which costs an upload and no data.
function withWrongChecksum(text: string): string {
  return text.replace(/#MD5=(.)/, (_, first: string) => `#MD5=${first === "0" ? "1" : "0"}`);
}

/** One decimal number becomes NaN; a data point's checksum is that of the text as it is. */
function withoutNumber(text: string, place: number): string {
  const numbers = [...text.matchAll(/(?<=[=,])-?\d+\.\d+(?=[,\n])/g)];
  const chosen = numbers[Math.floor(place * numbers.length)];
  if (!chosen) return text;
  const changed = `${text.slice(0, chosen.index)}NaN${text.slice(chosen.index + chosen[0].length)}`;
  const body = /^[\s\S]*?(?=#MD5=)/.exec(changed)?.[0];
  return body === undefined ? changed : `${body}#MD5=${md5Of(body)}\n`;
}
