import { expect, test } from "vitest";
import { silentLog } from "#lib/log.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import { createGroupLeases } from "./group-leases.ts";
import type { GroupHold } from "./node-groups.store.ts";

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
    worker: "worker",
    host: "host",
    clock: createManualClock(),
    log: silentLog,
    canListen: () => true,
    isListening: () => true,
    begin: () => undefined,
    handOver: async ({ name }) => void handedOver!.push(name),
    drop: ({ name }) => void dropped!.push(name),
    noteAllListening: () => undefined,
  });
  leases.start();
  await expect.poll(() => [...leases.holds()].length).toBe(2);
  await leases.stop();
  expect([dropped, handedOver, [...leases.holds()]]).toEqual([expected, isAway ? [] : ["n01", "n02"], []]);
});
