import type { Handlers } from "#http/endpoints.ts";
import { requireCaller } from "#http/require-caller.ts";
import type { Downloads } from "./downloads.service.ts";

type Names = "requestFilesDownload" | "requestHarmonics" | "getDownloads" | "fetchDownload" | "deleteDownload";

export function downloadsHandlers(downloads: Downloads): Pick<Handlers, Names> {
  return {
    requestFilesDownload: ({ params, query }, call) =>
      downloads.request({ kind: "files", serial: Number(params.serial), from: query.since ?? null, to: null }, requireCaller(call)),
    requestHarmonics: ({ params, query }, call) => {
      const { startTimestamp: from, endTimestamp: to } = query;
      return downloads.request({ kind: "harmonics", serial: Number(params.serial), from, to }, requireCaller(call));
    },
    getDownloads: (_input, call) => downloads.list(requireCaller(call)),
    fetchDownload: ({ params }, call) => downloads.fetch(params.id, requireCaller(call)),
    deleteDownload: ({ params }, call) => downloads.remove(params.id, requireCaller(call)),
  };
}
