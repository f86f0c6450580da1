import { alarmKinds, scalarAlarmKinds, type AlarmKind } from "@busbar/alarms/alarm-kinds.ts";
import type { AlarmSettings } from "@busbar/alarms/alarm-settings.ts";
import { createNodeAlarms, type AlarmChange } from "@busbar/alarms/node-alarms.ts";
import { scalarFlagBits } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { makeFleet } from "@busbar/simulator/make-fleet.ts";
import { backfill } from "@busbar/simulator/node-model/backfill.ts";
import { createPlant, type PlantNode } from "@busbar/simulator/node-model/plant.ts";
import { createScalarRow, scalarField } from "@busbar/simulator/node-model/scalar-row.ts";
import type { SimNode } from "@busbar/simulator/node-model/sim-node.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatPercent } from "../lib/format-figure.ts";
import { createReport, type Report } from "../lib/report.ts";
import { episodesByDefinition, type Episode, type SecondBySecond } from "./definition.ts";
import { compareFieldPairs } from "./field-pairs.ts";
import { detectionsFromFiles } from "./file-detections.ts";
import { compareWithTruth } from "./file-truth.ts";
import { stageNodes } from "./staged-nodes.ts";
import { summarize } from "./summary.ts";
import { createTally, exclude, precisionOf, recallOf, type Tally } from "./tally.ts";

const seed = 268;
const firstDay = Date.UTC(2026, 5, 1) / 1000;
const daySeconds = 86_400;
const sampleSeconds = 10;
/** Faults of the mix per year, times this: a day has what half a year has. */
const faultScale = 180;
/** An episode this close to its limit may fall on either side with one reading in ten seconds. */
const marginalExcess = 0.05;
/** Shorter than two readings: not to be seen. */
const seenSeconds = 2 * sampleSeconds;
const toleranceSeconds = 150;
const targetShare = 0.95;

/** Detections from one reading in ten seconds, with losses, against what the definitions say of every second; and the engine's cost. */
export async function benchAlarms(context: BenchContext): Promise<Report> {
  const fleet = makeFleet({ seed, count: context.isShort ? 4 : 160, firstSerial: 20_000 });
  const nodes = fleet.filter(({ equipmentType }) => equipmentType === "InductionMotor").map((node) => ({ ...node, quirks: {} }));
  const days = context.isShort ? 1 : 4;
  const plant = createPlant({ seed, nodes, faultScale, script: [] });
  const tallies = new Map<AlarmKind, Tally>(alarmKinds.map((kind) => [kind, createTally()]));
  const to = firstDay + days * daySeconds;
  const staged = stageNodes(seed, context.isShort ? 3 : 30, firstDay);
  const faults = [plant, staged].flatMap((one) => one.faultsStartingIn(firstDay, to));
  let readings = 0;
  let engineMs = 0;
  for (const [serial, node] of [...plant.nodes, ...staged.nodes]) {
    context.say(`node ${serial}`);
    const settings = settingsOf(node.model.node);
    const seconds = everySecond(node, days);
    const episodes = episodesByDefinition(seconds, settings);
    const nearly = episodesByDefinition(seconds, lowered(settings, 1 - marginalExcess), sampleSeconds);
    const scalars = Array.from(backfill(node, firstDay, firstDay + days * daySeconds), ({ epochSeconds: at, values }) => ({
      at,
      currents: [values[scalarField.i1]!, values[scalarField.i2]!, values[scalarField.i3]!] as const,
      voltages: [values[scalarField.v1]!, values[scalarField.v2]!, values[scalarField.v3]!] as const,
    }));
    const startedAt = performance.now();
    const alarms = createNodeAlarms(settings, sampleSeconds);
    const changes = scalars.flatMap((scalar) => alarms.addScalar(scalar));
    engineMs += performance.now() - startedAt;
    readings += scalars.length;
    compare(tallies, { episodes, nearly }, changes, gapsIn(scalars.map(({ at }) => at - firstDay)));
    const { facilityKey } = node.model.node;
    const ofNode = faults.filter((fault) => fault.serial === serial || fault.facilityKey === facilityKey);
    const found = detectionsFromFiles(seed, node, seconds, settings);
    compareWithTruth(tallies, { plantNode: node, seconds, settings, faults: ofNode }, found);
  }
  context.say("fields");
  const pairs = context.isShort ? 4 : 40;
  compareFieldPairs(tallies.get("fieldLoss")!, { seed, pairs, faultScale, from: firstDay, to, sampleSeconds, settingsOf });
  const report = reportOf(tallies, {
    nodes: plant.nodes.size + staged.nodes.size,
    others: fleet.length - nodes.length,
    days,
    readings,
    engineMs,
  });
  // A short run has too few episodes to judge by.
  for (const [kind, tally] of context.isShort ? [] : tallies) {
    for (const [name, share, count] of [
      ["recall", recallOf(tally), tally.detected + tally.missed],
      ["precision", precisionOf(tally), tally.right + tally.wrong],
    ] as const) {
      if (count > 0 && share < targetShare)
        report.failures.push(`${kind}: ${name} ${formatPercent(share)}, target ${formatPercent(targetShare)}`);
    }
  }
  return report;
}

