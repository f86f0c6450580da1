import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { findChromium } from "./launcher/find-chromium.mjs";
import { hashFiles } from "./launcher/hash-files.mjs";
import { majorOf } from "./launcher/node-runtime.mjs";
import { isAtLeast } from "./launcher/npm.mjs";
import { root } from "./launcher/root.mjs";
import { findFirefox } from "./launcher/find-firefox.mjs";
import { countStage, countTests, lastLine, listFailedFiles, listFailures, usageLine } from "./launcher/test-report.mjs";
import { runAtOnce } from "./launcher/run-at-once.mjs";
import { chooseStages, listStages } from "./launcher/test-stages.mjs";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "busbar-launcher-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("versions", () => {
  test.each([
    ["v24.21.0\n", 24],
    ["v9.1.0", 9],
    ["node: command not found", 0],
  ])("Node %j has major %i", (text, major) => {
    expect(majorOf(text)).toBe(major);
  });

  test.each([
    ["11.10.0", true],
    ["11.9.9", false],
    ["12.0.0", true],
    ["10.99.0", false],
  ])("npm %s at least 11.10: %s", (version, isEnough) => {
    expect(isAtLeast(version, [11, 10])).toBe(isEnough);
  });
});

describe("what the build is made of", () => {
  const hash = () => hashFiles(folder, ["src", "lock.json"]);

  beforeEach(async () => {
    await mkdir(join(folder, "src", "dist"), { recursive: true });
    await writeFile(join(folder, "src", "a.ts"), "1");
    await writeFile(join(folder, "lock.json"), "{}");
  });

  test("a changed, added or renamed source changes the hash", async () => {
    const hashes = new Set([hash()]);
    await writeFile(join(folder, "src", "a.ts"), "2");
    hashes.add(hash());
    await writeFile(join(folder, "src", "b.ts"), "");
    hashes.add(hash());
    await rm(join(folder, "src", "b.ts"));
    await writeFile(join(folder, "src", "c.ts"), "");
    hashes.add(hash());
    expect(hashes.size).toBe(4);
  });

  test("tests and results do not", async () => {
    const before = hash();
    await writeFile(join(folder, "src", "a.test.ts"), "1");
    await writeFile(join(folder, "src", "b.browser.test.tsx"), "1");
    await writeFile(join(folder, "src", "dist", "out.js"), "1");
    expect(hash()).toBe(before);
  });
});

test("the first Chromium on the path that may be run is taken", async () => {
  await writeFile(join(folder, "chromium"), "");
  expect(findChromium(folder)).toBeUndefined();
  await writeFile(join(folder, "google-chrome"), "");
  await chmod(join(folder, "google-chrome"), 0o755);
  expect(findChromium(`/nowhere:${folder}`)).toBe(join(folder, "google-chrome"));
  // The one that costs least.
  await writeFile(join(folder, "chromium-headless-shell"), "");
  await chmod(join(folder, "chromium-headless-shell"), 0o755);
  expect(findChromium(folder)).toBe(join(folder, "chromium-headless-shell"));
});

test("a Firefox is found by FIREFOX_PATH or on the path, and missed without a word", async () => {
  const program = join(folder, "firefox-esr");
  await writeFile(program, "");
  await chmod(program, 0o755);
  expect(findFirefox({ PATH: `/nowhere:${folder}` })).toBe(program);
  expect(findFirefox({ PATH: "/nowhere", FIREFOX_PATH: program })).toBe(program);
  expect(findFirefox({ PATH: "/nowhere" })).toBeUndefined();
  expect(() => findFirefox({ FIREFOX_PATH: "/nowhere/firefox" })).toThrow("FIREFOX_PATH /nowhere/firefox is no program.");
});

