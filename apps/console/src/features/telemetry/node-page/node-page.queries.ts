import { getNodeOverview } from "@busbar/contract/directory/node-overview.ts";
import { getNodeWeek } from "@busbar/contract/telemetry/node-week.ts";
import { getNodeVerdict } from "@busbar/contract/telemetry/node-verdicts.ts";
import { useApiQuery } from "#api/use-api-query.ts";

const overviewMs = 10_000;
const weekMs = 60_000;

export const useNodeOverview = (serial: string) => useApiQuery(getNodeOverview, { params: { serial } }, { refetchInterval: overviewMs });

export const useNodeWeek = (serial: string) => useApiQuery(getNodeWeek, { params: { serial } }, { refetchInterval: weekMs });

const verdictMs = 5_000;

export const useNodeVerdict = (serial: string) => useApiQuery(getNodeVerdict, { params: { serial } }, { refetchInterval: verdictMs });
