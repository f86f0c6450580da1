import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import type { Metric } from "@busbar/sparkplug/payload.ts";
import { cleanText } from "#lib/clean-text.ts";

/** What a node reports of its configuration, and what it answers to requests. */
export interface NodeReport {
  serial: number;
  atMs: number;
  /** Configuration values by key. */
  values: Map<string, string>;
  /** Their datatypes, where the node said them. */
  types: Map<string, number>;
  answers: ReportedAnswer[];
}

export interface ReportedAnswer {
  requestId: string;
  metric: string;
  result: string;
  value: string | null;
}

const configPrefix = "Config/";
const maxKeyLength = 64;
const maxValueLength = 300;
const maxPerMessage = 200;
const requestIdPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a metric may be one of these, cheaply. */
export function isReportedMetric({ name, properties, isHistorical }: Metric): boolean {
  return !isHistorical && (properties !== undefined || name?.startsWith(configPrefix) === true);
}

/** Reads metrics of one message; what is no configuration value and no answer is left out. */
export function readNodeReport(serial: number, atMs: number, metrics: readonly Metric[]): NodeReport | undefined {
  const values = new Map<string, string>();
  const types = new Map<string, number>();
  const answers: ReportedAnswer[] = [];
  for (const metric of metrics.slice(0, maxPerMessage)) {
    const name = metric.name ?? "";
    const value = textOf(metric);
    if (name === metricNames.configRefresh) {
      if (value !== null && requestIdPattern.test(value)) answers.push({ requestId: value, metric: name, result: "OK", value: null });
      continue;
    }
    const key = name.startsWith(configPrefix) ? name.slice(configPrefix.length) : "";
    if (key !== "" && key.length <= maxKeyLength && value !== null && key === cleanText(key, maxKeyLength)) {
      values.set(key, value);
      if (metric.datatype !== undefined) types.set(key, metric.datatype);
    }
    const requestId = metric.properties?.get("requestId")?.value;
    if (typeof requestId !== "string" || !requestIdPattern.test(requestId)) continue;
    const result = metric.properties?.get("result")?.value;
    answers.push({ requestId, metric: name.slice(0, 100), result: typeof result === "string" ? cleanText(result, 32) : "", value });
  }
  return values.size === 0 && answers.length === 0 ? undefined : { serial, atMs, values, types, answers };
}

function textOf({ value, datatype }: Metric): string | null {
  if (typeof value === "string") return cleanText(value, maxValueLength);
  if (typeof value === "boolean") return value ? "1" : "0";
  // 57.6 in a Float is 57.599998474…
  if (typeof value === "number")
    return Number.isFinite(value) ? String(Number(value.toPrecision(datatype === DataType.Float ? 7 : 15))) : null;
  return typeof value === "bigint" ? String(value) : null;
}
