import { parseDataFileName } from "@busbar/contract/files/data-file-name.ts";
import { metricAliases, metricNames, type MetricName } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import type { DataSet } from "@busbar/sparkplug/payload.ts";
import type { Device } from "#device/device.ts";
import type { NamedMetric } from "#device/metrics.ts";
import { channels } from "#node-model/channels.ts";
import { uniform } from "#node-model/random.ts";
import type { SimClock } from "#src/clock.ts";
import type { Timer } from "#src/timer-wheel.ts";
import { clockOffset, defaultDataInterval, makeDataFile, type DataFile, type SimulatedFileKind } from "./data-file.ts";
import { dataFileFault } from "./data-file-faults.ts";
import { createUploadQueue, keptSeconds, type PendingFile } from "./upload-queue.ts";

export interface FileUploaderOptions {
  seed: number;
  device: Device;
  clock: SimClock;
  network: SimClock;
  faultScale: number;
  /** Intervals of the past whose files the node finds unsent when it first starts. */
  backfillIntervals: number;
  canSend: () => boolean;
  send: (metrics: readonly NamedMetric[]) => void;
}

/** A node's data files: made at the end of each interval, sent in parts, kept until the host has acknowledged them. */
export interface FileUploader {
  start(): void;
  stop(): void;
  /** Born on a new connection: reports what is unsent, and goes on. */
  onBorn(): void;
  onAck(json: string): void;
  onRequest(json: string): void;
  readonly pending: number;
  /** Those of them that are sent as fast as the host takes them: not held, not for later, not given up for an hour. */
  readonly due: number;
  /** Those of the due that are on their way for the first time, or have yet to be. */
  readonly untried: number;
}

const partBytes = 16 * 1024;
const partGapMs = 20;
const ackPatienceMs = 15_000;
const hourMs = 3_600_000;
const quickAttempts = 3;
const longestManifest = 24;
const spreadSeconds = 60;
const mostMissedIntervals = 96;

const fileMetrics: Record<SimulatedFileKind, MetricName> = {
  D: metricNames.dataFile,
  S: metricNames.oneSecondFile,
  H: metricNames.harmonicsFile,
};

interface Upload {
  pending: PendingFile;
  file: DataFile;
  timer: Timer | undefined;
}

