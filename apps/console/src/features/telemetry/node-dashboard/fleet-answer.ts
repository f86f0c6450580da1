import type { DashboardNode, NodeDashboard } from "@busbar/contract/telemetry/node-dashboard.ts";

/** An answer whose nodes are still lines of its text, such as `"10001":{…},`. */
export interface ChangedLines extends Omit<NodeDashboard, "dashboardNodeMap"> {
  text: string;
}

const head = '{"data":{"dashboardNodeMap":{\n';

/**
 * The text of an answer with changes. The server writes a line for each node, and no JSON has a line break within a string: each stays where it is
 * until someone reads it. Undefined for an answer of another shape, and for the whole map, which is read at once.
 */
export function readChanges(text: string): { data: ChangedLines } | undefined {
  const last = text.slice(text.lastIndexOf("\n") + 1);
  if (!text.startsWith(head) || !last.startsWith("},")) return undefined;
  const facts = JSON.parse(`{${last.slice(2, -1)}`) as Omit<ChangedLines, "text">;
  return facts.isFull ? undefined : { data: { ...facts, text } };
}

/** Where the first line is, of a node or, without any, of the rest. */
export const firstLineAt = head.length;
export const nextLineAt = (text: string, at: number): number => text.indexOf("\n", at) + 1;
export const isNodeAt = (text: string, at: number): boolean => text.startsWith('"', at);

export const serialAt = (text: string, at: number): string => text.slice(at + 1, text.indexOf('"', at + 1));

/** Whether the line has names and places, too, not only what telemetry moves. The server begins with the number of such a node. */
export const isWholeAt = (text: string, at: number, serial: string): boolean =>
  text.startsWith('":{"serialNumber":', at + 1 + serial.length);

export function partAt(text: string, at: number): Partial<DashboardNode> {
  const end = text.indexOf("\n", at);
  return JSON.parse(text.slice(text.indexOf(":", at) + 1, text.endsWith(",", end) ? end - 1 : end)) as Partial<DashboardNode>;
}
