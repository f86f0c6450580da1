import { setTimeout as pause } from "node:timers/promises";
import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import type { Metric, MetricInput } from "@busbar/sparkplug/payload.ts";
import { startEdgeNode } from "../lib/edge-node.ts";

export interface ConfigNode {
  serial: number;
  value(): number;
  /** Changes that were sent to it, whatever became of them, since the last call. */
  takeReceived(): number[];
  stop(): Promise<void>;
}

const metricName = "Config/v_noise";

/** A node that takes its time to answer, writes by compare-and-set, and remembers what it was sent. */
export async function startConfigNode(mqttUrl: string, serial: number, slowestMs: number, first = 5): Promise<ConfigNode> {
  let value = first;
  let received: number[] = [];
  const present = (): MetricInput => ({ name: metricName, datatype: DataType.Double, value, timestamp: Date.now() });

  function answerTo(metric: Metric): MetricInput[] {
    if (metric.name === metricNames.configRefresh)
      return [present(), { name: metric.name, datatype: DataType.String, value: metric.value, timestamp: Date.now() }];
    const requestId = metric.properties?.get("requestId");
    if (metric.name !== metricName || !requestId) return [];
    const wanted = Number(metric.value);
    received.push(wanted);
    const isAsSeen = Number(metric.properties?.get("previous")?.value) === value;
    const result = !isAsSeen ? "CONFLICT" : wanted === value ? "UNCHANGED" : "OK";
    if (result === "OK") value = wanted;
    const properties = new Map([
      ["requestId", requestId],
      ["result", { type: DataType.String, value: result }],
    ]);
    return [{ ...present(), properties }];
  }

  const node = await startEdgeNode(mqttUrl, serial, [present()], (metrics, { sendData }) => {
    const answers = metrics.flatMap(answerTo);
    // Its own slowness is what kills hit.
    void pause(Math.random() * slowestMs).then(() => sendData(answers));
  });
  return {
    serial,
    value: () => value,
    takeReceived() {
      const all = received;
      received = [];
      return all;
    },
    stop: node.stop,
  };
}
