import { alarmKinds } from "@busbar/alarms/alarm-kinds.ts";
import { measuredLine } from "@busbar/alarms/measured-line.ts";
import type { NodeOverview, TaskProgress } from "@busbar/contract/directory/node-overview.ts";
import type { Measured, NodeOverviewRow } from "./node-overview.read-model.ts";

export function toNodeOverview({ openAlarms, events, ...node }: NodeOverviewRow, tasks: TaskProgress): NodeOverview {
  return { ...node, tasks, openAlarms: openAlarms.map(withWords), events: events.map(withWords) };
}

function withWords<Line extends Measured>({ value, limit, name, ...line }: Line) {
  return { ...line, measured: wordsOf({ kind: line.kind, value, limit, name }) };
}

function wordsOf({ kind, value, limit, name }: Measured): string | null {
  if (value === null) return null;
  if ((alarmKinds as readonly string[]).includes(kind) && limit !== null)
    return measuredLine({ kind, value, limit, ...(name === null ? {} : { name }) }) ?? null;
  return limit === null ? String(value) : `${value}, limit ${limit}`;
}
