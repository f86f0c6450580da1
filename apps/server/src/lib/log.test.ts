import { expect, test } from "vitest";
import { feedOf } from "./log-feed.ts";
import { createLog, silentLog } from "./log.ts";

test("warnings and errors reach the log's feed whatever is written elsewhere, without what must never be logged", () => {
  const log = createLog("silent");
  log.info("not this");
  log.warn({ service: "Sweeper" }, "slow");
  log.error({ err: new Error("broken"), password: "CANARY" }, "failed");
  const { entries, dropped } = feedOf(log)!.take();
  expect(entries.map(({ kind, message }) => [kind, message])).toEqual([
    ["warning", "service Sweeper: slow"],
    ["error", "failed: broken"],
  ]);
  expect(entries[0]!.at).toBeCloseTo(Date.now() / 1000, -1);
  expect(dropped).toEqual({ error: 0, warning: 0 });
  expect(JSON.stringify(entries)).not.toContain("CANARY");
  expect(feedOf(log)!.take().entries).toEqual([]);
  expect(feedOf(silentLog)).toBeUndefined();
});
