import { parseDataFileName, type DataFileName } from "@busbar/contract/files/data-file-name.ts";
import { metricNames, type MetricName } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { encodePayload } from "@busbar/sparkplug/encode.ts";
import type { Metric } from "@busbar/sparkplug/payload.ts";
import { deviceTopic, groupOf, nodeTopic } from "@busbar/sparkplug/topic.ts";
import type { Pool } from "pg";
import { Counter, Gauge, type Registry } from "prom-client";
import type { Clock } from "#lib/clock.ts";
import type { DiskGuard } from "#lib/disk-guard.ts";
import type { FileStore } from "#lib/file-store.ts";
import type { LimitedLog } from "#lib/limited-log.ts";
import { fileKey, filePart, type DataFilesStore } from "./data-files.store.ts";
import { createDataFilesWriter } from "./data-files.writer.ts";
import { createFileAssembly, fileAckCodes, isAssembled, type FileAckCode, type FileAssembly } from "./file-assembly.ts";
import { isFileMetric, readFilePart, type FilePart, type FileProblem } from "./file-part.ts";

/** Who sent a message, and how to answer it. */
export interface FileSender {
  /** The node or sub node itself. */
  serial: number;
  /** The edge node that holds the connection. */
  edge: number;
  isDevice: boolean;
  /** The alias that its birth gave a metric. */
  aliasOf: (name: MetricName) => number | undefined;
}

export interface DataFilesIngest {
  /** Takes the file metrics of one message. @returns why parts of it are refused */
  receive(sender: FileSender, metrics: readonly Metric[]): FileProblem[];
  start(): void;
  stop(): Promise<void>;
}

export interface DataFilesIngestOptions {
  pool: Pool;
  store: DataFilesStore;
  fileStore: FileStore;
  clock: Clock;
  limitedLog: LimitedLog;
  registry: Registry;
  publishCommand: (topic: string, payload: Uint8Array) => void;
  /** Whether what is published now reaches the nodes; requests wait until it does. */
  canPublish: () => boolean;
  /** Says why there is no room for files. */
  disk: Pick<DiskGuard, "problem">;
  limits?: Partial<AssemblyLimits>;
}

export interface AssemblyLimits {
  /** Bytes of unfinished files, of all nodes together. */
  bytes: number;
  /** Unfinished files of one node, and of all. */
  filesPerNode: number;
  files: number;
  /** Without a new part for so long, what is missing is requested; after the second time the file is given up. */
  quietMs: number;
  patienceMs: number;
}

interface OpenFile {
  sender: FileSender;
  name: string;
  assembly: FileAssembly;
  requestedAt: number | undefined;
}

type OpenEntry = [key: string, file: OpenFile];

const defaultLimits: AssemblyLimits = { bytes: 64 * 1024 * 1024, filesPerNode: 4, files: 4_000, quietMs: 2_000, patienceMs: 20_000 };
const tickMs = 500;
const requestTicks = 4;
const namesPerRequest = 50;
const requestLifeMs = 3_600_000;

