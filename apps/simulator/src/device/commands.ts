import {
  firstConfigAlias,
  metricAliases,
  metricNames,
  nodeConfigKeys,
  type NodeConfigKey,
} from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import type { Metric, Payload } from "@busbar/sparkplug/payload.ts";
import { isConfigKey } from "./node-config.ts";

/** What a host may ask of a node. */
export type Command =
  | { kind: "rebirth" }
  | { kind: "reboot" }
  | { kind: "live"; leaseSeconds: number }
  | { kind: "resetMeter" }
  | { kind: "refreshConfig"; requestId: string }
  | { kind: "fileAck"; json: string }
  | { kind: "fileRequest"; json: string }
  | { kind: "writeConfig"; key: NodeConfigKey; value: string; request: WriteRequest }
  | { kind: "unknownConfig"; key: string; request: WriteRequest };

export interface WriteRequest {
  requestId: string;
  previous: string | undefined;
  /** Epoch milliseconds; undefined: never. */
  expiresAtMs: number | undefined;
}

const namesByAlias = new Map<number, string>([
  ...Object.entries(metricAliases).map(([name, alias]) => [alias, name] as const),
  ...nodeConfigKeys.map((key, index) => [firstConfigAlias + index, `Config/${key}`] as const),
]);

const longestLeaseSeconds = 300;

/** Reads the commands of an NCMD or DCMD, by name or by alias; what is not a command of ours is left out. */
export function readCommands(payload: Payload, aliasBase = 0): Command[] {
  return payload.metrics.flatMap((metric) => readCommand(metric, aliasBase) ?? []);
}

function readCommand(metric: Metric, aliasBase: number): Command | undefined {
  const name = metric.name ?? (metric.alias === undefined ? undefined : namesByAlias.get(metric.alias - aliasBase));
  const { value } = metric;
  if (name === undefined || value === null) return undefined;
  const isTrue = value === true || value === 1;
  if (name === metricNames.rebirth) return isTrue ? { kind: "rebirth" } : undefined;
  if (name === metricNames.reboot) return isTrue ? { kind: "reboot" } : undefined;
  if (name === metricNames.meterReset) return isTrue ? { kind: "resetMeter" } : undefined;
  if (name === metricNames.liveLeaseSeconds) {
    const seconds = Number(value);
    return seconds >= 0 ? { kind: "live", leaseSeconds: Math.min(longestLeaseSeconds, seconds) } : undefined;
  }
  if (name === metricNames.configRefresh) return typeof value === "string" ? { kind: "refreshConfig", requestId: value } : undefined;
  if (name === metricNames.fileAck) return typeof value === "string" ? { kind: "fileAck", json: value } : undefined;
  if (name === metricNames.fileRequest) return typeof value === "string" ? { kind: "fileRequest", json: value } : undefined;
  if (!name.startsWith("Config/")) return undefined;
  const key = name.slice("Config/".length);
  const request = readRequest(metric);
  return isConfigKey(key) ? { kind: "writeConfig", key, value: valueText(value), request } : { kind: "unknownConfig", key, request };
}

// The host may send a Float for a Double: its text is the shortest that means the same
function valueText(value: Exclude<Metric["value"], null>): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "1" : "0";
  return typeof value === "number" || typeof value === "bigint" ? String(value) : "";
}

function readRequest({ properties }: Metric): WriteRequest {
  const read = (key: string) => properties?.get(key)?.value;
  const previous = read("previous");
  const expires = read("expires");
  return {
    requestId: String(read("requestId") ?? ""),
    previous: previous === undefined || previous === null ? undefined : String(previous),
    expiresAtMs: expires === undefined || expires === null ? undefined : Number(expires),
  };
}
