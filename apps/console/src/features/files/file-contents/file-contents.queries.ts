import { extractFileAgain, getFileContents } from "@busbar/contract/files/node-files.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "#api/api-context.ts";

const pendingMs = 5_000;

/** FIL-06; asked again while the file waits for its extraction. */
export function useFileContents(fileName: string) {
  const call = useApi();
  return useQuery({
    queryKey: ["file-contents", fileName],
    queryFn: ({ signal }) => call(getFileContents, { params: { fileName } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.processed === null ? pendingMs : false),
  });
}

export function useExtractAgain(fileName: string) {
  const call = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call(extractFileAgain, { params: { fileName } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["file-contents", fileName] }),
  });
}
