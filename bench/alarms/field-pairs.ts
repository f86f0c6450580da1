import type { AlarmKind } from "@busbar/alarms/alarm-kinds.ts";
import type { AlarmSettings } from "@busbar/alarms/alarm-settings.ts";
import { isRunning } from "@busbar/alarms/measures.ts";
import { createNodeAlarms, type Scalar } from "@busbar/alarms/node-alarms.ts";
import { makeFleet } from "@busbar/simulator/make-fleet.ts";
import { backfill } from "@busbar/simulator/node-model/backfill.ts";
import type { Fault } from "@busbar/simulator/node-model/fault.ts";
import { createPlant, type PlantNode } from "@busbar/simulator/node-model/plant.ts";
import { scalarField } from "@busbar/simulator/node-model/scalar-row.ts";
import type { SimNode } from "@busbar/simulator/node-model/sim-node.ts";
import { exclude, type Tally } from "./tally.ts";

export interface FieldPairOptions {
  seed: number;
  pairs: number;
  faultScale: number;
  from: number;
  to: number;
  sampleSeconds: number;
  settingsOf: (node: SimNode) => AlarmSettings;
}

const firstMachine = 40_000;
const firstField = 50_000;
const toleranceSeconds = 30;
/** From midnight UTC: a working hour of most. */
const lossSeconds = 16 * 3_600;

/** DC motors with the second node of their field: losses of the field against the truth log. */
export function compareFieldPairs(tally: Tally, options: FieldPairOptions): void {
  const { seed, pairs, faultScale, from, to, sampleSeconds, settingsOf } = options;
  const machines = makeFleet({ seed, count: pairs, firstSerial: firstMachine }).map((node): SimNode => ({
    ...node,
    equipmentType: "DCMotor",
    npFrequency: 0,
    npVoltage: 500,
    starter: "DC Armature",
    quirks: {},
  }));
  const fields = machines.map((machine, index): SimNode => ({
    ...machine,
    serial: firstField + index,
    machineSerial: machine.serial,
    role: "field",
    npVoltage: 150,
    npCurrent: 12,
    loadProfile: "steady",
  }));
  // One loss for each pair: the mix may make none in a day.
  const script = fields.map(({ serial }): Fault => ({
    kind: "fieldLoss",
    start: from + lossSeconds,
    durationSeconds: 300,
    facilityKey: undefined,
    serial,
    params: {},
    source: "script",
  }));
  const plant = createPlant({ seed, nodes: [...machines, ...fields], faultScale, script });
  const faults = plant.faultsStartingIn(from, to);
  for (const [index, field] of fields.entries()) {
    const machine = machines[index]!;
    const [machineNode, fieldNode] = [plant.nodes.get(machine.serial)!, plant.nodes.get(field.serial)!];
    const readings = scalarsOf(machineNode, from, to);
    const machineSettings = directSettings(settingsOf(machine));
    const alarms = createNodeAlarms({ ...directSettings(settingsOf(field)), isField: true }, sampleSeconds);
    let place = 0;
    const raised: number[] = [];
    for (const scalar of scalarsOf(fieldNode, from, to)) {
      const distance = (at: number) => Math.abs((readings[at]?.at ?? Number.POSITIVE_INFINITY) - scalar.at);
      while (distance(place + 1) <= distance(place)) place++;
      const isMachineRunning = distance(place) <= 2 * sampleSeconds ? isRunning(readings[place]!, machineSettings) : undefined;
      for (const { kind, change, at } of alarms.addScalar(scalar, isMachineRunning))
        if ((kind satisfies AlarmKind) === "fieldLoss" && change === "raised") raised.push(at);
    }
    const losses = faults.filter(({ kind, serial }) => kind === "fieldLoss" && serial === field.serial);
    for (const { start, durationSeconds } of losses) {
      const isSeen = [machineNode, fieldNode].every((node) =>
        runsThroughout(node, Math.floor(start) - 1, start + toleranceSeconds, field.serial),
      );
      if (isSeen) tally[raised.some((at) => at >= start && at <= start + durationSeconds + toleranceSeconds) ? "detected" : "missed"]++;
      else exclude(tally, "a node was not measured or the machine not running");
    }
    for (const at of raised)
      tally[
        losses.some(({ start, durationSeconds }) => at >= start && at <= start + durationSeconds + toleranceSeconds) ? "right" : "wrong"
      ]++;
  }
}

/** The machine draws current and both nodes measure; the field itself is what is lost. */
function runsThroughout({ model, link }: PlantNode, from: number, to: number, fieldSerial: number): boolean {
  for (let t = from; t <= to; t++) {
    const { isPowered, isScalarDropped } = link.at(t);
    if (!isPowered || isScalarDropped) return false;
    if (model.node.serial !== fieldSerial && !model.isRunningAt(t)) return false;
  }
  return true;
}

function directSettings(settings: AlarmSettings): AlarmSettings {
  return { ...settings, activeVoltages: [true, false, false], activeCurrents: [true, false, false] };
}

function scalarsOf(node: PlantNode, from: number, to: number): Scalar[] {
  return Array.from(backfill(node, from, to), ({ epochSeconds: at, values }) => ({
    at,
    currents: [values[scalarField.i1]!, values[scalarField.i2]!, values[scalarField.i3]!] as const,
    voltages: [values[scalarField.v1]!, values[scalarField.v2]!, values[scalarField.v3]!] as const,
  }));
}
