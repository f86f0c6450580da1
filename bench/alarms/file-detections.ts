import type { AlarmSettings } from "@busbar/alarms/alarm-settings.ts";
import type { HarmonicSignature } from "@busbar/alarms/harmonic-signature.ts";
import type { AlarmChange } from "@busbar/alarms/node-alarms.ts";
import { judgeRecord, type DataRecord } from "@busbar/alarms/record-alarms.ts";
import { judgeSeconds } from "@busbar/alarms/second-alarms.ts";
import { currentSpectrum, totalDistortion, voltageSpectrum } from "@busbar/simulator/files/harmonic-spectrum.ts";
import { intervalStatistics } from "@busbar/simulator/files/interval-statistics.ts";
import type { PlantNode } from "@busbar/simulator/node-model/plant.ts";
import type { SecondBySecond } from "./definition.ts";

const intervalSeconds = 900;
const hourSeconds = 3_600;
const orders = 25;

/** Of the drives and rectifiers: the 5th and the 7th together. */
const sixPulseSignature = (frequency: number): HarmonicSignature => ({
  name: "Six-pulse",
  frequencies: [5 * frequency, 7 * frequency],
});

/** What DataAnalysis finds in the data points and one-second files that a node makes of its days. */
export function detectionsFromFiles(seed: number, node: PlantNode, seconds: SecondBySecond, settings: AlarmSettings): AlarmChange[] {
  const open = new Set<string>();
  const starts: { at: number; count: number }[] = [];
  const found: AlarmChange[] = [];
  const signatures = [sixPulseSignature(node.model.node.npFrequency)];
  for (let begin = 0; begin + intervalSeconds <= seconds.isPowered.length; begin += intervalSeconds) {
    const record = recordOf(seed, node, seconds.from + begin);
    if (!record) continue;
    starts.push({ at: record.at, count: record.starts });
    while (starts[0]!.at <= record.at - hourSeconds) starts.shift();
    const startsPerHour = starts.reduce((sum, { count }) => sum + count, 0);
    for (const change of judgeRecord({ ...record, startsPerHour }, settings, signatures, open)) {
      if (change.change === "raised") open.add(change.kind);
      else open.delete(change.kind);
      found.push(change);
    }
    found.push(...judgeSeconds(seriesOf(seconds, begin), settings));
  }
  return found;
}

type RecordOfInterval = Omit<DataRecord, "startsPerHour"> & { starts: number };

function recordOf(seed: number, plantNode: PlantNode, from: number): RecordOfInterval | undefined {
  const statistics = intervalStatistics(plantNode, from, intervalSeconds, false);
  if (!statistics) return undefined;
  const { node, machine } = plantNode.model;
  const interval = Math.floor(from / intervalSeconds);
  const spectra = [1, 2, 3].map((phase) => currentSpectrum(seed, node, machine, phase, interval, orders));
  return {
    at: from + intervalSeconds,
    voltageThd: [1, 2, 3].map((phase) => totalDistortion(voltageSpectrum(seed, node, machine, phase, interval, orders))),
    currentThd: spectra.map(totalDistortion),
    meanCurrent: statistics.current[0]!.average,
    lineFrequency: statistics.lineFrequency.average,
    currentHarmonics: spectra.map(({ percent }) => percent),
    starts: statistics.starts,
  };
}

function seriesOf({ from, currents, voltages, isDisturbed, isPowered }: SecondBySecond, begin: number) {
  const cut = (values: Float64Array) =>
    values.slice(begin, begin + intervalSeconds).map((value, second) => (isPowered[begin + second] === 1 ? value : Number.NaN));
  return {
    from: from + begin,
    length: intervalSeconds,
    currents: currents.map(cut),
    voltages: voltages.map(cut),
    isDisturbed: isDisturbed.slice(begin, begin + intervalSeconds),
  };
}
