import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { dataFileName, type DataFileKind } from "@busbar/contract/files/data-file-name.ts";
import { dataPointKeys } from "@busbar/contract/files/data-point-keys.ts";
import { metricAliases, metricNames, type MetricName } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import type { MetaData, MetricInput } from "@busbar/sparkplug/payload.ts";

export const md5Of = (content: string | Uint8Array): string => createHash("md5").update(content).digest("hex");

const loadedAt = Date.now();

/** A quarter of an hour that has passed; the same one all the time, also when the next begins meanwhile. */
export function lastQuarter(intervalsAgo = 1, now = loadedAt): number {
  return (Math.floor(now / 900_000) - intervalsAgo) * 900;
}

/** Closes lines of a data point with their checksum. */
export function sealed(lines: readonly string[]): string {
  const body = `${lines.join("\n")}\n`;
  return `${body}#MD5=${md5Of(body)}\n`;
}

/** Lines of a right data point; `values` in place of the usual ones. */
export function dataPointLines(serial: number, timestamp: number, values: Record<string, string> = {}): string[] {
  const usual: Record<string, string> = {
    serialNumber: String(serial),
    timestamp: String(timestamp),
    interval: "900",
    kind: "D",
    voltageAvg: "480.21",
    currentAvg: "42.5",
    powerKwAvg: "29.6",
    npVoltage: "460",
    fieldCurrentAvg: "",
    harmonicI1_005: "1.482",
    samples: "900",
    missing: "0",
    fw: "4.7.2",
    ...values,
  };
  const keys = ["serialNumber", "timestamp", "interval", "kind", ...dataPointKeys];
  return ["#VDF=2", ...keys.map((key) => `${key}=${usual[key] ?? ""}`)];
}

export const dataPoint = (serial: number, timestamp: number, values?: Record<string, string>): string =>
  sealed(dataPointLines(serial, timestamp, values));

const oneSecondColumns = "t,lf,i1,i2,i3,v1,v2,v3,p1,p2,p3,flag";

export function oneSecondLines(serial: number, timestamp: number, interval = 900): string[] {
  return [
    "#VDF=2",
    `#serialNumber=${serial}`,
    `#timestamp=${timestamp}`,
    `#interval=${interval}`,
    "#rate=1",
    "#kind=S",
    oneSecondColumns,
    ...Array.from({ length: interval }, (_, second) =>
      second === 7 ? `${timestamp + second},,,,,,,,,,,` : `${timestamp + second},60.01,42.1,42.2,42.3,480.1,480.2,480.3,9.8,9.9,9.7,1`,
    ),
  ];
}

export const oneSecondFile = (serial: number, timestamp: number): string => `${oneSecondLines(serial, timestamp).join("\n")}\n`;

export function harmonicsFile(serial: number, timestamp: number): string {
  const rows = ["V1", "V2", "V3", "I1", "I2", "I3"].flatMap((channel) =>
    Array.from({ length: 50 }, (_, index) => `${timestamp},${channel},${index + 1},${(100 / (index + 1)).toFixed(3)},-12.5`),
  );
  const head = ["#VDF=2", `#serialNumber=${serial}`, `#timestamp=${timestamp}`, "#interval=900", "#kind=H", "t,ch,h,mag,angleDeg"];
  return `${[...head, ...rows].join("\n")}\n`;
}

export const nameOf = (
  serial: number,
  timestamp: number,
  kind: DataFileKind,
  extension = "txt",
  interval = kind === "E" ? 1 : 900,
): string => dataFileName({ serial, timestamp, kind, interval, extension });

const metricOf: Record<Exclude<DataFileKind, "X">, MetricName> = {
  D: metricNames.dataFile,
  S: metricNames.oneSecondFile,
  H: metricNames.harmonicsFile,
  E: metricNames.eventFile,
};

/** The metrics of a file's parts as a node sends them. */
export function fileParts(name: string, text: string | Uint8Array, partBytes = 64 * 1024, change: Partial<MetaData> = {}): MetricInput[] {
  const bytes = gzipSync(text);
  const md5 = md5Of(bytes);
  const metric = metricOf[name[23] as "D"];
  const count = Math.max(1, Math.ceil(bytes.length / partBytes));
  return Array.from({ length: count }, (_, seq) => ({
    alias: metricAliases[metric],
    datatype: DataType.File,
    value: Uint8Array.from(bytes.subarray(seq * partBytes, (seq + 1) * partBytes)),
    timestamp: Date.now(),
    metadata: {
      isMultiPart: true,
      contentType: "application/gzip",
      size: bytes.length,
      seq,
      fileName: name,
      fileType: "txt",
      md5,
      ...change,
    },
  }));
}

/** Metrics of a birth that has the files' aliases. */
export function fileBirthMetrics(now = Date.now()): MetricInput[] {
  return Object.entries(metricAliases)
    .filter(([name]) => name.startsWith("Files/"))
    .map(([name, alias]) => ({ name, alias, isNull: true, timestamp: now, datatype: datatypeOf(name) }));
}

function datatypeOf(name: string): number {
  if (name === metricNames.fileManifest) return DataType.DataSet;
  return name === metricNames.fileAck || name === metricNames.fileRequest ? DataType.String : DataType.File;
}
