import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import mqttPacket, { type IConnectPacket, type Packet, type Parser } from "mqtt-packet";
import { createAckQueue } from "./ack-queue.ts";
import { connectRefusal, isForeignVersion, subscriptionRefusal, unreachable, type BrokerProblem } from "./broker-answers.ts";

export type MqttVersion = 4 | 5;

export interface LinkMessage {
  topic: string;
  payload: string | Buffer;
  qos: 0 | 1;
  retain: boolean;
}

export interface MqttLinkOptions {
  url: URL;
  clientId: string;
  version: MqttVersion;
  /** How long the broker keeps the session while we are away, what comes for it included. */
  session: "none" | "brief" | "kept";
  /** Published when the link breaks and is not made again within a brief session. */
  will?: LinkMessage;
  subscriptions: readonly { filter: string; qos: 0 | 1 }[];
  /** With QoS 1 the message is acknowledged when `done` is called, and the link ends when it is called with an error. */
  onMessage: (topic: string, payload: Buffer, qos: 0 | 1, done: (error?: Error) => void) => void;
  /** Nothing more is read while there is no room. */
  isFull: () => boolean;
  whenRoom: (resume: () => void) => void;
  /** Ends the attempt and the link at once. */
  signal?: AbortSignal;
}

/** A connection that has its subscriptions. */
export interface MqttLink {
  /** The broker had kept its session. */
  readonly hadSession: boolean;
  /** With QoS 1 it resolves with the acknowledgement. */
  publish(message: LinkMessage): Promise<void>;
  /** Why it ended. */
  readonly ended: Promise<BrokerProblem>;
  /** Reads nothing more, waits a while until what came in is acknowledged, and says goodbye. */
  end(patienceMs: number): Promise<void>;
  /** Without a word: the broker publishes the will. */
  drop(): void;
}

/** The link could not be made. */
export class LinkError extends Error {
  readonly problem: BrokerProblem;
  constructor(problem: BrokerProblem) {
    super(problem.sentence);
    this.problem = problem;
  }
}

/** The broker took our CONNECT and ended the connection, or let it wait, without a byte in answer. */
export class UnansweredError extends LinkError {}

/** The broker speaks another version of MQTT. */
export class ForeignVersionError extends Error {}

export const addressOf = (url: URL): string => `${url.protocol}//${url.host}`;

const keepAliveSeconds = 15;
const connectTimeoutMs = 10_000;
/** After a week no one wants any more what came meanwhile. A brief one lasts until another worker goes on with it. */
const sessionSeconds = { none: 0, brief: 15, kept: 7 * 86_400 };
/** Messages of one session on their way; more than a broker gives an older client, so that COMMITs are shared by many. */
const receiveMaximum = 1_000;
const maxPacketBytes = 1024 * 1024;

/**
 * Connects and subscribes. Messages are acknowledged in the order of receipt, each after it is stored, with many on their way at a time:
 * mqtt.js hands over one at a time and waits for its acknowledgement.
 * @throws LinkError, ForeignVersionError
 */
