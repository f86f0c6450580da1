import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { interpretValue } from "@busbar/sparkplug/interpret.ts";
import type { MetricDefinition, MetricTable } from "@busbar/sparkplug/metric-table.ts";
import type { Metric, MetricValue, Payload } from "@busbar/sparkplug/payload.ts";
import { createFileAssembly, fileAckCodes, isAssembled, type FileAssembly } from "#features/files/data-files/file-assembly.ts";
import { isFileMetric, readFilePart } from "#features/files/data-files/file-part.ts";
import { readNodeEvent } from "#features/telemetry/scalars/node-event.ts";
import type { FindingList } from "./finding-list.ts";
import { scalarNames } from "./scalar-names.ts";

export interface DataRulesOptions {
  findings: FindingList;
  /** The node or sub node. */
  serial: number;
  /** `NDATA`, or `DDATA 10301`. */
  what: string;
  scalarIntervalSeconds: number;
}

export interface DataRules {
  /** `table` is the birth's; undefined when it was not seen. */
  take(payload: Payload, atMs: number, table: MetricTable | undefined): void;
  /** Scalars of now that came. */
  readonly scalars: number;
  finish(nowMs: number, watchedFromMs: number): void;
}

const maxFutureMs = 60_000;
const earliestMs = Date.UTC(2010, 0, 1);
// What a node keeps and sends again, and a little.
const historyMs = 150_000;

const fileProblems: Record<string, string> = {
  "file-name": "has no name of its kind, such as 10234_20260106T143000Z_D0900.txt",
  "file-of-other-node": "is another node's",
  "file-metadata": "lacks size, md5 or a seq in its metadata",
  "file-too-large": "is larger than its kind may be",
  "file-part-size": "has a part above 64 KiB, or an empty one",
};

