import { setImmediate } from "node:timers/promises";
import { zstdDecompressSync } from "node:zlib";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createDashboardAnswers, type DashboardAnswers } from "./dashboard-answers.ts";
import type { FleetCache, FleetSnapshot } from "./fleet-cache.ts";
import type { FleetEntry } from "./fleet-entry.ts";

const nodes = 100;
let snapshot: FleetSnapshot;
let answers: DashboardAnswers;
let tick: (revisionXid: number, changed: readonly number[], length?: number) => void;

/** Long enough that bodies are not shared for being small. */
const liveJson = (xid: number, length = 400) => `"value":"${String(xid).padEnd(length, "x")}"`;

beforeEach(() => {
  const entries = new Map<string, FleetEntry>();
  for (let serial = 0; serial < nodes; serial++) {
    const directoryJson = `"name":"${serial}"`;
    const entry = { serial: String(serial), key: `"${serial}":{`, directoryJson, directoryXid: 10, liveXid: 10, liveJson: liveJson(10) };
    entries.set(entry.serial, entry as FleetEntry);
  }
  snapshot = { entries, removed: new Map(), horizonXid: 10, revisionXid: 10, generation: 1, asOf: 0, isStale: false };
  let notify = () => {};
  answers = createDashboardAnswers(
    { snapshot, onTick: (listener) => void (notify = listener) },
    { serverStartUpTime: 1, requestsServed: () => 1 },
  );
  tick = (revisionXid, changed, length) => {
    // What commits between two ticks is at or above the revision of the first.
    for (const serial of changed)
      Object.assign(entries.get(String(serial))!, { liveXid: snapshot.revisionXid, liveJson: liveJson(revisionXid, length) });
    Object.assign(snapshot, { revisionXid, generation: snapshot.generation + 1 });
    notify();
  };
  tick(11, []);
});

const first = (count: number) => Array.from({ length: count }, (_, serial) => serial);
const bodyOf = async (since?: number) => (await answers.answer(since, "identity", undefined)).body as Uint8Array;
async function serialsOf(since?: number): Promise<number[]> {
  const { data } = JSON.parse(Buffer.from(await bodyOf(since)).toString()) as { data: { dashboardNodeMap: object } };
  return Object.keys(data.dashboardNodeMap).map(Number);
}

test("who asks since different ticks gets the same bytes when nearly the same has changed", async () => {
  tick(12, first(50));
  tick(13, first(55));
  tick(14, first(55));
  const [since11, since12, since13] = [await bodyOf(11), await bodyOf(12), await bodyOf(13)];
  expect(await serialsOf(11)).toEqual(first(55));
  expect(since12).toBe(since11);
  expect(since13).toBe(since11);
  tick(15, []);
  expect(await bodyOf(11)).not.toBe(since11);
});

test("who needs much less gets less, and who needs more gets all of it, whoever asked first", async () => {
  tick(12, first(100));
  tick(13, first(50));
  expect(await serialsOf(12)).toEqual(first(50));
  expect(await serialsOf(11)).toEqual(first(100));
  expect(await serialsOf(12)).toEqual(first(50));
});

test("a body holds what was asked two ticks earlier where that is little more, and no one gets more than a quarter too much", async () => {
  tick(12, first(100));
  tick(13, []);
  tick(14, first(80));
  tick(15, first(64));
  expect(await serialsOf(13)).toEqual(first(100));
  expect(await serialsOf(14)).toEqual(first(80));
});

test("revisions that are not of a tick of this process are answered like the tick before", async () => {
  tick(20, first(40));
  tick(30, first(20));
  expect(await bodyOf(25)).toBe(await bodyOf(20));
  expect(await serialsOf(25)).toEqual(first(20));
  expect(await serialsOf(10)).toEqual(first(100));
  for (let revision = 31; revision < 1_100; revision++) tick(revision, [revision % 30]);
  expect(await serialsOf(11)).toEqual(first(40));
  expect((await serialsOf(1_098)).length).toBe(1);
  // No one's revision, or one of another database: the whole map.
  expect((await serialsOf(9)).length).toBe(nodes);
  expect((await serialsOf(5_000_000)).length).toBe(nodes);
});

test("many different revisions make few bodies", async () => {
  for (let revision = 12; revision < 512; revision++) tick(revision, [revision % nodes]);
  const bodies = new Set<Uint8Array>();
  for (let since = 11; since < 512; since++) bodies.add(await bodyOf(since));
  expect(bodies.size).toBeLessThan(20);
});

