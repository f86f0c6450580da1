import type { FacilityOutage } from "./signals.ts";

/** A node of a facility; `lostAt` while it is away. Epoch seconds. */
export interface FacilityNode {
  serial: number;
  lostAt: number | undefined;
}

/** Nodes that are lost within so long of each other are lost to one cause. */
export const togetherSeconds = 120;

/**
 * Several nodes of a facility that were lost within two minutes are one outage, from the first loss on. Those that came back are no longer part of it.
 * @returns the outage of each node that is part of one
 */
export function facilityOutages(nodes: readonly FacilityNode[]): Map<number, FacilityOutage> {
  const lost = nodes.filter((node): node is { serial: number; lostAt: number } => node.lostAt !== undefined);
  lost.sort((a, b) => a.lostAt - b.lostAt);
  const outages = new Map<number, FacilityOutage>();
  for (let from = 0; from < lost.length;) {
    const since = lost[from]!.lostAt;
    let to = from + 1;
    while (to < lost.length && lost[to]!.lostAt - since <= togetherSeconds) to++;
    const outage = { since, lostCount: to - from, nodeCount: nodes.length };
    if (outage.lostCount > 1) for (const { serial } of lost.slice(from, to)) outages.set(serial, outage);
    from = to;
  }
  return outages;
}
