import { lastingLossSeconds, quietSeconds } from "@busbar/alarms/incidents/incident-course.ts";
import type { JudgedNode } from "@busbar/alarms/incidents/occurrences.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createManualClock, type ManualClock } from "#testing/manual-clock.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import type { IncidentFollowedStore } from "./incident-followed.store.ts";
import { createIncidents } from "./incidents.task.ts";

let database: TestDatabase;
let clock: ManualClock;
/** What is asked for: since when verdicts, since when alarms and back to when, up to when those that are quiet. */
let asked: unknown[][];
let changed: JudgedNode[];
let timeline: string;
let isAway: boolean;
let run: () => Promise<unknown>;
const begin = 1_800_000_000;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());
beforeEach(async () => {
  await database.pool.query("delete from incident");
  [clock, asked, changed, timeline, isAway] = [createManualClock(begin * 1000), [], [], "1", false];
  const store: IncidentFollowedStore = {
    watermark: async () => ({ xid: 7, timeline }),
    verdicts: async (since) => {
      if (isAway) throw new Error("away");
      asked.push([since]);
      return changed.splice(0);
    },
    alarms: async (since, from) => (asked.at(-1)!.push(since, from), []),
    open: async () => [],
    quiet: async (until) => (asked.at(-1)!.push(until), []),
  };
  const task = createIncidents({ pool: database.pool, store, clock });
  run = () => task.run(new AbortController().signal);
});

const now = () => clock.now() / 1000;
const anew = () => [0, 0, now() - 86_400, now() - quietSeconds];
const goesOn = () => [7, 7, 0, now() - quietSeconds];

test.each<[string, () => void, () => number[]]>([
  ["after 60 s it goes on", () => clock.advance(60), goesOn],
  ["after more it begins anew", () => clock.advance(60.001), anew],
  ["where the clock was put back by 60 s it goes on", () => clock.advance(-60), goesOn],
  ["where the clock was put back by more it begins anew", () => clock.advance(-60.001), anew],
  ["on another timeline of the database it begins anew", () => (timeline = "2"), anew],
])("A-63 what happened is followed from where the last run was: %s", async (_, change, expected) => {
  await run();
  expect(asked).toEqual([anew()]);
  change();
  await run();
  expect(asked[1]).toEqual(expected());
});

test("A-63 what was half followed is followed anew", async () => {
  await run();
  isAway = true;
  await expect(run()).rejects.toThrow("away");
  isAway = false;
  await run();
  await run();
  expect(asked.map(([since]) => since)).toEqual([0, 0, 7]);
});

/** How many incidents there are so many seconds after the loss began. */
async function incidentsAt(...seconds: number[]): Promise<number[]> {
  const counts: number[] = [];
  for (const second of seconds) {
    clock.advance(begin + second - now());
    await run();
    counts.push((await database.pool.query("select from incident")).rowCount!);
  }
  return counts;
}
const evidence = (kind: string) => [{ kind, gravity: "act", since: begin }];
const lost = (kind = "away"): JudgedNode => ({ serial: 10_604, facilityId: undefined, evidence: evidence(kind) });

test("A-63 a loss is an incident from its last moment on in which it may pass, whether or not anything changes", async () => {
  changed = [lost()];
  expect(await incidentsAt(50, 100, lastingLossSeconds - 0.001, lastingLossSeconds)).toEqual([0, 0, 0, 1]);
});

test("A-63 a loss that passes a moment before is none; what is no loss is one at once", async () => {
  changed = [lost()];
  expect(await incidentsAt(50, 100)).toEqual([0, 0]);
  changed = [{ ...lost(), evidence: [] }];
  expect(await incidentsAt(lastingLossSeconds - 0.001, lastingLossSeconds, lastingLossSeconds + 60)).toEqual([0, 0, 0]);
  changed = [lost("sensor")];
  expect(await incidentsAt(lastingLossSeconds + 60)).toEqual([1]);
});
