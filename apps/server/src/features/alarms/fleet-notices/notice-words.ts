import { counted } from "@busbar/contract/values/counted.ts";
import type { NodePlace } from "./fleet-notices.store.ts";

const listedNodes = 50;
/** Of more facilities at once people are notified in one message: it is hardly the facilities' fault. */
const separateFacilities = 10;

/** Nodes of one facility, as a subject names them. */
export function subjectOf(nodes: readonly NodePlace[]): string {
  const [first] = nodes;
  if (!first) return "";
  return nodes.length === 1
    ? `${first.locationName}, ${first.facilityName} (${first.serialNumber})`
    : `${nodeCount(nodes.length)}, ${first.facilityName}`;
}

/** One line for each node, as many as a person reads. */
export function listOf<Place extends NodePlace>(nodes: readonly Place[], words: (node: Place) => string): string[] {
  return shortened(nodes.map((node) => `${node.serialNumber}  ${node.locationName}  ${words(node)}`));
}

export function byFacility<Place extends NodePlace>(nodes: readonly Place[]): Place[][] {
  return [...Map.groupBy(nodes, ({ facilityId }) => facilityId).values()];
}

export interface NoticeWords<Place> {
  /** The whole message about one node. */
  ofOne: (node: Place) => string;
  /** Says it of `25 nodes at North Works` or `300 nodes at 12 facilities`. */
  ofMany: (nodes: string) => string;
  /** Of one node among others. */
  each: (node: Place) => string;
}

/** What internal people read of nodes that have the same problem: a message for each facility, or one for all of them. */
export function internalNotices<Place extends NodePlace>(
  nodes: readonly Place[],
  { ofOne, ofMany, each }: NoticeWords<Place>,
): { subject: string; body: string }[] {
  const facilities = byFacility(nodes);
  if (facilities.length > separateFacilities) {
    const lines = facilities.map((group) => `${group[0]?.facilityName}, ${group[0]?.customerName}: ${nodeCount(group.length)}`);
    const where = counted(facilities.length, "facility");
    return [
      {
        subject: `${nodeCount(nodes.length)}, ${where}`,
        body: linesOf(ofMany(`${nodeCount(nodes.length)} at ${where}`), shortened(lines)),
      },
    ];
  }
  return facilities.map((group) => {
    const [first] = group;
    const body =
      first && group.length === 1
        ? ofOne(first)
        : linesOf(ofMany(`${nodeCount(group.length)} at ${first?.facilityName}`), listOf(group, each));
    return { subject: subjectOf(group), body };
  });
}

const nodeCount = (count: number): string => counted(count, "node");
const linesOf = (first: string, lines: readonly string[]): string => [first, "", ...lines, ""].join("\n");

function shortened(lines: readonly string[]): string[] {
  const more = lines.length - listedNodes;
  return more > 0 ? [...lines.slice(0, listedNodes), `and ${more} more`] : [...lines];
}