/** DATA of a node or sub node: names, types, times, scalars, files and events. */
export function createDataRules({ findings, serial, what, scalarIntervalSeconds }: DataRulesOptions): DataRules {
  const files = new Map<string, FileAssembly>();
  let scalars = 0;
  let newestScalarMs: number | undefined;
  let leaseUntilMs = 0;

  const checkMetric = (metric: Metric, atMs: number, table: MetricTable | undefined): string | undefined => {
    const { name, alias } = metric;
    const wrong = (sentence: string) => findings.wrong("Data", sentence, atMs);
    if (name === undefined && alias === undefined) {
      wrong(`${what} has a metric with neither name nor alias.`);
      return undefined;
    }
    const born = table && definitionOf(table, metric);
    if (table && born === undefined) {
      wrong(`${what} has ${name === undefined ? `alias ${alias}` : name}, which the birth does not have.`);
      return undefined;
    }
    const shown = born?.name ?? name ?? `alias ${alias}`;
    if (born?.alias !== undefined && name !== undefined)
      findings.note("Data", `${what} has ${shown} by its name; the birth gave it an alias.`, atMs);
    if (born && metric.datatype !== undefined) findings.note("Data", `${what} repeats the datatype of ${shown}; the birth has it.`, atMs);
    if (born && interpretValue(metric.value, born.datatype) === undefined)
      wrong(`${what} has a value of ${shown} that is not of its type.`);
    if (typeof metric.value === "number" && !Number.isFinite(metric.value))
      wrong(`${what} has ${shown} that is no number; is_null says that there is none.`);
    if (metric.timestamp === undefined) findings.wrong("Time", `${what} has ${shown} without a timestamp.`, atMs);
    else checkTime(shown, metric.timestamp, atMs);
    return born?.name ?? name;
  };

  const checkTime = (shown: string, timestampMs: number, atMs: number) => {
    if (timestampMs > atMs + maxFutureMs) findings.wrong("Time", `${what} has ${shown} from the future: it is refused.`, atMs);
    else if (timestampMs < earliestMs) findings.wrong("Time", `${what} has ${shown} from before 2010: it is refused.`, atMs);
  };

  const takeScalar = (metrics: readonly { name: string; metric: Metric }[], atMs: number) => {
    const times = new Set(metrics.map(({ metric }) => metric.timestamp));
    if (times.size > 1) return;
    const [timestampMs] = times;
    const has = new Set(metrics.map(({ name }) => name));
    const lacking = scalarNames.filter((name) => !has.has(name));
    if (lacking.length > 0) findings.wrong("Data", `A scalar lacks ${lacking.join(", ")}: all nine come together, under one time.`, atMs);
    const isHistorical = metrics.some(({ metric }) => metric.isHistorical);
    if (timestampMs === undefined || isHistorical) return;
    if (timestampMs < atMs - historyMs) {
      findings.wrong("Data", "A scalar of more than two minutes ago is not marked is_historical.", atMs);
      return;
    }
    scalars++;
    const gapMs = newestScalarMs === undefined ? 0 : timestampMs - newestScalarMs;
    newestScalarMs = Math.max(newestScalarMs ?? 0, timestampMs);
    if (gapMs < 0) findings.wrong("Data", "Scalars go back in time without is_historical.", atMs);
    else if (gapMs > 1_500 * scalarIntervalSeconds) {
      findings.wrong("Data", `Scalars were skipped: one is due every ${scalarIntervalSeconds} s.`, atMs);
    } else if (gapMs > 0 && gapMs < 500 * scalarIntervalSeconds && atMs > leaseUntilMs) {
      findings.note("Data", `Scalars come more often than every ${scalarIntervalSeconds} s, and no one asked for it.`, atMs);
    }
  };

  const takeFile = (name: string, metric: Metric, atMs: number) => {
    const part = readFilePart({ ...metric, name }, serial);
    if ("problem" in part) {
      findings.wrong("Files", `A file of ${name} ${fileProblems[part.problem] ?? part.problem}.`, atMs);
      return;
    }
    let assembly = files.get(part.name);
    if (assembly === undefined || assembly.md5 !== part.md5 || assembly.size !== part.size) {
      assembly = createFileAssembly(part, atMs);
      files.set(part.name, assembly);
      if (files.size > 8) files.delete(files.keys().next().value ?? "");
    }
    const outcome = assembly.add(part, atMs);
    if (outcome === undefined) return;
    if (isAssembled(outcome) || outcome.code !== fileAckCodes.continue) files.delete(part.name);
    if (isAssembled(outcome)) return;
    if (outcome.code === fileAckCodes.md5Error)
      findings.wrong("Files", `The parts of a file of ${name} do not have the md5 that it declares.`, atMs);
    else if (outcome.code === fileAckCodes.sequenceError)
      findings.wrong("Files", `The parts of a file of ${name} do not fit together.`, atMs);
  };

  return {
    get scalars() {
      return scalars;
    },
    take(payload, atMs, table) {
      if (payload.timestamp === undefined) findings.wrong("Time", `${what} has no timestamp of its own: when it was sent.`, atMs);
      const scalar: { name: string; metric: Metric }[] = [];
      for (const metric of payload.metrics) {
        const name = checkMetric(metric, atMs, table);
        if (name === undefined) continue;
        if (scalarNames.includes(name)) scalar.push({ name, metric });
        if (name === metricNames.liveLeaseSeconds) leaseUntilMs = atMs + 1000 * numberOf(metric.value);
        if (isFileMetric(name) && metric.value !== null) takeFile(name, metric, atMs);
        if (name === metricNames.lastEvent && typeof metric.value === "string" && metric.value !== "" && !readNodeEvent(metric.value)) {
          findings.wrong("Data", `${name} is no JSON with kind and ts.`, atMs);
        }
      }
      if (scalar.length > 0) takeScalar(scalar, atMs);
    },
    finish(nowMs, watchedFromMs) {
      const seconds = Math.round((nowMs - watchedFromMs) / 1000);
      const isDue = seconds > 2 * scalarIntervalSeconds;
      if (isDue && scalars === 0)
        findings.wrong("Data", `No scalar came in ${seconds} s; one is due every ${scalarIntervalSeconds} s.`, nowMs);
    },
  };
}

function definitionOf(table: MetricTable, { name, alias }: Metric): MetricDefinition | undefined {
  if (name !== undefined) return table.byName.get(name);
  return alias === undefined ? undefined : table.byAlias.get(alias);
}

const numberOf = (value: MetricValue) => (typeof value === "number" ? value : 0);