/** So much that making a body of all nodes takes its time. */
const long = 1_000;
const revisionOf = async (answer: ReturnType<DashboardAnswers["answer"]>) =>
  Number((JSON.parse(Buffer.from((await answer).body as Uint8Array).toString()) as { data: { revision: string } }).data.revision);
const ask = (since?: number) => answers.answer(since, "identity", undefined);
async function askTwice(since?: number): Promise<number[]> {
  const before = await revisionOf(ask(since));
  await setImmediate();
  return [before, await revisionOf(ask(since))];
}

test("while much is made ready, those who ask get what was made for the tick before", async () => {
  tick(12, first(100), long);
  expect(await askTwice(11)).toEqual([12, 12]);
  tick(13, first(100), long);
  expect(await askTwice(11)).toEqual([12, 13]);
  expect(await revisionOf(ask(12))).toBe(13);
  // In another encoding nothing is ready.
  tick(14, first(100), long);
  const { headers } = await answers.answer(12, "gzip", undefined);
  expect(headers["etag"]).toContain('"14-');
});

test("no one gets an answer that is older than the last one", async () => {
  tick(12, first(100), long);
  expect(await revisionOf(ask(11))).toBe(12);
  tick(13, first(100), long);
  expect(await revisionOf(ask(13))).toBe(13);
});

test("what is quickly made is always of the last tick", async () => {
  tick(12, first(60), long);
  expect(await askTwice(11)).toEqual([12, 12]);
  tick(13, first(60), long);
  expect(await askTwice(11)).toEqual([13, 13]);
});

test("a tag of the tick before is as good as its body while the next one is made", async () => {
  tick(12, first(100), long);
  const { headers } = await ask(11);
  tick(13, first(100), long);
  expect((await answers.answer(11, "identity", headers["etag"])).status).toBe(304);
  await expect.poll(async () => (await answers.answer(11, "identity", headers["etag"])).status).toBe(200);
});

test("a large whole map is made again at every eighth tick only, and while it is made the one before is sent", async () => {
  tick(12, first(100), long);
  expect(await askTwice()).toEqual([12, 12]);
  for (const revision of [13, 14, 15, 16, 17, 18, 19]) {
    tick(revision, first(1), long);
    expect(await askTwice()).toEqual([12, 12]);
  }
  tick(20, first(1), long);
  expect(await askTwice()).toEqual([12, 20]);
});

test("that the database is away, and that it is back, is said at once", async () => {
  tick(12, first(100), long);
  const isStale = async (since?: number) =>
    (JSON.parse(Buffer.from((await ask(since)).body as Uint8Array).toString()) as { data: { isStale: boolean } }).data.isStale;
  for (const since of [undefined, 11]) expect(await isStale(since)).toBe(false);
  Object.assign(snapshot, { isStale: true });
  tick(12, []);
  for (const since of [undefined, 11]) expect(await isStale(since)).toBe(true);
  Object.assign(snapshot, { isStale: false });
  tick(13, []);
  for (const since of [undefined, 11]) expect(await isStale(since)).toBe(false);
});

test("another database's numbers are not answered with what was made before them", async () => {
  tick(12, first(100), long);
  await ask();
  Object.assign(snapshot, { horizonXid: 13 });
  tick(13, []);
  expect(await revisionOf(ask())).toBe(13);
});

async function zstdBodyOf(since: number): Promise<Uint8Array> {
  const { body } = await answers.answer(since, "zstd", undefined);
  return zstdDecompressSync(body as Uint8Array);
}

test("what is being compressed or was sent as it is keeps its bytes, however much is made meanwhile", async () => {
  tick(12, first(100), long);
  const sent = await bodyOf(11);
  const text = Buffer.from(sent).toString();
  tick(13, first(100), long);
  const compressed = zstdBodyOf(12);
  for (let revision = 14; revision < 40; revision++) {
    tick(revision, first(100), long);
    await answers.answer(revision - 1, "identity", undefined);
    await setImmediate();
  }
  expect(Buffer.from(sent).toString() === text).toBe(true);
  expect(Buffer.from(await compressed).includes(liveJson(13, long))).toBe(true);
});

