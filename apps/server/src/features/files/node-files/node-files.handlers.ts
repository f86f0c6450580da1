import { dataFileKinds } from "@busbar/contract/files/data-file-name.ts";
import { nodeFilesLimit } from "@busbar/contract/files/node-files.ts";
import type { Handlers } from "#http/endpoints.ts";
import { invalid, notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import type { NodeFilesReadModel } from "./node-files.read-model.ts";
import type { NodeFiles } from "./node-files.service.ts";
import { presentContents, presentFile } from "./node-files.view.ts";

const maxLimit = 500;

export function nodeFilesHandlers(readModel: NodeFilesReadModel, files: NodeFiles) {
  const summaryOf = async (serial: string) => {
    const summary = await readModel.summary(Number(serial));
    if (!summary) throw notFound(say`Node ${serial}`);
    return summary;
  };

  return {
    async getNodeFiles({ params: { serial }, query: { before, after, limit = nodeFilesLimit, kinds } }) {
      if (limit < 1 || limit > maxLimit) throw invalid("limit", say`is from 1 to ${maxLimit}`);
      const requestedKinds = kinds === undefined ? dataFileKinds : dataFileKinds.filter((kind) => kinds.includes(kind));
      const rows = await readModel.list({ serial: Number(serial), before, after, limit, kinds: requestedKinds });
      if (rows.length === 0) await summaryOf(serial);
      return rows.map(presentFile);
    },
    getNodeFilesSummary: ({ params }) => summaryOf(params.serial),
    async getFileContents({ params }) {
      const row = await files.find(params.fileName);
      return presentContents(row, await files.readHead(row));
    },
    async getRawFile({ params }) {
      const row = await files.find(params.fileName);
      return {
        status: 200,
        headers: {
          // Never shown as a page of ours, whatever the bytes are.
          "content-type": "application/octet-stream",
          "content-disposition": `attachment; filename="${row.fileName}"`,
          "content-security-policy": "sandbox; default-src 'none'",
        },
        body: await files.streamWhole(row),
      };
    },
  } satisfies Partial<Handlers>;
}
