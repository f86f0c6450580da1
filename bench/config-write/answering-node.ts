import { connectAsync } from "mqtt";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { decodePayload } from "@busbar/sparkplug/decode.ts";
import { createEdgeSession } from "@busbar/sparkplug/edge-session.ts";
import type { EdgeMessage } from "@busbar/sparkplug/edge-session.ts";
import type { MetricInput } from "@busbar/sparkplug/payload.ts";
import { groupOf, nodeTopic, stateTopic } from "@busbar/sparkplug/topic.ts";
import { metricNames, sparkplugHostId } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { secretOf } from "../lib/seed-fleet.ts";

export interface AnsweringNode {
  /** Milliseconds that it spent on the last command, from its arrival to its answer. */
  lastOwnMs(): number;
  stop(): Promise<void>;
}

/** A node that takes every configuration write at once: what is left of a save's time is the platform's. */
export async function startAnsweringNode(mqttUrl: string, serial: number): Promise<AnsweringNode> {
  const group = groupOf(serial);
  const edge = createEdgeSession({ group, edge: String(serial) });
  const will = edge.connect(Date.now());
  const client = await connectAsync(mqttUrl, {
    clientId: String(serial),
    username: String(serial),
    password: secretOf(serial),
    will: { ...will, payload: Buffer.from(will.payload) },
  });
  const send = ({ topic, payload }: EdgeMessage, qos: 0 | 1 = 0) => client.publishAsync(topic, Buffer.from(payload), { qos });
  let ownMs = 0;
  client.on("message", (topic, bytes) => {
    if (topic.includes("/STATE/")) return;
    const beganAt = performance.now();
    const answers = decodePayload(bytes).metrics.flatMap((metric): MetricInput[] => {
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
    });
    void send(edge.data(answers, Date.now()));
    ownMs = performance.now() - beganAt;
  });
  await client.subscribeAsync([nodeTopic("NCMD", group, String(serial)), stateTopic(sparkplugHostId)], { qos: 1 });
  await send(edge.birth([], Date.now()), 1);
  return { lastOwnMs: () => ownMs, stop: () => client.endAsync() };
}
