import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scalarFlagBits } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { sampleNode } from "#testing/sample-node.ts";
import { backfill } from "./backfill.ts";
import type { Fault, FaultKind, FaultParams } from "./fault.ts";
import { createPlant } from "./plant.ts";
import { createScalarRow, scalarField as f } from "./scalar-row.ts";
import type { SimNode } from "./sim-node.ts";

const start = 1_770_000_000;
const row = createScalarRow();

function fault(
  kind: FaultKind,
  offset: number,
  durationSeconds: number,
  params: FaultParams = {},
  place: Partial<Fault> = { serial: 10234 },
): Fault {
  return { kind, start: start + offset, durationSeconds, facilityKey: undefined, serial: undefined, params, source: "script", ...place };
}

/** A plant whose one 50 hp motor runs, with only the given faults. */
function plantWith(script: Fault[] = [], change: Partial<SimNode> = {}, faultScale = 0) {
  const plant = createPlant({ seed: 5, nodes: [sampleNode(change)], faultScale, script });
  const { model } = plant.nodes.get(change.serial ?? 10234)!;
  const at = (offset: number) => {
    model.scalarAt(start + offset, row);
    return row;
  };
  return { plant, model, at };
}

const mean = (a: number, b: number, c: number) => (a + b + c) / 3;
const meanCurrent = () => mean(row[f.i1]!, row[f.i2]!, row[f.i3]!);
const hasFlag = (bit: number) => (row[f.flag]! & bit) !== 0;

describe("any second in any order", () => {
  const nodes = [
    sampleNode(),
    sampleNode({ serial: 10235, shift: "day", loadProfile: "crusher", starter: "Soft Starter" }),
    sampleNode({ serial: 10236, equipmentType: "DCMotor", npFrequency: 0, starter: "DC Armature" }),
    sampleNode({ serial: 10237, facilityKey: "quarry", starter: "VFD", timezone: "Asia/Kolkata", npFrequency: 50 }),
  ];
  const inOrder = createPlant({ seed: 5, nodes, faultScale: 50, script: [] });

  test("a fresh plant and one that was asked other seconds before agree exactly", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 40 * 86_400 }), { minLength: 1, maxLength: 40 }),
        fc.constantFrom(...nodes),
        (offsets, node) => {
          const fresh = createPlant({ seed: 5, nodes, faultScale: 50, script: [] });
          const a = createScalarRow();
          const b = createScalarRow();
          for (const offset of offsets) inOrder.nodes.get(node.serial)!.model.scalarAt(start + offset, a);
          fresh.nodes.get(node.serial)!.model.scalarAt(start + offsets.at(-1)!, b);
          expect(a).toEqual(b);
          const linkA = { ...inOrder.nodes.get(node.serial)!.link.at(start + offsets.at(-1)!) };
          expect(linkA).toEqual(fresh.nodes.get(node.serial)!.link.at(start + offsets.at(-1)!));
        },
      ),
      { numRuns: 60 },
    );
  });

  test("every value is finite and S² = P² + Q² in each phase", () => {
    for (const { model } of inOrder.nodes.values()) {
      for (let t = start; t < start + 86_400 * 3; t += 37) {
        model.scalarAt(t, row);
        expect(row.every(Number.isFinite)).toBe(true);
        for (let k = 0; k < 3; k++) {
          const kva = Math.hypot(row[f.p1 + k]!, row[f.q1 + k]!);
          expect(Math.abs(row[f.pf1 + k]!)).toBeLessThanOrEqual(1);
          expect(row[f.pf1 + k]! * kva).toBeCloseTo(row[f.p1 + k]!, 6);
        }
      }
    }
  });

  test("another seed is another world", () => {
    const other = createPlant({ seed: 6, nodes, faultScale: 50, script: [] });
    const b = createScalarRow();
    inOrder.nodes.get(10234)!.model.scalarAt(start, row);
    other.nodes.get(10234)!.model.scalarAt(start, b);
    expect(b[f.i1]).not.toBe(row[f.i1]);
  });
});

