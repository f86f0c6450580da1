import type { DashboardNode, NodeDashboard } from "@busbar/contract/telemetry/node-dashboard.ts";

/** What an answer says of one node, or the line of it. */
export type NodePart = Partial<DashboardNode> | string;

/** An answer whose nodes are still lines of its text, such as `"10001":{…},`. */
export interface ChangedLines extends Omit<NodeDashboard, "dashboardNodeMap"> {
  lines: readonly string[];
}

const head = '{"data":{"dashboardNodeMap":{';

/**
 * The text of an answer with changes. The server writes a line for each node, and no JSON has a line break within a string: each is kept as it is
 * until someone reads it. Undefined for an answer of another shape, and for the whole map, which is read at once.
 */
export function readChanges(text: string): { data: ChangedLines } | undefined {
  const lines = text.split("\n");
  const last = lines.at(-1) ?? "";
  if (lines[0] !== head || !last.startsWith("},")) return undefined;
  const facts = JSON.parse(`{${last.slice(2, -1)}`) as Omit<ChangedLines, "lines">;
  return facts.isFull ? undefined : { data: { ...facts, lines: lines.slice(1, -1) } };
}

export const serialOf = (line: string): string => line.slice(1, line.indexOf('"', 1));

export const partOf = (part: NodePart): Partial<DashboardNode> =>
  typeof part === "string"
    ? (JSON.parse(part.slice(part.indexOf(":") + 1, part.endsWith(",") ? -1 : undefined)) as Partial<DashboardNode>)
    : part;

/** Whether it has names and places, too, not only what telemetry moves. The server begins with the number of such a node. */
export const isWholePart = (part: NodePart): boolean =>
  typeof part === "string" ? part.startsWith('{"serialNumber":', part.indexOf(":") + 1) : part.serialNumber !== undefined;
