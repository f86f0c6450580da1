import { findConfigParameter } from "@busbar/contract/telemetry/config-catalogue.ts";
import { metricNames, metricTypes, sparkplugProtocolVersion } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { createMetricTable, type MetricTable } from "@busbar/sparkplug/metric-table.ts";
import type { Metric, Payload } from "@busbar/sparkplug/payload.ts";
import { scalarNames } from "./scalar-names.ts";
import type { FindingList } from "./finding-list.ts";

const typeNames = new Map<number, string>(Object.entries(DataType).map(([name, number]) => [number, name]));
const integerTypes: readonly number[] = [DataType.Int8, DataType.Int16, DataType.Int32, DataType.Int64, DataType.UInt8, DataType.UInt16];
const catalogue: Readonly<Record<string, string>> = metricTypes;

/** The type that the guide gives a metric; undefined for one that it does not know. */
export function expectedType(name: string): number | undefined {
  const type =
    catalogue[name] ?? (name.startsWith("Config/") ? findConfigParameter(name.slice("Config/".length))?.rule.wireType : undefined);
  return type === undefined ? undefined : DataType[type as keyof typeof DataType];
}

/** A host reads a whole number of any width alike, and either kind of text and of floating point. */
function isEquivalent(type: number, expected: number): boolean {
  const isIn = (...types: number[]) => types.includes(type) && types.includes(expected);
  return (
    isIn(...integerTypes, DataType.UInt64) || isIn(DataType.Float, DataType.Double) || isIn(DataType.String, DataType.Text, DataType.UUID)
  );
}

export interface BirthRulesOptions {
  findings: FindingList;
  /** `NBIRTH`, or `DBIRTH 10301`. */
  what: string;
  atMs: number;
  isDevice: boolean;
  hasScalars: boolean;
  /** Aliases of the node's other births. */
  takenAliases: ReadonlySet<number>;
}

/** Checks what a birth says by itself. @returns what data that follows may refer to */
export function checkBirth(payload: Payload, options: BirthRulesOptions): MetricTable {
  const { findings, what, atMs, isDevice, hasScalars } = options;
  const wrong = (sentence: string) => findings.wrong("Birth", sentence, atMs);
  const note = (sentence: string) => findings.note("Birth", sentence, atMs);
  const names = new Map<string, string>();
  const aliases = new Set(options.takenAliases);
  const unknown: string[] = [];
  for (const metric of payload.metrics) {
    const { name, alias, datatype } = metric;
    if (name === undefined || name === "") {
      wrong(`${what} has a metric without a name${alias === undefined ? "" : ` (alias ${alias})`}.`);
      continue;
    }
    const twin = names.get(name.toLowerCase());
    if (twin === name) wrong(`${what} has ${name} twice.`);
    else if (twin !== undefined) wrong(`${what} has ${twin} and ${name}, which differ only in their case.`);
    names.set(name.toLowerCase(), name);
    if (alias !== undefined && aliases.has(alias)) wrong(`${what} gives alias ${alias} to ${name}, and it is taken.`);
    if (alias !== undefined) aliases.add(alias);
    if (metric.timestamp === undefined) wrong(`${what} has ${name} without a timestamp.`);
    if (datatype === undefined || datatype === DataType.Unknown) wrong(`${what} has ${name} without a datatype.`);
    else checkType(metric, datatype);
    if (expectedType(name) === undefined) unknown.push(name);
  }
  if (unknown.length > 0) note(`${what} has metrics that the platform does not know and only keeps: ${listed(unknown)}.`);
  const has = (name: string) => names.has(name.toLowerCase());
  const lacking = hasScalars ? scalarNames.filter((name) => !has(name)) : [];
  if (lacking.length > 0) wrong(`${what} lacks ${listed(lacking)}.`);
  if (!isDevice) checkOwnMetrics(payload, has);
  return createMetricTable(
    payload.metrics.flatMap(({ name, alias, datatype }) => (name ? [{ name, alias, datatype: datatype ?? DataType.Unknown }] : [])),
  );

  function checkType({ name = "", value }: Metric, datatype: number): void {
    const expected = expectedType(name);
    const typeName = typeNames.get(datatype) ?? String(datatype);
    if (datatype === DataType.UInt32) note(`${what} has ${name} as UInt32, which libraries encode in two ways; Int64 is safe.`);
    if (expected === undefined || expected === datatype) return;
    const sentence = `${what} has ${name} as ${typeName}; it is ${typeNames.get(expected)}.`;
    if (isEquivalent(datatype, expected) || (value === null && datatype === DataType.Unknown)) note(sentence);
    else wrong(sentence);
  }

  function checkOwnMetrics({ metrics, seq }: Payload, has: (name: string) => boolean): void {
    const find = (name: string) => metrics.find((metric) => metric.name === name);
    if (seq !== undefined && seq !== 0) note(`${what} has seq ${seq}; a birth begins with 0.`);
    if (!has(metricNames.bdSeq)) wrong(`${what} has no bdSeq: its death cannot be recognised.`);
    const rebirth = find(metricNames.rebirth);
    if (rebirth === undefined) wrong(`${what} has no ${metricNames.rebirth}.`);
    else if (rebirth.value !== false) wrong(`${what} has ${metricNames.rebirth} that is not false.`);
    else if (rebirth.alias !== undefined) wrong(`${what} gives ${metricNames.rebirth} an alias; it is always addressed by its name.`);
    const protocol = find(metricNames.protocol)?.value;
    if (protocol === undefined) note(`${what} has no ${metricNames.protocol}; it is ${sparkplugProtocolVersion}.`);
    else if (protocol !== sparkplugProtocolVersion) {
      wrong(`${what} has ${metricNames.protocol} ${JSON.stringify(protocol)}; this guide is of version ${sparkplugProtocolVersion}.`);
    }
    if (!has(metricNames.configRefresh)) note(`${what} has no ${metricNames.configRefresh}: the node's configuration cannot be read.`);
    if (!has(metricNames.fileAck)) note(`${what} has no ${metricNames.fileAck}: the node sends no files.`);
  }
}

const listed = (names: readonly string[]) =>
  names.length > 8 ? `${names.slice(0, 8).join(", ")} and ${names.length - 8} more` : names.join(", ");
