import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { zipFiles } from "@busbar/server/features/files/downloads/zip-files.ts";
import type { PackedFileRow } from "@busbar/server/features/files/downloads/downloads.store.ts";
import { createFolderFileStore } from "@busbar/server/lib/file-store.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatMegabytes } from "../lib/format-figure.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";

const sampleMs = 20;
const contents = 500;

/** P13: packages of 35,000 files are written with bounded memory, whatever their gzips are like. */
export async function benchZip({ isShort, folder, say }: BenchContext): Promise<Report> {
  const most = isShort ? 500 : 35_000;
  const fileStore = createFolderFileStore(join(folder, "files"), { isDurable: false });
  say("storing contents");
  const texts = Array.from({ length: contents }, (_, index) => dataPointText(index));
  const whole = texts.map((text) => gzipSync(text));
  // Every fifth has several members or is cut: these are unpacked and deflated again, or go in as they are.
  const mixed = whole.map((gzip, index) => {
    if (index % 5 !== 0) return gzip;
    return index % 2 === 0 ? Buffer.concat([gzip, whole[index + 1]!]) : gzip.subarray(0, -20);
  });
  const report = createReport("zip", `packages of up to ${formatCount(most)} files`);
  const columns = ["gzips", "files", "package", "CPU s", "files per CPU s", "RSS before", "RSS at most", "more"];
  const table = { columns, rows: [] as string[][] };
  for (const [name, gzips, count] of [
    ["whole", whole, Math.floor(most / 5)],
    ["whole", whole, most],
    ["a fifth not whole", mixed, most],
  ] as const) {
    const hashes = await fileStore.putAll(gzips);
    say(`packing ${formatCount(count)} files, ${name}`);
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), sampleMs);
    const cpuBefore = process.cpuUsage();
    const made = await zipFiles({
      path: join(folder, "files.zip"),
      fileStore,
      files: filesOf(hashes, gzips, count),
      onPacked: () => undefined,
      signal: new AbortController().signal,
    });
    clearInterval(watch);
    const cpu = process.cpuUsage(cpuBefore);
    const cpuSeconds = (cpu.user + cpu.system) / 1e6;
    table.rows.push([
      name,
      formatCount(made.count),
      formatMegabytes(made.size),
      cpuSeconds.toFixed(1),
      formatCount(made.count / cpuSeconds),
      formatMegabytes(before),
      formatMegabytes(peak),
      formatMegabytes(peak - before),
    ]);
    report.facts[`${name.replaceAll(" ", "_")}_${count}_moreBytes`] = peak - before;
    report.facts[`${name.replaceAll(" ", "_")}_${count}_cpuSeconds`] = cpuSeconds;
    expectNone(report, "files that were not packed", count - made.count);
  }
  report.tables.push(table);
  return report;
}

async function* filesOf(hashes: readonly Buffer[], gzips: readonly Buffer[], count: number): AsyncGenerator<PackedFileRow> {
  for (let index = 0; index < count; index++) {
    const fileName = `10234_${String(20_260_101 + Math.floor(index / 96))}T${String(index % 96).padStart(6, "0")}Z_D0900.txt`;
    const [hash, { length: storedBytes }] = [hashes[index % contents]!, gzips[index % contents]!];
    yield { timestamp: index, kind: "D", part: "", fileName, hash, isGzip: true, storedBytes, receivedAt: 1_790_000_000 };
  }
}

function dataPointText(index: number): string {
  return Array.from({ length: 267 }, (_, key) => `key${key}Avg=${((index * 7_919 + key * 104_729) % 100_000) / 100}`).join("\n");
}