describe("stages of the tests", () => {
  test("all in their order, or one by name with its own arguments", () => {
    const stages = listStages();
    expect(stages.map((stage) => stage.name)).toEqual([
      "types",
      "lint",
      "format",
      "dead-code",
      "bench",
      "faults",
      "browser",
      "server",
      "e2e",
      "unit",
      "firefox",
    ]);
    expect(chooseStages(stages, []).chosen).toBe(stages);
    expect(chooseStages(stages, ["unit", "topic"])).toEqual({ chosen: [stages[9]], rest: ["topic"] });
    expect(() => chooseStages(stages, ["units"])).toThrow('"units" is no stage of the tests. There are: types, lint,');
  });

  test("A-27 three stages run at the same time, the next starts when one ends, and none after one that failed", async () => {
    const started: string[] = [];
    const end = new Map<string, (code: number) => void>();
    const run = runAtOnce(["a", "b", "c", "d", "e", "f"], 3, (name) => {
      started.push(name);
      return new Promise((done) => end.set(name, done));
    });
    expect(started).toEqual(["a", "b", "c"]);
    end.get("b")?.(0);
    await vi.waitUntil(() => started.length === 4);
    end.get("a")?.(3);
    end.get("c")?.(0);
    end.get("d")?.(0);
    expect(await run).toBe(3);
    expect(started).toEqual(["a", "b", "c", "d"]);
  });

  test("A-27 two stages that wait most of their time take the place of one", async () => {
    const started: string[] = [];
    const end = new Map<string, () => void>();
    const start = (name: string) => {
      started.push(name);
      return new Promise<number>((done) => end.set(name, () => done(0)));
    };
    const run = runAtOnce(["a", "half b", "half c", "d", "e"], 2, start, (name) => (name.startsWith("half") ? 0.5 : 1));
    expect(started).toEqual(["a", "half b", "half c"]);
    end.get("half b")?.();
    end.get("half c")?.();
    await vi.waitUntil(() => started.includes("d"));
    end.get("a")?.();
    await vi.waitUntil(() => started.includes("e"));
    end.get("d")?.();
    end.get("e")?.();
    expect(await run).toBe(0);
  });

  test("the last line counts tests where a stage has them, else stages", () => {
    const vitest = countTests("vitest", '{"numPassedTests":40,"numFailedTests":0}');
    const playwright = countTests("playwright", '{"stats":{"expected":3,"flaky":1,"unexpected":2}}');
    const counts = [
      countStage(undefined, true),
      countStage(vitest, true),
      countStage(playwright, false),
      countStage(countTests("vitest", ""), false),
    ];
    expect(lastLine(counts)).toBe("45 passed, 3 failed");
  });

  test("what failed is listed by file and title with the first line of why", () => {
    const vitest = {
      testResults: [
        {
          name: join(root, "a.test.ts"),
          status: "failed",
          message: "",
          assertionResults: [
            { status: "passed", fullName: "adds", failureMessages: [] },
            { status: "failed", fullName: "sums one", failureMessages: ["\u001B[31mAssertionError: 1 is 2\u001B[39m\n at a.test.ts:3"] },
          ],
        },
        { name: join(root, "b.test.ts"), status: "failed", message: "no such module", assertionResults: [] },
        { name: "c.test.ts", status: "passed", message: "", assertionResults: [] },
      ],
    };
    expect(listFailures("vitest", JSON.stringify(vitest))).toEqual([
      "a.test.ts: sums one: AssertionError: 1 is 2",
      "b.test.ts: no such module",
    ]);
    const spec = (title: string, ok: boolean) => ({
      ok,
      title,
      file: "a.e2e.ts",
      tests: [{ results: [{}, { error: { message: "not visible\nCall log" } }] }],
    });
    const playwright = { suites: [{ specs: [spec("opens", true)], suites: [{ specs: [spec("closes", false)] }] }] };
    expect(listFailures("playwright", JSON.stringify(playwright))).toEqual(["a.e2e.ts: closes: not visible"]);
    expect(listFailures("vitest", "")).toEqual([]);
    expect(listFailedFiles("vitest", JSON.stringify(vitest))).toEqual(["a.test.ts", "b.test.ts"]);
    expect(listFailedFiles("playwright", JSON.stringify(playwright))).toEqual(["a.e2e.ts"]);
    expect(listFailedFiles("vitest", "")).toEqual([]);
  });

  test("a program that fails without a failed test counts as one", () => {
    expect(countStage({ passed: 5, failed: 0 }, false)).toEqual({ passed: 5, failed: 1 });
  });

  test("what passed when its file was repeated counts as passed", () => {
    expect(countStage({ passed: 5, failed: 1 }, true)).toEqual({ passed: 6, failed: 0 });
  });

  test("what stages used of the processors is listed with the most first, where the system knows it", () => {
    const used = new Map([
      ["Types", 40.4],
      ["Lint", 0],
      ["Unit tests", 78.9],
    ]);
    expect(usageLine(used)).toBe("\nProcessor time: 119 s (Unit tests 79, Types 40)\n");
    expect(usageLine(new Map([["Types", 0]]))).toBe("");
  });
});
