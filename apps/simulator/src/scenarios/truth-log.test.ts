import { expect, test } from "vitest";
import { makeFleet } from "#src/make-fleet.ts";
import { createPlant } from "#node-model/plant.ts";
import { sampleNode } from "#testing/sample-node.ts";
import { readFaultScript } from "./fault-script.ts";
import { createTruthLog, truthBetween } from "./truth-log.ts";

const start = 1_770_000_000;
const options = { seed: 3, nodes: makeFleet({ seed: 3, count: 30, firstSerial: 40_000 }), faultScale: 40, script: [] };

test("the same seed writes the same lines, however the time is cut", () => {
  const whole: string[] = [];
  createTruthLog(createPlant(options), 3, start, (line) => whole.push(line)).advance(start + 12 * 3600);
  const pieces: string[] = [];
  const log = createTruthLog(createPlant(options), 3, start, (line) => pieces.push(line));
  for (let t = start; t < start + 12 * 3600; t += 617) log.advance(t);
  log.advance(start + 12 * 3600);
  expect(pieces).toEqual(whole);
  expect(whole.length).toBeGreaterThan(50);
  const other: string[] = [];
  createTruthLog(createPlant({ ...options, seed: 4 }), 4, start, (line) => other.push(line)).advance(start + 12 * 3600);
  expect(other).not.toEqual(whole);
});

test("holds scripted faults with whether the machine ran, every dropped scalar, bad payloads and quirks", () => {
  const script = readFaultScript(
    [
      { at: 100, serial: 10234, fault: "jam", durationS: 5 },
      { at: 200, serial: 10234, fault: "dropScalars", durationS: 50, params: { share: 1 } },
      { at: 300, serial: 10235, fault: "jam", durationS: 5 },
    ],
    start,
  );
  // 20:40 in Chicago: the day shift is over
  const nodes = [sampleNode(), sampleNode({ serial: 10235, shift: "day", quirks: { badPayloads: 1 } })];
  const plant = createPlant({ seed: 5, nodes, faultScale: 0, script });
  const entries = truthBetween(plant, 5, start, start + 400);
  expect(entries.filter(({ fault }) => fault === "jam").map(({ serial, isRunning }) => [serial, isRunning])).toEqual([
    [10234, true],
    [10235, false],
  ]);
  expect(entries.filter(({ fault }) => fault === "droppedScalar").map(({ at }) => at - start)).toEqual([204, 214, 224, 234, 244]);
  expect(entries.filter(({ fault, serial }) => fault === "badPayload" && serial === 10235)).toHaveLength(40);
  const lines: string[] = [];
  createTruthLog(plant, 5, start, (line) => lines.push(line));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ serial: 10235, fault: "quirk", params: { badPayloads: 1 } }]);
});

test("scripted states of a node last from their begin to their end", () => {
  const script = readFaultScript(
    ["wrongSecret", "partialScalars", "meterSilence", "sensorFault", "heldFiles", "spoiledFiles", "configReset"].map((fault) => ({
      at: 100,
      serial: 10234,
      fault,
      durationS: 200,
    })),
    start,
  );
  const { link } = createPlant({ seed: 5, nodes: [sampleNode()], faultScale: 0, script }).nodes.get(10234)!;
  const wrongAt = (offset: number) => Object.entries(link.at(start + offset)).flatMap(([name, value]) => (value === true ? [name] : []));
  const sound = ["isLinkUp", "isPowered"];
  expect([wrongAt(99), wrongAt(300)]).toEqual([sound, sound]);
  // A secret is changed while the connection is down.
  expect(wrongAt(110)).not.toContain("isLinkUp");
  expect(wrongAt(299).sort()).toEqual(
    [
      ...sound,
      "isSecretWrong",
      "isScalarPartial",
      "isMeterSilent",
      "isSensorBroken",
      "areFilesHeld",
      "areFilesSpoiled",
      "isConfigReset",
    ].sort(),
  );
});