describe("steady running", () => {
  test("voltage, frequency, current and power fit the nameplate", () => {
    const { at } = plantWith();
    for (let offset = 0; offset < 3600; offset += 60) {
      at(offset);
      expect(mean(row[f.v1]!, row[f.v2]!, row[f.v3]!) / 460).toBeGreaterThan(1.0);
      expect(mean(row[f.v1]!, row[f.v2]!, row[f.v3]!) / 460).toBeLessThan(1.08);
      expect(Math.abs(row[f.lf]! - 60)).toBeLessThan(0.1);
      expect(meanCurrent()).toBeGreaterThan(25);
      expect(meanCurrent()).toBeLessThan(58);
      expect(row[f.running]).toBe(1);
    }
  });

  test("one percent of voltage unbalance makes several percent of current imbalance", () => {
    const { at } = plantWith();
    at(0);
    const imbalance = (a: number, b: number, c: number) => Math.max(...[a, b, c].map((x) => Math.abs(x - mean(a, b, c)))) / mean(a, b, c);
    const inVoltage = imbalance(row[f.v1]!, row[f.v2]!, row[f.v3]!);
    const inCurrent = imbalance(row[f.i1]!, row[f.i2]!, row[f.i3]!);
    expect(inCurrent / inVoltage).toBeGreaterThan(4);
    expect(inCurrent / inVoltage).toBeLessThan(14);
  });

  test("neighbours of a facility see the same supply, another facility does not", () => {
    const nodes = [sampleNode(), sampleNode({ serial: 10235 }), sampleNode({ serial: 10236, facilityKey: "quarry" })];
    const plant = createPlant({ seed: 5, nodes, faultScale: 0, script: [] });
    const volts = nodes.map(({ serial }) => {
      plant.nodes.get(serial)!.model.scalarAt(start, row);
      return row[f.v1]!;
    });
    expect(volts[1]).toBe(volts[0]);
    expect(volts[2]).not.toBe(volts[0]);
  });

  test("a drive runs near unity displacement with distorted current, a synchronous motor leads", () => {
    plantWith([], { starter: "VFD" }).at(7200);
    expect(row[f.pf1]).toBeGreaterThan(0.6);
    expect(row[f.pf1]).toBeLessThan(0.97);
    plantWith([], { equipmentType: "SynchronousMotor", starter: "Synchronous" }).at(7200);
    expect(row[f.q1]).toBeLessThan(0);
  });

  test("a DC motor shows on channel 1 only, its field node reports the field", () => {
    plantWith([], { equipmentType: "DCMotor", npFrequency: 0, npVoltage: 500, npCurrent: 80, starter: "DC Armature" }).at(7200);
    expect(row[f.lf]).toBe(0);
    expect(row[f.v1]).toBeGreaterThan(450);
    expect(row[f.i2]).toBe(0);
    expect(row[f.p1]).toBeCloseTo((row[f.v1]! * row[f.i1]!) / 1000, 9);
    plantWith([], { role: "field", npFrequency: 0, npVoltage: 150, npCurrent: 12, loadProfile: "steady" }).at(7200);
    expect(row[f.fieldVoltage]).toBe(row[f.v1]);
    expect(row[f.fieldCurrent]).toBeGreaterThan(5);
  });
});

