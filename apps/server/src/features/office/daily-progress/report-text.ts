import { counted } from "@busbar/contract/values/counted.ts";
import type { DayFigures } from "./daily-progress.store.ts";

export interface NodeProgress extends DayFigures {
  locationName: string;
  expectedRecords: number;
}

/** Up to so many nodes each have their figures in the report; of more only those with something to look at. */
const fullReportNodes = 20;
const longestList = 50;
const completeShare = 0.95;

const figure = (value: number | null, unit: string, digits: number): string =>
  value === null
    ? `– ${unit}`
    : `${value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${unit}`;

function duration(seconds: number | null): string {
  if (seconds === null) return "–";
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Null when none has the figure. */
function sumOf(nodes: readonly NodeProgress[], value: (node: NodeProgress) => number | null): number | null {
  const values = nodes.map(value).filter((each) => each !== null);
  return values.length === 0 ? null : values.reduce((sum, each) => sum + each, 0);
}

/** Down, so that only a day without a gap is 100 %. */
const percent = (records: number, expected: number): string => (expected === 0 ? "–" : `${Math.floor((100 * records) / expected)} %`);

const incidents = ({ events, alarms, connectionLosses }: Pick<NodeProgress, "events" | "alarms" | "connectionLosses">): string =>
  [counted(events, "event"), counted(alarms, "alarm"), counted(connectionLosses, "connection loss", "connection losses")].join(", ");

const isNoteworthy = ({ records, expectedRecords, alarms, connectionLosses }: NodeProgress): boolean =>
  alarms > 0 || connectionLosses > 0 || records < completeShare * expectedRecords;

/** Plain text: totals first, then the nodes. */
export function reportText(facility: { facilityName: string; customerName: string }, date: string, nodes: readonly NodeProgress[]): string {
  const total = (value: (node: NodeProgress) => number) => sumOf(nodes, value) ?? 0;
  const [records, expected] = [total((node) => node.records), total((node) => node.expectedRecords)];
  const all = {
    events: total(({ events }) => events),
    alarms: total(({ alarms }) => alarms),
    connectionLosses: total(({ connectionLosses }) => connectionLosses),
  };
  const running = duration(sumOf(nodes, ({ runningSeconds }) => runningSeconds));
  const energy = figure(
    sumOf(nodes, ({ kwh }) => kwh),
    "kWh",
    0,
  );
  return [
    `${facility.facilityName}, ${facility.customerName}: the day ${date}`,
    "",
    `Nodes: ${nodes.length}`,
    `Running: ${running}`,
    `Energy: ${energy}`,
    `Data: ${counted(records, "record")} of ${expected.toLocaleString("en-US")} (${percent(records, expected)})`,
    `Incidents: ${incidents(all)}`,
    ...(nodes.length <= fullReportNodes ? nodes.flatMap(fullLines) : shortLines(nodes)),
    "",
  ].join("\n");
}

function fullLines(node: NodeProgress): string[] {
  return [
    "",
    `${node.locationName} (${node.serialNumber})`,
    `  Running ${duration(node.runningSeconds)}, energy ${figure(node.kwh, "kWh", 1)}`,
    `  Current ${figure(node.averageCurrent, "A", 1)} average, ${figure(node.peakCurrent, "A", 1)} peak`,
    `  Power ${figure(node.averageKw, "kW", 1)} average, ${figure(node.peakKw, "kW", 1)} peak`,
    `  Data ${node.records} of ${counted(node.expectedRecords, "record")} (${percent(node.records, node.expectedRecords)})`,
    `  ${incidents(node)}`,
  ];
}

function shortLines(nodes: readonly NodeProgress[]): string[] {
  const noted = nodes.filter(isNoteworthy);
  const lines = noted
    .slice(0, longestList)
    .map((node) => `${node.locationName} (${node.serialNumber}): data ${percent(node.records, node.expectedRecords)}, ${incidents(node)}`);
  const more = noted.length - lines.length;
  const rest = nodes.length - noted.length;
  return [
    "",
    ...lines,
    ...(more > 0 ? [`and ${more} more`] : []),
    ...(rest > 0 ? [`${noted.length > 0 ? "The other " : ""}${counted(rest, "node")}: nothing to look at.`] : []),
  ];
}
