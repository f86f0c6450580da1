import { expect, test } from "vitest";
import { createDashboardAnswers } from "./dashboard-answers.ts";
import type { FleetCache } from "./fleet-cache.ts";

const entryOf = (serial: string, directoryXid: number, liveXid: number) => ({
  serial,
  directoryJson: `"serialNumber":"${serial}"`,
  liveJson: '"eventCount":1',
  directoryXid,
  liveXid,
});
const entries = [entryOf("10001", 6, 6), entryOf("10002", 6, 7), entryOf("10003", 7, 7), entryOf("10004", 6, 8)];
const snapshot = {
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
  const cache = { snapshot, onTick: () => undefined } as unknown as FleetCache;
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
