import { expect, test } from "vitest";
import { happeningKinds, happeningsOf, isShownBy } from "./happenings.ts";
import { overview, week } from "./node-page.fixture.ts";

test("connections, events, configuration, changes and notes are one list, newest first, each in words", () => {
  const found = happeningsOf(
    overview({
      events: [
        { timestamp: 500, kind: "voltageSag", phase: "A", measured: "Lowest second: 71.5 %", fileName: null },
        { timestamp: 400, kind: "RELAY_EVENT", phase: null, measured: null, fileName: "11001_20261122T000000Z_E0001.cev" },
      ],
      configChanges: [{ timestamp: 300, username: "pat", key: "i_noise", oldValue: "16", newValue: "", result: "confirmed" }],
      changes: [{ timestamp: 200, actorType: "System", actor: "StatusRoll", description: "Node 10001: status Deployed" }],
      requests: [{ timestamp: 150, description: "Node 10001 was asked for its birth: gap" }],
      notes: [{ id: 1, timestamp: 100, note: "Belt changed" }],
    }),
    week({
      toTimestamp: 1_000,
      connected: {
        knownFromTimestamp: 0,
        gaps: [
          { fromTimestamp: 350, toTimestamp: 470, count: null },
          { fromTimestamp: 900, toTimestamp: 1_000, count: null },
        ],
      },
    }),
  );
  expect(found.map(({ at, text, detail = "" }) => [at, text, detail])).toEqual([
    [900, "Lost the connection", ""],
    [500, "Voltage sag (IEEE 1159)", "Phase A, Lowest second: 71.5 %"],
    [470, "Connected again after 2 min", ""],
    [400, "Relay event", ""],
    [350, "Lost the connection", ""],
    [300, "i_noise 16 → (empty)", "pat. Confirmed by the node"],
    [200, "Node 10001: status Deployed", "System StatusRoll"],
    [150, "Node 10001 was asked for its birth: gap", ""],
    [100, "Belt changed", ""],
  ]);
  expect(found[3]?.link?.href).toBe("#/events/11001_20261122T000000Z_E0001");
});

test("what was tried is what someone or the platform did, not what the node did", () => {
  const shown = (filter: Parameters<typeof isShownBy>[0]) => happeningKinds.filter((kind) => isShownBy(filter, kind));
  expect(shown(undefined)).toEqual(happeningKinds);
  expect(shown("events")).toEqual(["events"]);
  expect(shown("tried")).toEqual(["requests", "configuration", "changes", "notes"]);
});
