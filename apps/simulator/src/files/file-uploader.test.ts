import { gunzipSync } from "node:zlib";
import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { createDevice } from "#device/device.ts";
import type { NamedMetric } from "#device/metrics.ts";
import { createPlant } from "#node-model/plant.ts";
import { createScalarRow, scalarField } from "#node-model/scalar-row.ts";
import type { SimNode } from "#node-model/sim-node.ts";
import { createManualClock, type ManualClock } from "#testing/manual-clock.ts";
import { sampleNode } from "#testing/sample-node.ts";
import { makeDataFile } from "./data-file.ts";
import { md5Of } from "./data-file-text.ts";
import { dataFileFault } from "./data-file-faults.ts";
import { createFileUploader, type FileUploader } from "./file-uploader.ts";

const quarter = 1_770_000_300 - (1_770_000_300 % 900);
let clock: ManualClock;
let sent: NamedMetric[];
let isOnline: boolean;
let uploader: FileUploader;

/** An uploader of a healthy node, its world and its network on one clock two minutes after a quarter of an hour began. */
function start({
  faultScale = 0,
  backfillIntervals = 0,
  ...change
}: Partial<SimNode> & { faultScale?: number; backfillIntervals?: number } = {}): FileUploader {
  const node = sampleNode(change);
  const plant = createPlant({ seed: 5, nodes: [node], faultScale: 0, script: [] });
  clock = createManualClock((quarter + 120) * 1000);
  sent = [];
  isOnline = true;
  uploader = createFileUploader({
    seed: 5,
    device: createDevice(plant.nodes.get(node.serial)!),
    clock,
    network: clock,
    faultScale,
    backfillIntervals,
    canSend: () => isOnline,
    send: (metrics) => void sent.push(...metrics),
  });
  uploader.start();
  return uploader;
}
const parts = () => sent.filter(({ metadata }) => metadata !== undefined);
const names = () => [...new Set(parts().map(({ metadata }) => metadata!.fileName!))];
const ack = (name: string, code: number, missing: number[] = []) => uploader.onAck(JSON.stringify({ name, code, missing }));
/** Lets time pass until the interval's first file is on its way. */
function untilSent(): void {
  for (let steps = 0; parts().length === 0 && steps < 1_000; steps++) clock.advance(1_000);
}
const nameOf = (kind: string) => names().find((name) => name.includes(`_${kind}0900`))!;

beforeEach(() => void start());

