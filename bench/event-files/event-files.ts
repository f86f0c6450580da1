import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { promisify } from "node:util";
import { gunzip, gzipSync } from "node:zlib";
import { createEventReader, type StoredEventFile } from "@busbar/server/features/files/event-files/event-reader.ts";
import { createFolderFileStore } from "@busbar/server/lib/file-store.ts";
import { silentLog } from "@busbar/server/lib/log.ts";
import { cevFile } from "@busbar/simulator/relay/cev-file.ts";
import { comtradeFiles } from "@busbar/simulator/relay/comtrade-files.ts";
import { makeRelayRecord, type RelayRecord } from "@busbar/simulator/relay/relay-record.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatMegabytes } from "../lib/format-figure.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";

const megabyte = 1024 * 1024;
const unpack = promisify(gunzip);
const zooms = 20;
const stem = "10701_20260106T143000Z_E0001";
const site = { seed: 3, serial: 10_701, relay: "SEL-751", location: "Main", volts: 4_160, amps: 300, frequency: 60 };

interface Sample {
  what: string;
  file: string;
  bytes: Uint8Array;
  partner?: Uint8Array;
}

/** Event files from the usual size to the largest that is taken: reading them, and what that does to everything else in the program. */
export async function benchEventFiles({ isShort, folder, say }: BenchContext): Promise<Report> {
  const fileStore = createFolderFileStore(join(folder, "files"), { isDurable: false });
  const read = createEventReader(fileStore, silentLog);
  const store = async (fileName: string, bytes: Uint8Array): Promise<StoredEventFile> => {
    const [hash] = await fileStore.putAll([gzipSync(bytes, { level: 1 })]);
    return { fileName, hash: hash!, isGzip: true };
  };
  const report = createReport("event-files", "reading relays' event files");
  const rows: (string | number)[][] = [];
  let failed = 0;
  for (const { what, file, bytes, partner } of samples(isShort ? megabyte : 19.5 * megabyte)) {
    say(what);
    const stored = await store(`${stem}.${file}`, bytes);
    const other = partner && (await store(`${stem}.dat`, partner));
    const floorMs = await timed(async () => new TextDecoder("latin1").decode(await unpack(await fileStore.read((other ?? stored).hash))));
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    let event: Awaited<ReturnType<typeof read>> | undefined;
    const readMs = await timed(async () => (event = await read(stored, other, { from: undefined, to: undefined, columns: 1_000 })));
    delay.disable();
    clearInterval(watch);
    if (event?.problem !== undefined) failed++;
    const { start = 0, end = 0 } = event?.waveform ?? {};
    const zoomMs = await timed(async () => {
      for (let index = 0; index < zooms; index++) {
        const from = start + ((end - start) * index) / zooms;
        await read(stored, other, { from, to: from + (end - start) / zooms, columns: 1_000 });
      }
    });
    rows.push([
      what,
      (readMs / 1000).toFixed(2),
      (readMs / floorMs).toFixed(1),
      (delay.max / 1e6).toFixed(0),
      (zoomMs / zooms).toFixed(0),
      formatMegabytes(peak - before),
      event?.problem ?? "–",
    ]);
    report.facts[`${file} ${bytes.length + (partner?.length ?? 0)} bytes, seconds`] = readMs / 1000;
  }
  report.tables.push({
    columns: ["file", "seconds", "x unpacking", "longest hold-up of the program, ms", "a finer part, ms", "memory", "problem"],
    rows,
  });
  report.notes.push(
    "x unpacking: against unpacking and decoding the same bytes. The reading happens in a thread; the hold-up is the main thread's.",
  );
  expectNone(report, "files that could not be read", failed);
  return report;
}

function* samples(size: number): Generator<Sample> {
  const record = makeRelayRecord(site, 1, 1_790_000_000);
  const usual = comtradeFiles(record);
  yield { what: "CEV as relays make it (15 cycles)", file: "cev", bytes: Buffer.from(cevFile(record)) };
  yield { what: "COMTRADE as relays make it", file: "cfg", bytes: Buffer.from(usual.cfg), partner: usual.dat };
  const cevRow = cevFile(record).length / 240;
  yield { what: `CEV of ${formatMegabytes(size)}`, file: "cev", bytes: Buffer.from(cevFile(repeated(record, size / cevRow))) };
  const long = comtradeFiles(repeated(record, size / 24));
  yield { what: `COMTRADE, binary, ${formatMegabytes(size)}`, file: "cfg", bytes: Buffer.from(long.cfg), partner: long.dat };
  const asciiRow = Buffer.byteLength(asciiData(record)) / 240;
  const ascii = repeated(record, size / asciiRow / 1.2);
  const cfg = comtradeFiles(ascii).cfg.replace("BINARY", "ASCII");
  yield {
    what: `COMTRADE, ASCII, ${formatMegabytes(size)}`,
    file: "cfg",
    bytes: Buffer.from(cfg),
    partner: Buffer.from(asciiData(ascii)),
  };
}

/** The record over and over, about so many samples. */
function repeated(record: RelayRecord, targetSamples: number): RelayRecord {
  const times = Math.max(1, Math.floor(targetSamples / 240));
  const over = <T>(list: T[]): T[] => Array.from({ length: times * list.length }, (_, index) => list[index % list.length]!);
  return {
    ...record,
    analogs: record.analogs.map((channel) => ({ ...channel, values: over(channel.values) })),
    digitals: record.digitals.map((channel) => ({ ...channel, states: over(channel.states) })),
  };
}

function asciiData({ analogs, digitals }: RelayRecord): string {
  const count = analogs[0]?.values.length ?? 0;
  return Array.from({ length: count }, (_, index) =>
    [
      index + 1,
      index * 1042,
      ...analogs.map(({ values }) => Math.round(values[index]!)),
      ...digitals.map(({ states }) => states[index]),
    ].join(","),
  ).join("\r\n");
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const beganAt = performance.now();
  await work();
  return performance.now() - beganAt;
}
