import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { choosePlaces, listSources, projectOf, readArguments } from "./options.ts";

let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "busbar-mutate-options-"));
  await mkdir(join(root, "lib", "testing"), { recursive: true });
  const code = ["import { a } from './a.ts';", "", "// why", "export const b = (", "  a: number,", ") => {", "  return a + 1;", "};", ""];
  await writeFile(join(root, "lib", "b.ts"), code.join("\n"));
  for (const name of ["b.test.ts", "types.d.ts", "testing/sample.ts", "notes.md"])
    await writeFile(join(root, "lib", name), "const x = 1;\n");
});
afterAll(() => rm(root, { recursive: true, force: true }));

test("without --tests the tests of the same folder must notice", () => {
  expect(readArguments(["packages/alarms", "--sample", "20"])).toEqual({
    paths: ["packages/alarms"],
    tests: ["packages/alarms"],
    sample: 20,
  });
  expect(readArguments(["tools/mutate/options.ts"]).tests).toEqual(["tools/mutate/"]);
});

test.each([
  [[], "Name a folder"],
  [["no/such"], 'there is no "no/such"'],
  [["packages", "--sample", "few"], '"few"'],
  [["packages", "--fast"], '"--fast" is no option'],
  [["packages", "--tests"], 'there is no ""'],
])("%j is refused by name", (args, sentence) => {
  expect(() => readArguments(args)).toThrow(sentence);
});

test("tests, their helpers, migrations and declarations are not product code", async () => {
  expect(await listSources(root, ["lib"])).toEqual(["lib/b.ts"]);
});

test("a sample takes lines with code, the same ones each time, all when there are fewer", () => {
  const places = choosePlaces(root, ["lib/b.ts"], 10);
  expect(places).toEqual(["lib/b.ts:4:0-4:18", "lib/b.ts:5:0-5:12", "lib/b.ts:6:0-6:6", "lib/b.ts:7:0-7:15"]);
  expect(choosePlaces(root, ["lib/b.ts"], 2)).toEqual([places[0], places[2]]);
  expect(choosePlaces(root, ["lib/b.ts"], undefined)).toEqual(["lib/b.ts"]);
});

test("server code is changed under its database", () => {
  expect(["apps/server/src/lib", "apps/server", "packages/alarms", "apps/console/src/lib"].map(projectOf)).toEqual([
    "server",
    "server",
    "unit",
    "unit",
  ]);
});

test("A-63 the whole tool changes code, runs its tests and names what no test noticed", async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      join(import.meta.dirname, "main.ts"),
      "packages/sparkplug/src/topic.ts",
      "--tests",
      "packages/sparkplug/src/rebirth-limiter.test.ts",
      "--sample",
      "3",
    ],
    { maxBuffer: 10_000_000 },
  );
  // The tests of something else cannot notice.
  expect(stdout).toMatch(/\[(?:NoCoverage|Survived)\]/);
  expect(stdout).toMatch(/All files +\| +0\.00/);
});
