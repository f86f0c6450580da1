import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import type { Metric, MetricInput } from "@busbar/sparkplug/payload.ts";
import { startEdgeNode } from "../lib/edge-node.ts";

export interface AnsweringNode {
  /** Milliseconds that it spent on the last command, from its arrival to its answer. */
  lastOwnMs(): number;
  stop(): Promise<void>;
}

/** A node that takes every configuration write at once: what is left of a save's time is the platform's. */
export async function startAnsweringNode(mqttUrl: string, serial: number): Promise<AnsweringNode> {
  let ownMs = 0;
  const node = await startEdgeNode(mqttUrl, serial, [], (metrics, { sendData }) => {
    const beganAt = performance.now();
    sendData(metrics.flatMap(answerTo));
    ownMs = performance.now() - beganAt;
  });
  return { lastOwnMs: () => ownMs, stop: node.stop };
}

function answerTo(metric: Metric): MetricInput[] {
  if (metric.name === metricNames.configRefresh)
    return [
      { name: "Config/v_noise", datatype: DataType.Double, value: 5, timestamp: Date.now() },
      { name: metric.name, datatype: DataType.String, value: metric.value, timestamp: Date.now() },
    ];
  const requestId = metric.properties?.get("requestId");
  if (!metric.name || !requestId) return [];
  const properties = new Map([
    ["requestId", requestId],
    ["result", { type: DataType.String, value: "OK" }],
  ]);
  return [{ name: metric.name, datatype: metric.datatype ?? DataType.Double, value: metric.value, timestamp: Date.now(), properties }];
}
