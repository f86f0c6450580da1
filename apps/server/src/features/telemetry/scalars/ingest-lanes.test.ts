import { expect, test } from "vitest";
import { createManualClock } from "#testing/manual-clock.ts";
import { createIngestLanes, type IngestLanesOptions } from "./ingest-lanes.ts";

const withCode = (code: string) => Object.assign(new Error(code), { code });

test.each<[string, unknown, boolean]>([
  ["the database is away", withCode("ECONNREFUSED"), true],
  ["its disk is full", withCode("53100"), true],
  ["a value does not fit", withCode("22003"), false],
  ["our program fails on what a node sent", new TypeError("x is undefined"), false],
  ["another process listens to the group", withCode("BB001"), false],
])("when %s, ingest is away or not", (_, error, isAway) => {
  const clock = createManualClock();
  let failures = 0;
  const lanes = createIngestLanes({
    scalars: {},
    clock,
    metrics: { noteFailure: () => failures++ },
    limitedLog: () => undefined,
    noteLostGroups: (lost: unknown) => (lost as { code?: string }).code === "BB001",
  } as unknown as IngestLanesOptions);
  const since = clock.now();
  lanes.noteFailure(error);
  clock.advance(10);
  lanes.noteFailure(error);
  expect([lanes.failingSinceMs, failures]).toEqual([isAway ? since : undefined, (error as { code?: string }).code === "BB001" ? 0 : 2]);
  lanes.noteAnswer();
  expect(lanes.failingSinceMs).toBeUndefined();
});
