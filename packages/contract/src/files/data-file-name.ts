import * as z from "zod/mini";

/** D data point, S one-second samples, H harmonics, E event, X external upload. */
export const dataFileKinds = ["D", "S", "H", "E", "X"] as const;
export type DataFileKind = (typeof dataFileKinds)[number];

// Recorders write their extensions in capitals as often as not; the case does not distinguish files.
export const dataFileNamePattern = /^[1-9]\d{4}_\d{8}T\d{6}Z_[DSHEX]\d{4}\.(?:txt|csv|cev|eve|cff|cfg|dat|hdr|inf|zip)$/i;

/** What a file's name says. */
export interface DataFileName {
  serial: number;
  /** Epoch seconds: the start of the interval. */
  timestamp: number;
  kind: DataFileKind;
  /** Seconds that the file covers; of an E file its number within the second. */
  interval: number;
  /** In lower case, however the name is written. */
  extension: string;
}

/** A clock that was never set begins in 1970; no clock of a node or a relay is later, and lists page by ten digits. */
const latest = Date.UTC(2100, 0, 1);

/** @returns undefined for a name that is not one of ours, or whose date does not exist or is outside 1970 to 2099 */
export function parseDataFileName(name: string): DataFileName | undefined {
  // Only the extension may be written in either case.
  if (!dataFileNamePattern.test(name) || /[a-z]/.test(name.slice(0, 28))) return undefined;
  const stamp = name.slice(6, 22);
  const iso = stamp.replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/, "$1-$2-$3T$4:$5:$6Z");
  const milliseconds = Date.parse(iso);
  // 30 February reads as 2 March.
  if (!(milliseconds >= 0 && milliseconds < latest) || stampOf(milliseconds / 1000) !== stamp) return undefined;
  return {
    serial: Number(name.slice(0, 5)),
    timestamp: milliseconds / 1000,
    kind: name[23] as DataFileKind,
    interval: Number(name.slice(24, 28)),
    extension: name.slice(29).toLowerCase(),
  };
}

export function dataFileName({
  serial,
  timestamp,
  kind,
  interval,
  extension,
}: Omit<DataFileName, "extension"> & { extension?: string }): string {
  return `${serial}_${stampOf(timestamp)}_${kind}${String(interval).padStart(4, "0")}.${extension ?? "txt"}`;
}

function stampOf(epochSeconds: number): string {
  return `${new Date(epochSeconds * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
}

const isName = "A file name is a serial number, a UTC time and a kind, such as 10234_20260106T143000Z_D0900.txt";

/** The name as the file is stored under it: its extension in lower case. */
export const DataFileNameText = z.pipe(
  z.string().check(z.refine((text) => parseDataFileName(text) !== undefined, isName)),
  z.transform((text) => dataFileName(parseDataFileName(text)!)),
);
