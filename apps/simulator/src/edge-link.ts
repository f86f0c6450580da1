import { createEdgeSession, type EdgeMessage, type EdgeSession } from "@busbar/sparkplug/edge-session.ts";
import { deviceTopic, groupOf, nodeTopic, stateTopic } from "@busbar/sparkplug/topic.ts";
import type { SimClock } from "./clock.ts";
import type { ConnectRamp } from "./connect-ramp.ts";
import type { FleetCounters } from "./fleet-counters.ts";
import { createHostState } from "./host-state.ts";
import { channels } from "./node-model/channels.ts";
import { uniform } from "./node-model/random.ts";
import type { SimNode } from "./node-model/sim-node.ts";
import type { Timer } from "./timer-wheel.ts";
import type { Transport, TransportFactory } from "./transport.ts";

export interface EdgeLinkOptions {
  node: SimNode;
  seed: number;
  hostId: string;
  createTransport: TransportFactory;
  /** Real time: of sockets, back-off and birth delays. */
  network: SimClock;
  ramp: ConnectRamp;
  /** A host that comes back must not meet the whole fleet at once: each birth waits a random time up to this. */
  birthDelayMaxSeconds: number;
  counters: FleetCounters;
  log: (message: string) => void;
  /** The node's own clock, epoch milliseconds. */
  nodeTimeMs(): number;
  /** That it connects with. */
  secret(): string;
  /** NBIRTH and the DBIRTHs. */
  births(session: EdgeSession): EdgeMessage[];
  /** Born on a new connection. */
  onBorn(): void;
  onCommand(topic: string, payload: Uint8Array): void;
}

/** One edge node's connection: connect, wait for the host, birth, death, and again. */
export interface EdgeLink {
  readonly session: EdgeSession;
  readonly isBorn: boolean;
  readonly phase: LinkPhase;
  /** Connected and born, and the connection takes data. */
  canSend: () => boolean;
  send(message: EdgeMessage): void;
  sendBytes(topic: string, payload: Uint8Array, qos: 0 | 1): void;
  connectSoon(): void;
  rebirth(): void;
  /** The cable is cut, or the power is gone. */
  vanish(): void;
  /** Says its own death and disconnects; resolves when the connection is gone. */
  stop(): Promise<void>;
}

export type LinkPhase = "offline" | "queued" | "connecting" | "waiting" | "born" | "stopped";

export const longestBackOffSeconds = 60;

export function createEdgeLink(options: EdgeLinkOptions): EdgeLink {
  const { node, seed, network, counters } = options;
  const edge = String(node.serial);
  const group = groupOf(node.serial);
  const session = createEdgeSession({ group, edge });
  const hostState = createHostState();
  const hostTopic = stateTopic(options.hostId);
  const subscriptions = [nodeTopic("NCMD", group, edge), deviceTopic("DCMD", group, edge, "+"), hostTopic];
  let phase: LinkPhase = "offline";
  let timer: Timer | undefined;
  let failedAttempts = 0;
  let connectCount = 0;

  const sendBytes = (topic: string, payload: Uint8Array, qos: 0 | 1) => {
    counters.published++;
    transport.publish(topic, payload, qos);
  };
  const send = ({ topic, payload, qos }: EdgeMessage) => sendBytes(topic, payload, qos);

  const leave = (next: LinkPhase) => {
    timer?.cancel();
    timer = undefined;
    if (phase === "waiting" || phase === "born") counters.connected--;
    if (phase === "born") counters.online--;
    phase = next;
  };

  const connectSoon = () => {
    if (phase !== "offline" || node.quirks.neverConnects) return;
    phase = "queued";
    const draw = uniform(seed, node.serial, channels.backOff, connectCount);
    const seconds = Math.min(longestBackOffSeconds, 2 ** failedAttempts) * draw;
    timer = network.after(seconds * 1000, () => (timer = options.ramp.enter(connect)));
  };

  const connect = () => {
    phase = "connecting";
    timer = undefined;
    connectCount++;
    failedAttempts = Math.min(10, failedAttempts + 1);
    hostState.forget();
    const will = session.connect(options.nodeTimeMs());
    transport.open({ clientId: edge, password: options.secret(), will, subscriptions });
  };

  const sendBirths = () => {
    for (const message of options.births(session)) send(message);
    counters.births++;
  };

  const birthSoon = () => {
    if (phase !== "waiting" || !hostState.isOnline || timer !== undefined) return;
    const seconds = options.birthDelayMaxSeconds * uniform(seed, node.serial, channels.birthDelay, connectCount);
    timer = network.after(seconds * 1000, () => {
      timer = undefined;
      phase = "born";
      failedAttempts = 0;
      counters.online++;
      sendBirths();
      options.onBorn();
    });
  };

  const onHostState = (payload: Uint8Array) => {
    if (!hostState.accept(payload)) return;
    if (hostState.isOnline) return birthSoon();
    timer?.cancel();
    timer = undefined;
    if (phase !== "born") return;
    void die();
    connectSoon();
  };

  const die = (): Promise<void> => {
    send(session.death(options.nodeTimeMs()));
    counters.deaths++;
    leave("offline");
    return transport.close();
  };

  const transport: Transport = options.createTransport({
    onOpen() {
      phase = "waiting";
      counters.connected++;
      // A broker may send the host's state before it confirms the subscription (MQTT 3.1.1, section 3.8.4).
      birthSoon();
    },
    onMessage(topic, payload) {
      if (topic === hostTopic) onHostState(payload);
      else if (phase === "born") options.onCommand(topic, payload);
    },
    onClose(reason) {
      if (phase === "connecting") counters.refusedConnects++;
      options.log(`Node ${edge}: ${reason}`);
      leave("offline");
      connectSoon();
    },
  });

  return {
    session,
    get isBorn() {
      return phase === "born";
    },
    get phase() {
      return phase;
    },
    canSend: () => phase === "born" && transport.canPublish(),
    send,
    sendBytes,
    connectSoon,
    rebirth() {
      if (phase === "born") sendBirths();
    },
    vanish() {
      if (phase === "offline" || phase === "stopped") return;
      if (phase === "waiting" || phase === "born") counters.vanished++;
      leave("offline");
      transport.abort();
    },
    stop() {
      let gone = Promise.resolve();
      if (phase === "born") gone = die();
      else if (phase === "waiting") gone = transport.close();
      else transport.abort();
      leave("stopped");
      return gone;
    },
  };
}
