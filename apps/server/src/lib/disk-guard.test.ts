import { expect, test } from "vitest";
import { createManualClock } from "#testing/manual-clock.ts";
import { createDiskGuard } from "./disk-guard.ts";
import type { Log } from "./log.ts";
import { folderThatFills } from "./open-file-store.ts";

const sentence = "The server's disk is almost full: files are not taken until there is room again";

/** A disk of a thousand blocks that root keeps a hundred of. */
function createGuard(freeBlocks: number | Error, { folder }: { folder: string | undefined } = { folder: "/data" }) {
  const disk = { free: freeBlocks, looks: 0 };
  const lines: string[] = [];
  const clock = createManualClock();
  const write = (level: string) => (details: object, message: string) => lines.push(`${level} ${JSON.stringify(details)} ${message}`);
  const guard = createDiskGuard({
    folder,
    clock,
    log: { error: write("error"), info: write("info") } as unknown as Log,
    statfs: () => {
      disk.looks++;
      if (disk.free instanceof Error) return Promise.reject(disk.free);
      return Promise.resolve({ bsize: 4_096, blocks: 1_100, bfree: disk.free + 100, bavail: disk.free });
    },
  });
  const checkWith = (free: number | Error) => {
    disk.free = free;
    clock.advance(1);
    return guard.check();
  };
  return { guard, disk, lines, checkWith };
}

test("below a twentieth there is no room, and again a little above it; each is logged once", async () => {
  const { checkWith, guard, lines } = createGuard(500);
  expect([await checkWith(500), await checkWith(50), await checkWith(49), await checkWith(10)]).toEqual([
    undefined,
    undefined,
    sentence,
    sentence,
  ]);
  expect(guard.problem()).toBe(sentence);
  expect([await checkWith(54), await checkWith(55), await checkWith(50)]).toEqual([sentence, undefined, undefined]);
  expect(lines).toEqual([
    `error {"freePercent":4.9,"freeBytes":${49 * 4_096}} ${sentence}`,
    'info {"freePercent":5.5} there is room on the disk again: files are taken',
  ]);
});

test("it looks at most once a second, and a disk that cannot be asked changes nothing", async () => {
  const { checkWith, guard, disk } = createGuard(500);
  await Promise.all([guard.check(), guard.check(), guard.check()]);
  await guard.check();
  expect(disk.looks).toBe(1);
  expect(await checkWith(new Error("EIO"))).toBeUndefined();
  await checkWith(1);
  expect([await checkWith(new Error("EIO")), disk.looks]).toEqual([sentence, 4]);
});

test("a full disk is no one's business where neither files nor the database are on it", async () => {
  const places = [
    { filesUrl: undefined, databaseUrl: undefined },
    { filesUrl: undefined, databaseUrl: "postgres://elsewhere" },
    { filesUrl: "s3://files", databaseUrl: undefined },
    { filesUrl: "s3://files", databaseUrl: "postgres://elsewhere" },
  ];
  const problems = places.map((place) => createGuard(10, { folder: folderThatFills({ ...place, dataDir: "/data" }) }).guard.check());
  expect(await Promise.all(problems)).toEqual([sentence, sentence, sentence, undefined]);
});
