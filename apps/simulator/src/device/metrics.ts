import { findConfigParameter } from "@busbar/contract/telemetry/config-catalogue.ts";
import {
  firstConfigAlias,
  metricAliases,
  metricNames,
  nodeConfigKeys,
  sparkplugProtocolVersion,
  phasePowers,
  scalarMeasurements,
  type MetricName,
  type NodeConfigKey,
} from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import type { MetricInput, MetricValue } from "@busbar/sparkplug/payload.ts";
import { scalarField as f } from "#node-model/scalar-row.ts";
import type { Device } from "./device.ts";

/** A metric as the birth shows it: name, alias, type, value. DATA leaves out the name. */
export interface NamedMetric extends MetricInput {
  name: string;
  datatype: number;
}

export const firmwareVersion = "4.7.2";
const scalarVersion = 1;

/** State of the edge node that its metrics report. */
export interface NodeStatus {
  uptimeSeconds: number;
  clockOffsetMs: number;
  isClockLocked: boolean;
  isSensorOk: boolean;
  liveLeaseSeconds: number;
}

/** The scalar's metrics in the order of the NDATA template. */
export const scalarMetricNames = [...scalarMeasurements, metricNames.scalarVersion, metricNames.scalarFlag, ...phasePowers] as const;

const scalarNames: ReadonlySet<string> = new Set(scalarMetricNames);

export function isScalarMetric({ name }: NamedMetric): boolean {
  return scalarNames.has(name);
}

export function isIntegerScalar(name: MetricName): boolean {
  return name === metricNames.scalarVersion || name === metricNames.scalarFlag;
}

/** Copies a device's row into the order of `scalarMetricNames`. */
export function scalarValues(row: Float64Array, flag: number, out: Float64Array): void {
  for (let i = 0; i < 7; i++) out[i] = row[i]!;
  out[7] = scalarVersion;
  out[8] = flag;
  for (let i = 9; i < 18; i++) out[i] = row[i - 2]!;
}

const scratch = new Float64Array(scalarMetricNames.length);

export function scalarMetrics(device: Device): NamedMetric[] {
  scalarValues(device.row, device.row[f.flag]!, scratch);
  return scalarMetricNames.map((name, i) => named(name, isIntegerScalar(name) ? DataType.Int32 : DataType.Float, scratch[i]!));
}

export function meterMetrics({ meter, row, node }: Device): NamedMetric[] {
  const isField = node.role === "field";
  return [
    named(metricNames.totalKw, DataType.Float, meter.kw),
    named(metricNames.totalKva, DataType.Float, meter.kva),
    named(metricNames.totalKvar, DataType.Float, meter.kvar),
    named(metricNames.totalPowerFactor, DataType.Float, meter.powerFactor),
    named(metricNames.runningSeconds, DataType.Double, meter.runningSeconds),
    named(metricNames.ampHours, DataType.Double, meter.ampHours),
    named(metricNames.kilowattHours, DataType.Double, meter.kilowattHours),
    named(metricNames.kilovarHours, DataType.Double, meter.kilovarHours),
    named(metricNames.fieldVoltage, DataType.Float, isField ? row[f.fieldVoltage]! : null),
    named(metricNames.fieldCurrent, DataType.Float, isField ? row[f.fieldCurrent]! : null),
  ];
}

export function leaseMetric(leaseSeconds: number): NamedMetric {
  return named(metricNames.liveLeaseSeconds, DataType.Int32, leaseSeconds);
}

/** What changes slowly: clock and health. */
export function statusMetrics(device: Device, status: NodeStatus): NamedMetric[] {
  return [
    named(metricNames.timeOffsetMs, DataType.Double, status.isClockLocked ? status.clockOffsetMs : 0),
    named(metricNames.timeLocked, DataType.Boolean, status.isClockLocked),
    named(metricNames.timeSatellites, DataType.Int32, status.isClockLocked ? 6 + (device.node.serial % 6) : 0),
    named(metricNames.uptimeSeconds, DataType.Int64, status.uptimeSeconds),
    named(metricNames.freeKb, DataType.Int32, 180_000 + (device.node.serial % 97) * 100),
    named(metricNames.isSensorOk, DataType.Boolean, status.isSensorOk),
  ];
}

