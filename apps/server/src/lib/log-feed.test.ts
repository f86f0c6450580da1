import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLogFeed, subjectFields } from "./log-feed.ts";

const root = join(import.meta.dirname, "..");
/** Speaks of one object among many. */
const ofOne = /\b(a|an|its|the) (node|node's|file|event file|message|mail|download|recipient|clock|credentials)\b|^mail |^set aside/;
const call = /(?:\blog\.(?:warn|error)\(|limitedLog\(\s*"(?:warn|error)",\s*[^,]+,)\s*(\{[^}]*\}|details),\s*"([^"]+)"/g;

test("A-08 every warning and error of the log that speaks of one object says which", async () => {
  const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  const found: string[] = [];
  const nameless: string[] = [];
  for (const file of files) {
    const source = await readFile(join(root, file), "utf8");
    for (const [, given = "", message = ""] of source.matchAll(call)) {
      found.push(message);
      const details = given === "details" ? (/const details = (\{[^}]*\})/.exec(source)?.[1] ?? "") : given;
      const isNamed = details.includes("[kind]") || subjectFields.some(([field]) => new RegExp(`\\b${field}\\b`).test(details));
      if (ofOne.test(message) && !/^the (mail server|database|broker|MQTT|connection|fleet|thread)/.test(message) && !isNamed)
        nameless.push(`${file}: ${message}`);
    }
  }
  expect(found).toEqual(expect.arrayContaining(["mail given up", "its message is quarantined", "set aside"]));
  expect(nameless).toEqual([]);
});

test("a thousand lines wait, the rest is counted by kind, and what was taken makes room", () => {
  const feed = createLogFeed();
  const write = (level: number, count: number) => {
    for (let line = 0; line < count; line++) feed.write(JSON.stringify({ level, time: 1_800_000_000_000, msg: "mail given up" }));
  };
  write(30, 5);
  write(40, 998);
  write(50, 5);
  write(40, 7);
  const { entries, dropped } = feed.take();
  expect([entries.length, entries.at(-1)?.kind, dropped]).toEqual([1_000, "error", { error: 3, warning: 7 }]);
  write(40, 1);
  expect(feed.take()).toMatchObject({
    entries: [{ kind: "warning", at: 1_800_000_000, message: "mail given up" }],
    dropped: { warning: 0 },
  });
});
