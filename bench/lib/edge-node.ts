import { sparkplugHostId } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { decodePayload } from "@busbar/sparkplug/decode.ts";
import { createEdgeSession, type EdgeMessage } from "@busbar/sparkplug/edge-session.ts";
import type { Metric, MetricInput } from "@busbar/sparkplug/payload.ts";
import { groupOf, nodeTopic, stateTopic } from "@busbar/sparkplug/topic.ts";
import { connectAsync } from "mqtt";
import { secretOf } from "./seed-fleet.ts";

export interface EdgeNode {
  /** Metrics of now; without a connection they are not sent. */
  sendData: (metrics: MetricInput[]) => void;
  stop: () => Promise<void>;
}

/** A node of the generated fleet, connected and born, that hears its commands. */
export async function startEdgeNode(
  mqttUrl: string,
  serial: number,
  born: MetricInput[],
  hear: (metrics: readonly Metric[], node: EdgeNode) => void,
): Promise<EdgeNode> {
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
  const node: EdgeNode = {
    sendData: (metrics) => void (client.connected && send(edge.data(metrics, Date.now()))),
    stop: () => client.endAsync(),
  };
  client.on("message", (topic, bytes) => {
    if (!topic.includes("/STATE/")) hear(decodePayload(bytes).metrics, node);
  });
  await client.subscribeAsync([nodeTopic("NCMD", group, String(serial)), stateTopic(sparkplugHostId)], { qos: 1 });
  await send(edge.birth(born, Date.now()), 1);
  return node;
}