function settingsOf({ npVoltage, npCurrent }: SimNode): AlarmSettings {
  return {
    isField: false,
    npVoltage,
    npCurrent,
    voltageNoise: 5,
    currentNoise: 0.01 * npCurrent,
    startSeconds: 10,
    activeVoltages: [true, true, true],
    activeCurrents: [true, true, true],
    voltageImbalanceThreshold: 10,
    currentImbalanceThreshold: 10,
    voltageThdThreshold: 10,
    currentThdThreshold: 10,
    overVoltageThreshold: 8,
    underVoltageThreshold: 10,
    shortTermOverCurrentThreshold: 15,
    shortTermOverCurrentAveragingPeriod: 5,
    longTermOverCurrentThreshold: 15,
    longTermOverCurrentAveragingPeriod: 5,
    stopEventOfInterestThreshold: 72,
    lossOfPhaseTransientThreshold: 500,
    viMinimumVoltageThreshold: 0,
    underloadPercent: 40,
    startsPerHour: 6,
    signaturePercent: 3,
  };
}

/** The same with limits that are met a little earlier. */
function lowered(settings: AlarmSettings, factor: number): AlarmSettings {
  return {
    ...settings,
    voltageImbalanceThreshold: settings.voltageImbalanceThreshold * factor,
    currentImbalanceThreshold: settings.currentImbalanceThreshold * factor,
    overVoltageThreshold: settings.overVoltageThreshold * factor,
    underVoltageThreshold: settings.underVoltageThreshold * factor,
    shortTermOverCurrentThreshold: settings.shortTermOverCurrentThreshold * factor,
    longTermOverCurrentThreshold: settings.longTermOverCurrentThreshold * factor,
    stopEventOfInterestThreshold: settings.stopEventOfInterestThreshold * factor,
    underloadPercent: 100 - (100 - settings.underloadPercent) * factor,
  };
}

function everySecond({ model, link }: PlantNode, days: number): SecondBySecond {
  const length = days * daySeconds;
  const series = () => Array.from({ length: 3 }, () => new Float64Array(length));
  const [currents, voltages] = [series(), series()];
  const [isDisturbed, isPowered] = [new Uint8Array(length), new Uint8Array(length)];
  const row = createScalarRow();
  for (let at = 0; at < length; at++) {
    model.scalarAt(firstDay + at, row);
    isDisturbed[at] = row[scalarField.flag]! & scalarFlagBits.isPqEventActive ? 1 : 0;
    isPowered[at] = link.at(firstDay + at).isPowered ? 1 : 0;
    for (let phase = 0; phase < 3; phase++) {
      currents[phase]![at] = row[scalarField.i1 + phase]!;
      voltages[phase]![at] = row[scalarField.v1 + phase]!;
    }
  }
  return { from: firstDay, currents, voltages, isDisturbed, isPowered };
}

