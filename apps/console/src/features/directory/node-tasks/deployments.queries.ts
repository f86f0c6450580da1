import { getDeployments } from "@busbar/contract/directory/deployments.ts";
import { useApiQuery } from "#api/use-api-query.ts";

const refreshMs = 15_000;

export const useDeployments = () => useApiQuery(getDeployments, {}, { refetchInterval: refreshMs });
