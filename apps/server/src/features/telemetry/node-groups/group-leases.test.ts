import { setImmediate as othersTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { silentLog } from "#lib/log.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import { createGroupLeases } from "./group-leases.ts";
import type { GroupHold } from "./node-groups.store.ts";

/** Of a worker that reaches the broker and listens to all that it has. */
const usual = () => ({
  worker: "worker",
  host: "host",
  clock: createManualClock(),
  log: silentLog,
  canListen: () => true,
  isListening: () => true,
  begin: () => undefined,
  handOver: async () => undefined,
  noteAllListening: () => undefined,
});

test.each([
  ["handed over", [], false],
  ["dropped, where the database cannot be reached", ["n01", "n02"], true],
])("A-63 at the end of a worker its groups are %s", async (_, expected, isAway) => {
  const free: GroupHold[] = ["n01", "n02"].map((name) => ({ name, epoch: 1, isLost: false }));
  const [handedOver, dropped]: string[][] = [[], []];
  const away = () => {
    if (isAway) throw new Error("away");
  };
  const leases = createGroupLeases({
    store: {
      renew: async () => ({ kept: new Set(), fairShare: 2, areAllListening: true }),
      take: async () => free.splice(0),
      leave: async () => (away(), true),
      release: async () => away(),
    },
    ...usual(),
    handOver: async ({ name }) => void handedOver!.push(name),
    drop: ({ name }) => void dropped!.push(name),
  });
  leases.start();
  await expect.poll(() => [...leases.holds()].length).toBe(2);
  await leases.stop();
  expect([dropped, handedOver, [...leases.holds()]]).toEqual([expected, isAway ? [] : ["n01", "n02"], []]);
});

test("A-63 who does not reach the broker says so and takes nothing; surplus is handed over, and the end waits for that", async () => {
  const free: GroupHold[] = ["n01", "n02", "n03"].map((name) => ({ name, epoch: 1, isLost: false }));
  const renewed: unknown[] = [];
  const events: string[] = [];
  const handedOver = Promise.withResolvers<void>();
  let [canListen, fairShare] = [false, 3];
  const leases = createGroupLeases({
    store: {
      renew: async ({ canListen: reaches, held, listening }) => {
        renewed.push([reaches, [...held], [...listening]]);
        return { kept: new Set(held), fairShare, areAllListening: true };
      },
      take: async (_worker, count) => free.splice(0, count),
      leave: async () => (events.push("leaves"), true),
      release: async (_worker, names) => void events.push(`gives ${names.join()}`),
    },
    ...usual(),
    canListen: () => canListen,
    isListening: ({ name }) => name !== "n03",
    begin: ({ name }) => void events.push(`begins ${name}`),
    async handOver({ name }, isLastWorker) {
      if (name === "n03") await handedOver.promise;
      events.push(`ends ${name} ${isLastWorker}`);
    },
    drop: ({ name }) => void events.push(`drops ${name}`),
    beatMs: 1,
  });
  leases.start();
  await expect.poll(() => renewed.length).toBeGreaterThan(1);
  expect([new Set(renewed.map((each) => JSON.stringify(each))), events]).toEqual([new Set(["[false,[],[]]"]), []]);
  canListen = true;
  await expect.poll(() => renewed.at(-1)).toEqual([true, ["n01", "n02", "n03"], ["n01", "n02"]]);
  expect(events.splice(0)).toEqual(["begins n01", "begins n02", "begins n03"]);
  fairShare = 2;
  const before = renewed.length;
  await expect.poll(() => renewed.length).toBeGreaterThan(before + 1);
  // What is on its way is still held, and given once.
  expect([renewed.at(-1), events]).toEqual([[true, ["n01", "n02", "n03"], ["n01", "n02"]], []]);
  const stopped = leases.stop().then(() => events.push("stopped"));
  await othersTurn();
  expect(events).toEqual([]);
  handedOver.resolve();
  await stopped;
  expect(events).toEqual(["ends n03 false", "gives n03", "leaves", "ends n01 true", "ends n02 true", "gives n01,n02", "stopped"]);
});

test("A-63 a group that is not renewed any more is dropped at once, and the others go on", async () => {
  const free: GroupHold[] = ["n01", "n02"].map((name) => ({ name, epoch: 1, isLost: false }));
  const [first, second] = free;
  const dropped: string[] = [];
  let kept = ["n01", "n02"];
  const leases = createGroupLeases({
    store: {
      renew: async () => ({ kept: new Set(kept), fairShare: 2, areAllListening: true }),
      take: async () => free.splice(0),
      leave: async () => true,
      release: async () => undefined,
    },
    ...usual(),
    drop: ({ name }) => void dropped.push(name),
    beatMs: 1,
  });
  leases.start();
  await expect.poll(() => [...leases.holds()].length).toBe(2);
  kept = ["n01"];
  await expect.poll(() => dropped).toEqual(["n02"]);
  expect([first!.isLost, second!.isLost, [...leases.holds()]]).toEqual([false, true, [first]]);
  // Whoever still writes under it hears the same, once.
  leases.noteLost(["n01", "n02", "n03"]);
  expect([first!.isLost, dropped, [...leases.holds()]]).toEqual([true, ["n02", "n01"], []]);
  await leases.stop();
});