describe("schedule", () => {
  test("a day-shift machine starts with an inrush, runs, and rests at night", () => {
    const { model } = plantWith([], { shift: "day", loadProfile: "fan" });
    const midnight = Math.floor(start / 86_400) * 86_400 + 6 * 3600; // Chicago, winter
    let starts = 0;
    let wasRunning = false;
    let peak = 0;
    let runningSeconds = 0;
    for (let t = midnight; t < midnight + 86_400; t++) {
      model.scalarAt(t, row);
      const isRunning = row[f.running] === 1;
      if (isRunning && !wasRunning) starts++;
      if (hasFlag(scalarFlagBits.isStarting)) peak = Math.max(peak, meanCurrent());
      if (isRunning) runningSeconds++;
      wasRunning = isRunning;
    }
    expect(starts).toBeGreaterThanOrEqual(1);
    expect(starts).toBeLessThanOrEqual(2);
    expect(peak).toBeGreaterThan(5 * 57.6);
    expect(runningSeconds).toBeGreaterThan(7 * 3600);
    expect(runningSeconds).toBeLessThan(10 * 3600);
  });

  test("a machine round the clock stops now and then, an unbroken one never", () => {
    const stops = (shift: "continuous" | "unbroken") => {
      const { model } = plantWith([], { shift });
      let count = 0;
      for (let t = start; t < start + 60 * 86_400; t += 600) {
        model.scalarAt(t, row);
        if (row[f.running] === 0) count++;
      }
      return count;
    };
    expect(stops("continuous")).toBeGreaterThan(0);
    expect(stops("unbroken")).toBe(0);
  });

  test("a stopped machine draws less than the noise limit and no power", () => {
    const { model } = plantWith([], { shift: "day" });
    model.scalarAt(Math.floor(start / 86_400) * 86_400 + 8 * 3600, row); // 02:00 in Chicago
    expect(row[f.running]).toBe(0);
    expect(meanCurrent()).toBeLessThan(0.576);
    expect(row[f.p1]).toBe(0);
    expect(row[f.v1]).toBeGreaterThan(440);
  });
});

