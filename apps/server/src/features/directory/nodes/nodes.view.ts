import type { Node } from "@busbar/contract/directory/nodes.ts";
import type { NodeRow } from "./nodes.store.ts";

export function toNode({ completedTaskCount, isWiringOpen: _isWiringOpen, ...row }: NodeRow, taskCount: number): Node {
  return { ...row, openTaskCount: Math.max(0, taskCount - completedTaskCount) };
}
