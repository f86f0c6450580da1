import { expect, test } from "vitest";
import { groupOf } from "@busbar/sparkplug/topic.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import { createConnectionWatch } from "./connection-watch.ts";
import type { NodeSession } from "./node-sessions.ts";

/** Nodes that count as connected, with an interval of so many seconds. */
function createWatched(count: number, intervalSeconds: number) {
  const clock = createManualClock(0);
  const asked: number[] = [];
  const lost: number[] = [];
  const nodes = new Map(
    Array.from({ length: count }, (_, index) => {
      const serial = 10_000 + index;
      const session = { isOnline: true };
      const contact = { heardAt: clock.monotonic(), askedAt: undefined, asked: 0, mustAnswer: false };
      return [serial, { serial, session, contact, live: { scalarIntervalSeconds: intervalSeconds } } as NodeSession];
    }),
  );
  let isListening = true;
  const watch = createConnectionWatch({
    sessions: { get: (serial) => nodes.get(serial), load: () => Promise.resolve(), values: () => nodes.values() },
    store: { findConnected: (remainders) => Promise.resolve([...nodes.keys()].filter((serial) => remainders.includes(serial % 64))) },
    clock,
    isListening: () => isListening,
    ask: (serial) => void asked.push(serial),
    lose(node) {
      lost.push(node.serial);
      Object.assign(node.session, { isOnline: false });
    },
  });
  const hear = (serial: number) =>
    Object.assign(nodes.get(serial)!.contact, { heardAt: clock.monotonic(), askedAt: undefined, asked: 0, mustAnswer: false });
  const pass = async (seconds: number, meanwhile: (second: number) => void = () => undefined) => {
    for (let second = 0; second < seconds; second++) {
      clock.advance(1);
      meanwhile(second);
      await watch.run();
    }
  };
  return { watch, nodes, asked, lost, hear, pass, setListening: (is: boolean) => (isListening = is) };
}

test("a silent node is asked twice for its birth, and is disconnected when it does not answer", async () => {
  const { asked, lost, hear, pass } = createWatched(2, 10);
  await pass(29);
  expect(asked).toEqual([]);
  await pass(1);
  expect(asked).toEqual([10_000, 10_001]);
  hear(10_000);
  await pass(25);
  expect([asked.slice(2), lost]).toEqual([[10_001], [10_001]]);
});

test("one that sends at its interval is never asked, up to an interval of a minute", async () => {
  const { asked, hear, pass } = createWatched(1, 60);
  await pass(600, (second) => second % 60 === 59 && hear(10_000));
  expect(asked).toEqual([]);
});

test("whatever its interval, no node that is gone counts as connected for more than two minutes, of ten thousand after a gap either", async () => {
  const { watch, nodes, lost, pass } = createWatched(10_000, 3_600);
  for (const serial of nodes.keys()) watch.noteGap(groupOf(serial));
  let most = 0;
  let before = 0;
  await pass(120, () => {
    most = Math.max(most, lost.length - before);
    before = lost.length;
  });
  expect(lost).toHaveLength(10_000);
  // Paced: never many more than a thirtieth at a time.
  expect(most).toBeLessThan(500);
});

test("while a group is not listened to its nodes' silence says nothing; afterwards they have time to be heard", async () => {
  const { watch, asked, lost, pass, setListening } = createWatched(64, 10);
  setListening(false);
  await pass(600);
  for (let remainder = 0; remainder < 64; remainder++) watch.noteGap(groupOf(remainder));
  expect(asked).toEqual([]);
  setListening(true);
  await pass(15);
  expect(asked).toEqual([]);
  await pass(1);
  expect(asked).toHaveLength(50);
  expect(lost).toEqual([]);
});
