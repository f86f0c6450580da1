import { DataType } from "./datatypes.ts";
import type { Metric } from "./payload.ts";
import { wellKnownMetrics } from "./well-known.ts";

/** What a birth says about one metric. */
export interface MetricDefinition {
  name: string;
  alias: number | undefined;
  datatype: number;
}

/** The metrics of one birth. Names and aliases of devices are Map keys only. */
export interface MetricTable {
  definitions: readonly MetricDefinition[];
  byName: ReadonlyMap<string, MetricDefinition>;
  byAlias: ReadonlyMap<number, MetricDefinition>;
}

/** The bdSeq of a birth or death; undefined when it is absent or no number. */
export function readBdSeq(metrics: readonly Metric[]): number | undefined {
  const value = metrics.find((metric) => metric.name === wellKnownMetrics.bdSeq)?.value;
  return typeof value === "number" && Number.isInteger(value) ? value : undefined;
}

/** Nodes of one firmware have equal births: a pool lets them share one table. */
export interface MetricTablePool {
  get: (definitions: readonly MetricDefinition[]) => MetricTable;
}

/** @param maxTables the pool forgets the table that was made first; a table in use lives on with its users */
export function createMetricTablePool(maxTables = 1_000): MetricTablePool {
  const tables = new Map<string, MetricTable>();
  return {
    get(definitions) {
      const key = JSON.stringify(definitions.map(({ name, alias, datatype }) => [name, alias, datatype]));
      let table = tables.get(key);
      if (table === undefined) {
        table = createMetricTable(definitions);
        if (tables.size >= maxTables) tables.delete(tables.keys().next().value!);
        tables.set(key, table);
      }
      return table;
    },
  };
}

export function createMetricTable(definitions: readonly MetricDefinition[]): MetricTable {
  const byName = new Map<string, MetricDefinition>();
  const byAlias = new Map<number, MetricDefinition>();
  for (const definition of definitions) {
    byName.set(definition.name, definition);
    if (definition.alias !== undefined) byAlias.set(definition.alias, definition);
  }
  return { definitions: [...byName.values()], byName, byAlias };
}

export type MetricProblem =
  | "metric-without-name"
  | "metric-without-datatype"
  | "unsupported-datatype"
  | "duplicate-alias"
  | "alias-never-born"
  | "value-outside-type";

/**
 * Reads the definitions out of a birth.
 * @param takenAliases aliases of the node's other births; those of this birth are added. An alias that is taken is left out: its
 *   metric can be identified by name only.
 */
export function readBirth(
  metrics: readonly Metric[],
  takenAliases: Set<number>,
): { definitions: MetricDefinition[]; problems: MetricProblem[] } {
  const definitions: MetricDefinition[] = [];
  const problems = new Set<MetricProblem>();
  for (const metric of metrics) {
    const { name, alias, datatype } = metric;
    if (name === undefined || name === "") {
      problems.add("metric-without-name");
      continue;
    }
    if (datatype === undefined || datatype === DataType.Unknown) problems.add("metric-without-datatype");
    else if (datatype > DataType.DateTimeArray) {
      problems.add("unsupported-datatype");
      continue;
    }
    const isTaken = alias !== undefined && takenAliases.has(alias);
    if (isTaken) problems.add("duplicate-alias");
    else if (alias !== undefined) takenAliases.add(alias);
    definitions.push({ name, alias: isTaken ? undefined : alias, datatype: datatype ?? DataType.Unknown });
  }
  return { definitions, problems: [...problems] };
}