export function createFileUploader(options: FileUploaderOptions): FileUploader {
  const { seed, device, clock, network, faultScale, canSend } = options;
  const { plantNode, node } = device;
  const interval = node.dataIntervalSeconds ?? defaultDataInterval;
  const spread = Math.min(spreadSeconds, interval / 10) * uniform(seed, node.serial, channels.fileUpload, 0);
  const queue = createUploadQueue();
  let intervalTimer: Timer | undefined;
  let wakeTimer: Timer | undefined;
  let upload: Upload | undefined;
  let nextTimestamp = 0;
  let isStopped = false;

  const nodeSeconds = () => {
    const now = clock.now() / 1000;
    return now + clockOffset(plantNode, Math.floor(now));
  };
  const make = ({ kind, timestamp }: Pick<PendingFile, "kind" | "timestamp">) =>
    makeDataFile({ seed, plantNode, kind, timestamp, faultScale });

  const enqueue = (timestamp: number) => {
    for (const kind of ["D", "S"] as const) {
      const fault = dataFileFault(seed, plantNode, kind, timestamp, faultScale);
      const delay = fault?.kind === "fileLate" ? fault.seconds : 0;
      queue.add(kind, timestamp, delay === 0 ? 0 : timestamp + interval + delay);
    }
  };

  const followIntervals = () => {
    const now = nodeSeconds();
    nextTimestamp = Math.max(nextTimestamp, Math.floor(now / interval - mostMissedIntervals) * interval);
    for (; nextTimestamp + interval + spread <= now; nextTimestamp += interval) enqueue(nextTimestamp);
    pump();
    if (!isStopped) intervalTimer = clock.after(Math.max(100, (nextTimestamp + interval + spread - now) * 1000), followIntervals);
  };

  const pump = () => {
    wakeTimer?.cancel();
    wakeTimer = undefined;
    if (isStopped || upload || !canSend()) return;
    if (plantNode.link.at(Math.floor(clock.now() / 1000)).areFilesHeld) return wakeLater();
    const pending = queue.next(clock.now() / 1000, network.now());
    if (!pending) return wakeLater();
    const file = make(pending);
    if (!file) {
      // No power in all of the interval: there never was such a file.
      queue.remove(pending);
      return pump();
    }
    upload = { pending, file, timer: undefined };
    sendParts(upload, partsOf(file));
  };

  // Late files and those that wait for their next hour become due by themselves.
  const wakeLater = () => {
    if (queue.size > 0) wakeTimer = network.after(5_000, pump);
  };

  const partsOf = ({ bytes }: DataFile) => Array.from({ length: Math.max(1, Math.ceil(bytes.length / partBytes)) }, (_, seq) => seq);

  const sendParts = (current: Upload, parts: readonly number[]) => {
    const [seq, ...rest] = parts;
    if (current !== upload) return;
    if (!canSend()) return giveUp(current);
    if (seq === undefined) current.timer = network.after(ackPatienceMs, () => giveUp(current));
    else {
      options.send([partMetric(current, seq)]);
      current.timer = network.after(partGapMs, () => sendParts(current, rest));
    }
  };

  const partMetric = ({ file, pending }: Upload, seq: number): NamedMetric => {
    const name = fileMetrics[file.kind];
    // The digest of a data point is wrong inside; for the others it is the upload's, once.
    const isWrong = file.fault?.kind === "fileBadMd5" && file.kind !== "D" && pending.attempts === 0;
    return {
      name,
      alias: metricAliases[name],
      datatype: DataType.File,
      value: file.bytes.subarray(seq * partBytes, (seq + 1) * partBytes),
      metadata: {
        isMultiPart: true,
        contentType: "application/gzip",
        size: file.bytes.length,
        seq,
        fileName: file.name,
        fileType: "txt",
        md5: isWrong ? "0".repeat(32) : file.md5,
      },
    };
  };

  const finish = (current: Upload) => {
    current.timer?.cancel();
    if (upload === current) upload = undefined;
  };

  const giveUp = (current: Upload) => {
    finish(current);
    const { pending } = current;
    pending.attempts++;
    pending.retryAt = network.now() + (pending.attempts < quickAttempts ? 2_000 * pending.attempts : hourMs);
    pump();
  };

  const acknowledged = (current: Upload) => {
    finish(current);
    const { pending, file } = current;
    if (file.fault?.kind === "fileDuplicate" && !pending.isRepeat) pending.isRepeat = true;
    else queue.remove(pending);
    pump();
  };

  const manifest = (): NamedMetric | undefined => {
    const unsent = queue
      .values()
      .filter(({ availableAt }) => availableAt <= clock.now() / 1000)
      .slice(-longestManifest);
    const rows = unsent.flatMap((pending) => {
      const file = make(pending);
      return file ? [[file.name, file.timestamp * 1000, file.bytes.length, file.md5]] : [];
    });
    if (rows.length === 0) return undefined;
    const types = [DataType.String, DataType.Int64, DataType.Int64, DataType.String];
    const value: DataSet = { columns: ["name", "ts", "size", "md5"], types, rows };
    return { name: metricNames.fileManifest, alias: metricAliases[metricNames.fileManifest], datatype: DataType.DataSet, value };
  };

  const requestNames = (names: readonly unknown[]) => {
    for (const name of names.slice(0, 1_000)) {
      const parsed = typeof name === "string" ? parseDataFileName(name) : undefined;
      const isOurs = parsed?.serial === node.serial && (parsed.kind === "D" || parsed.kind === "S" || parsed.kind === "H");
      if (parsed && isOurs) queue.hurry(parsed.kind as SimulatedFileKind, parsed.timestamp);
    }
  };

  const requestHarmonics = (from: number, to: number) => {
    const now = nodeSeconds();
    const first = Math.ceil(Math.max(from, now - keptSeconds) / interval) * interval;
    for (let timestamp = first; timestamp < to && timestamp + interval <= now; timestamp += interval) queue.add("H", timestamp, 0);
  };

  const countDue = (mostAttempts: number): number => {
    const now = clock.now() / 1000;
    if (!canSend() || plantNode.link.at(Math.floor(now)).areFilesHeld) return 0;
    return queue.values().filter(({ availableAt, attempts }) => availableAt <= now && attempts <= mostAttempts).length;
  };

  return {
    start() {
      nextTimestamp = (Math.floor((nodeSeconds() - spread) / interval) - options.backfillIntervals) * interval;
      followIntervals();
    },
    stop() {
      isStopped = true;
      intervalTimer?.cancel();
      wakeTimer?.cancel();
      upload?.timer?.cancel();
    },
    onBorn() {
      // Whatever was on its way is not known to have arrived.
      if (upload) finish(upload);
      const ready = manifest();
      if (ready && canSend()) options.send([ready]);
      pump();
    },
    onAck(json) {
      const ack = readJson(json);
      if (!upload || ack["name"] !== upload.file.name) return;
      const missing = Array.isArray(ack["missing"]) ? ack["missing"].filter((seq) => partsOf(upload!.file).includes(seq as number)) : [];
      if (ack["code"] === 200) acknowledged(upload);
      else if (ack["code"] === 100 && missing.length > 0) {
        upload.timer?.cancel();
        sendParts(upload, missing as number[]);
      } else if (ack["code"] !== 100) giveUp(upload);
    },
    onRequest(json) {
      const request = readJson(json);
      if (Array.isArray(request["names"])) requestNames(request["names"]);
      const { from, to } = request;
      if (request["kind"] === "H" && typeof from === "number" && typeof to === "number") requestHarmonics(from, to);
      pump();
    },
    get pending() {
      return queue.size;
    },
    get due() {
      return countDue(quickAttempts - 1);
    },
    get untried() {
      return countDue(0);
    },
  };
}

function readJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {}; // a host's mistake, as a command that cannot be read
  }
}
