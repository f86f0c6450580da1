import { canRunNow, type Service } from "@busbar/contract/system/system-services.ts";
import { describe, expect, test } from "vitest";
import { runWords, stateOf, workWords } from "./service-words.ts";

const now = 1_790_000_000;
const service: Service = {
  isEnabled: true,
  isScheduledService: true,
  isRunning: false,
  interval: 60,
  countProcessedLastRun: 0,
  countProcessedLifetime: 0,
  logEntry: "",
  durationLastRun: 1,
  durationAverage: 1,
  timestampLastFinished: now - 30,
  timestampNextRun: now + 30,
  failingSince: null,
  durationsOfLastRuns: [],
  failuresOfLastRuns: [],
  lastWork: null,
  waiting: null,
};

describe("SYS-02 when a service runs", () => {
  test.each<[Partial<Service>, string | undefined]>([
    [{}, "Last ran 30 s ago next in approx 33 s"],
    [{ timestampLastFinished: now - 3_700, timestampNextRun: now + 3_597 }, "Last ran 1h 1m ago next in approx 1h 0m"],
    [{ timestampLastFinished: null, timestampNextRun: now + 56 }, "First run in approx 59 s"],
    [{ timestampLastFinished: null, timestampNextRun: now + 57 }, "First run in approx 1m"],
    [{ timestampNextRun: now - 60 }, "Last ran 30 s ago next in approx 0 s"],
    [{ isRunning: true }, undefined],
    [{ isEnabled: false }, undefined],
    [{ isScheduledService: false, timestampNextRun: null }, undefined],
  ])("%j: %s", (change, words) => {
    expect(runWords({ ...service, ...change }, now)).toBe(words);
  });
});

describe("SYS-03 what a service did last", () => {
  const lastWork = { did: "Packed 3 downloads", timestamp: now - 30 };
  const earlier = { ...lastWork, timestamp: now - 600 };
  test.each<[Partial<Service>, string | undefined]>([
    [{ countProcessedLastRun: 3, lastWork }, "Packed 3 downloads"],
    [{ lastWork: earlier }, "Nothing to do. 10m ago: Packed 3 downloads"],
    [{ lastWork: earlier, failingSince: now - 60 }, "10m ago: Packed 3 downloads"],
    [{ isScheduledService: false, timestampLastFinished: null, lastWork: earlier }, "10m ago: Packed 3 downloads"],
    [{}, "Nothing to do"],
    [{ countProcessedLastRun: 3 }, undefined],
    [{ failingSince: now - 60 }, undefined],
    [{ timestampLastFinished: null }, undefined],
  ])("%j: %s", (change, words) => {
    expect(workWords({ ...service, ...change }, now)).toBe(words);
  });
});

test("SYS-01 run now is offered only where the interval is over 5", () => {
  expect([5, 6].map((interval) => canRunNow({ ...service, interval }))).toEqual([false, true]);
  expect(canRunNow({ ...service, isScheduledService: false })).toBe(false);
});

test("every state has its word", () => {
  const states = [
    {},
    { isRunning: true },
    { isEnabled: false },
    { isEnabled: false, isRunning: true },
    { isScheduledService: false },
    { isScheduledService: false, isRunning: true },
    { failingSince: now - 60 },
    { failingSince: now - 60, isRunning: true },
    { failingSince: now - 60, isEnabled: false },
    { failingSince: now - 60, isScheduledService: false, isRunning: true },
    { failingSince: now - 60, isScheduledService: false },
  ];
  expect(states.map((change) => stateOf({ ...service, ...change }))).toEqual([
    "Idle",
    "Running",
    "Disabled",
    "Running",
    "Not running",
    "Always on",
    "Failing",
    "Running",
    "Disabled",
    "Failing",
    "Not running",
  ]);
});
