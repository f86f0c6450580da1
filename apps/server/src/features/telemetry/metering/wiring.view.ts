import type { NodeWiring, WiringPhasors } from "@busbar/contract/telemetry/node-wiring.ts";
import { formatLocalTime } from "@busbar/contract/values/format-local-time.ts";
import { scalarFlagBits } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { judgeWiring } from "@busbar/metering/judge-wiring.ts";
import { currentNoise } from "@busbar/metering/noise.ts";
import type { PhaseValues } from "@busbar/metering/phases.ts";
import { wiringWords } from "@busbar/metering/wiring-words.ts";
import type { WiredMachine, WiringPhasors as Phasors, WiringReadings } from "@busbar/metering/wiring.ts";
import { wholeSeconds } from "#lib/whole-seconds.ts";
import { lateAfterSeconds } from "#shared/late-after.ts";
import { readScalarText } from "./meter-values.ts";
import type { WiredNode } from "./wiring.read-model.ts";

/** The wiring of a node as the API shows it. */
export function toNodeWiring(node: WiredNode, nowSeconds: number): NodeWiring {
  const timezone = node.timezone ?? "UTC";
  const machine = machineOf(node);
  const answer: NodeWiring = {
    serialNumber: String(node.serial),
    outcome: "none",
    sentence: "",
    actions: [],
    candidates: [],
    notShown: [],
    timestamp: wholeSeconds(node.scalarAt),
    timezone,
    currentNoise: machine.currentNoise,
    values: null,
    is: null,
    ought: null,
  };
  const none = (sentence: string): NodeWiring => ({ ...answer, sentence });
  if (node.slot !== 1)
    return none(
      node.slot === 2
        ? "This node measures a field winding, which has no phases."
        : "This node is at no location, so it is not known what it measures.",
    );
  if (node.equipmentType === "DCMotor") return none("A direct current has no phases that could be exchanged.");
  if (node.scalarAt === null) return none("No values have come from this node yet.");
  const readings = readingsOf(node);
  if (!readings) return none("Not all three voltages, currents and powers are measured, so the wiring cannot be judged.");
  const values = { lineToLine: [...readings.lineToLine], currents: [...readings.currents], kw: [...readings.kw], kvar: [...readings.kvar] };
  if (nowSeconds - node.scalarAt > lateAfterSeconds(node.scalarInterval)) {
    const sentence = `The values are too old to tell: the last ones are of ${formatLocalTime(node.scalarAt, timezone)}.`;
    return { ...answer, outcome: "old", sentence, values };
  }
  const verdict = judgeWiring(readings, machine);
  const { sentence, actions, candidates, notShown } = wiringWords(verdict);
  return {
    ...answer,
    outcome: verdict.outcome,
    sentence,
    actions: [...actions],
    candidates: [...candidates],
    notShown: [...notShown],
    values,
    is: inDegrees(verdict.is),
    ought: inDegrees(verdict.ought),
  };
}

function readingsOf({ lastScalarData, active, currentThd }: WiredNode): WiringReadings | undefined {
  const { flag, voltages, currents, kw, kvar } = readScalarText(lastScalarData);
  const all = [voltages, currents, kw, kvar];
  if (!active || !all.every((values) => values.every((value) => value !== null && Number.isFinite(value)))) return undefined;
  const [lineToLine, amps, active3, reactive3] = all as unknown as [PhaseValues, PhaseValues, PhaseValues, PhaseValues];
  return {
    lineToLine,
    currents: amps,
    kw: active3,
    kvar: reactive3,
    currentThd: currentThd ?? undefined,
    isStarting: ((flag ?? 0) & scalarFlagBits.isStarting) !== 0,
  };
}

function machineOf(node: WiredNode): WiredMachine {
  const npCurrent = positive(node.npCurrent);
  return {
    kind: kindOf(node),
    npVoltage: positive(node.npVoltage),
    npCurrent,
    npHp: positive(node.npHp),
    poles: positive(node.npPoles),
    voltageNoise: numberOf(node.vNoise) ?? usualVoltageNoise,
    currentNoise: currentNoise(numberOf(node.iNoise), npCurrent),
  };
}

/** Of `v_noise`. */
const usualVoltageNoise = 5;

function kindOf({ equipmentType, starter }: WiredNode): WiredMachine["kind"] {
  if (equipmentType === "UtilityMain") return "main";
  if (equipmentType === "Rectifier") return "rectifier";
  if (equipmentType === "SynchronousMotor") return "synchronous";
  return starter === "VFD" ? "drive" : "induction";
}

const positive = (value: number | null): number | undefined => (value !== null && value > 0 ? value : undefined);
const numberOf = (text: string | null): number | undefined =>
  text !== null && text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;

function inDegrees(phasors: Phasors | undefined): WiringPhasors | null {
  if (!phasors) return null;
  const turned = (all: Phasors["voltages"]) => all.map(({ magnitude, angle }) => ({ magnitude, angle: (angle * 180) / Math.PI }));
  return { voltages: turned(phasors.voltages), currents: turned(phasors.currents) };
}
