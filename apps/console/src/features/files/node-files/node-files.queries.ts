import { getNodeFilesSummary } from "@busbar/contract/files/node-files.ts";
import { useApiQuery } from "#api/use-api-query.ts";

/** Whose files they are. */
export const useNodeFilesSummary = (serial: string) => useApiQuery(getNodeFilesSummary, { params: { serial } });
