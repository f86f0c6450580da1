import type { TrendMark } from "@busbar/contract/telemetry/trends.ts";
import { expect, test } from "vitest";
import { clustersOf, hrefOfMark } from "./trend-marks.ts";

const mark = (timestamp: number, more: Partial<TrendMark> = {}): TrendMark => ({
  timestamp,
  endTimestamp: null,
  serialNumber: "10604",
  kind: "note",
  text: "x",
  ref: null,
  ...more,
});

test("marks that would lie on each other are one, what lasted into sight is at its edge, and what is not in sight is left out", () => {
  const marks = [mark(0, { endTimestamp: 150, kind: "outage" }), mark(50), mark(100), mark(104), mark(150), mark(200), mark(201)];
  const clusters = clustersOf(marks, { from: 100, to: 200 }, 0.05);
  expect(clusters.map(({ place, marks: together }) => [place, together.map(({ timestamp }) => timestamp)])).toEqual([
    [0, [0, 100, 104]],
    [0.5, [150]],
    [1, [200]],
  ]);
});

test("a mark opens where it is shown", () => {
  const hrefs = [
    mark(1, { kind: "event", ref: "event/11001_20261122T054000Z_E0001" }),
    mark(1, { kind: "note", ref: "location/7" }),
    mark(1, { kind: "config", ref: "node/10604" }),
    mark(1, { kind: "placement", ref: "location/7" }),
    mark(1_795_000_000, { kind: "outage", serialNumber: null, endTimestamp: 1_795_390_000 }),
    mark(1, { kind: "outage", ref: "incident/13" }),
    mark(1, { kind: "alarm", ref: "incident/12" }),
    mark(1, { kind: "alarm", ref: "node/10604" }),
  ].map(hrefOfMark);
  expect(hrefs).toEqual([
    "#/events/11001_20261122T054000Z_E0001",
    "#/nodes/10604?show=notes",
    "#/nodes/10604?show=configuration",
    "#/nodes/10604",
    "#/coverage?kind=scalars&show=all&to=2026-11-23",
    "#/incidents/13",
    "#/incidents/12",
    "#/nodes/10604",
  ]);
});
