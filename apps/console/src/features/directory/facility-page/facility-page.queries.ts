import { getFacilityOverview } from "@busbar/contract/directory/facility-overview.ts";
import { useApiQuery } from "#api/use-api-query.ts";

const refreshMs = 10_000;

export const useFacilityOverview = (id: string) => useApiQuery(getFacilityOverview, { params: { id } }, { refetchInterval: refreshMs });
