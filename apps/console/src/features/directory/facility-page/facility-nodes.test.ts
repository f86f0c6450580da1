import type { FacilityNode } from "@busbar/contract/directory/facility-overview.ts";
import { expect, test } from "vitest";
import { nodesByGravity } from "./facility-nodes.ts";

const node = (serialNumber: string, gravity?: string) =>
  ({ serialNumber, verdict: gravity === undefined ? null : { gravity } }) as FacilityNode;

test("nodes are by gravity, the gravest first and in their order, one without a verdict among what is known; empty groups are left out", () => {
  const nodes = [node("1", "fine"), node("2"), node("3", "act"), node("4", "note"), node("5", "act")];
  const groups = nodesByGravity(nodes).map((group) => [group.gravity, ...group.nodes.map(({ serialNumber }) => serialNumber)]);
  expect(groups).toEqual([
    ["act", "3", "5"],
    ["note", "2", "4"],
    ["fine", "1"],
  ]);
});
