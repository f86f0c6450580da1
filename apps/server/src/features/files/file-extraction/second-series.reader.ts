import type { SecondSeries } from "@busbar/alarms/second-series.ts";
import { scalarFlagBits } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { maxFileBytes } from "#lib/file-limits.ts";
import type { FileStore } from "#lib/file-store.ts";
import { readStoredFile, type StoredFile } from "#lib/stored-file.ts";
import { UnreadableFile } from "#lib/unreadable-file.ts";
import { readText } from "./read-text.ts";

export interface StoredSecondFile extends StoredFile {
  timestamp: number;
  interval: number;
}

const currentColumn = 2;
const voltageColumn = 5;
const flagColumn = 11;

/** Reads one-second files that were extracted, which checked them; undefined when the bytes are gone or no longer what they were. */
export function createSecondSeriesReader(fileStore: FileStore) {
  return async (file: StoredSecondFile): Promise<SecondSeries | undefined> => {
    try {
      return toSecondSeries(readText(await readStoredFile(fileStore, file, maxFileBytes.S)), file);
    } catch (error) {
      if (error instanceof UnreadableFile) return undefined;
      throw error;
    }
  };
}

/** Rows `t,lf,i1,i2,i3,v1,v2,v3,p1,p2,p3,flag` behind header lines; an empty cell is NaN. */
export function toSecondSeries(text: string, { timestamp, interval }: Pick<StoredSecondFile, "timestamp" | "interval">): SecondSeries {
  const three = () => Array.from({ length: 3 }, () => new Float64Array(interval).fill(Number.NaN));
  const series = { from: timestamp, length: interval, currents: three(), voltages: three(), isDisturbed: new Uint8Array(interval) };
  for (const line of text.split("\n")) {
    const cells = line.split(",");
    const second = Number(cells[0]) - timestamp;
    if (cells.length <= flagColumn || !Number.isInteger(second) || second < 0 || second >= interval) continue;
    for (let phase = 0; phase < 3; phase++) {
      series.currents[phase]![second] = numberOf(cells[currentColumn + phase]!);
      series.voltages[phase]![second] = numberOf(cells[voltageColumn + phase]!);
    }
    series.isDisturbed[second] = Number(cells[flagColumn]) & scalarFlagBits.isPqEventActive ? 1 : 0;
  }
  return series;
}

const numberOf = (cell: string): number => (cell === "" ? Number.NaN : Number(cell));