/** Receives data files over Sparkplug: assembles, stores, and acknowledges each with 200 once its bytes and its row are committed. */
export function createDataFilesIngest(options: DataFilesIngestOptions): DataFilesIngest {
  const { pool, store, fileStore, clock, limitedLog, publishCommand, canPublish, disk } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const open = new Map<string, OpenFile>();
  const metrics = createMetrics(options.registry, () => open.size);
  const noteFailure = (error: unknown) =>
    limitedLog("warn", "files-failed", { err: error }, "data files could not be stored; none is acknowledged until they are");
  const writer = createDataFilesWriter({ pool, store, fileStore, noteFailure });
  let heldBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  let ticks = 0;

  const command = (sender: FileSender, name: MetricName, value: object) => {
    const atMs = clock.now();
    const edge = String(sender.edge);
    const group = groupOf(edge);
    const topic = sender.isDevice ? deviceTopic("DCMD", group, edge, String(sender.serial)) : nodeTopic("NCMD", group, edge);
    const alias = sender.aliasOf(name);
    // By alias where the birth gave one, else by name.
    const metric = {
      ...(alias === undefined ? { name } : { alias }),
      datatype: DataType.String,
      value: JSON.stringify(value),
      timestamp: atMs,
    };
    publishCommand(topic, encodePayload({ timestamp: atMs, metrics: [metric] }));
  };
  const ack = (sender: FileSender, name: string, code: FileAckCode, missing: readonly number[] = []) => {
    metrics.noteAck(code);
    command(sender, metricNames.fileAck, { name, code, missing });
  };

  const forget = (key: string) => {
    const file = open.get(key);
    if (!file) return;
    heldBytes -= file.assembly.held;
    open.delete(key);
  };

  /** The file that weighs most goes, its sender is notified. */
  const giveUp = (files: readonly OpenEntry[], weightOf: (assembly: FileAssembly) => number) => {
    const heaviest = heaviestOf(files, ([, { assembly }]) => weightOf(assembly));
    if (!heaviest) return;
    forget(heaviest[0]);
    ack(heaviest[1].sender, heaviest[1].name, fileAckCodes.timeout);
  };

  /** Files of the connection that has most of what is short: who fills the memory gives way, not everyone else. */
  const ofGreediest = (weightOf: (assembly: FileAssembly) => number): readonly OpenEntry[] =>
    heaviestOf(Map.groupBy(open, ([, { sender }]) => sender.edge).values(), (files) =>
      files.reduce((sum, [, { assembly }]) => sum + weightOf(assembly), 0),
    ) ?? [];

  /** Room for one more: the file that waits longest goes. */
  const makeRoom = (sender: FileSender) => {
    const own = [...open].filter(([, file]) => file.sender.serial === sender.serial);
    const crowd = own.length >= limits.filesPerNode ? own : open.size >= limits.files ? ofGreediest(() => 1) : [];
    giveUp(crowd, ({ touchedAt }) => -touchedAt);
  };

  const receivePart = (sender: FileSender, part: FilePart) => {
    // Not acknowledged, it stays with its node, which sends it again.
    if (disk.problem() !== undefined) return metrics.noteNoRoom();
    const key = fileKey(part.parsed, filePart(part.parsed));
    const now = clock.monotonic();
    let file = open.get(key);
    // The node has made the file again.
    if (file && (file.assembly.md5 !== part.md5 || file.assembly.size !== part.size)) {
      forget(key);
      file = undefined;
    }
    if (!file) {
      makeRoom(sender);
      file = { sender, name: part.name, assembly: createFileAssembly(part, now), requestedAt: undefined };
      open.set(key, file);
    }
    const heldBefore = file.assembly.held;
    const outcome = file.assembly.add(part, now);
    heldBytes += file.assembly.held - heldBefore;
    if (outcome === undefined) {
      while (heldBytes > limits.bytes)
        giveUp(
          ofGreediest(({ held }) => held),
          ({ held }) => held,
        );
      return;
    }
    if (isAssembled(outcome)) {
      forget(key);
      const settle = (stored: "stored" | "known" | "replaced") => {
        metrics.noteStored(stored);
        ack(sender, part.name, fileAckCodes.success);
      };
      // A file that finds no room is not acknowledged: its node sends it again.
      writer.add({ ...outcome, receivedAtMs: clock.now(), settle });
    } else {
      if (outcome.code === fileAckCodes.continue) file.requestedAt = now;
      else forget(key);
      ack(sender, part.name, outcome.code, outcome.missing);
    }
  };

  const askForMissing = () => {
    const now = clock.monotonic();
    for (const [key, file] of open) {
      const quietMs = now - file.assembly.touchedAt;
      // Never given up unasked, also when this process was held up for longer than both.
      const isAsked = (file.requestedAt ?? -Infinity) >= file.assembly.touchedAt;
      if (!isAsked && quietMs >= limits.quietMs) {
        file.requestedAt = now;
        ack(file.sender, file.name, fileAckCodes.continue, file.assembly.missing());
      } else if (isAsked && quietMs >= limits.patienceMs) {
        forget(key);
        ack(file.sender, file.name, fileAckCodes.timeout, file.assembly.missing());
      }
    }
  };

  /** Asks for the files of a manifest that are not stored, or were stored with other bytes. */
  const receiveManifest = async (sender: FileSender, listed: ReadonlyMap<string, { parsed: DataFileName; md5: string }>) => {
    // What would come could not be taken; a node reports again what it has when it is born again.
    if (disk.problem() !== undefined) return;
    const known = await store.findKnown([...listed.values()].map(({ parsed }) => parsed));
    const digests = new Map(known.map((file) => [fileKey(file, file.part), file.md5]));
    const [lacking, stored]: [string[], string[]] = [[], []];
    for (const [name, { parsed, md5 }] of listed) (digests.get(fileKey(parsed, filePart(parsed))) === md5 ? stored : lacking).push(name);
    for (let start = 0; start < lacking.length; start += namesPerRequest) {
      command(sender, metricNames.fileRequest, { names: lacking.slice(start, start + namesPerRequest) });
    }
    // What is stored already need not come again.
    for (const name of stored) ack(sender, name, fileAckCodes.success);
  };

  const sendRequests = async () => {
    if (!canPublish() || disk.problem() !== undefined) return;
    const now = clock.now();
    const taken = await store.takeRequests({ before: new Date(now - requestLifeMs), now: new Date(now) }, 100);
    for (const { serial, parentSerial, request, alias } of taken) {
      const sender = { serial, edge: parentSerial ?? serial, isDevice: parentSerial !== null, aliasOf: () => alias ?? undefined };
      command(sender, metricNames.fileRequest, request as object);
    }
  };

  return {
    receive(sender, fileMetrics) {
      const problems: FileProblem[] = [];
      for (const metric of fileMetrics) {
        if (metric.name === metricNames.fileManifest) {
          const listed = readManifest(metric.value, sender.serial);
          if (listed === undefined) problems.push("file-manifest");
          else if (listed.size > 0) receiveManifest(sender, listed).catch(noteFailure);
        } else if (isFileMetric(metric.name ?? "") && metric.value !== null) {
          const part = readFilePart(metric, sender.serial);
          if ("problem" in part) {
            problems.push(part.problem);
            ack(sender, part.name, fileAckCodes.sequenceError);
          } else receivePart(sender, part);
        }
      }
      return problems;
    },
    start() {
      timer = setInterval(() => {
        askForMissing();
        if (++ticks % requestTicks === 0) sendRequests().catch(noteFailure);
      }, tickMs);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      await writer.stop();
    },
  };
}