describe("faults", () => {
  test("a sag lowers the second's RMS by its share of the second and sets the event flag", () => {
    const sag = fault("sag", 100.25, 0.5, { voltage: 0.7, sagType: "A" }, { facilityKey: "mill" });
    const healthy = plantWith().at(100).slice();
    plantWith([sag]).at(100);
    expect(row[f.v1]! / healthy[f.v1]!).toBeCloseTo(Math.sqrt(0.5 + 0.5 * 0.49), 6);
    expect(hasFlag(scalarFlagBits.isPqEventActive)).toBe(true);
    expect(row[f.i1]).toBeGreaterThan(healthy[f.i1]!);
    plantWith([sag]).at(101);
    expect(hasFlag(scalarFlagBits.isPqEventActive)).toBe(false);
  });

  test("a single-phase sag spares the other phases more than its own", () => {
    const { at } = plantWith([fault("sag", 10, 5, { voltage: 0.7, sagType: "D", phase: 2 }, { facilityKey: "mill" })]);
    at(12);
    expect(row[f.v2]).toBeLessThan(0.8 * row[f.v1]!);
  });

  test("a deep sag drops the contactor out; the motor restarts with an inrush", () => {
    const { at } = plantWith([fault("sag", 10, 1, { voltage: 0.3, sagType: "A" }, { facilityKey: "mill" })]);
    expect(at(12)[f.running]).toBe(0);
    let restart = -1;
    for (let offset = 12; offset < 120 && restart < 0; offset++) if (at(offset)[f.running] === 1) restart = offset;
    expect(restart).toBeGreaterThan(15);
    expect(meanCurrent()).toBeGreaterThan(5 * 57.6);
    expect(at(restart + 30)[f.running]).toBe(1);
    expect(meanCurrent()).toBeLessThan(60);
  });

  test("an interruption takes voltage, frequency and current away", () => {
    plantWith([fault("interruption", 10, 60, { voltage: 0 }, { facilityKey: "mill" })]).at(30);
    expect(row[f.v1]).toBe(0);
    expect(row[f.lf]).toBe(0);
    expect(hasFlag(scalarFlagBits.isVoltageMissing)).toBe(true);
    expect(row[f.running]).toBe(0);
  });

  test("a swell raises the voltage", () => {
    const healthy = plantWith().at(15).slice();
    plantWith([fault("swell", 10, 10, { voltage: 1.2, sagType: "A" }, { facilityKey: "mill" })]).at(15);
    expect(row[f.v1]! / healthy[f.v1]!).toBeCloseTo(1.2, 6);
  });

  test("single phasing: no current in the lost phase, √3 in the others, then a trip and a later restart", () => {
    const { at } = plantWith([fault("singlePhasing", 10, 20, { phase: 1, tripSeconds: 20, repairSeconds: 600 })]);
    const before = at(9).slice();
    at(15);
    expect(row[f.i1]).toBe(0);
    expect(row[f.i2]! / before[f.i2]!).toBeGreaterThan(1.6);
    expect(row[f.v1]! / before[f.v1]!).toBeLessThan(0.97);
    expect(row[f.v2]! / before[f.v2]!).toBeGreaterThan(0.98);
    expect(at(31)[f.running]).toBe(0);
    expect(at(640)[f.running]).toBe(1);
  });

  test("overload, underload and jam move the current as they should", () => {
    const healthy = plantWith().at(20)[f.i1]!;
    expect(plantWith([fault("overload", 10, 60, { load: 1.4 })]).at(20)[f.i1]).toBeGreaterThan(1.15 * 57.6);
    expect(plantWith([fault("underload", 10, 60)]).at(20)[f.i1]).toBeLessThan(0.6 * healthy);
    const jammed = plantWith([fault("jam", 10, 6, { tripSeconds: 6, repairSeconds: 900 })]);
    expect(jammed.at(13)[f.i1]).toBeGreaterThan(6 * 57.6);
    expect(jammed.at(17)[f.running]).toBe(0);
    expect(jammed.at(17 + 900)[f.running]).toBe(1);
  });

  test("a bad joint grows for days", () => {
    const { at } = plantWith([fault("imbalance", 0, 5 * 86_400, { voltageLossPercent: 6, phase: 1 })]);
    const spread = () => Math.max(row[f.i1]!, row[f.i2]!, row[f.i3]!) - Math.min(row[f.i1]!, row[f.i2]!, row[f.i3]!);
    at(3600);
    const early = spread() / meanCurrent();
    at(4.5 * 86_400);
    expect(spread() / meanCurrent()).toBeGreaterThan(2 * early);
  });

  test("a fault injected while running acts from its start", () => {
    const { plant, at } = plantWith();
    const healthy = at(50)[f.i1]!;
    plant.inject(fault("overload", 40, 60, { load: 1.5 }));
    expect(at(50)[f.i1]).toBeGreaterThan(1.3 * healthy);
  });

  test("the default mix has about 30 sags per facility and year, and lists them in order", () => {
    const nodes = Array.from({ length: 40 }, (_, i) => sampleNode({ serial: 20_000 + i, facilityKey: `site ${i}` }));
    const plant = createPlant({ seed: 9, nodes, faultScale: 1, script: [] });
    const faults = plant.faultsStartingIn(start, start + 60 * 86_400);
    const sags = faults.filter(({ kind }) => kind === "sag").length;
    expect(sags / 40 / (60 / 365)).toBeGreaterThan(24);
    expect(sags / 40 / (60 / 365)).toBeLessThan(36);
    expect(faults.map((one) => one.start)).toEqual(faults.map((one) => one.start).toSorted((a, b) => a - b));
    const again = createPlant({ seed: 9, nodes, faultScale: 1, script: [] });
    const halves = [
      ...again.faultsStartingIn(start, start + 17 * 86_400 + 12_345),
      ...again.faultsStartingIn(start + 17 * 86_400 + 12_345, start + 60 * 86_400),
    ];
    expect(halves).toEqual(faults);
  });
});

