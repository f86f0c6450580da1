import type { EventEmitter } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { Aedes, type AuthenticateError, type Client, type PublishPacket, type Subscription } from "aedes";
import { Gauge, type Registry } from "prom-client";
import type { NodeCredentials } from "#features/directory/node-credentials/node-credentials.service.ts";
import type { NodeWatch } from "#features/telemetry/node-watch/node-watch.ts";
import type { WatchedConnect } from "#features/telemetry/node-watch/watched-event.ts";
import type { Ingest } from "#features/telemetry/scalars/scalars.ingest.ts";
import { cleanText } from "#lib/clean-text.ts";
import type { Clock } from "#lib/clock.ts";
import { createLimitedLog } from "#lib/limited-log.ts";
import type { Log } from "#lib/log.ts";
import { clientOf, deliverNowhere, keepAlive, keepLittle, keepNoNumbers, readBefore, subscriptionsOf } from "./aedes-internals.ts";
import { BrokerClient, type ConnectedNode } from "./broker-client.ts";
import { takeForwardedAddress } from "./client-address.ts";
import { createConnectLimit } from "./connect-limit.ts";
import { createFlowControl } from "./flow-control.ts";
import { stateMessage } from "./host-state.ts";
import { createNodeAuthenticator } from "./node-authenticator.ts";
import type { ReadPublish } from "./publish-reader.ts";
import { createRefusals, refusalOf, type Refuse } from "./refusals.ts";
import { createStrangers } from "./strangers.ts";
import { maySubscribe, type Publication } from "./topic-acl.ts";

export interface BrokerOptions {
  credentials: NodeCredentials;
  ingest: Pick<Ingest, "submit" | "noteDisconnected" | "isFull" | "whenRoom">;
  clock: Clock;
  log: Log;
  registry: Registry;
  /** Who may say for whom it connects. */
  isTrustedProxy: (address: string | undefined) => boolean;
  /** Sees what nodes do beside publishing. */
  watch?: Pick<NodeWatch, "note">;
  /** Of someone who claims to be a node and may not connect. */
  noteRefused?: (clientId: string, reason: string) => void;
  limits?: Partial<BrokerLimits>;
}

export interface BrokerLimits {
  packetBytes: number;
  /** Before a client has shown who it is. */
  firstPacketBytes: number;
  messagesPerSecond: number;
  unsettledPerClient: number;
  /** Of one connection, which they end with. */
  subscriptions: number;
  /** Nodes at a time. */
  connections: number;
  /** Connections that have not shown who they are. */
  strangers: number;
  keepAliveSeconds: number;
  /** For the first packet, and for a proxy's header before it. */
  connectTimeoutMs: number;
}

export interface Broker {
  start(address: { host: string; port: number }): Promise<{ port: number }>;
  /** Notifies the nodes that the host goes, ends their connections and hands on their deaths. */
  stop(): Promise<void>;
  publishCommand: (topic: string, payload: Uint8Array) => void;
  /** Ends the connections of nodes that may not be here any more. */
  dropRevoked(scope: "changed" | "all"): Promise<void>;
}

const defaultLimits: BrokerLimits = {
  packetBytes: 256 * 1024,
  firstPacketBytes: 8 * 1024,
  messagesPerSecond: 200,
  unsettledPerClient: 200,
  subscriptions: 100,
  connections: 20_000,
  strangers: 5_000,
  keepAliveSeconds: 600,
  connectTimeoutMs: 10_000,
};
const watchMs = 1_000;
/** Who publishes with QoS 0 hears nothing of it. */
const notAsked = () => {};
const ignore = () => {};
const fullCheckEvery = 60;

