import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CliError, readCliOptions } from "./cli-options.ts";
import { readCredentials } from "./input-files.ts";

describe("command line", () => {
  test("has a default for everything", () => {
    expect(readCliOptions([])).toMatchObject({ nodes: 100, firstSerial: 10_000, speed: 1, url: "mqtt://127.0.0.1:1883", isDirect: false });
    expect(readCliOptions(["--help"])).toBe("help");
  });

  test("reads what it is given", () => {
    const args = [
      "--nodes",
      "5",
      "--serials",
      "20000",
      "--speed",
      "60",
      "--start",
      "2026-01-02T03:04:05Z",
      "--direct",
      "--fault-scale",
      "2.5",
    ];
    expect(readCliOptions(args)).toMatchObject({
      nodes: 5,
      firstSerial: 20_000,
      speed: 60,
      startEpochSeconds: Date.UTC(2026, 0, 2, 3, 4, 5) / 1000,
      isDirect: true,
      faultScale: 2.5,
    });
  });

  test.each([
    [["--nodes", "0"], '--nodes must be a whole number from 1 to 90000, not "0"'],
    [["--nodes", "many"], '--nodes must be a whole number from 1 to 90000, not "many"'],
    [["--nodes="], '--nodes must be a whole number from 1 to 90000, not ""'],
    [["--speed", "4000"], "--speed must be a number from 1 to 3600"],
    [["--start", "yesterday"], '--start must be an ISO date or epoch seconds before 2096, not "yesterday"'],
    [["--url", "http://x"], '--url: The broker address "http://x" is not of the form mqtt://host:port'],
    [["--serials", "99990", "--nodes", "11"], "--serials 99990 leaves 10 serial numbers, fewer than --nodes 11"],
    [["--color"], "--color"],
    [["extra"], "extra"],
  ])("refuses %j with a sentence that names it", (args, sentence) => {
    expect(() => readCliOptions(args)).toThrow(CliError);
    expect(() => readCliOptions(args)).toThrow(sentence);
  });
});

describe("credentials file", () => {
  test("maps serial numbers to secrets; a bad file is named", () => {
    const folder = mkdtempSync(join(tmpdir(), "simulator-"));
    try {
      const path = join(folder, "credentials.json");
      writeFileSync(path, JSON.stringify({ "10234": "one", "10235": "two" }));
      expect(readCredentials(path)).toEqual(
        new Map([
          [10234, "one"],
          [10235, "two"],
        ]),
      );
      writeFileSync(path, JSON.stringify({ node: "one" }));
      expect(() => readCredentials(path)).toThrow("must map 5-digit serial numbers to secrets");
      writeFileSync(path, "{");
      expect(() => readCredentials(path)).toThrow("is not JSON");
      expect(() => readCredentials(join(folder, "none.json"))).toThrow("cannot be read (ENOENT)");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
