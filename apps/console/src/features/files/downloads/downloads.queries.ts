import { deleteDownload, getDownloads, requestFilesDownload, requestHarmonics } from "@busbar/contract/files/downloads.ts";
import type { DownloadJob } from "@busbar/contract/files/downloads.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "#api/api-context.ts";

const queryKey = ["downloads"];
const busyMs = 2_000;
const idleMs = 30_000;

const isOpen = ({ status }: DownloadJob) => status === "Waiting" || status === "Packing";

/** The own downloads; asked often while one of them is being made. */
export function useDownloads() {
  const call = useApi();
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => call(getDownloads, {}, { signal }),
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? busyMs : idleMs),
  });
}

export function useDeleteDownload() {
  const call = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(deleteDownload, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
}

export type DownloadWish = { kind: "all" } | { kind: "since"; since: number } | { kind: "harmonics"; start: number; end: number };

/** FIL-05: begins a package; resolves with the address that its link is sent to. */
export function useBeginDownload(serial: string): (wish: DownloadWish) => Promise<string> {
  const call = useApi();
  const queries = useQueryClient();
  return async (wish) => {
    const params = { serial };
    const address =
      wish.kind === "harmonics"
        ? await call(requestHarmonics, { params, query: { startTimestamp: String(wish.start), endTimestamp: String(wish.end) } })
        : await call(requestFilesDownload, { params, query: wish.kind === "since" ? { since: String(wish.since) } : {} });
    void queries.invalidateQueries({ queryKey });
    return address;
  };
}