/** The MQTT broker inside the program: every node may speak for itself only, and a QoS 1 message is acknowledged after COMMIT. */
export function createBroker(options: BrokerOptions): Broker {
  const { credentials, ingest, clock, log, registry, isTrustedProxy, watch: nodeWatch } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const limitedLog = createLimitedLog(log, clock);
  const connections = new Map<Client, ConnectedNode>();
  /** A node that reconnects while its old connection still ends has not gone. */
  const newest = new Map<string, Client>();
  // A connection's last will is published after it has ended.
  const links = new WeakMap<Client, BrokerClient>();
  const sockets = new Set<Socket>();
  /** That end connections, and are counted where they are made. */
  const ownFailures = new WeakSet<Error>();
  const flows = createFlowControl({
    clock,
    messagesPerSecond: limits.messagesPerSecond,
    maxWaitingPerClient: limits.unsettledPerClient,
    isFull: ingest.isFull,
    whenRoom: ingest.whenRoom,
  });
  const gauge: Gauge = new Gauge({
    name: "busbar_mqtt_connections",
    help: "Authenticated connections",
    registers: [registry],
    collect: () => gauge.set(connections.size),
  });
  let watch: NodeJS.Timeout | undefined;
  let server: Server | undefined;

  const countRefusal = createRefusals(registry, limitedLog);
  const refuse: Refuse = (clientId, reason, details = {}) => {
    countRefusal(clientId, reason, details);
    const topic = typeof details["topic"] === "string" ? details["topic"] : "";
    if (clientId !== undefined) nodeWatch?.note(clientId, { kind: "refused", topic, qos: 0, detail: reason, payload: null });
  };
  const strangers = createStrangers(limits.strangers, (socket, address) => {
    refuse(undefined, "no-room", { address });
    socket.destroy();
  });
  const authenticate = createNodeAuthenticator({
    credentials,
    mayConnect: createConnectLimit(clock),
    hasRoom: (serial) => connections.size < limits.connections || newest.has(serial),
    limitedLog,
  });
  const admit = async (client: Client, username: string | undefined, password: Buffer | undefined, answer: (code?: number) => void) => {
    const link = links.get(client)!;
    const admission = await authenticate(client.id, username, password, link.connect?.will);
    if ("returnCode" in admission) {
      refuse(client.id, admission.reason, { address: link.address });
      options.noteRefused?.(client.id, admission.reason);
      return answer(admission.returnCode);
    }
    // It has gone meanwhile: nothing would end what is kept of it.
    if (client.closed) return answer();
    strangers.leave(client.conn as Socket);
    connections.set(client, link.enter(admission.secretHash));
    newest.set(client.id, client);
    noteConnect(link);
    answer();
  };

  const hasRoomFor = (client: Client, filter: string) => {
    const known = subscriptionsOf(client);
    return known.length < limits.subscriptions || known.includes(filter);
  };

  const noteConnect = (link: BrokerClient) => {
    const { clean = true, keepalive = 0, will } = link.connect ?? {};
    link.connect = undefined;
    const connect: WatchedConnect = {
      isCleanSession: clean,
      keepAliveSeconds: keepalive,
      will: will ? { topic: will.topic, qos: will.qos ?? 0 } : null,
    };
    const payload = will ? Buffer.from(will.payload) : null;
    nodeWatch?.note(link.client.id, { kind: "connect", topic: "", qos: 0, detail: JSON.stringify(connect), payload });
  };

  /** One of both is called: when it is stored, or when it may not be or cannot be. */
  const receive = (
    client: Client,
    connection: ConnectedNode,
    publication: Publication & { payload: Buffer },
    stored: () => void,
    failed: (error: Error) => void,
  ) => {
    const fail = (error: Error) => {
      ownFailures.add(error);
      failed(error);
    };
    const refusal = connection.refusePublish(publication);
    if (refusal !== undefined) {
      refuse(client.id, `publish ${refusal}`, { topic: cleanText(publication.topic, 200) });
      return fail(new Error("not authorized"));
    }
    flows.begin(connection.flow);
    ingest.submit(publication.topic, publication.payload, publication.qos === 1, (error) => {
      flows.end(connection.flow);
      if (error) fail(error);
      else stored();
    });
  };

  const take = (link: BrokerClient, node: ConnectedNode, publish: ReadPublish) =>
    receive(link.client, node, publish, publish.qos === 1 ? node.acks.add(publish.messageId) : notAsked, link.fail);

  const broker = new Aedes({
    concurrency: 1_000,
    connectTimeout: limits.connectTimeoutMs,
    // Without it one client that never reads blocks the delivery to all.
    drainTimeout: 20_000,
    keepaliveLimit: limits.keepAliveSeconds,
    maxTopicLevels: 6,
    maxInflightInbound: 1,
    preConnect(client, packet, done) {
      links.get(client)!.connect = { ...packet };
      // Nothing is kept of a node that is away, whatever it asks for.
      packet.clean = true;
      strangers.noteAsked(client.conn as Socket);
      done(null, true);
    },
    authenticate(client, username, password, done) {
      void admit(client, username, password, (code) => (code === undefined ? done(null, true) : done(connectError(code), false)));
    },
    authorizePublish(client: Client | null, packet: PublishPacket, done) {
      const connection = client === null ? undefined : links.get(client)?.node;
      if (client === null || connection === undefined) return done(new Error("not authorized"));
      const publication = packet as PublishPacket & { payload: Buffer };
      const stored = () => done(null);
      receive(client, connection, publication, packet.qos === 1 ? connection.acks.addForeign(stored) : stored, done);
    },
    authorizeSubscribe(client: Client, subscription: Subscription, done) {
      if (hasRoomFor(client, subscription.topic) && maySubscribe(client.id, subscription.topic)) {
        nodeWatch?.note(client.id, { kind: "subscribe", topic: subscription.topic, qos: subscription.qos, detail: "", payload: null });
        return done(null, subscription);
      }
      refuse(client.id, "subscribe", { topic: cleanText(subscription.topic, 200) });
      // Answered with the failure code of SUBACK.
      done(null, null);
    },
  });
  deliverNowhere(broker);
  keepNoNumbers();
  const noteError = (client: Client, error: Error) => {
    const detail = cleanText(error.message, 200);
    const reason = ownFailures.has(error) ? undefined : refusalOf(error);
    if (reason !== undefined) return refuse(client.id ?? undefined, reason, { address: links.get(client)?.address, detail });
    limitedLog("info", `mqtt-error`, { client: cleanText(client.id ?? "", 64), reason: detail }, "an MQTT connection ended with an error");
  };
  broker.on("clientError", noteError);
  broker.on("connectionError", noteError);
  broker.on("clientReady", keepLittle);
  (broker as EventEmitter).on("error", (error: Error) => limitedLog("error", "broker", { err: error }, "the broker failed in something"));

  const publish = (message: { topic: string; payload: string | Buffer; qos: 0 | 1; retain: boolean }) =>
    new Promise<void>((resolve) => {
      broker.publish({ cmd: "publish", dup: false, ...message }, (error) => {
        if (error) limitedLog("warn", "publish", { err: error, topic: message.topic }, "the broker could not publish");
        resolve();
      });
    });

  const dropRevoked: Broker["dropRevoked"] = async (scope) => {
    const connected = {
      get: (serial: string) => connections.get(newest.get(serial)!)?.secretHash,
      has: (serial: string) => newest.has(serial),
      keys: () => newest.keys(),
    };
    const revoked = new Set(await credentials.findRevoked(connected, scope));
    for (const [client, { serial }] of connections) {
      if (!revoked.has(serial)) continue;
      refuse(client.id, "revoked");
      options.noteRefused?.(client.id, "revoked");
      client.close();
    }
  };

  let watchRound = 0;
  const runWatch = () => {
    for (const [client, { flow }] of connections) if (flow.waiting > 0 || flow.isPaused) keepAlive(client);
    dropRevoked(++watchRound % fullCheckEvery === 0 ? "all" : "changed").catch((error: unknown) =>
      limitedLog("warn", "revocation-check", { err: error }, "revoked credentials could not be looked up"),
    );
  };

  function endConnection(this: Socket): void {
    sockets.delete(this);
    strangers.leave(this);
    const client = clientOf(this);
    if (client === undefined) return;
    client.close();
    const connection = connections.get(client);
    connections.delete(client);
    if (connection) flows.close(connection.flow);
    if (connection === undefined || newest.get(connection.serial) !== client) return;
    newest.delete(connection.serial);
    ingest.noteDisconnected(connection.serial);
  }

  const parts = { flows, limits, take };
  const handleClient = (socket: Socket, address: string) => {
    const client = broker.handle(socket);
    const link = new BrokerClient(client, address, parts);
    links.set(client, link);
    // The library has its own.
    socket.off("error", ignore);
    readBefore(client, link);
  };

  const handleSocket = (socket: Socket) => {
    const peer = socket.remoteAddress ?? "";
    sockets.add(socket);
    socket.on("error", ignore);
    socket.on("close", endConnection);
    if (!strangers.enter(socket, peer)) return;
    socket.setNoDelay(true);
    if (!isTrustedProxy(peer)) return handleClient(socket, peer);
    takeForwardedAddress(socket, limits.connectTimeoutMs, (forwarded) => {
      if (forwarded === "malformed") {
        refuse(undefined, "proxy-header", { address: peer });
        socket.destroy();
      } else if (forwarded.address === undefined) handleClient(socket, peer);
      else if (strangers.enter(socket, forwarded.address)) handleClient(socket, forwarded.address);
    });
  };

  return {
    async start({ host, port }) {
      await broker.listen();
      const startedAtMs = clock.now();
      await publish(stateMessage(true, startedAtMs));
      // Less buffered per socket: what cannot be taken yet stays with its sender.
      const listening = createServer({ highWaterMark: 4 * 1024 }, handleSocket);
      listening.maxConnections = limits.connections + limits.strangers;
      await new Promise<void>((resolve, reject) => {
        listening.once("error", reject);
        listening.listen({ host, port, backlog: 4_096 }, () => {
          listening.off("error", reject);
          resolve();
        });
      });
      server = listening;
      watch = setInterval(runWatch, watchMs);
      watch.unref();
      return { port: (listening.address() as AddressInfo).port };
    },
    async stop() {
      clearInterval(watch);
      const closed = new Promise<void>((resolve) => {
        if (server) server.close(() => resolve());
        else resolve();
      });
      if (!broker.closed) {
        await publish(stateMessage(false, clock.now()));
        await new Promise<void>((resolve) => {
          broker.close(() => resolve());
        });
      }
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    publishCommand: (topic, payload) => void publish({ topic, payload: Buffer.from(payload), qos: 0, retain: false }),
    dropRevoked,
  };
}

function connectError(returnCode: number): AuthenticateError {
  return Object.assign(new Error("connection refused"), { returnCode });
}
