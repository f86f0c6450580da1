import { fileContentsLimit, type DashboardFile, type FileContents } from "@busbar/contract/files/node-files.ts";
import type { FileRow } from "./node-files.read-model.ts";

export function presentFile(row: FileRow): DashboardFile {
  const { timestamp, fileName, processed, location, failedReason, serialNumber, kind, interval, size, receivedTimestamp } = row;
  return {
    timestamp,
    fileName,
    processed,
    location,
    failedReason,
    sourceFileContents: null,
    fileContents: null,
    serialNumber: String(serialNumber),
    kind,
    interval,
    size,
    receivedTimestamp,
  };
}

/** What of a file could be unpacked: at most `fileContentsLimit` bytes are returned, the whole length where it is known. */
export interface ReadContents {
  head: Buffer;
  length: number | null;
}

export function presentContents(row: FileRow, read: ReadContents | undefined): FileContents {
  const text = read && textOf(read);
  return {
    ...presentFile(row),
    fileContents: text?.text ?? null,
    sourceFileContents: text?.source ?? null,
    timezone: row.timezone,
    contentsLength: read?.length ?? null,
    isTruncated: read !== undefined && read.length !== read.head.length,
    md5: row.md5,
  };
}

/** UTF-8, else Latin-1, and then the bytes as hex beside it. */
function textOf({ head, length }: ReadContents): { text: string; source: string | null } {
  const isWhole = length === head.length;
  try {
    // A cut may go through the middle of a character.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: !isWhole });
    return { text, source: null };
  } catch {
    return { text: head.toString("latin1"), source: head.subarray(0, fileContentsLimit / 2).toString("hex") };
  }
}
