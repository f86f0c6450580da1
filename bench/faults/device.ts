import { metricAliases, scalarMeasurements } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { createEdgeSession } from "@busbar/sparkplug/edge-session.ts";
import type { MetricInput } from "@busbar/sparkplug/payload.ts";
import { groupOf } from "@busbar/sparkplug/topic.ts";
import { connect, type MqttClient } from "mqtt";

export interface Device {
  serial: number;
  secret: string;
  /** Connects, is born, and sends again as historical what was not acknowledged. */
  connect(): Promise<void>;
  publish(): void;
  unacknowledged(): number;
  /** The connection was lost: forgets it. */
  dropped(): Promise<void>;
  /** Waits until all that was sent is acknowledged. */
  settled(): Promise<void>;
  end(): Promise<void>;
  sentTimes(): number[];
  acknowledgedTimes(): number[];
}

/** A node that publishes its scalars at QoS 1 and keeps account of every acknowledgement. */
export function createDevice(serial: number, secret: string, mqttPort: number): Device {
  const session = createEdgeSession({ group: groupOf(serial), edge: String(serial) });
  const sent = new Set<number>();
  const acknowledged = new Set<number>();
  let client: MqttClient | undefined;
  let lastTime = 0;

  function metrics(time: number, isBirth: boolean, isHistorical: boolean): MetricInput[] {
    return scalarMeasurements.map((name, index) => ({
      ...(isBirth ? { name } : {}),
      alias: metricAliases[name] ?? 0,
      datatype: DataType.Float,
      value: 40 + index + (time % 1000) / 1000,
      timestamp: time,
      isHistorical,
    }));
  }

  function send(time: number, isHistorical: boolean): void {
    const { topic, payload } = session.data(metrics(time, false, isHistorical), Date.now());
    client?.publish(topic, Buffer.from(payload), { qos: 1 }, (error) => {
      if (!error) acknowledged.add(time);
    });
  }

  const open = () => [...sent].filter((time) => !acknowledged.has(time));

  return {
    serial,
    secret,
    async connect() {
      const will = session.connect(Date.now());
      client = connect({
        host: "127.0.0.1",
        port: mqttPort,
        clientId: String(serial),
        username: String(serial),
        password: secret,
        reconnectPeriod: 0,
        will: { topic: will.topic, payload: Buffer.from(will.payload), qos: 1, retain: false },
      });
      client.on("error", () => undefined); // seen as a missing acknowledgement
      const current = client;
      await new Promise<void>((resolve, reject) => {
        current.once("connect", () => resolve());
        current.once("close", () => reject(new Error(`node ${serial} was not let in`)));
      });
      const birthTime = nextTime();
      const birth = session.birth(metrics(birthTime, true, false), Date.now());
      await current.publishAsync(birth.topic, Buffer.from(birth.payload), { qos: 1 });
      for (const time of open()) send(time, true);
    },
    publish() {
      const time = nextTime();
      sent.add(time);
      send(time, false);
    },
    unacknowledged: () => open().length,
    async dropped() {
      await new Promise<void>((done) => (client ? client.end(true, {}, () => done()) : done()));
      client = undefined;
    },
    async settled() {
      while (open().length > 0) await new Promise((done) => setTimeout(done, 20));
    },
    end: async () => {
      await client?.endAsync();
    },
    sentTimes: () => [...sent],
    acknowledgedTimes: () => [...acknowledged],
  };

  /** Milliseconds of a sample; two never share one. */
  function nextTime(): number {
    lastTime = Math.max(Date.now(), lastTime + 1);
    return lastTime;
  }
}
