import type { FileRow } from "#features/files/node-files/node-files.read-model.ts";
import type { ReadContents } from "#features/files/node-files/node-files.view.ts";
import type { NodeFiles } from "#features/files/node-files/node-files.service.ts";
import { partnerName } from "./event-name.ts";
import type { EventReader } from "./event-reader.ts";
import type { ParsedEvent } from "./event-record.thread.ts";
import type { WaveformRange } from "./waveform-view.ts";

export interface OpenedEventFile {
  row: FileRow;
  partner: { fileName: string; isStored: boolean } | undefined;
  event: ParsedEvent;
  contents: ReadContents | undefined;
}

export interface EventFilesDependencies {
  files: NodeFiles;
  read: EventReader;
}

export type EventFiles = ReturnType<typeof createEventFiles>;

export function createEventFiles({ files, read }: EventFilesDependencies) {
  return {
    /** @throws AppError 404 for a file that is not there, 429 when too many are read at once */
    async open(fileName: string, range: WaveformRange, hasText: boolean): Promise<OpenedEventFile> {
      const row = await files.find(fileName);
      const otherName = partnerName(fileName);
      const other = otherName === undefined ? undefined : await files.findStored(otherName);
      const [event, contents] = await Promise.all([read(row, other, range), hasText ? files.readHead(row) : undefined]);
      return {
        row,
        partner: otherName === undefined ? undefined : { fileName: otherName, isStored: other !== undefined },
        event,
        contents,
      };
    },
  };
}