describe("link, drops and history", () => {
  test("outages, reboots, drops and clock errors act in their time only", () => {
    const { plant } = plantWith([
      fault("linkOutage", 10, 20),
      fault("reboot", 50, 20),
      fault("dropScalars", 100, 20, { share: 1 }),
      fault("clockOffset", 200, 20, { offsetSeconds: -3600 }),
    ]);
    const { link } = plant.nodes.get(10234)!;
    const at = (offset: number) => ({ ...link.at(start + offset) });
    expect(at(5)).toMatchObject({ isLinkUp: true, isPowered: true, isScalarDropped: false });
    expect(at(15)).toMatchObject({ isLinkUp: false, isPowered: true });
    expect(at(55)).toMatchObject({ isLinkUp: false, isPowered: false });
    expect(at(105).isScalarDropped).toBe(true);
    expect(at(125).isScalarDropped).toBe(false);
    expect(Math.abs(at(205).clockOffsetMs + 3_600_000)).toBeLessThanOrEqual(1);
    expect(Math.abs(at(225).clockOffsetMs)).toBeLessThanOrEqual(1);
  });

  test("history holds one row per interval less the dropped ones, each equal to the live second", () => {
    const { plant } = plantWith([fault("dropScalars", 100, 50, { share: 1 })]);
    const node = plant.nodes.get(10234)!;
    const times: number[] = [];
    const live = createScalarRow();
    for (const { epochSeconds, values } of backfill(node, start, start + 300)) {
      times.push(epochSeconds);
      node.model.scalarAt(epochSeconds, live);
      expect(values).toEqual(live);
    }
    expect(times).toHaveLength(25);
    expect(times.every((t) => t % 10 === 10234 % 10)).toBe(true);
  });

  test("about one scalar in a thousand is dropped", () => {
    const { plant } = plantWith([], {}, 1);
    const { link } = plant.nodes.get(10234)!;
    let dropped = 0;
    for (let t = start; t < start + 100_000; t++) if (link.at(t).isScalarDropped) dropped++;
    expect(dropped).toBeGreaterThan(60);
    expect(dropped).toBeLessThan(150);
  });
});

describe("faults of starts, phases and fields", () => {
  test("a phase that blinks is gone for a second and comes back with the starting current", () => {
    const { at, model } = plantWith([fault("phaseBlink", 600, 1.5, { phase: 2 })]);
    at(600);
    expect([row[f.i2], row[f.i1]! > 50]).toEqual([0, true]);
    at(602);
    expect(Math.min(row[f.i1]!, row[f.i2]!, row[f.i3]!)).toBeGreaterThan(5 * model.node.npCurrent);
    at(604);
    expect(meanCurrent()).toBeLessThan(1.2 * model.node.npCurrent);
  });

  test("a long start stays locked for a minute and accelerates for the rest", () => {
    const { at, model } = plantWith([fault("longStart", 600, 85)]);
    at(630);
    expect(meanCurrent()).toBeLessThan(1);
    for (const second of [660, 684]) {
      at(second);
      expect(meanCurrent()).toBeGreaterThan(5 * model.node.npCurrent);
    }
    at(690);
    expect(meanCurrent()).toBeLessThan(1.2 * model.node.npCurrent);
  });

  test("too frequent starts are one every four minutes", () => {
    const { at } = plantWith([fault("frequentStarts", 600, 8 * 240)]);
    let starts = 0;
    let wasRunning = true;
    for (let t = 600; t < 600 + 3_600; t++) {
      const isRunning = at(t)[f.running] === 1;
      if (isRunning && !wasRunning) starts++;
      wasRunning = isRunning;
    }
    expect(starts).toBe(8);
  });

  test("a field follows its machine, and is lost for as long as its fault lasts", () => {
    const machine = sampleNode({ shift: "day", equipmentType: "DCMotor", npFrequency: 0 });
    const field = {
      ...machine,
      serial: 10235,
      machineSerial: 10234,
      role: "field" as const,
      npCurrent: 12,
      loadProfile: "steady" as const,
    };
    const runs = createPlant({ seed: 5, nodes: [machine, field], faultScale: 0, script: [] });
    const isRunning = (serial: number, t: number) => runs.nodes.get(serial)!.model.isRunningAt(t);
    const seconds = Array.from({ length: 3 * 1_440 }, (_, minute) => start + 60 * minute);
    expect(seconds.map((t) => isRunning(10235, t))).toEqual(seconds.map((t) => isRunning(10234, t)));
    const lost = plantWith([fault("fieldLoss", 600, 120)], {
      role: "field",
      npFrequency: 0,
      npVoltage: 150,
      npCurrent: 12,
      loadProfile: "steady",
    });
    expect(lost.at(599)[f.i1]).toBeGreaterThan(9);
    expect(lost.at(650)[f.i1]).toBeLessThan(0.1);
    expect(lost.at(720)[f.i1]).toBeGreaterThan(9);
  });
});
