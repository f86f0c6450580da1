import { getHomeNeeds } from "@busbar/contract/system/home-needs.ts";
import { useApiQuery } from "#api/use-api-query.ts";

const refreshEveryMs = 30_000;

export const useHomeNeeds = () => useApiQuery(getHomeNeeds, {}, { refetchInterval: refreshEveryMs });
