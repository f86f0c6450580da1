import { parseDataFileName } from "@busbar/contract/files/data-file-name.ts";
import { errorCodes } from "@busbar/contract/errors.ts";
import type { Handlers } from "#http/endpoints.ts";
import { AppError, invalid, notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import { requireCaller } from "#http/require-caller.ts";
import type { DataFileUpload } from "./data-file-upload.service.ts";
import { filePart } from "./data-files.store.ts";
import type { DataFilesStore } from "./data-files.store.ts";

export function dataFilesHandlers(upload: DataFileUpload, store: DataFilesStore): Pick<Handlers, "uploadNodeFile" | "extractFileAgain"> {
  return {
    async uploadNodeFile({ params: { serial, fileName }, body }, { caller, apiClient, headers }) {
      const parsed = parseDataFileName(fileName);
      if (!parsed) throw invalid("fileName", say`is not the name of a node's file`);
      const encoding = headers["content-encoding"];
      if (encoding !== undefined && encoding !== "identity")
        throw new AppError(415, errorCodes.invalid, say`content-encoding: send packed bytes as content-type application/gzip`);
      const md5 = headers["x-content-md5"];
      return upload.upload(
        {
          serial: Number(serial),
          fileName,
          parsed,
          bytes: body,
          contentType: String(headers["content-type"] ?? ""),
          md5: typeof md5 === "string" ? md5 : undefined,
        },
        { caller, ...(apiClient ? { apiClient } : {}) },
      );
    },
    async extractFileAgain({ params: { fileName } }, call) {
      const parsed = parseDataFileName(fileName);
      const isKnown = parsed && (await store.extractAgain(fileName, parsed, filePart(parsed), requireCaller(call).username));
      if (!isKnown) throw notFound(`File ${fileName}`);
      return { fileName };
    },
  };
}
