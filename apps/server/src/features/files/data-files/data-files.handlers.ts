import { parseDataFileName } from "@busbar/contract/files/data-file-name.ts";
import { errorCodes } from "@busbar/contract/errors.ts";
import type { Handlers } from "#http/endpoints.ts";
import { AppError, invalid, notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import type { DataFileUpload } from "./data-file-upload.service.ts";
import { filePart, type DataFilesStore } from "./data-files.store.ts";

export function dataFilesHandlers(upload: DataFileUpload, store: DataFilesStore) {
  return {
    async uploadNodeFile({ params: { serial, fileName }, body }, call) {
      const parsed = parseDataFileName(fileName);
      if (!parsed) throw invalid("fileName", say`is not the name of a node's file`);
      const encoding = call.headers["content-encoding"];
      if (encoding !== undefined && encoding !== "identity")
        throw new AppError(415, errorCodes.invalid, say`content-encoding: send packed bytes as content-type application/gzip`);
      const md5 = call.headers["x-content-md5"];
      return upload.upload(
        {
          serial: Number(serial),
          fileName,
          parsed,
          bytes: body,
          contentType: String(call.headers["content-type"] ?? ""),
          md5: typeof md5 === "string" ? md5 : undefined,
        },
        call,
      );
    },
    async extractFileAgain({ params: { fileName } }, { caller }) {
      const parsed = parseDataFileName(fileName);
      const isKnown = parsed && (await store.extractAgain(fileName, parsed, filePart(parsed), caller.username));
      if (!isKnown) throw notFound(`File ${fileName}`);
      return { fileName };
    },
  } satisfies Partial<Handlers>;
}
