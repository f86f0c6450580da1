import { sparkplugHostId } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { stateTopic } from "@busbar/sparkplug/topic.ts";
import { createClock, type SimClock } from "./clock.ts";
import { createConnectRamp } from "./connect-ramp.ts";
import { createDevice, type Device } from "./device/device.ts";
import { createDirectTransportFactory, type Deliver } from "./direct-transport.ts";
import { createFleetCounters, type FleetCounters } from "./fleet-counters.ts";
import type { LinkPhase } from "./edge-link.ts";
import type { Fault } from "./node-model/fault.ts";
import { createPlant, type Plant } from "./node-model/plant.ts";
import type { SimNode } from "./node-model/sim-node.ts";
import { createTruthLog } from "./scenarios/truth-log.ts";
import { createTcpTransportFactory, parseBrokerUrl } from "./tcp-transport.ts";
import { createTimerWheel } from "./timer-wheel.ts";
import { createVirtualNode } from "./virtual-node.ts";

export interface FleetOptions {
  nodes: readonly SimNode[];
  /** `mqtt://host:port`, or a function that takes what is published, without sockets. */
  to: string | Deliver;
  seed: number;
  /** Simulated seconds per real second, 1 to 3600. */
  speed?: number;
  /** The simulated time, when someone else moves it. */
  clock?: SimClock;
  /** Start of the simulated time, epoch seconds; now when left out. */
  startEpochSeconds?: number;
  /** The script's faults; rates of the default mix are multiplied by `scale` (default 1, 0: no mix). */
  faults?: { script?: readonly Fault[]; scale?: number };
  /** Takes the truth log's lines. */
  truthLog?: (line: string) => void;
  log?: (message: string) => void;
  /** A birth waits a random time up to this; 30 s by default. */
  startDelayMaxSeconds?: number;
  /** 200 by default; without sockets no limit. */
  connectsPerSecond?: number;
  /** Kept scalars that a node sends per second. */
  drainPerSecond?: number;
  /** Days of history that each node finds in its buffer. */
  backfillDays?: number;
  /** Data files, of as many past intervals as are said when a node first starts. Without sockets no one would acknowledge them. */
  files?: { backfillIntervals: number } | false;
  hostId?: string;
  /** Of DATA messages; 0 as Sparkplug has it. */
  qos?: 0 | 1;
}

export interface FleetStats extends FleetCounters {
  nodes: number;
  /** Scalars that wait in the nodes. */
  buffered: number;
  /** Files that wait in the nodes for their acknowledgement. */
  pendingFiles: number;
  /** Those of them that nothing holds but the host. */
  dueFiles: number;
  /** Those of the due that no attempt has failed of. */
  untriedFiles: number;
  /** The simulated time. */
  epochSeconds: number;
}

export interface Fleet {
  readonly plant: Plant;
  stats(): FleetStats;
  /** Where each node is on its way to the host. */
  phases(): ReadonlyMap<number, LinkPhase>;
  /** Adds a fault while running; it is written to the truth log when its time comes. */
  inject(fault: Fault): void;
  /** Every node says its death and disconnects. */
  stop(): Promise<void>;
}

const truthStepMs = 10_000;

/** Starts a simulated fleet against a broker. */
export function startFleet(options: FleetOptions): Fleet {
  const { nodes, seed, speed = 1, startEpochSeconds = Math.floor(Date.now() / 1000), log = () => undefined } = options;
  const { script = [], scale = 1 } = options.faults ?? {};
  const wheel = createTimerWheel();
  const clock = options.clock ?? createClock(wheel, { startMs: startEpochSeconds * 1000, speed });
  const network = createClock(wheel, { startMs: Date.now(), speed: 1 });
  const hostId = options.hostId ?? sparkplugHostId;
  const createTransport =
    typeof options.to === "string"
      ? createTcpTransportFactory(parseBrokerUrl(options.to), network)
      : createDirectTransportFactory(options.to, stateTopic(hostId));
  const plant = createPlant({ seed, nodes, faultScale: scale, script });
  const counters = createFleetCounters();
  const ramp = createConnectRamp(network, options.connectsPerSecond ?? (typeof options.to === "string" ? 200 : 1_000_000));
  const files = options.files ?? (typeof options.to === "string" ? { backfillIntervals: 0 } : false);
  const limitedLog = createLimitedLog(log, () => network.now());
  const virtualNodes = groupByEdge(nodes).map((group) =>
    createVirtualNode({
      seed,
      devices: group.map(({ serial }, place) => createDevice(plant.nodes.get(serial)!, place)) as [Device, ...Device[]],
      createTransport,
      clock,
      network,
      ramp,
      hostId,
      birthDelayMaxSeconds: options.startDelayMaxSeconds ?? 30,
      drainPerSecond: options.drainPerSecond ?? 20,
      qos: options.qos ?? 0,
      backfillSeconds: Math.round((options.backfillDays ?? 0) * 86_400),
      maxLagSeconds: Math.max(600, 60 * speed),
      files: files === false ? undefined : { faultScale: scale, ...files },
      counters,
      log: limitedLog,
    }),
  );
  const truth = options.truthLog && createTruthLog(plant, seed, startEpochSeconds, options.truthLog);
  const followTruth = () => {
    truth?.advance(Math.floor(clock.now() / 1000));
    network.after(truthStepMs, followTruth);
  };

  wheel.start();
  for (const node of virtualNodes) node.start();
  if (truth) followTruth();

  return {
    plant,
    stats: () => ({
      ...counters,
      nodes: nodes.length,
      buffered: virtualNodes.reduce((sum, { buffered }) => sum + buffered, 0),
      pendingFiles: virtualNodes.reduce((sum, { pendingFiles }) => sum + pendingFiles, 0),
      dueFiles: virtualNodes.reduce((sum, { dueFiles }) => sum + dueFiles, 0),
      untriedFiles: virtualNodes.reduce((sum, { untriedFiles }) => sum + untriedFiles, 0),
      epochSeconds: clock.now() / 1000,
    }),
    phases: () => new Map(virtualNodes.map(({ serial, phase }) => [serial, phase])),
    inject: (fault) => plant.inject(fault),
    async stop() {
      truth?.advance(Math.floor(clock.now() / 1000));
      await Promise.all(virtualNodes.map((node) => node.stop()));
      wheel.stop();
    },
  };
}

/** Edge nodes with the subNodes that report through them; types that never connect are left out. */
export function groupByEdge(nodes: readonly SimNode[]): SimNode[][] {
  const groups = new Map<number, SimNode[]>();
  for (const node of nodes) {
    if (node.type === "Node" || node.type === "SEL" || node.type === "GERelay") groups.set(node.serial, [node]);
  }
  for (const node of nodes) {
    if (node.type === "subNode" && node.parentSerial !== undefined) groups.get(node.parentSerial)?.push(node);
  }
  return [...groups.values()];
}

/** Ten messages a minute, then the number of those left out: 10,000 nodes may all lose their broker at once. */
function createLimitedLog(log: (message: string) => void, now: () => number): (message: string) => void {
  const windowMs = 60_000;
  let windowEnds = 0;
  let count = 0;
  return (message) => {
    if (now() >= windowEnds) {
      if (count > 10) log(`${count - 10} more messages of nodes were left out`);
      windowEnds = now() + windowMs;
      count = 0;
    }
    if (++count <= 10) log(message);
  };
}
