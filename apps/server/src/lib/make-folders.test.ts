import { existsSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolders } from "./make-folders.ts";

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

test("folders are made with those above them, and again without harm", async () => {
  const folder = await mkdtemp(join(tmpdir(), "busbar-folders-"));
  makeFolders(join(folder, "a", "b"));
  makeFolders(join(folder, "a", "b"));
  expect(existsSync(join(folder, "a", "b"))).toBe(true);
  await rm(folder, { recursive: true });
});

test.runIf(process.platform !== "win32")(
  "A-63 A-46 a folder is made for us alone unless it is asked otherwise, those above it for everyone",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "busbar-folders-"));
    const asMade = (mode: number) => mode & ~process.umask();
    makeFolders(join(folder, "above", "own"));
    makeFolders(join(folder, "given"), 0o750);
    expect([await modeOf(join(folder, "above")), await modeOf(join(folder, "above", "own")), await modeOf(join(folder, "given"))]).toEqual(
      [0o755, process.getuid!() === 0 ? 0o711 : 0o700, 0o750].map(asMade),
    );
    await rm(folder, { recursive: true });
  },
);

test.runIf(process.platform === "linux")("where a file system takes no folders it ends with an error", () => {
  expect(() => makeFolders("/proc/busbar/data")).toThrow(/ENOENT|EACCES|EPERM/);
});
