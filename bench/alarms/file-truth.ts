import type { AlarmKind } from "@busbar/alarms/alarm-kinds.ts";
import type { AlarmSettings } from "@busbar/alarms/alarm-settings.ts";
import type { AlarmChange } from "@busbar/alarms/node-alarms.ts";
import { isResonating } from "@busbar/simulator/files/harmonic-spectrum.ts";
import { sagMultipliers } from "@busbar/simulator/node-model/electrical-effect.ts";
import type { Fault } from "@busbar/simulator/node-model/fault.ts";
import type { PlantNode } from "@busbar/simulator/node-model/plant.ts";
import type { SecondBySecond } from "./definition.ts";
import { exclude, type Tally } from "./tally.ts";

/** A sag whose second falls by less drowns in the noise of the grid. */
const leastFall = 0.001;
/** A sag of about the longest time that is one may count for either. */
const surelySagSeconds = 55;
const hourSeconds = 3_600;
const intervalSeconds = 900;
/** Sags and transients this close together are one. */
const mergedSeconds = 62;

export interface FileTruth {
  plantNode: PlantNode;
  seconds: SecondBySecond;
  settings: AlarmSettings;
  /** Of the node and its facility. */
  faults: readonly Fault[];
}

/** Compares what was found in files with the truth log and with what every second holds. */
export function compareWithTruth(tallies: ReadonlyMap<AlarmKind, Tally>, truth: FileTruth, changes: readonly AlarmChange[]): void {
  const of = (kind: AlarmKind, change: AlarmChange["change"] = "raised") =>
    changes.filter((one) => one.kind === kind && one.change === change).map(({ at }) => at);
  const score = (kind: AlarmKind, side: "detected" | "missed" | "right" | "wrong") => tallies.get(kind)![side]++;

  const sags = truth.faults.filter(({ kind }) => kind === "sag");
  const raisedSags = of("voltageSag");
  for (const sag of sags) {
    const isFound = raisedSags.some((at) => at > sag.start - mergedSeconds && at < sag.start + sag.durationSeconds + 2);
    if (isVisibleSag(sag, truth)) score("voltageSag", isFound ? "detected" : "missed");
    else exclude(tallies.get("voltageSag")!, "drowns in the noise, lasts about a minute or was not measured");
  }
  for (const at of raisedSags) score("voltageSag", sags.some((sag) => isAround(at, sag, 2)) || isLowAt(truth, at) ? "right" : "wrong");

  const simulated = [
    ["lossOfPhaseTransient", "phaseBlink", mergedSeconds, 5],
    ["longStart", "longStart", 5, 0],
    ["frequentStarts", "frequentStarts", 0, intervalSeconds],
  ] as const;
  for (const [kind, faultKind, before, after] of simulated) {
    const faults = truth.faults.filter((fault) => fault.kind === faultKind);
    const raised = of(kind);
    const isOpenAt = (at: number) => raised.filter((time) => time <= at).length > of(kind, "cleared").filter((time) => time <= at).length;
    for (const fault of faults) {
      if (!isShown(fault, truth)) {
        exclude(tallies.get(kind)!, "stopped, not measured or in another fault");
        continue;
      }
      const isFound = raised.some((at) => at > fault.start - before && at < fault.start + fault.durationSeconds + after);
      score(kind, isFound || (kind === "frequentStarts" && isOpenAt(fault.start)) ? "detected" : "missed");
    }
    for (const at of raised) score(kind, isDefined(kind, truth, at) ? "right" : "wrong");
  }
  compareDistortion(tallies, truth, changes);
}

const isAround = (at: number, { start, durationSeconds }: Fault, slack: number) =>
  at > start - slack - 1 && at < start + durationSeconds + slack;

function isVisibleSag({ start, durationSeconds, params }: Fault, { seconds }: FileTruth): boolean {
  const { voltage = 1, sagType = "A", phase = 1 } = params;
  const second = Math.floor(start) - seconds.from;
  const share = Math.min(durationSeconds, 1 - (start - Math.floor(start)), 1);
  const multiplier = Math.min(...sagMultipliers(voltage, sagType, phase));
  const fall = 1 - Math.sqrt(1 - Math.max(share, Math.min(1, durationSeconds - share)) * (1 - multiplier ** 2));
  return durationSeconds < surelySagSeconds && fall > leastFall && isMeasured(seconds, second - 1, second + 2 + durationSeconds);
}

