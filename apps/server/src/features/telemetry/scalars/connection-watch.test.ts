import { expect, test } from "vitest";
import { groupOf } from "@busbar/sparkplug/topic.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import { createConnectionWatch } from "./connection-watch.ts";
import type { LiveState } from "./live-state.ts";
import { contactAt, type NodeSession } from "./node-sessions.ts";

/** Nodes that count as connected, with an interval of so many seconds. */
function createWatched(count: number, intervalSeconds: number) {
  const clock = createManualClock(0);
  const asked: number[] = [];
  const lost: number[] = [];
  const lostDevices: string[] = [];
  const online = new Set<string>();
  const nodes = new Map(
    Array.from({ length: count }, (_, index) => {
      const serial = 10_000 + index;
      const session = { isOnline: true, isDeviceOnline: (device: string) => online.has(device) };
      const contact = contactAt(clock.monotonic());
      const live = { scalarIntervalSeconds: intervalSeconds };
      return [serial, { serial, session, contact, live, devices: new Map(), deviceContacts: new Map() } as unknown as NodeSession];
    }),
  );
  let isListening = true;
  let deafGroup = "";
  const watch = createConnectionWatch({
    sessions: { get: (serial) => nodes.get(serial), load: () => Promise.resolve(), values: () => nodes.values() },
    store: { findConnected: (remainders) => Promise.resolve([...nodes.keys()].filter((serial) => remainders.includes(serial % 64))) },
    clock,
    isListening: (group) => isListening && group !== deafGroup,
    ask: (serial) => void asked.push(serial),
    lose(node) {
      lost.push(node.serial);
      Object.assign(node.session, { isOnline: false });
    },
    loseDevice(_node, device) {
      lostDevices.push(device);
      online.delete(device);
    },
  });
  const addDevice = (serial: number, device: string) => {
    nodes.get(serial)!.devices.set(device, { scalarIntervalSeconds: intervalSeconds } as LiveState);
    online.add(device);
  };
  const hear = (serial: number, device?: string) => {
    const { contact, deviceContacts } = nodes.get(serial)!;
    Object.assign(contact, contactAt(clock.monotonic()));
    if (device !== undefined && deviceContacts.has(device)) deviceContacts.set(device, contactAt(clock.monotonic()));
  };
  const pass = async (seconds: number, meanwhile: (second: number) => void = () => undefined) => {
    for (let second = 0; second < seconds; second++) {
      clock.advance(1);
      meanwhile(second);
      await watch.run();
    }
  };
  return {
    watch,
    nodes,
    asked,
    lost,
    lostDevices,
    addDevice,
    hear,
    pass,
    setListening: (is: boolean) => (isListening = is),
    setDeaf: (group: string) => (deafGroup = group),
  };
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

test("A-63 after a gap a node whose birth was never heard here must answer, once; before it no one waits for it", async () => {
  const { watch, nodes, asked, lost, pass } = createWatched(1, 10);
  Object.assign(nodes.get(10_000)!.session, { isOnline: false });
  await pass(60);
  expect([asked, lost]).toEqual([[], []]);
  watch.noteGap(groupOf(10_000));
  await pass(60);
  expect([asked, lost]).toEqual([[10_000, 10_000], [10_000]]);
  await pass(60);
  expect([asked.length, lost.length]).toEqual([2, 1]);
});

test("a sub node that is silent while its node sends is asked for with the node, and is disconnected alone when it does not come", async () => {
  const { asked, lost, lostDevices, addDevice, hear, pass } = createWatched(1, 10);
  for (const device of ["20001", "20002"]) addDevice(10_000, device);
  await pass(29, () => hear(10_000, "20002"));
  expect(asked).toEqual([]);
  await pass(2, () => hear(10_000, "20002"));
  expect(asked).toEqual([10_000]);
  await pass(25, () => hear(10_000, "20002"));
  expect([asked, lost, lostDevices]).toEqual([[10_000, 10_000], [], ["20001"]]);
  // Once it is there again it has all its time.
  await pass(60, () => hear(10_000, "20002"));
  addDevice(10_000, "20001");
  await pass(29, () => hear(10_000, "20002"));
  expect(asked).toHaveLength(2);
  await pass(2, () => hear(10_000, "20002"));
  expect(asked).toHaveLength(3);
});

test("several silent sub nodes cost their node one request at a time; who answers stays", async () => {
  const { asked, lostDevices, addDevice, hear, pass } = createWatched(1, 60);
  for (const device of ["20001", "20002", "20003"]) addDevice(10_000, device);
  await pass(76, () => hear(10_000));
  expect(asked).toEqual([10_000]);
  for (const device of ["20001", "20002", "20003"]) hear(10_000, device);
  await pass(70, () => hear(10_000));
  expect([asked, lostDevices]).toEqual([[10_000], []]);
});

test("after a gap of ours no sub node that is gone counts as connected for more than two minutes either, whatever its interval", async () => {
  const { watch, nodes, lostDevices, addDevice, hear, pass } = createWatched(1_000, 3_600);
  for (const serial of nodes.keys()) {
    addDevice(serial, String(serial + 10_000));
    watch.noteGap(groupOf(serial));
  }
  await pass(120, () => {
    for (const serial of nodes.keys()) hear(serial);
  });
  expect(lostDevices).toHaveLength(1_000);
});

test("A-63 nodes of a group that is not listened to again yet are not expected to be heard", async () => {
  const { watch, asked, lost, hear, pass, setDeaf } = createWatched(2, 10);
  setDeaf("n16");
  for (const serial of [10_000, 10_001]) watch.noteGap(groupOf(serial));
  expect(groupOf(10_000)).toBe("n16");
  await pass(60, () => hear(10_001));
  expect([asked, lost]).toEqual([[], []]);
  setDeaf("");
  // From now on it is: it has an interval and a half before it is asked.
  await pass(14, () => hear(10_001));
  expect(asked).toEqual([]);
  await pass(2, () => hear(10_001));
  expect(asked).toEqual([10_000]);
  await pass(25, () => hear(10_001));
  expect(lost).toEqual([10_000]);
});