test("memory of what no one reads any more serves what is made next", async () => {
  const taken = vi.spyOn(Buffer, "allocUnsafeSlow");
  onTestFinished(() => taken.mockRestore());
  // As fleets do, it holds a little more or less each time, and the most now and then.
  for (let revision = 12; revision < 40; revision++) {
    tick(revision, first(100), long + revision);
    const { data } = JSON.parse(Buffer.from(await zstdBodyOf(revision - 1)).toString()) as { data: { revision: string } };
    expect([revision - 1, revision]).toContain(Number(data.revision));
  }
  expect(taken.mock.calls.length).toBeLessThan(6);
});

const entryOf = (serial: string, directoryXid: number, liveXid: number) => ({
  serial,
  key: `"${serial}":{`,
  directoryJson: `"serialNumber":"${serial}"`,
  liveJson: '"eventCount":1',
  directoryXid,
  liveXid,
});
const entries = [entryOf("10001", 6, 6), entryOf("10002", 6, 7), entryOf("10003", 7, 7), entryOf("10004", 6, 8)];
const fixed = {
  entries: new Map(entries.map((entry) => [entry.serial, entry])),
  removed: new Map([
    ["10005", 6],
    ["10006", 7],
    ["10007", 8],
  ]),
  horizonXid: 5,
  revisionXid: 9,
  generation: 1,
  asOf: 1,
  isStale: false,
};

async function answerSince(since: number | undefined) {
  const cache = { snapshot: fixed, onTick: () => undefined } as unknown as FleetCache;
  const answers = createDashboardAnswers(cache, { serverStartUpTime: 1, requestsServed: () => 1 });
  const { body } = await answers.answer(since, "identity", undefined);
  return (JSON.parse(Buffer.from(body as Uint8Array).toString()) as { data: object }).data;
}

// A revision is the oldest transaction that was still under way: what it changed is not known yet.
test("what changed in the very revision that is asked since is sent, as what changed later", async () => {
  expect(await answerSince(7)).toMatchObject({
    isFull: false,
    revision: "9",
    dashboardNodeMap: { "10002": { eventCount: 1 }, "10003": { serialNumber: "10003", eventCount: 1 }, "10004": { eventCount: 1 } },
    removed: ["10006", "10007"],
  });
  expect(Object.keys(((await answerSince(7)) as { dashboardNodeMap: object }).dashboardNodeMap)).toEqual(["10002", "10003", "10004"]);
});

test("the whole map says nothing of what is gone; so do revisions before what is known and of another database", async () => {
  for (const since of [undefined, 4, 9 + 1_000_001])
    expect(await answerSince(since)).toMatchObject({ isFull: true, removed: [], dashboardNodeMap: { "10001": { serialNumber: "10001" } } });
  for (const since of [5, 9 + 1_000_000]) expect(await answerSince(since)).toMatchObject({ isFull: false });
});

test("the whole map goes in parts, changes do not wait for a second one", async () => {
  tick(12, first(1));
  expect(await answers.answer(undefined, "zstd", undefined)).toMatchObject({ status: 200, goesInParts: true });
  expect(await answers.answer(11, "zstd", undefined)).toMatchObject({ status: 200, goesInParts: false });
});

// The console keeps the text of a node as it is until it is shown.
test("a body has a line for each node, the first and the last line are of the answer", async () => {
  tick(12, first(2));
  for (const [since, count] of [
    [undefined, nodes],
    [11, 2],
  ] as const) {
    const lines = Buffer.from(await bodyOf(since))
      .toString()
      .split("\n");
    expect([lines.at(0), lines.at(-1)?.slice(0, 22), lines.length]).toEqual([
      '{"data":{"dashboardNodeMap":{',
      '},"serverStartUpTime":',
      count + 2,
    ]);
  }
});

test("A-63 a tag is of what was sent: with the same revision other contents, another encoding or another mark have another one", async () => {
  tick(12, first(3));
  const tagOf = async (since?: number, encoding: "identity" | "gzip" = "identity") =>
    (await answers.answer(since, encoding, undefined)).headers["etag"]!;
  const before = await tagOf(11);
  const tags = [before, await tagOf(), await tagOf(11, "gzip"), await tagOf(10)];
  Object.assign(snapshot, { isStale: true });
  tick(12, []);
  tags.push(await tagOf(11));
  expect(new Set(tags).size).toBe(tags.length);
  expect((await answers.answer(11, "identity", before)).status).toBe(200);
  expect((await answers.answer(11, "identity", tags.at(-1))).status).toBe(304);
});
