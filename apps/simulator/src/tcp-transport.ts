import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import mqtt, { type Packet, type Parser } from "mqtt-packet";
import type { SimClock } from "./clock.ts";
import type { Timer } from "./timer-wheel.ts";
import type { ConnectRequest, Transport, TransportEvents, TransportFactory } from "./transport.ts";

export interface BrokerAddress {
  host: string;
  port: number;
  isSecure: boolean;
}

/** @throws Error with a sentence that names the address when it is no `mqtt://` or `mqtts://` URL */
export function parseBrokerUrl(text: string): BrokerAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== "mqtt:" && url.protocol !== "mqtts:") || url.hostname === "") {
    throw new Error(`The broker address "${text}" is not of the form mqtt://host:port`);
  }
  const isSecure = url.protocol === "mqtts:";
  return { host: url.hostname, port: url.port === "" ? (isSecure ? 8883 : 1883) : Number(url.port), isSecure };
}

const keepAliveSeconds = 60;
const pingEveryMs = 30_000;
const connectTimeoutMs = 15_000;
const farewellMs = 2000;
/** A socket that holds more than this has a peer that stopped reading. */
const maxBufferedBytes = 256 * 1024;

/** Connections over raw sockets: 10,000 of them fit in one process. `clock` is real time. */
export function createTcpTransportFactory(address: BrokerAddress, clock: SimClock): TransportFactory {
  return (events) => createTcpTransport(address, clock, events);
}

function createTcpTransport(address: BrokerAddress, clock: SimClock, events: TransportEvents): Transport {
  let socket: Socket | undefined;
  let timer: Timer | undefined;
  let nextMessageId = 1;
  let lastHeardAt = 0;

  const drop = () => {
    timer?.cancel();
    const dropped = socket;
    socket = undefined;
    dropped?.removeAllListeners();
    // a late error of a socket that no one listens to must not end the process
    dropped?.on("error", () => dropped.destroy());
    return dropped;
  };
  const fail = (reason: string) => {
    const failed = drop();
    if (!failed) return;
    failed.destroy();
    events.onClose(reason);
  };
  const send = (packet: Packet) => socket?.write(mqtt.generate(packet));
  const messageId = () => {
    const taken = nextMessageId;
    nextMessageId = taken === 65_535 ? 1 : taken + 1;
    return taken;
  };

  const keepAlive = () => {
    if (clock.now() - lastHeardAt > 2.5 * pingEveryMs) return fail("the broker is silent");
    send({ cmd: "pingreq" });
    timer = clock.after(pingEveryMs, keepAlive);
  };

  const onPacket = (packet: Packet, request: ConnectRequest) => {
    switch (packet.cmd) {
      case "connack":
        if (packet.returnCode !== 0) return fail(`the broker refused the connection (code ${packet.returnCode})`);
        send({
          cmd: "subscribe",
          messageId: messageId(),
          subscriptions: request.subscriptions.map((topic) => ({ topic, qos: 1 as const })),
        });
        return;
      case "suback":
        timer?.cancel();
        timer = clock.after(pingEveryMs, keepAlive);
        events.onOpen();
        return;
      case "publish":
        if (packet.qos === 1) send({ cmd: "puback", messageId: packet.messageId! });
        events.onMessage(packet.topic, typeof packet.payload === "string" ? Buffer.from(packet.payload) : packet.payload);
        return;
      default:
    }
  };

  return {
    open(request: ConnectRequest) {
      drop()?.destroy();
      const { host, port, isSecure } = address;
      const parser: Parser = mqtt.parser({ protocolVersion: 4 });
      const opened = isSecure ? connectTls({ host, port, servername: host }) : connectTcp({ host, port });
      socket = opened;
      lastHeardAt = clock.now();
      timer = clock.after(connectTimeoutMs, () => fail("the broker did not answer"));
      opened.setNoDelay(true);
      parser.on("packet", (packet: Packet) => {
        if (socket === opened) onPacket(packet, request);
      });
      parser.on("error", (error: Error) => fail(`bad packet from the broker: ${error.message}`));
      opened.on(isSecure ? "secureConnect" : "connect", () =>
        send({
          cmd: "connect",
          protocolId: "MQTT",
          protocolVersion: 4,
          clean: true,
          clientId: request.clientId,
          keepalive: keepAliveSeconds,
          username: request.clientId,
          password: Buffer.from(request.password),
          will: { topic: request.will.topic, payload: Buffer.from(request.will.payload), qos: 1, retain: false },
        }),
      );
      opened.on("data", (chunk: Buffer) => {
        lastHeardAt = clock.now();
        parser.parse(chunk);
      });
      opened.on("error", (error) => fail(error.message));
      opened.on("close", () => fail("the connection was closed"));
    },
    canPublish: () => socket !== undefined && socket.writableLength < maxBufferedBytes,
    publish(topic: string, payload: Uint8Array, qos: 0 | 1) {
      const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
      const id = qos === 1 ? { messageId: messageId() } : {};
      send({ cmd: "publish", topic, payload: bytes, qos, dup: false, retain: false, ...id });
    },
    close() {
      send({ cmd: "disconnect" });
      const closing = drop();
      if (!closing || closing.destroyed) return Promise.resolve();
      return new Promise((resolve) => {
        // a broker that never closes its side must not keep us
        const giveUp = clock.after(farewellMs, () => closing.destroy());
        closing.once("close", () => {
          giveUp.cancel();
          resolve();
        });
        closing.end();
      });
    },
    abort() {
      drop()?.destroy();
    },
  };
}