function heaviestOf<T>(candidates: Iterable<T>, weightOf: (candidate: T) => number): T | undefined {
  let heaviest: { candidate: T; weight: number } | undefined;
  for (const candidate of candidates) {
    const weight = weightOf(candidate);
    if (!heaviest || weight > heaviest.weight) heaviest = { candidate, weight };
  }
  return heaviest?.candidate;
}

const longestManifest = 5_000;

/** Names and digests of a `Files/Manifest`; undefined when it is none. Names that are not the sender's own are left out. */
function readManifest(value: Metric["value"], serial: number): Map<string, { parsed: DataFileName; md5: string }> | undefined {
  const listed = new Map<string, { parsed: DataFileName; md5: string }>();
  if (value === null) return listed;
  if (typeof value !== "object" || !("rows" in value) || value.rows.length > longestManifest) return undefined;
  const [nameColumn, md5Column] = [value.columns.indexOf("name"), value.columns.indexOf("md5")];
  if (nameColumn < 0 || md5Column < 0) return undefined;
  for (const row of value.rows) {
    const [name, md5] = [row[nameColumn], row[md5Column]];
    const parsed = typeof name === "string" ? parseDataFileName(name) : undefined;
    if (parsed?.serial === serial) listed.set(name as string, { parsed, md5: String(md5).toLowerCase() });
  }
  return listed;
}

function createMetrics(registry: Registry, openFiles: () => number) {
  const registers = [registry];
  const stored = new Counter({
    name: "busbar_files_stored_total",
    help: "Data files received whole, by outcome",
    labelNames: ["outcome"],
    registers,
  });
  const acks = new Counter({ name: "busbar_file_acks_total", help: "Answers to file uploads, by code", labelNames: ["code"], registers });
  const noRoom = new Counter({
    name: "busbar_file_parts_without_room_total",
    help: "Parts of data files that were not taken because the disk is almost full",
    registers,
  });
  const gauge: Gauge = new Gauge({
    name: "busbar_files_open",
    help: "Files of which parts are missing",
    registers,
    collect: () => gauge.set(openFiles()),
  });
  return {
    noteStored: (outcome: string) => stored.inc({ outcome }),
    noteNoRoom: () => noRoom.inc(),
    noteAck: (code: number) => acks.inc({ code: String(code) }),
  };
}
