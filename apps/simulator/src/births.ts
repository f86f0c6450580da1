import type { EdgeMessage, EdgeSession } from "@busbar/sparkplug/edge-session.ts";
import type { Device } from "./device/device.ts";
import { birthMetrics, inDevice, isScalarMetric, type NodeStatus } from "./device/metrics.ts";
import { firstSampleAt } from "./node-model/backfill.ts";
import { isMissing } from "./sampler.ts";

export interface BirthMoment {
  /** Of the world, whole epoch seconds. */
  epochSeconds: number;
  /** Of the node's clock. */
  nodeTimeMs: number;
  clockOffsetMs: number;
  statusOf(device: Device): NodeStatus;
}

/** NBIRTH of an edge node (the first device) and DBIRTHs of its subNodes. */
export function createBirths(session: EdgeSession, devices: readonly Device[], moment: BirthMoment): EdgeMessage[] {
  const { nodeTimeMs, clockOffsetMs, epochSeconds } = moment;
  return devices.map((device, index) => {
    const sampledAtMs = device.hasScalars ? 1000 * takeLastSample(device, epochSeconds) + clockOffsetMs : nodeTimeMs;
    const metrics = birthMetrics(device, moment.statusOf(device)).map((metric) => ({
      ...inDevice(device, metric),
      timestamp: isScalarMetric(metric) ? Math.max(0, sampledAtMs) : nodeTimeMs,
    }));
    return index === 0 ? session.birth(metrics, nodeTimeMs) : session.deviceBirth(String(device.node.serial), metrics, nodeTimeMs);
  });
}

const mostTries = 20;

/** Puts the last acquired scalar into the device's row: a birth shows a sample of the stream, not one more. @returns its time */
function takeLastSample(device: Device, epochSeconds: number): number {
  const { serial, scalarIntervalSeconds } = device.node;
  let t = firstSampleAt(serial, scalarIntervalSeconds, epochSeconds + 1) - scalarIntervalSeconds;
  for (let tries = 0; tries < mostTries && isMissing(device, t); tries++) t -= scalarIntervalSeconds;
  device.plantNode.model.scalarAt(t, device.row);
  return t;
}