const isMeasured = ({ isPowered }: SecondBySecond, from: number, to: number): boolean =>
  isPowered.slice(Math.max(0, from), to).every((is) => is === 1);

/** Whether a fault of the machine shows in its files: it ran, the node had power, and no other stop came in between. */
function isShown({ start, durationSeconds, params }: Fault, { plantNode, seconds, faults, settings }: FileTruth): boolean {
  const end = start + durationSeconds + 3;
  const from = Math.floor(start) - seconds.from;
  const isDisturbed = faults.some(
    (other) =>
      other.start !== start && other.start < end && other.start + other.durationSeconds + (other.params.repairSeconds ?? 120) > start - 120,
  );
  const ranBefore = seconds.currents.every((phase) => phase[from - 1]! > settings.currentNoise);
  return (
    !isDisturbed &&
    params !== undefined &&
    ranBefore &&
    plantNode.model.isRunningAt(Math.floor(end) + 60) &&
    isMeasured(seconds, from - 1, end - seconds.from)
  );
}

function isLowAt({ seconds, settings }: FileTruth, at: number): boolean {
  const second = at - seconds.from;
  const np = settings.npVoltage ?? Number.NaN;
  return [0, 1, 2].some((ahead) => seconds.voltages.some((line) => line[second + ahead]! < 0.9 * np));
}

/** What the definition says of a moment, from every second of the day, whatever files it was cut into. */
function isDefined(kind: "lossOfPhaseTransient" | "longStart" | "frequentStarts", truth: FileTruth, at: number): boolean {
  const { seconds, settings } = truth;
  const second = at - seconds.from;
  const mean = (index: number) => seconds.currents.reduce((sum, phase) => sum + phase[index]!, 0) / 3;
  const npCurrent = settings.npCurrent ?? Number.NaN;
  if (kind === "longStart") {
    let length = 0;
    while (mean(second + length) > 1.5 * npCurrent) length++;
    return mean(second - 1) <= settings.currentNoise && length > settings.startSeconds;
  }
  if (kind === "lossOfPhaseTransient") return truth.faults.some((fault) => fault.kind === "phaseBlink" && isAround(at, fault, 3));
  let starts = 0;
  for (let index = Math.max(1, second - hourSeconds); index < second; index++)
    if (mean(index) > settings.currentNoise && mean(index - 1) <= settings.currentNoise) starts++;
  return starts > settings.startsPerHour;
}

/** Drives and rectifiers distort the current whenever they are loaded, a resonance the voltage, nothing else does; each quarter of an hour counts. */
function compareDistortion(
  tallies: ReadonlyMap<AlarmKind, Tally>,
  { plantNode, seconds, settings }: FileTruth,
  changes: readonly AlarmChange[],
): void {
  const { kind: machine } = plantNode.model.machine;
  const quirks = plantNode.model.node.quirks;
  const isDistorting = machine === "drive" || machine === "rectifier";
  const limit = 0.25 * (settings.npCurrent ?? Number.NaN);
  for (const kind of ["voltageThd", "currentThd", "harmonicSignature"] as const) {
    const tally = tallies.get(kind)!;
    const ofKind = changes.filter((change) => change.kind === kind);
    for (let begin = 0; begin + intervalSeconds <= seconds.isPowered.length; begin += intervalSeconds) {
      const at = seconds.from + begin + intervalSeconds;
      const isRaised = ofKind.findLast((change) => change.at <= at)?.change === "raised";
      if (!isMeasured(seconds, begin, begin + intervalSeconds)) {
        exclude(tally, "quarters of an hour not measured throughout");
        continue;
      }
      const square = (phase: Float64Array) => phase.subarray(begin, begin + intervalSeconds).reduce((sum, value) => sum + value * value, 0);
      const current = seconds.currents.reduce((sum, phase) => sum + Math.sqrt(square(phase) / intervalSeconds), 0) / 3;
      if (kind !== "voltageThd" && Math.abs(current / limit - 1) < 0.05) {
        exclude(tally, "quarters of an hour with a load about the least that is judged");
        continue;
      }
      const isThere =
        kind === "voltageThd"
          ? quirks.hasResonance === true && isResonating((seconds.from + begin) / intervalSeconds)
          : isDistorting && current > limit;
      if (isThere) tally[isRaised ? "detected" : "missed"]++;
      if (isRaised) tally[isThere ? "right" : "wrong"]++;
    }
  }
}