/** Times without readings, in seconds from the beginning. */
function gapsIn(times: readonly number[]): { start: number; end: number }[] {
  return times.flatMap((time, index) => {
    const before = times[index - 1] ?? 0;
    return time - before > 2 * sampleSeconds ? [{ start: before, end: time }] : [];
  });
}

function compare(
  tallies: Map<AlarmKind, Tally>,
  { episodes, nearly }: { episodes: readonly Episode[]; nearly: readonly Episode[] },
  changes: readonly AlarmChange[],
  gaps: readonly { start: number; end: number }[],
): void {
  const isNear = (episode: Episode, at: number) => at >= episode.start - toleranceSeconds && at <= episode.end + toleranceSeconds;
  const isUnseen = (from: number, to: number) => gaps.some(({ start, end }) => start < to + 360 && end > from - 360);
  for (const kind of scalarAlarmKinds) {
    // Fields have a comparison of their own.
    if (kind === "fieldLoss") continue;
    const tally = tallies.get(kind)!;
    const raised = changes.filter((change) => change.kind === kind && change.change === "raised").map(({ at }) => at - firstDay);
    const cleared = changes.filter((change) => change.kind === kind && change.change === "cleared").map(({ at }) => at - firstDay);
    const isOpenAt = (at: number) => raised.filter((time) => time <= at).length > cleared.filter((time) => time <= at).length;
    const ofKind = episodes.filter((episode) => episode.kind === kind);
    for (const episode of ofKind) {
      const isShort = kind !== "stopOfInterest" && episode.end - episode.start < seenSeconds;
      if (episode.excess < marginalExcess) exclude(tally, "episodes within 5 % of the limit");
      else if (isShort) exclude(tally, "episodes shorter than two readings");
      else if (isUnseen(episode.start, episode.end)) exclude(tally, "episodes about a gap in the readings");
      else if (isOpenAt(episode.start) || raised.some((at) => isNear(episode, at))) tally.detected++;
      else tally.missed++;
    }
    for (const at of raised) {
      if (isUnseen(at - 300, at)) exclude(tally, "alarms about a gap in the readings");
      else if (ofKind.some((episode) => isNear(episode, at))) tally.right++;
      else if (!nearly.some((episode) => episode.kind === kind && isNear(episode, at))) tally.wrong++;
      else exclude(tally, "alarms within 5 % of the limit or about a change of load");
    }
  }
}

function reportOf(
  tallies: ReadonlyMap<AlarmKind, Tally>,
  { nodes, others, days, readings, engineMs }: { nodes: number; others: number; days: number; readings: number; engineMs: number },
): Report {
  const report = createReport(
    "alarms",
    "detections from readings, records and seconds against the truth log and the definitions applied to every second",
  );
  const { tables, notes, facts, failures } = summarize(tallies);
  report.tables.push(...tables);
  report.failures.push(...failures);
  // 10,000 nodes at a reading per 10 s are 1,000 readings a second.
  const coreShare = (engineMs / 1000 / readings) * 1000;
  report.notes.push(
    ...notes,
    `${nodes} nodes over ${days} days, faults ${faultScale} times as often as by default, and machines on which each fault happens once. Values within ${formatPercent(marginalExcess)} of a limit, and minutes whose load changes within a reading of their edge, count for neither side. Left out: ${others} nodes of the fleet that are no induction motors.`,
    `The engine takes ${formatPercent(coreShare)} of a core for 10,000 nodes at a reading per 10 s, without reading them from the database.`,
  );
  report.facts = {
    ...facts,
    engineCoreShare: coreShare,
  };
  return report;
}
