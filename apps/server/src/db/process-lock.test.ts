import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { acquireProcessLock, worksIn } from "./process-lock.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "busbar-lock-"));
  path = join(folder, "lock");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a held lock is refused with who holds it, also within one process; a released one is free", () => {
  const release = acquireProcessLock(path, "The folder");
  expect(() => acquireProcessLock(path, "The folder")).toThrow(
    `The folder is in use by another running copy (process ${process.pid}). Stop it, or set DATA_DIR to another folder.`,
  );
  release();
  acquireProcessLock(path, "The folder")();
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ["of a number that no process has", "4194304 1"],
  ["of a number that another process has since got", `${process.pid} 1`],
  ["that is empty", ""],
])("a lock %s is replaced", (_kind, content) => {
  writeFileSync(path, content);
  const release = acquireProcessLock(path, "The folder");
  expect(readFileSync(path, "utf8")).toMatch(new RegExp(`^${process.pid} \\d+$`));
  release();
  expect(existsSync(path)).toBe(false);
});

test("a process works in its own folder only", () => {
  expect(worksIn(process.pid, process.cwd())).toBe(true);
  expect(worksIn(process.pid, folder)).toBe(false);
  expect(worksIn(4_194_304, process.cwd())).toBe(false);
  expect(worksIn(Number.NaN, process.cwd())).toBe(false);
});