function identityMetrics({ node }: Device, status: NodeStatus): NamedMetric[] {
  const { serial } = node;
  const high = Math.floor(serial / 256);
  const hex = (n: number) => n.toString(16).padStart(2, "0").toUpperCase();
  return [
    named(metricNames.timeSource, DataType.String, status.isClockLocked ? "GPS" : "RTC"),
    // a locally administered address and a private one
    named(metricNames.mac, DataType.String, `02:42:00:00:${hex(high)}:${hex(serial % 256)}`),
    named(metricNames.ip, DataType.String, `10.20.${high % 256}.${serial % 256}`),
    named(metricNames.firmware, DataType.String, firmwareVersion),
    named(metricNames.hardwareVersion, DataType.String, serial % 3 === 0 ? "C2" : "C3"),
    named(metricNames.viHardwareVersion, DataType.String, serial % 2 === 0 ? "VI-5" : "VI-4"),
    named(metricNames.protocol, DataType.Int32, sparkplugProtocolVersion),
    named(metricNames.poe, DataType.Boolean, serial % 4 !== 0),
  ];
}

export function configMetric(device: Device, key: NodeConfigKey): NamedMetric {
  const datatype = DataType[findConfigParameter(key)?.rule.wireType ?? "String"];
  const value = device.config.get(key)!;
  return {
    name: `Config/${key}`,
    alias: firstConfigAlias + nodeConfigKeys.indexOf(key),
    datatype,
    value: datatype === DataType.String ? value : Number(value),
  };
}

export function configMetrics(device: Device): NamedMetric[] {
  return nodeConfigKeys.map((key) => configMetric(device, key));
}

export function refreshMetric(requestId: string | null): NamedMetric {
  return named(metricNames.configRefresh, DataType.String, requestId);
}

function fileMetrics(): NamedMetric[] {
  const files = [metricNames.dataFile, metricNames.oneSecondFile, metricNames.harmonicsFile, metricNames.eventFile];
  return [
    ...files.map((name) => named(name, DataType.File, null)),
    named(metricNames.fileManifest, DataType.DataSet, null),
    named(metricNames.fileAck, DataType.String, null),
    named(metricNames.fileRequest, DataType.String, null),
  ];
}

/** Every metric of a birth except bdSeq and the rebirth command, which the session adds. */
export function birthMetrics(device: Device, status: NodeStatus): NamedMetric[] {
  const measured = device.hasScalars
    ? [
        ...scalarMetrics(device),
        ...meterMetrics(device),
        leaseMetric(status.liveLeaseSeconds),
        named(metricNames.meterReset, DataType.Boolean, false),
      ]
    : [];
  return [
    { name: metricNames.reboot, datatype: DataType.Boolean, value: false },
    ...measured,
    ...statusMetrics(device, status),
    ...identityMetrics(device, status),
    ...configMetrics(device),
    refreshMetric(null),
    ...fileMetrics(),
    named(metricNames.lastEvent, DataType.String, null),
  ];
}

/** A metric under the alias that it has in its device. */
export function inDevice<M extends NamedMetric>(device: Device, metric: M): M {
  return metric.alias === undefined ? metric : { ...metric, alias: metric.alias + device.aliasBase };
}

/** Dates metrics and leaves out their names, as DATA sends them. */
export function aliased(device: Device, metrics: readonly NamedMetric[], epochMs: number): MetricInput[] {
  return metrics.map((metric) => ({
    ...inDevice(device, metric),
    timestamp: epochMs,
    name: metric.alias === undefined ? metric.name : undefined,
  }));
}

function named(name: MetricName, datatype: number, value: MetricValue): NamedMetric {
  return { name, alias: metricAliases[name], datatype, value };
}
