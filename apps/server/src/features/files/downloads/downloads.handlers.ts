import type { Handlers } from "#http/endpoints.ts";
import type { Downloads } from "./downloads.service.ts";

export function downloadsHandlers(downloads: Downloads) {
  return {
    requestFilesDownload: ({ params, query }, { caller }) =>
      downloads.request({ kind: "files", serial: Number(params.serial), from: query.since ?? null, to: null }, caller),
    requestHarmonics: ({ params, query }, { caller }) => {
      const { startTimestamp: from, endTimestamp: to } = query;
      return downloads.request({ kind: "harmonics", serial: Number(params.serial), from, to }, caller);
    },
    getDownloads: (_input, { caller }) => downloads.list(caller),
    fetchDownload: ({ params }, { caller }) => downloads.fetch(params.id, caller),
    deleteDownload: ({ params }, { caller }) => downloads.remove(params.id, caller),
  } satisfies Partial<Handlers>;
}
