import { metricNames, metricAliases } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import type { PropertySet } from "@busbar/sparkplug/payload.ts";
import type { Command, WriteRequest } from "./commands.ts";
import type { Device } from "./device.ts";
import { resetMeter } from "./meter.ts";
import { configMetric, configMetrics, leaseMetric, meterMetrics, refreshMetric, type NamedMetric } from "./metrics.ts";
import { writeConfig } from "./node-config.ts";

const configChangedSeconds = 60;

/**
 * Carries a command out on a device.
 * @param epochSeconds of the world; @param nodeTimeMs what the node's own clock shows, by which a write expires
 * @returns the metrics that answer it; none for a command that gets no answer
 */
export function answerCommand(command: Command, device: Device, epochSeconds: number, nodeTimeMs: number): NamedMetric[] {
  switch (command.kind) {
    case "live":
      device.liveUntil = epochSeconds + command.leaseSeconds;
      device.isLive = command.leaseSeconds > 0;
      device.nextSampleAt = Math.min(device.nextSampleAt, Math.floor(epochSeconds) + 1);
      device.nextMeterAt = Math.min(device.nextMeterAt, device.nextSampleAt);
      return [leaseMetric(command.leaseSeconds)];
    case "resetMeter":
      resetMeter(device.meter);
      return [
        ...meterMetrics(device),
        { name: metricNames.meterReset, alias: metricAliases[metricNames.meterReset], datatype: DataType.Boolean, value: false },
      ];
    case "refreshConfig":
      return [...configMetrics(device), refreshMetric(command.requestId)];
    case "writeConfig": {
      const { key, value, request } = command;
      if (isExpired(request, nodeTimeMs)) return [];
      const lie = device.node.quirks.liesAboutConfig;
      const result = lie === undefined ? writeConfig(device.config, key, value, request.previous) : lie === "says-done" ? "OK" : "CONFLICT";
      if (result === "OK" && lie === undefined) device.configChangedUntil = epochSeconds + configChangedSeconds;
      return [{ ...configMetric(device, key), properties: answerProperties(request, result) }];
    }
    case "unknownConfig": {
      if (isExpired(command.request, nodeTimeMs)) return [];
      const properties = answerProperties(command.request, "UNKNOWN");
      return [{ name: `Config/${command.key}`, datatype: DataType.String, value: null, properties }];
    }
    default:
      return [];
  }
}

function isExpired({ expiresAtMs }: WriteRequest, nodeTimeMs: number): boolean {
  return expiresAtMs !== undefined && !(nodeTimeMs <= expiresAtMs);
}

function answerProperties({ requestId }: WriteRequest, result: string): PropertySet {
  return new Map([
    ["requestId", { type: DataType.String, value: requestId }],
    ["result", { type: DataType.String, value: result }],
  ]);
}
