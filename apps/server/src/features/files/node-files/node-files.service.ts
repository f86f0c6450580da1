import { counted } from "@busbar/contract/values/counted.ts";
import { PassThrough, pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { parseDataFileName, type DataFileKind, type DataFileName } from "@busbar/contract/files/data-file-name.ts";
import { fileContentsLimit } from "@busbar/contract/files/node-files.ts";
import type { Clock } from "#lib/clock.ts";
import type { FileStore } from "#lib/file-store.ts";
import { maxFileBytes } from "#lib/file-limits.ts";
import { noLongerThere, notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import { StorageFailure } from "#lib/storage-failure.ts";
import type { FileRow, NodeFilesReadModel } from "./node-files.read-model.ts";
import type { ReadContents } from "./node-files.view.ts";

export interface NodeFilesDependencies {
  readModel: NodeFilesReadModel;
  fileStore: FileStore;
  /** What distinguishes files of one node, time and kind. */
  filePart: (name: DataFileName) => string;
  /** Days for which files of a kind are kept. */
  keptDays: (kind: DataFileKind) => Promise<number>;
  clock: Clock;
}

export type NodeFiles = ReturnType<typeof createNodeFiles>;

const daySeconds = 86_400;

export function createNodeFiles({ readModel, fileStore, filePart, keptDays, clock }: NodeFilesDependencies) {
  const find = async (fileName: string): Promise<FileRow> => {
    const parsed = parseDataFileName(fileName);
    const row = parsed && (await readModel.find(parsed, filePart(parsed)));
    if (row && row.fileName === fileName) return row;
    const days = parsed && (await keptDays(parsed.kind));
    if (days !== undefined && parsed!.timestamp < clock.now() / 1000 - days * daySeconds)
      throw noLongerThere(say`File ${{ fileName }} is not there any more: such files are kept for ${{ unit: counted(days, "day") }}`);
    throw notFound(say`File ${{ fileName }}`);
  };

  return {
    find,

    /** The first part of a file's bytes, and how many there are. Undefined when the stored bytes cannot be read. */
    async readHead(row: FileRow): Promise<ReadContents | undefined> {
      const limit = maxFileBytes[row.kind];
      const head: Buffer[] = [];
      let length = 0;
      let kept = 0;
      try {
        for await (const chunk of unpacked(await fileStore.open(row.hash), row) as AsyncIterable<Buffer>) {
          length += chunk.length;
          if (kept < fileContentsLimit) head.push(chunk.subarray(0, fileContentsLimit - kept));
          kept = Math.min(length, fileContentsLimit);
          // More than a file may hold: how much more does not matter.
          if (length > limit) return { head: Buffer.concat(head), length: null };
        }
      } catch (error) {
        if (error instanceof StorageFailure) throw error;
        // Cut or spoiled: what could be read is shown, its reason is beside it.
        return length === 0 ? undefined : { head: Buffer.concat(head), length: null };
      }
      return { head: Buffer.concat(head), length };
    },

    /** For a file that need not be there. */
    async findStored(fileName: string): Promise<FileRow | undefined> {
      const parsed = parseDataFileName(fileName);
      return parsed && readModel.find(parsed, filePart(parsed));
    },

    /**
     * All bytes, at most as many as a file of its kind may hold; a gzip that cannot be unpacked comes as far as it goes.
     * @throws AppError 404 when the bytes are gone
     */
    async streamWhole(row: FileRow): Promise<Readable> {
      const stored = await fileStore.open(row.hash).catch((error: NodeJS.ErrnoException) => {
        throw error.code === "ENOENT" ? noLongerThere(`The stored bytes of file ${row.fileName} are gone`) : error;
      });
      const limited = new PassThrough();
      let left = maxFileBytes[row.kind];
      const source = unpacked(stored, row);
      // A file that was cut off when it was sent is shown as far as it goes. What the storage did not give must not look like its end.
      source.on("error", (error: NodeJS.ErrnoException) => (error.code?.startsWith("Z_") ? limited.end() : limited.destroy(error)));
      source.on("data", (chunk: Buffer) => {
        const part = chunk.subarray(0, left);
        left -= part.length;
        if (!limited.write(part)) {
          source.pause();
          limited.once("drain", () => source.resume());
        }
        if (left > 0) return;
        source.destroy();
        limited.end();
      });
      source.on("end", () => limited.end());
      limited.on("close", () => source.destroy());
      return limited;
    },
  };
}

function unpacked(stored: Readable, { isGzip }: FileRow): Readable {
  if (!isGzip) return stored;
  // Errors of either stream come out at the end of the pipe.
  return pipeline(stored, createGunzip(), () => undefined);
}
