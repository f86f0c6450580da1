import {
  deleteDownload,
  getDownloads,
  requestFilesDownload,
  requestHarmonics,
  type DownloadJob,
} from "@busbar/contract/files/downloads.ts";
import { useApi } from "#api/api-context.ts";
import { useApiMutation } from "#api/use-api-mutation.ts";
import { useApiQuery } from "#api/use-api-query.ts";

const busyMs = 2_000;
const idleMs = 30_000;

const isOpen = ({ status }: DownloadJob) => status === "Waiting" || status === "Packing";

/** The person's own downloads; asked often while one of them is being made. */
export function useDownloads() {
  return useApiQuery(getDownloads, {}, { refetchInterval: ({ state }) => (state.data?.some(isOpen) ? busyMs : idleMs) });
}

export const useDeleteDownload = () => useApiMutation((call, id: string) => call(deleteDownload, { params: { id } }));

export type DownloadRequest = { kind: "all" } | { kind: "since"; since: number } | { kind: "harmonics"; start: number; end: number };

/** FIL-05: begins a package; resolves with the address that its link is sent to. */
export function useBeginDownload(serial: string): (request: DownloadRequest) => Promise<string> {
  const call = useApi();
  const params = { serial };
  return (request) =>
    request.kind === "harmonics"
      ? call(requestHarmonics, { params, query: { startTimestamp: String(request.start), endTimestamp: String(request.end) } })
      : call(requestFilesDownload, { params, query: request.kind === "since" ? { since: String(request.since) } : {} });
}
