import { expect, test } from "vitest";
import { createNodeLoader } from "./node-loader.ts";

/** A loader whose loads end as the test says. */
function createTestLoader() {
  const loads: { serials: readonly number[]; loaded: () => void; failed: (error: Error) => void }[] = [];
  const failures: unknown[] = [];
  const went: string[] = [];
  let isStopped = false;
  const loader = createNodeLoader({
    load(serials) {
      const load = Promise.withResolvers<void>();
      loads.push({ serials, loaded: load.resolve, failed: load.reject });
      return load.promise;
    },
    noteFailure: (error) => failures.push(error),
    isStopped: () => isStopped,
  });
  return {
    loads,
    failures,
    went,
    wait: (serial: number, name: string) => loader.wait(serial, () => went.push(name)),
    follow: (serial: number, name: string) => loader.follow(serial, () => went.push(name)),
    release: () => loader.release(),
    stop: () => (isStopped = true),
  };
}

test("A-63 what comes of many nodes at once is loaded at once, and goes on in its order; what comes meanwhile is loaded next", async () => {
  const { loads, went, wait, follow } = createTestLoader();
  expect(follow(1, "no one waits")).toBe(false);
  wait(1, "1a");
  wait(2, "2a");
  wait(1, "1b");
  expect([follow(1, "1c"), follow(3, "3")]).toEqual([true, false]);
  await expect.poll(() => loads.map(({ serials }) => serials)).toEqual([[1, 2]]);
  wait(3, "3a");
  wait(1, "1d");
  loads[0]!.loaded();
  await expect.poll(() => loads.map(({ serials }) => serials)).toEqual([[1, 2], [3]]);
  expect(went).toEqual(["1a", "1b", "1c", "1d", "2a"]);
  loads[1]!.loaded();
  await expect.poll(() => went.at(-1)).toBe("3a");
  wait(1, "1e");
  await expect.poll(() => loads.length).toBe(3);
});

test("A-63 what could not be loaded is tried again, and nothing of it goes on before; at the end all of it does", async () => {
  const { loads, failures, went, wait, release, stop } = createTestLoader();
  wait(1, "1a");
  await expect.poll(() => loads.length).toBe(1);
  const away = new Error("away");
  loads[0]!.failed(away);
  await expect.poll(() => loads.length).toBe(2);
  expect([failures, went, loads[1]!.serials]).toEqual([[away], [], [1]]);
  stop();
  release();
  expect(went).toEqual(["1a"]);
  wait(2, "2a");
  // A load that ends well after that has nothing more to go on with.
  const late = createTestLoader();
  late.wait(1, "1a");
  await expect.poll(() => late.loads.length).toBe(1);
  late.release();
  late.wait(2, "2a");
  late.loads[0]!.loaded();
  await expect.poll(() => late.loads.length).toBe(2);
  expect([late.went, late.failures, late.loads[1]!.serials]).toEqual([["1a"], [], [2]]);
  loads[1]!.failed(away);
  await expect.poll(() => failures.length).toBe(2);
  release();
  expect([went, loads.length]).toEqual([["1a", "2a"], 2]);
});

test("A-63 once ingest has stopped, a load that failed is not tried again, and what comes then is loaded at once", async () => {
  const { loads, failures, wait, stop } = createTestLoader();
  wait(1, "1a");
  await expect.poll(() => loads.length).toBe(1);
  stop();
  loads[0]!.failed(new Error("away"));
  await expect.poll(() => failures.length).toBe(1);
  await new Promise((resolve) => setImmediate(resolve));
  wait(2, "2a");
  await new Promise((resolve) => setImmediate(resolve));
  expect(loads.map(({ serials }) => serials)).toEqual([[1], [1, 2]]);
});
