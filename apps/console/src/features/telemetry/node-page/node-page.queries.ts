import { getNodeOverview } from "@busbar/contract/directory/node-overview.ts";
import { getNodeWeek } from "@busbar/contract/telemetry/node-week.ts";
import { useApiQuery } from "#api/use-api-query.ts";

const overviewMs = 10_000;
const weekMs = 60_000;

export const useNodeOverview = (serial: string) => useApiQuery(getNodeOverview, { params: { serial } }, { refetchInterval: overviewMs });

export const useNodeWeek = (serial: string) => useApiQuery(getNodeWeek, { params: { serial } }, { refetchInterval: weekMs });
