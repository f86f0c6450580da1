import { decodePayload } from "@busbar/sparkplug/decode.ts";
import { SparkplugDecodeError } from "@busbar/sparkplug/decode-error.ts";
import type { Payload } from "@busbar/sparkplug/payload.ts";
import { parseTopic } from "@busbar/sparkplug/topic.ts";
import { createBirths } from "./births.ts";
import type { SimClock } from "./clock.ts";
import type { ConnectRamp } from "./connect-ramp.ts";
import { answerCommand } from "./device/answer-command.ts";
import { readCommands, type Command } from "./device/commands.ts";
import { requeueSent, resetKeys, type Device } from "./device/device.ts";
import { aliased, configMetric, leaseMetric, meterMetrics, statusMetrics, type NamedMetric, type NodeStatus } from "./device/metrics.ts";
import { createEdgeLink, type LinkPhase } from "./edge-link.ts";
import { createFileUploader, type FileUploader } from "./files/file-uploader.ts";
import type { FleetCounters } from "./fleet-counters.ts";
import { firstSampleAt } from "./node-model/backfill.ts";
import { createHistoryDrain } from "./history-drain.ts";
import { channels } from "./node-model/channels.ts";
import { uniform } from "./node-model/random.ts";
import { bufferSeconds, createSampler } from "./sampler.ts";
import { createScalarSender } from "./scalar-sender.ts";
import type { Timer } from "./timer-wheel.ts";
import type { TransportFactory } from "./transport.ts";

export interface VirtualNodeOptions {
  seed: number;
  /** The edge node itself first, then the subNodes that report through it. */
  devices: readonly [Device, ...Device[]];
  createTransport: TransportFactory;
  /** Time of the simulated world. */
  clock: SimClock;
  /** Real time, of sockets and their delays. */
  network: SimClock;
  ramp: ConnectRamp;
  hostId: string;
  birthDelayMaxSeconds: number;
  drainPerSecond: number;
  qos: 0 | 1;
  /** History that the node finds in its buffer when it first starts. */
  backfillSeconds: number;
  /** Simulated seconds a node may lag before it counts as having been off. */
  maxLagSeconds: number;
  /** Data files; undefined for nodes that send none. */
  files: { faultScale: number; backfillIntervals: number } | undefined;
  counters: FleetCounters;
  log: (message: string) => void;
}

export interface VirtualNode {
  readonly serial: number;
  readonly phase: LinkPhase;
  /** Scalars that wait to be sent. */
  readonly buffered: number;
  /** Files that the host has not acknowledged. */
  readonly pendingFiles: number;
  readonly dueFiles: number;
  readonly untriedFiles: number;
  start(): void;
  stop(): Promise<void>;
}

const meterSeconds = 60;
const rebootSeconds = 20;

