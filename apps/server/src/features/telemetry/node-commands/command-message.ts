import { DataType, isInt64FieldType, isStringType } from "@busbar/sparkplug/datatypes.ts";
import { encodePayload } from "@busbar/sparkplug/encode.ts";
import type { MetricInput } from "@busbar/sparkplug/payload.ts";
import { deviceTopic, groupOf, nodeTopic } from "@busbar/sparkplug/topic.ts";
import type { CommandMetric } from "./node-command.ts";
import type { WaitingCommand } from "./waiting-commands.store.ts";

const integerTypes: readonly number[] = [
  DataType.Int8,
  DataType.Int16,
  DataType.Int32,
  DataType.Int64,
  DataType.UInt8,
  DataType.UInt16,
  DataType.UInt64,
];

/** NCMD to an edge node, DCMD to a sub node through its parent (Sparkplug 3.0, 6.4.8 and 6.4.9). */
export function commandMessage(command: Omit<WaitingCommand, "isSendable">, nowMs: number): { topic: string; payload: Uint8Array } {
  const { serialNumber, parentSerialNumber, metrics, born } = command;
  const edge = String(parentSerialNumber ?? serialNumber);
  const topic =
    parentSerialNumber === null ? nodeTopic("NCMD", groupOf(edge), edge) : deviceTopic("DCMD", groupOf(edge), edge, String(serialNumber));
  return {
    topic,
    payload: encodePayload({ timestamp: nowMs, metrics: metrics.map((metric) => toMetric(metric, born[metric.name], nowMs)) }),
  };
}

/** By alias when the birth gave one, else by name, and in the birth's type. */
function toMetric(metric: CommandMetric, born: [alias: number | null, datatype: number] | undefined, nowMs: number): MetricInput {
  const [alias, bornType] = born ?? [null, undefined];
  const datatype = typeToSend(metric, bornType);
  return {
    ...(alias === null ? { name: metric.name } : { alias }),
    datatype,
    value: valueToSend(metric, datatype),
    timestamp: nowMs,
    ...(metric.properties ? { properties: new Map(Object.entries(metric.properties)) } : {}),
  };
}

// JSON has no whole numbers beyond 2^53: those wait as texts.
function valueToSend({ value }: CommandMetric, datatype: number): string | number | boolean | bigint {
  if (isStringType(datatype)) return String(value);
  return typeof value === "string" && isInt64FieldType(datatype) ? BigInt(value) : value;
}

function typeToSend({ datatype, value }: CommandMetric, bornType: number | undefined): number {
  // Implementations disagree on how UInt32 travels: never sent.
  if (bornType === undefined) return datatype === DataType.UInt32 ? DataType.Int64 : datatype;
  if (isStringType(bornType)) return bornType;
  if (typeof value === "boolean") return DataType.Boolean;
  if (typeof value !== "number") return datatype;
  if (bornType === DataType.Float || bornType === DataType.Double) return bornType;
  if (!Number.isInteger(value)) return datatype;
  if (bornType === DataType.UInt32) return DataType.Int64;
  return integerTypes.includes(bornType) ? bornType : datatype;
}
