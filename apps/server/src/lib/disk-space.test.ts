import { expect, test } from "vitest";
import { readDiskSpace } from "./disk-space.ts";

test("A-63 of a disk what only root may use is neither used nor free", async () => {
  const asked: string[] = [];
  const space = await readDiskSpace(
    "/data",
    async (folder) => (asked.push(folder), { bsize: 4_096, blocks: 1_000, bfree: 300, bavail: 250 }),
  );
  expect([asked, space]).toEqual([["/data"], { usable: 950 * 4_096, used: 700 * 4_096, free: 250 * 4_096 }]);
});
