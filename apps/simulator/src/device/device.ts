import type { NodeConfigKey } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { machineKindOf } from "#node-model/machine.ts";
import type { PlantNode } from "#node-model/plant.ts";
import { createScalarRow, type ScalarRow } from "#node-model/scalar-row.ts";
import type { SimNode } from "#node-model/sim-node.ts";
import { createSampleTimes, type SampleTimes } from "#src/sample-times.ts";
import { createMeter, type Meter } from "./meter.ts";
import { initialConfig, type NodeConfig } from "./node-config.ts";

/** Live and historical times apart, so that each stays a few evenly spaced runs. */
export interface SentGeneration {
  live: SampleTimes;
  history: SampleTimes;
}

const aliasesPerDevice = 1_000;

/** What one physical node remembers: its measurements waiting to be sent, its meter, its configuration. */
export interface Device {
  readonly node: SimNode;
  readonly plantNode: PlantNode;
  /** Added to every alias: an alias is unique over an edge node and its devices (Sparkplug 3.0, 6.4.6). */
  readonly aliasBase: number;
  /** Relays keep files and configuration only. */
  readonly hasScalars: boolean;
  readonly isDirect: boolean;
  readonly config: NodeConfig;
  readonly meter: Meter;
  /** The latest second; also the scratch of historical ones. */
  readonly row: ScalarRow;
  /** Acquired and not yet sent. */
  readonly waiting: SampleTimes;
  /** Sent in this minute, the one before and the one before that: sent again after a reconnect. */
  readonly sent: SentGeneration[];
  /** Epoch seconds. */
  nextSampleAt: number;
  /** Live publishing ends then, epoch seconds. */
  liveUntil: number;
  isLive: boolean;
  nextMeterAt: number;
  /** The flag of changed configuration shows until then, epoch seconds. */
  configChangedUntil: number;
  isConfigReset: boolean;
}

/** @param place 0 for the edge node itself, then 1, 2, … for the subNodes that report through it */
export function createDevice(plantNode: PlantNode, place = 0): Device {
  const { node } = plantNode.model;
  return {
    node,
    plantNode,
    aliasBase: place * aliasesPerDevice,
    hasScalars: node.type === "Node" || node.type === "subNode",
    isDirect: machineKindOf(node) === "direct",
    config: initialConfig(node),
    meter: createMeter(),
    row: createScalarRow(),
    waiting: createSampleTimes(),
    sent: Array.from({ length: 3 }, () => ({ live: createSampleTimes(), history: createSampleTimes() })),
    nextSampleAt: 0,
    liveUntil: 0,
    isLive: false,
    nextMeterAt: 0,
    configChangedUntil: 0,
    isConfigReset: false,
  };
}

/** Forgets the oldest third of what was sent. */
export function rotateSent(device: Device): void {
  const oldest = device.sent.pop()!;
  oldest.live.clear();
  oldest.history.clear();
  device.sent.unshift(oldest);
}

/** Queues what was sent in the last two minutes once more: some of it may have been lost with the connection. */
export function requeueSent(device: Device): void {
  for (const { live, history } of device.sent) {
    device.waiting.takeAll(live);
    device.waiting.takeAll(history);
  }
}

/** Gives a device the configuration of the workshop. @returns the keys whose values that changed */
export function resetKeys({ config, node }: Device): NodeConfigKey[] {
  const changed = [...initialConfig(node)].filter(([key, value]) => config.get(key) !== value);
  for (const [key, value] of changed) config.set(key, value);
  return changed.map(([key]) => key);
}
