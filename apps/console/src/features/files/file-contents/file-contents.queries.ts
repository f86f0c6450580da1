import { extractFileAgain, getFileContents } from "@busbar/contract/files/node-files.ts";
import { useApiMutation } from "#api/use-api-mutation.ts";
import { useApiQuery } from "#api/use-api-query.ts";

const pendingMs = 5_000;

/** FIL-06; asked again while the file waits for its extraction. */
export function useFileContents(fileName: string) {
  return useApiQuery(
    getFileContents,
    { params: { fileName } },
    { refetchInterval: ({ state }) => (state.data?.processed === null ? pendingMs : false) },
  );
}

export const useExtractAgain = (fileName: string) => useApiMutation((call) => call(extractFileAgain, { params: { fileName } }));
