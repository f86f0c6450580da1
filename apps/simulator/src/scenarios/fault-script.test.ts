import { describe, expect, test } from "vitest";
import { FaultScriptError, readFaultScript } from "./fault-script.ts";

const start = 1_770_000_000;

describe("fault script", () => {
  test("reads times as seconds after the start or as dates", () => {
    const [sag, jam] = readFaultScript(
      [
        { at: 60, facility: "mill", fault: "sag", params: { voltage: 0.6, sagType: "D", phase: 2 }, durationS: 0.2 },
        { at: "2026-02-02T03:00:00Z", serial: 10234, fault: "jam", durationS: 5 },
      ],
      start,
    );
    expect(sag).toMatchObject({ kind: "sag", start: start + 60, facilityKey: "mill", serial: undefined, durationSeconds: 0.2 });
    expect(jam).toMatchObject({ kind: "jam", start: Date.UTC(2026, 1, 2, 3) / 1000, serial: 10234, source: "script" });
  });

  test.each([
    [{}, "A fault script is a JSON list of faults"],
    [[{ at: 0, serial: 10234, fault: "earthquake", durationS: 1 }], "Fault 1 of the script: fault:"],
    [
      [
        { at: 0, serial: 10234, fault: "jam", durationS: 1 },
        { at: -1, serial: 10234, fault: "jam", durationS: 1 },
      ],
      "Fault 2 of the script: at:",
    ],
    [[{ at: 0, serial: 10234, fault: "jam", durationS: 1, params: { volts: 3 } }], "Fault 1 of the script: params:"],
    [[{ at: 0, serial: 10234, fault: "sag", durationS: 1 }], "sag befalls a facility, not a node"],
    [[{ at: 0, facility: "mill", fault: "jam", durationS: 1 }], "jam befalls a node, not a facility"],
    [[{ at: 0, fault: "jam", durationS: 1 }], "give either serial or facility"],
  ])("refuses %j with a sentence", (script, sentence) => {
    expect(() => readFaultScript(script, start)).toThrow(FaultScriptError);
    expect(() => readFaultScript(script, start)).toThrow(sentence);
  });
});
