import type { NodePlace } from "./fleet-notices.store.ts";

const listedNodes = 50;

/** Nodes of one facility, as a subject names them. */
export function subjectOf(nodes: readonly NodePlace[]): string {
  const [first] = nodes;
  if (!first) return "";
  return nodes.length === 1
    ? `${first.locationName}, ${first.facilityName} (${first.serialNumber})`
    : `${nodes.length} nodes, ${first.facilityName}`;
}

/** One line for each node, as many as a person reads. */
export function listOf<Place extends NodePlace>(nodes: readonly Place[], words: (node: Place) => string): string[] {
  const lines = nodes.slice(0, listedNodes).map((node) => `${node.serialNumber}  ${node.locationName}  ${words(node)}`);
  const more = nodes.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

export function byFacility<Place extends NodePlace>(nodes: readonly Place[]): Place[][] {
  return [...Map.groupBy(nodes, ({ facilityId }) => facilityId).values()];
}