test("at the end of an interval its files go out in parts, one file after the other, each until it is acknowledged", () => {
  untilSent();
  expect(names()).toEqual([`10234_${stamp(quarter)}_D0900.txt`]);
  ack(nameOf("D"), 200);
  clock.advance(100);
  expect(names()).toHaveLength(2);
  const one = parts().filter(({ metadata }) => metadata!.fileName === nameOf("S"));
  expect(one.length).toBeGreaterThan(1);
  const bytes = Buffer.concat(one.map(({ value }) => value as Uint8Array));
  expect(one.map(({ metadata }) => metadata!.seq)).toEqual(one.map((_, seq) => seq));
  expect([bytes.length, md5Of(bytes)]).toEqual([one[0]!.metadata!.size, one[0]!.metadata!.md5]);
  expect(gunzipSync(bytes).toString()).toMatch(/^#VDF=2\n#serialNumber=10234\n/);
  ack(nameOf("S"), 200);
  expect(uploader.pending).toBe(0);
});

const stamp = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;

test("code 100 sends what is missing, 502 and silence the whole file, three times and then each hour", () => {
  untilSent();
  ack(nameOf("D"), 200);
  clock.advance(100);
  const [name, first] = [nameOf("S"), parts().length];
  ack(name, 100, [1, 99]);
  clock.advance(100);
  expect(
    parts()
      .slice(first)
      .map(({ metadata }) => metadata!.seq),
  ).toEqual([1]);
  const countOf = () => parts().filter(({ metadata }) => metadata!.fileName === name && metadata!.seq === 0).length;
  expect(uploader.untried).toBe(uploader.due);
  const { pending } = uploader;
  // Late, of another file than the one on its way.
  ack(name.replace("_D0900", "_S0900").replace("2026", "2025"), 200);
  expect(uploader.pending).toBe(pending);
  ack(name, 502);
  expect(uploader.untried).toBe(uploader.due - 1);
  clock.advance(10_000);
  expect(countOf()).toBe(2);
  clock.advance(60_000);
  expect(countOf()).toBe(3);
  expect([uploader.due, uploader.pending > 0]).toEqual([0, true]);
  clock.advance(1_800_000);
  expect(countOf()).toBe(3);
  clock.advance(1_900_000);
  expect(countOf()).toBeGreaterThan(3);
});

test("a node without connection keeps its files and reports them in a manifest after its birth", () => {
  isOnline = false;
  clock.advance(2 * 900_000);
  expect([sent, uploader.pending, uploader.due, uploader.untried]).toEqual([[], 4, 0, 0]);
  isOnline = true;
  expect([uploader.due, uploader.untried]).toEqual([4, 4]);
  uploader.onBorn();
  const manifest = sent.find(({ name }) => name === metricNames.fileManifest)!.value as { columns: string[]; rows: unknown[][] };
  expect(manifest.columns).toEqual(["name", "ts", "size", "md5"]);
  expect(manifest.rows.map(([name]) => name)).toEqual(
    [quarter, quarter + 900].flatMap((at) => ["D", "S"].map((kind) => `10234_${stamp(at)}_${kind}0900.txt`)),
  );
});

test("the host requests files by name and for harmonics by time; other nodes' names and the far past are not answered", () => {
  uploader.onRequest(
    JSON.stringify({ names: [`10234_${stamp(quarter - 900)}_D0900.txt`, `99999_${stamp(quarter - 900)}_D0900.txt`, "../x", 7] }),
  );
  clock.advance(100);
  expect(names()).toEqual([`10234_${stamp(quarter - 900)}_D0900.txt`]);
  ack(names()[0]!, 200);
  uploader.onRequest(JSON.stringify({ kind: "H", from: 1_577_872_200, to: quarter + 86_400 }));
  clock.advance(100);
  // Thirty days of quarters.
  expect(uploader.pending).toBe(30 * 96 - 1);
  expect(nameOf("H")).toBe(`10234_${stamp(quarter - 30 * 86_400 + 900)}_H0900.txt`);
  for (const nonsense of ["", "null", "[]", "{", '{"names":7}', '{"kind":"H","from":"a"}']) uploader.onRequest(nonsense);
});

test("a node finds the files of the last intervals unsent when it first starts", () => {
  start({ backfillIntervals: 2 });
  expect(uploader.pending).toBeGreaterThanOrEqual(4);
});

describe("files", () => {
  const plant = createPlant({
    seed: 5,
    nodes: [sampleNode(), sampleNode({ serial: 10_240, quirks: { badFiles: 1 } })],
    faultScale: 1,
    script: [],
  });
  const make = (kind: "D" | "S" | "H", timestamp: number, serial = 10_234) =>
    makeDataFile({ seed: 5, plantNode: plant.nodes.get(serial)!, kind, timestamp, faultScale: 1 });

  test("are the same whenever they are made, in any order", () => {
    const digests = [0, 1, 2].map((index) => make("D", quarter + 900 * index)!.md5);
    expect([2, 0, 1].map((index) => make("D", quarter + 900 * index)!.md5)).toEqual([2, 0, 1].map((index) => digests[index]));
  });

  test("spoiled ones are spoiled in the way that the truth log says", () => {
    const seen = new Set<string>();
    for (let index = 0; index < 400; index++) {
      const at = quarter + 900 * index;
      const fault = dataFileFault(5, plant.nodes.get(10_240)!, "D", at, 1)!;
      seen.add(fault.kind);
      const file = make("D", at, 10_240)!;
      expect(file.fault).toEqual(fault);
      const text = gunzipSync(file.bytes).toString();
      const checksum = /#MD5=([0-9a-f]{32})\n$/.exec(text)?.[1];
      const isRight = checksum === md5Of(text.slice(0, text.indexOf("#MD5=")));
      expect([checksum !== undefined, isRight, (text.match(/=NaN$/gm) ?? []).length]).toEqual([
        fault.kind !== "fileTruncated",
        fault.kind !== "fileTruncated" && fault.kind !== "fileBadMd5",
        fault.kind === "fileNotANumber" ? 1 : 0,
      ]);
    }
    expect([...seen].sort()).toEqual(["fileBadMd5", "fileDuplicate", "fileLate", "fileNotANumber", "fileTruncated"]);
  });

  test("faults come at the rates of the mix", () => {
    const node = createPlant({ seed: 5, nodes: [sampleNode()], faultScale: 1, script: [] }).nodes.get(10_234)!;
    const counts = new Map<string, number>();
    for (let index = 0; index < 100_000; index++) {
      const kind = dataFileFault(5, node, "D", index * 900, 1)?.kind ?? "none";
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    const near = (kind: string, expected: number) =>
      expect(Math.abs((counts.get(kind) ?? 0) - expected)).toBeLessThan(4 * Math.sqrt(expected));
    near("fileTruncated", 100);
    near("fileBadMd5", 50);
    near("fileNotANumber", 200);
    near("fileDuplicate", 100);
    near("fileLate", 100);
  });
});

test("a data file counts starts and stops as the scalars of its seconds show them", () => {
  const node = sampleNode({ loadProfile: "workCycle", shift: "day" });
  const plantNode = createPlant({ seed: 5, nodes: [node], faultScale: 0, script: [] }).nodes.get(node.serial)!;
  const row = createScalarRow();
  let counted = 0;
  for (let timestamp = quarter; timestamp < quarter + 86_400; timestamp += 900) {
    const text = gunzipSync(makeDataFile({ seed: 5, plantNode, kind: "D", timestamp, faultScale: 0 })!.bytes).toString();
    const figure = (name: string) => Number(new RegExp(`^"?${name}"?[=:,]\\s*(\\d+)`, "m").exec(text)?.[1]);
    const isRunning = Array.from({ length: 900 }, (_, second) => {
      plantNode.model.scalarAt(timestamp + second, row);
      return row[scalarField.running] === 1;
    });
    const changes = (to: boolean) => isRunning.filter((is, second) => second > 0 && is === to && isRunning[second - 1] !== to).length;
    expect([timestamp, figure("startCount"), figure("stopCount"), figure("runningSeconds")]).toEqual([
      timestamp,
      changes(true),
      changes(false),
      isRunning.filter(Boolean).length,
    ]);
    counted += changes(false);
  }
  expect(counted).toBeGreaterThan(0);
});
