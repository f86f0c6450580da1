import { expect, test } from "vitest";
import { silentLog } from "#lib/log.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import { createLiveLeases } from "./live-leases.ts";

test("A-63 each node that is watched is asked again after 14 seconds, where no other process did; a failure is no end", async () => {
  const clock = createManualClock();
  const claims: [readonly number[], number][] = [];
  const asked: unknown[] = [];
  let claim = (serials: readonly number[]): Promise<number[]> => Promise.resolve([...serials]);
  const leases = createLiveLeases({
    store: { claimLeases: (serials, seconds) => (claims.push([serials, seconds]), claim(serials)) },
    sendCommand: ({ serialNumber, metrics }) => (asked.push([serialNumber, metrics[0]?.value]), Promise.resolve({ state: "sent" })),
    clock,
    log: silentLog,
  });
  leases.renew([1, 2]);
  leases.renew([1, 2, 3]);
  expect(claims.splice(0)).toEqual([
    [[1, 2], 13.5],
    [[3], 13.5],
  ]);
  await expect.poll(() => asked.splice(0)).toEqual([1, 2, 3].map((serial) => [serial, 30]));
  clock.advance(13.9);
  leases.renew([1, 2, 3]);
  expect(claims).toEqual([]);
  clock.advance(0.1);
  claim = () => Promise.resolve([2]);
  leases.renew([1, 2]);
  await expect.poll(() => asked.splice(0)).toEqual([[2, 30]]);
  claim = () => Promise.reject(new Error("away"));
  leases.renew([3]);
  clock.advance(14);
  claim = (serials) => Promise.resolve([...serials]);
  leases.renew([3]);
  await expect.poll(() => asked).toEqual([[3, 30]]);
});

test("A-63 who is watched with others that are due is asked no later for it", () => {
  const clock = createManualClock();
  const claims: (readonly number[])[] = [];
  const leases = createLiveLeases({
    store: { claimLeases: (serials) => (claims.push(serials), Promise.resolve([])) },
    sendCommand: () => Promise.resolve({ state: "sent" }),
    clock,
    log: silentLog,
  });
  leases.renew([1]);
  clock.advance(10);
  leases.renew([1, 2]);
  clock.advance(4);
  leases.renew([1, 2]);
  clock.advance(10);
  leases.renew([1, 2]);
  expect(claims).toEqual([[1], [2], [1], [2]]);
});
