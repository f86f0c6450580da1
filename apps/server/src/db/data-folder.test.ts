import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { claimDataFolder } from "./data-folder.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "busbar-claim-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("a folder that is not there is made ours, and stays so with all that comes into it", async () => {
  const data = join(folder, "inside", "data");
  claimDataFolder(data);
  expect(await readdir(data)).toEqual([".busbar-data"]);
  await writeFile(join(data, "letters.txt"), "");
  claimDataFolder(data);
  expect(await readdir(data)).toEqual([".busbar-data", "letters.txt"]);
});

test("what an operator lays down before the first start is welcome, and anything else is named and left alone", async () => {
  for (const name of ["updates.json", "secrets.key", "lost+found"]) await writeFile(join(folder, name), "");
  await writeFile(join(folder, "letters.txt"), "");
  expect(() => claimDataFolder(folder)).toThrow(`DATA_DIR ${folder} is not empty and not ours (found letters.txt). Choose another folder.`);
  await rm(join(folder, "letters.txt"));
  claimDataFolder(folder);
  expect((await readdir(folder)).toSorted()).toEqual([".busbar-data", "lost+found", "secrets.key", "updates.json"]);
});

test("a file in its place is named", async () => {
  await writeFile(join(folder, "file"), "");
  expect(() => claimDataFolder(join(folder, "file"))).toThrow(`DATA_DIR ${join(folder, "file")} cannot be written: `);
});
