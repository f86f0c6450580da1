import { DataType } from "./datatypes.ts";
import { interpretValue } from "./interpret.ts";
import type { MetricProblem, MetricTable } from "./metric-table.ts";
import type { Metric, Payload } from "./payload.ts";

const noProblems: readonly MetricProblem[] = [];

export function hasUnknownAlias(payload: Payload, table: MetricTable | undefined): boolean {
  for (const { alias, name } of payload.metrics) {
    if (name === undefined && alias !== undefined && table?.byAlias.has(alias) !== true) return true;
  }
  return false;
}

/**
 * Gives every metric of a DATA message its name, and its value the type of the birth. Changes the metrics in place; those that cannot be
 * resolved are taken out of the payload and reported as problems. Without a table a metric that carries its own name stays as it is.
 */
export function resolveMetrics(payload: Payload, table: MetricTable | undefined): readonly MetricProblem[] {
  let problems: Set<MetricProblem> | undefined;
  const { metrics } = payload;
  let kept = 0;
  for (let index = 0; index < metrics.length; index++) {
    const metric = metrics[index]!;
    const problem = resolveMetric(metric, table);
    if (problem === undefined) metrics[kept++] = metric;
    else (problems ??= new Set()).add(problem);
  }
  metrics.length = kept;
  return problems === undefined ? noProblems : [...problems];
}

function resolveMetric(metric: Metric, table: MetricTable | undefined): MetricProblem | undefined {
  const { name, alias } = metric;
  const definition = name !== undefined ? table?.byName.get(name) : alias !== undefined ? table?.byAlias.get(alias) : undefined;
  if (definition === undefined) {
    if (name === undefined) return alias === undefined ? "metric-without-name" : "alias-never-born";
    if (name === "") return "metric-without-name";
    if (metric.datatype !== undefined && metric.datatype > DataType.DateTimeArray) return "unsupported-datatype";
    return undefined;
  }
  metric.name = definition.name;
  metric.datatype = definition.datatype;
  const typed = interpretValue(metric.value, definition.datatype);
  if (typed === undefined) return "value-outside-type";
  metric.value = typed;
  return undefined;
}
