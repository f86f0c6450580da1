import { connect } from "node:net";
import { connect as secure, type TLSSocket } from "node:tls";
import { setTimeout as pause } from "node:timers/promises";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { createEdgeSession } from "@busbar/sparkplug/edge-session.ts";
import { groupOf } from "@busbar/sparkplug/topic.ts";
import mqttPacket from "mqtt-packet";

export interface StormNode {
  /** Whether it is in, and its birth is acknowledged. */
  isIn(): boolean;
  tries(): number;
  end(): void;
}

const patienceMs = 60_000;
/** One program plays all nodes: of more at a time it could not answer each in time. */
const handshakesAtOnce = 200;
const loopbackNetwork = 127;

let free = handshakesAtOnce;
const waiting: (() => void)[] = [];
const takeTurn = async (): Promise<void> => {
  if (free > 0) free--;
  else await new Promise<void>((resolve) => waiting.push(resolve));
};
const giveTurn = () => {
  const next = waiting.shift();
  if (next) next();
  else free++;
};

/** A node that connects over TLS, is born, and comes back by itself until it is ended. Each has its own address. */
export function startStormNode(serial: number, secret: string, port: number): StormNode {
  const session = createEdgeSession({ group: groupOf(serial), edge: String(serial) });
  const localAddress = [loopbackNetwork, 1 + (serial >> 16), (serial >> 8) & 255, serial & 255].join(".");
  let socket: TLSSocket | undefined;
  let isIn = false;
  let isActive = true;
  let tries = 0;

  const attempt = (): Promise<void> =>
    new Promise((resolve) => {
      tries++;
      let hasTurn = true;
      const settle = () => {
        if (hasTurn) giveTurn();
        hasTurn = false;
      };
      const will = session.connect(Date.now());
      const outer = connect({ host: "127.0.0.1", port, localAddress });
      outer.on("error", () => undefined);
      const own = secure({ socket: outer, rejectUnauthorized: false });
      socket = own;
      const parser = mqttPacket.parser();
      const timer = setTimeout(() => own.destroy(), patienceMs);
      own.on("error", () => undefined).on("data", (chunk) => parser.parse(chunk));
      own.once("close", () => {
        clearTimeout(timer);
        settle();
        isIn = false;
        resolve();
      });
      own.once("secureConnect", () =>
        own.write(
          mqttPacket.generate({
            cmd: "connect",
            protocolId: "MQTT",
            protocolVersion: 4,
            clean: true,
            keepalive: 600,
            clientId: String(serial),
            username: String(serial),
            password: Buffer.from(secret),
            will: { topic: will.topic, payload: Buffer.from(will.payload), qos: 1, retain: false },
          }),
        ),
      );
      parser.on("packet", (packet) => {
        if (packet.cmd === "connack" && packet.returnCode === 0) {
          const now = Date.now();
          const birth = session.birth([{ name: "Scalar/LF", alias: 1, datatype: DataType.Float, value: 60, timestamp: now }], now);
          const payload = Buffer.from(birth.payload);
          own.write(mqttPacket.generate({ cmd: "publish", topic: birth.topic, payload, qos: 1, messageId: 1, dup: false, retain: false }));
        } else if (packet.cmd === "puback") {
          clearTimeout(timer);
          settle();
          isIn = true;
        } else own.destroy();
      });
    });

  void (async () => {
    for (;;) {
      await takeTurn();
      await attempt();
      if (!isActive) return;
      // As nodes do; the moment of each is its own.
      await pause(500 + Math.random() * 1_500);
    }
  })();
  return {
    isIn: () => isIn,
    tries: () => tries,
    end() {
      isActive = false;
      socket?.destroy();
    },
  };
}
