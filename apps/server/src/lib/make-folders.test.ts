import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolders } from "./make-folders.ts";

test("folders are made with those above them, and again without harm", async () => {
  const folder = await mkdtemp(join(tmpdir(), "busbar-folders-"));
  makeFolders(join(folder, "a", "b"));
  makeFolders(join(folder, "a", "b"));
  expect(existsSync(join(folder, "a", "b"))).toBe(true);
  await rm(folder, { recursive: true });
});

test.runIf(process.platform === "linux")("where a file system takes no folders it ends with an error", () => {
  expect(() => makeFolders("/proc/busbar/data")).toThrow(/ENOENT|EACCES|EPERM/);
});