/** One simulated edge node: what it measures, how it talks, what it does with commands. */
export function createVirtualNode(options: VirtualNodeOptions): VirtualNode {
  const { seed, devices, clock, network, counters } = options;
  const [self] = devices;
  const { serial } = self.node;
  const sendPhaseMs = 1000 * uniform(seed, serial, channels.sendPhase, 0);
  let bootedAt = 0;
  let offUntil = 0;
  let tickTimer: Timer | undefined;

  const linkAt = () => self.plantNode.link.at(Math.floor(clock.now() / 1000));
  const nodeTimeMs = () => Math.max(0, Math.round(clock.now() + linkAt().clockOffsetMs));

  const link = createEdgeLink({
    node: self.node,
    seed,
    hostId: options.hostId,
    createTransport: options.createTransport,
    network,
    ramp: options.ramp,
    birthDelayMaxSeconds: options.birthDelayMaxSeconds,
    counters,
    log: options.log,
    nodeTimeMs,
    secret: () => (linkAt().isSecretWrong ? `not ${self.node.secret}` : self.node.secret),
    births(session) {
      const { clockOffsetMs } = linkAt();
      const moment = { epochSeconds: Math.floor(clock.now() / 1000), nodeTimeMs: nodeTimeMs(), clockOffsetMs, statusOf };
      return createBirths(session, devices, moment);
    },
    onBorn() {
      for (const device of devices) requeueSent(device);
      drain.start();
      for (const uploader of uploaders.values()) uploader.onBorn();
    },
    onCommand,
  });
  const sender = createScalarSender({ seed, edgeSerial: serial, link, counters, qos: options.qos });
  const sampler = createSampler({
    link,
    sender,
    clock,
    network,
    counters,
    bufferSeconds: Math.max(bufferSeconds, options.backfillSeconds),
  });
  const drain = createHistoryDrain(devices, sampler, link, network, options.drainPerSecond);

  const uploaders = new Map<Device, FileUploader>();
  for (const device of options.files ? devices : []) {
    if (!device.hasScalars) continue;
    const uploader = createFileUploader({
      seed,
      device,
      clock,
      network,
      ...options.files!,
      canSend: link.canSend,
      send: (metrics) => sendMetrics(device, metrics),
    });
    uploaders.set(device, uploader);
  }

  function statusOf(device: Device): NodeStatus {
    const { clockOffsetMs } = linkAt();
    const { isSensorBroken } = device.plantNode.link.at(Math.floor(clock.now() / 1000));
    return {
      uptimeSeconds: Math.max(0, Math.floor(clock.now() / 1000 - bootedAt)),
      clockOffsetMs,
      isClockLocked: !self.plantNode.link.isClockUnlocked,
      isSensorOk: !isSensorBroken,
      liveLeaseSeconds: Math.max(0, Math.ceil(device.liveUntil - clock.now() / 1000)),
    };
  }

  function sendMetrics(device: Device, metrics: readonly NamedMetric[]) {
    if (metrics.length === 0 || !link.canSend()) return;
    const now = nodeTimeMs();
    const inputs = aliased(device, metrics, now);
    link.send(device === self ? link.session.data(inputs, now) : link.session.deviceData(String(device.node.serial), inputs, now));
  }

  function onCommand(topic: string, bytes: Uint8Array) {
    const target = parseTopic(topic);
    const device =
      target?.kind === "DCMD"
        ? devices.find(({ node }) => String(node.serial) === target.device)
        : target?.kind === "NCMD"
          ? self
          : undefined;
    const payload = device && tryDecode(bytes);
    if (!device || !payload) {
      counters.badCommands++;
      return;
    }
    for (const command of readCommands(payload, device.aliasBase)) {
      counters.commands++;
      if (command.kind === "rebirth") link.rebirth();
      else if (command.kind === "reboot") reboot();
      else if (command.kind === "fileAck") uploaders.get(device)?.onAck(command.json);
      else if (command.kind === "fileRequest" && !device.node.quirks.neverAnswersCommands) uploaders.get(device)?.onRequest(command.json);
      else answer(device, command);
      if (command.kind === "live") tick();
    }
  }

  function answer(device: Device, command: Command) {
    const { neverAnswersCommands, answersAfterSeconds, answersTwice } = device.node.quirks;
    if (neverAnswersCommands) return;
    const metrics = answerCommand(command, device, clock.now() / 1000, nodeTimeMs());
    const send = () => {
      sendMetrics(device, metrics);
      if (answersTwice) sendMetrics(device, metrics);
    };
    if (answersAfterSeconds === undefined) send();
    else network.after(answersAfterSeconds * 1000, send);
  }

  function reboot() {
    offUntil = clock.now() / 1000 + rebootSeconds;
    tick();
  }

  /** Follows the state of power and cable. @returns whether the node has power */
  function followLink(): boolean {
    const now = clock.now() / 1000;
    const { isLinkUp, isPowered } = linkAt();
    const isOn = isPowered && now >= offUntil;
    if (!isOn) {
      bootedAt = now;
      for (const device of devices) device.liveUntil = 0;
    }
    if (!isOn || !isLinkUp) link.vanish();
    else link.connectSoon();
    return isOn;
  }

  function tick() {
    tickTimer?.cancel();
    const now = clock.now() / 1000;
    const isOn = followLink();
    for (const device of devices) {
      resetConfig(device, now);
      sampleDue(device, now, isOn);
    }
    sampler.rotate(devices);
    drain.start();
    const next = Math.min(...devices.map(({ nextSampleAt }) => nextSampleAt));
    tickTimer = clock.after(next * 1000 + sendPhaseMs - clock.now(), tick);
  }

  /** Who resets a node tells no one: it reports what it has now. */
  function resetConfig(device: Device, now: number) {
    const { isConfigReset } = device.plantNode.link.at(Math.floor(now));
    const changed = isConfigReset && !device.isConfigReset ? resetKeys(device) : [];
    device.isConfigReset = isConfigReset;
    sendMetrics(
      device,
      changed.map((key) => configMetric(device, key)),
    );
  }

  function sampleDue(device: Device, now: number, isOn: boolean) {
    const { serial, scalarIntervalSeconds } = device.node;
    // After a pause of the whole process the node counts as having been off
    if (now - device.nextSampleAt > options.maxLagSeconds) device.nextSampleAt = firstSampleAt(serial, scalarIntervalSeconds, now);
    while (device.nextSampleAt <= now) {
      const t = device.nextSampleAt;
      if (isOn && device.hasScalars) sampler.acquire(device, t);
      if (isOn && t >= device.nextMeterAt) sendSlowMetrics(device, t);
      const isLive = t + 1 <= device.liveUntil;
      device.nextSampleAt = isLive ? t + 1 : firstSampleAt(serial, scalarIntervalSeconds, t + 1);
      if (device.isLive && !isLive) {
        device.isLive = false;
        sendMetrics(device, [leaseMetric(0)]);
      }
    }
  }

  function sendSlowMetrics(device: Device, t: number) {
    const isLive = t + 1 <= device.liveUntil;
    device.nextMeterAt = t + (isLive ? 1 : meterSeconds);
    const { isMeterSilent } = device.plantNode.link.at(t);
    const meter = device.hasScalars && !isMeterSilent ? meterMetrics(device) : [];
    sendMetrics(device, isLive ? meter : [...meter, ...statusMetrics(device, statusOf(device))]);
  }

  const countFiles = (which: "pending" | "due" | "untried"): number =>
    [...uploaders.values()].reduce((sum, uploader) => sum + uploader[which], 0);

  return {
    serial,
    get phase() {
      return link.phase;
    },
    get buffered() {
      return devices.reduce((sum, { waiting }) => sum + waiting.size, 0);
    },
    get pendingFiles() {
      return countFiles("pending");
    },
    get dueFiles() {
      return countFiles("due");
    },
    get untriedFiles() {
      return countFiles("untried");
    },
    start() {
      const now = Math.floor(clock.now() / 1000);
      bootedAt = now;
      for (const device of devices) {
        const { serial, scalarIntervalSeconds } = device.node;
        device.nextSampleAt = firstSampleAt(serial, scalarIntervalSeconds, now);
        // spread over the minute, so that a fleet's meters do not come together
        device.nextMeterAt = device.nextSampleAt + Math.floor(meterSeconds * uniform(seed, serial, channels.sendPhase, 1));
        if (!device.hasScalars) continue;
        for (let t = firstSampleAt(serial, scalarIntervalSeconds, now - options.backfillSeconds); t < now; t += scalarIntervalSeconds) {
          device.waiting.push(t);
        }
      }
      tick();
      for (const uploader of uploaders.values()) uploader.start();
    },
    stop() {
      for (const uploader of uploaders.values()) uploader.stop();
      tickTimer?.cancel();
      drain.stop();
      return link.stop();
    },
  };
}

function tryDecode(bytes: Uint8Array): Payload | undefined {
  try {
    return decodePayload(bytes);
  } catch (error) {
    if (error instanceof SparkplugDecodeError) return undefined;
    throw error;
  }
}
