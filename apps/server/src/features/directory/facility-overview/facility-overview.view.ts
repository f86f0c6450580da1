import type { FacilityOutage, FacilityOverview } from "@busbar/contract/directory/facility-overview.ts";
import type { FacilityOverviewRow, Loss } from "./facility-overview.read-model.ts";

/** Verdicts are judged and remembered within minutes of each other. */
const togetherSeconds = 300;

export function toFacilityOverview({ losses, ...facility }: FacilityOverviewRow): FacilityOverview {
  return { ...facility, outages: outagesOf(losses) };
}

/** Losses that began together are one outage; it is over when all of them are. @param losses oldest first */
export function outagesOf(losses: readonly Loss[]): FacilityOutage[] {
  const outages: FacilityOutage[] = [];
  let lastFrom = -Infinity;
  for (const { from, to } of losses) {
    const last = outages.at(-1);
    if (last && from - lastFrom <= togetherSeconds) {
      last.nodeCount++;
      last.toTimestamp = last.toTimestamp === null || to === null ? null : Math.max(last.toTimestamp, to);
    } else outages.push({ fromTimestamp: from, toTimestamp: to, nodeCount: 1 });
    lastFrom = from;
  }
  return outages.toReversed();
}