export async function openMqttLink(options: MqttLinkOptions): Promise<MqttLink> {
  const { url, clientId, version, subscriptions, onMessage, isFull, whenRoom, signal } = options;
  const address = addressOf(url);
  const socket = openSocket(url);
  const ended = Promise.withResolvers<BrokerProblem>();
  const acks = createAckQueue((bytes) => void socket.write(bytes));
  const published = new Map<number, () => void>();
  let lastMessageId = 0;
  let isReading = true;
  let problem: BrokerProblem | undefined;
  let lastHeardAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let onConnack: (packet: { code: number; sessionPresent: boolean }) => void = () => undefined;
  let onSuback: (granted: readonly number[]) => void = () => undefined;

  const send = (packet: Packet) => {
    if (!socket.destroyed) socket.write(mqttPacket.generate(packet, { protocolVersion: version }));
  };
  const fail = (why: BrokerProblem) => {
    problem ??= why;
    socket.destroy();
  };
  const nextMessageId = () => (lastMessageId = (lastMessageId % 65_535) + 1);

  const onPacket = (packet: Packet) => {
    if (packet.cmd === "publish") {
      const payload = typeof packet.payload === "string" ? Buffer.from(packet.payload) : packet.payload;
      if (packet.qos !== 1) return onMessage(packet.topic, payload, 0, () => undefined);
      const acknowledge = acks.add(packet.messageId!);
      onMessage(packet.topic, payload, 1, (error) => {
        if (error) fail({ sentence: error.message, isRefusal: false });
        else acknowledge();
      });
    } else if (packet.cmd === "connack") {
      onConnack({ code: packet.returnCode ?? packet.reasonCode ?? 0, sessionPresent: packet.sessionPresent });
    } else if (packet.cmd === "suback") onSuback(packet.granted as number[]);
    else if (packet.cmd === "puback") {
      published.get(packet.messageId!)?.();
      published.delete(packet.messageId!);
    } else if (packet.cmd === "disconnect") {
      fail({ sentence: `the MQTT broker ${address} ended the connection (code ${packet.reasonCode ?? 0})`, isRefusal: false });
    }
  };

  const createParser = (parsed: MqttVersion): Parser => {
    const made = mqttPacket.parser({ protocolVersion: parsed });
    made.on("packet", onPacket);
    made.on("error", (error: Error) =>
      fail({ sentence: `the MQTT broker ${address} does not speak MQTT: ${error.message}`, isRefusal: true }),
    );
    return made;
  };
  let parser: Parser | undefined;

  const resume = () => {
    if (isReading) socket.resume();
  };
  socket.on("data", (chunk: Buffer) => {
    lastHeardAt = performance.now();
    // A broker of the older version answers in it: two bytes, without room for properties.
    parser ??= createParser(chunk[0] === 0x20 && chunk[1] === 2 ? 4 : version);
    socket.cork();
    parser.parse(chunk);
    socket.uncork();
    if (!isFull()) return;
    socket.pause();
    whenRoom(resume);
  });
  socket.on("error", (error: NodeJS.ErrnoException) => (problem ??= unreachable(address, error, Date.now())));
  const drop = () => void socket.destroy();
  signal?.addEventListener("abort", drop, { once: true });
  socket.once("close", () => {
    clearInterval(timer);
    signal?.removeEventListener("abort", drop);
    ended.resolve(problem ?? { sentence: `the MQTT broker ${address} closed the connection`, isRefusal: false });
  });

  const keepAlive = () => {
    const silentMs = performance.now() - lastHeardAt;
    if (socket.isPaused()) lastHeardAt = performance.now();
    else if (silentMs > keepAliveSeconds * 1_500) fail({ sentence: `the MQTT broker ${address} does not answer`, isRefusal: false });
    send({ cmd: "pingreq" });
  };

  const connected = async (): Promise<boolean> => {
    const answer = Promise.withResolvers<{ code: number; sessionPresent: boolean }>();
    let isAsked = false;
    onConnack = answer.resolve;
    socket.once(url.protocol === "mqtts:" ? "secureConnect" : "connect", () => {
      send(connectPacket(options));
      isAsked = true;
    });
    const { code, sessionPresent } = await orEnded(answer.promise).catch((error: unknown) => {
      throw error instanceof LinkError && isAsked && parser === undefined ? new UnansweredError(error.problem) : error;
    });
    if (isForeignVersion(code)) throw new ForeignVersionError();
    if (code !== 0) throw new LinkError(connectRefusal(address, clientId, code));
    return sessionPresent;
  };

  const subscribed = async (): Promise<void> => {
    if (subscriptions.length === 0) return;
    const answer = Promise.withResolvers<readonly number[]>();
    onSuback = answer.resolve;
    const topics = subscriptions.map(({ filter, qos }) => ({ topic: filter, qos, nl: false, rap: false, rh: 0 }));
    send({ cmd: "subscribe", messageId: nextMessageId(), subscriptions: topics });
    const granted = await orEnded(answer.promise);
    const refused = granted.findIndex((code) => code >= 0x80);
    if (refused >= 0) throw new LinkError(subscriptionRefusal(address, subscriptions[refused]?.filter ?? ""));
  };

  const orEnded = async <T>(answer: Promise<T>): Promise<T> => {
    const either = await Promise.race([answer.then((value) => ({ value })), ended.promise]);
    if ("value" in either) return either.value;
    throw new LinkError(either);
  };

  const late = setTimeout(
    () => fail({ sentence: `the MQTT broker ${address} did not answer within ${connectTimeoutMs / 1_000} s`, isRefusal: false }),
    connectTimeoutMs,
  );
  let hadSession: boolean;
  try {
    hadSession = await connected();
    await subscribed();
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(late);
  }
  timer = setInterval(keepAlive, keepAliveSeconds * 1_000);
  timer.unref();

  return {
    hadSession,
    ended: ended.promise,
    publish({ topic, payload, qos, retain }) {
      const messageId = qos === 1 ? nextMessageId() : undefined;
      send({ cmd: "publish", topic, payload, qos, retain, dup: false, ...(messageId === undefined ? {} : { messageId }) });
      if (messageId === undefined) return Promise.resolve();
      const answer = Promise.withResolvers<void>();
      published.set(messageId, answer.resolve);
      return orEnded(answer.promise);
    },
    async end(patienceMs) {
      isReading = false;
      socket.pause();
      const acknowledged = Promise.withResolvers<void>();
      const giveUp = setTimeout(acknowledged.resolve, patienceMs);
      acks.whenEmpty(acknowledged.resolve);
      await Promise.race([acknowledged.promise, ended.promise]);
      clearTimeout(giveUp);
      send({ cmd: "disconnect" });
      socket.destroySoon();
      await ended.promise;
    },
    drop,
  };
}

/** Where a broker listens; where its certificate is asked for by a name, that too. */
export function endpointOf(url: URL): { isSecure: boolean; host: string; port: number; servername?: string } {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isSecure = url.protocol === "mqtts:";
  const port = url.port === "" ? (isSecure ? 8883 : 1883) : Number(url.port);
  return { isSecure, host, port, ...(!isSecure || /^[\d.]+$|:/.test(host) ? {} : { servername: host }) };
}

function openSocket(url: URL): Socket {
  const { isSecure, ...address } = endpointOf(url);
  const socket = isSecure ? connectTls(address) : connectTcp(address);
  socket.setNoDelay(true);
  return socket;
}

function connectPacket({ url, clientId, version, session, will }: MqttLinkOptions): IConnectPacket & Packet {
  const { username, password } = url;
  return {
    cmd: "connect",
    protocolId: "MQTT",
    protocolVersion: version,
    // An older broker keeps it for good or not at all.
    clean: session === "none" || (session === "brief" && version === 4),
    clientId,
    keepalive: keepAliveSeconds,
    ...(username === "" ? {} : { username: decodeURIComponent(username) }),
    ...(password === "" ? {} : { password: Buffer.from(decodeURIComponent(password)) }),
    ...(will === undefined
      ? {}
      : {
          will: {
            topic: will.topic,
            payload: will.payload,
            qos: will.qos,
            retain: will.retain,
            ...(version === 5 && session === "brief" ? { properties: { willDelayInterval: sessionSeconds.brief } } : {}),
          },
        }),
    ...(version === 5
      ? { properties: { receiveMaximum, maximumPacketSize: maxPacketBytes, sessionExpiryInterval: sessionSeconds[session] } }
      : {}),
  };
}
