import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { zipFiles } from "@busbar/server/features/downloads/zip-files.ts";
import type { PackedFileRow } from "@busbar/server/features/downloads/downloads.store.ts";
import { createFolderFileStore } from "@busbar/server/lib/file-store.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatMegabytes } from "../lib/format-figure.ts";
import { createReport, expectNone } from "../lib/report.ts";
import type { Report } from "../lib/report.ts";

const sampleMs = 20;
const contents = 500;

/** P13: a package of 35,000 files is written with bounded memory. */
export async function benchZip({ isShort, folder, say }: BenchContext): Promise<Report> {
  const count = isShort ? 500 : 35_000;
  const fileStore = createFolderFileStore(join(folder, "files"), { isDurable: false });
  say("storing contents");
  const texts = Array.from({ length: contents }, (_, index) => dataPointText(index));
  const hashes = await fileStore.putAll(texts.map((text) => gzipSync(text)));

  async function* files(): AsyncGenerator<PackedFileRow> {
    for (let index = 0; index < count; index++) {
      const fileName = `10234_${String(20_260_101 + Math.floor(index / 96))}T${String(index % 96).padStart(6, "0")}Z_D0900.txt`;
      yield {
        timestamp: index,
        kind: "D",
        part: "",
        fileName,
        hash: hashes[index % contents]!,
        isGzip: true,
        isExtracted: true,
        receivedAt: 1_790_000_000,
      };
    }
  }
  say(`packing ${formatCount(count)} files`);
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), sampleMs);
  const beganAt = performance.now();
  let packed = 0;
  const size = await zipFiles({
    path: join(folder, "files.zip"),
    fileStore,
    files: files(),
    onPacked: (done) => (packed = done),
    signal: new AbortController().signal,
  });
  clearInterval(watch);
  const seconds = (performance.now() - beganAt) / 1_000;

  const report = createReport("zip", `a package of ${formatCount(count)} files`);
  report.tables.push({
    columns: ["files", "package", "seconds", "files/s", "RSS before", "RSS at most", "more"],
    rows: [
      [
        formatCount(packed),
        formatMegabytes(size),
        seconds.toFixed(1),
        formatCount(packed / seconds),
        formatMegabytes(before),
        formatMegabytes(peak),
        formatMegabytes(peak - before),
      ],
    ],
  });
  report.facts["moreBytes"] = peak - before;
  report.facts["filesPerSecond"] = packed / seconds;
  expectNone(report, "files that were not packed", count - packed);
  return report;
}

function dataPointText(index: number): string {
  return Array.from({ length: 267 }, (_, key) => `key${key}Avg=${((index * 7_919 + key * 104_729) % 100_000) / 100}`).join("\n");
}
