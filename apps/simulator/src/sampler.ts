import type { SimClock } from "./clock.ts";
import { rotateSent, type Device } from "./device/device.ts";
import { addSample } from "./device/meter.ts";
import type { EdgeLink } from "./edge-link.ts";
import type { FleetCounters } from "./fleet-counters.ts";
import { firstSampleAt } from "./node-model/backfill.ts";
import { createScalarRow } from "./node-model/scalar-row.ts";
import type { ScalarSender } from "./scalar-sender.ts";

/** A node keeps a day of unsent scalars. */
export const bufferSeconds = 86_400;
const rotationMs = 60_000;

export interface SamplerOptions {
  link: EdgeLink;
  sender: ScalarSender;
  clock: SimClock;
  network: SimClock;
  counters: FleetCounters;
  /** How long unsent scalars are kept. */
  bufferSeconds: number;
}

/** A scalar that the node never acquires. Only the regular stream misses some; the seconds of a live lease come on top. */
export function isMissing({ plantNode, node }: Device, epochSeconds: number): boolean {
  const { isPowered, isScalarDropped } = plantNode.link.at(epochSeconds);
  return !isPowered || (isScalarDropped && epochSeconds === firstSampleAt(node.serial, node.scalarIntervalSeconds, epochSeconds));
}

/** Acquires scalars, sends them at once or keeps them, and sends kept ones later as historical. */
export function createSampler({ link, sender, clock, network, counters, bufferSeconds }: SamplerOptions) {
  const historicalRow = createScalarRow();
  let rotatedAt = network.now();

  return {
    /** Acquires one second, and sends it while the link takes it. */
    acquire(device: Device, epochSeconds: number): void {
      if (isMissing(device, epochSeconds)) {
        counters.missed++;
        return;
      }
      const { row, node, plantNode } = device;
      plantNode.model.scalarAt(epochSeconds, row);
      addSample(device.meter, row, epochSeconds, node.scalarIntervalSeconds, device.isDirect);
      if (!link.canSend()) {
        device.waiting.push(epochSeconds);
        device.waiting.trimBefore(epochSeconds - bufferSeconds);
        return;
      }
      const { clockOffsetMs } = plantNode.link.at(epochSeconds);
      sender.send({ device, row, epochSeconds, clockOffsetMs, publishedAtMs: clock.now() + clockOffsetMs, isHistorical: false });
      device.sent[0]!.live.push(epochSeconds);
    },
    /** Sends the oldest kept scalar of a device. @returns false when there is none or the link does not take it */
    sendOldest(device: Device): boolean {
      if (!link.canSend()) return false;
      for (let t = device.waiting.shift(); t !== undefined; t = device.waiting.shift()) {
        if (isMissing(device, t)) continue;
        device.plantNode.model.scalarAt(t, historicalRow);
        const { clockOffsetMs } = device.plantNode.link.at(t);
        sender.send({
          device,
          row: historicalRow,
          epochSeconds: t,
          clockOffsetMs,
          publishedAtMs: clock.now() + clockOffsetMs,
          isHistorical: true,
        });
        device.sent[0]!.history.push(t);
        return true;
      }
      return false;
    },
    rotate(devices: readonly Device[]): void {
      if (network.now() - rotatedAt < rotationMs) return;
      rotatedAt = network.now();
      for (const device of devices) rotateSent(device);
    },
  };
}
export type Sampler = ReturnType<typeof createSampler>;
