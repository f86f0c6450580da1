import type { FacilityNode } from "@busbar/contract/directory/facility-overview.ts";
import type { NodeVerdict } from "@busbar/contract/telemetry/node-verdicts.ts";
import { gravities, type Gravity } from "@busbar/contract/values/gravity.ts";

export const gravityLabels: Readonly<Record<Gravity, string>> = { act: "Act now", look: "Look into", note: "Known", fine: "Fine" };

/** The contract's rooms are apart: the words are those of a node's verdict. */
export const verdictOf = ({ verdict }: FacilityNode): NodeVerdict | null => verdict as NodeVerdict | null;

/** Nodes by gravity, the gravest first; one that was not judged yet is among what is known. Groups without a node are left out. */
export function nodesByGravity(nodes: readonly FacilityNode[]): { gravity: Gravity; nodes: FacilityNode[] }[] {
  return gravities
    .map((gravity) => ({ gravity, nodes: nodes.filter((node) => (verdictOf(node)?.gravity ?? "note") === gravity) }))
    .filter((group) => group.nodes.length > 0);
}
