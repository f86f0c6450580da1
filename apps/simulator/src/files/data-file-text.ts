import { createHash } from "node:crypto";
import { dataPointKeys, harmonicKey, harmonicOrders } from "@busbar/contract/files/data-point-keys.ts";
import { firmwareVersion } from "#device/metrics.ts";
import { machineKindOf } from "#node-model/machine.ts";
import type { PlantNode } from "#node-model/plant.ts";
import { createScalarRow, scalarField as f } from "#node-model/scalar-row.ts";
import { currentSpectrum, totalDistortion, voltageSpectrum, type Spectrum } from "./harmonic-spectrum.ts";
import { intervalStatistics, type IntervalStatistics, type Statistic } from "./interval-statistics.ts";

/** Which file: the interval as the node's clock has it, and the true second at which it began. */
export interface DataFileSpan {
  timestamp: number;
  startedAt: number;
  seconds: number;
}

const harmonicFileOrders = 50;
const poleFrequency = 120;

/** D: one record of key=value lines, closed by the checksum of all bytes above. Undefined when the node had no power. */
export function dataPointText(seed: number, plantNode: PlantNode, span: DataFileSpan): string | undefined {
  const { node } = plantNode.model;
  const isDirect = machineKindOf(node) === "direct";
  const statistics = intervalStatistics(plantNode, span.startedAt, span.seconds, isDirect);
  if (!statistics) return undefined;
  const values = dataPointValues(seed, plantNode, statistics, span, isDirect);
  const lines = [
    "#VDF=2",
    `serialNumber=${node.serial}`,
    `timestamp=${span.timestamp}`,
    `interval=${span.seconds}`,
    "kind=D",
    ...dataPointKeys.map((key) => `${key}=${values.get(key) ?? ""}`),
  ];
  const text = `${lines.join("\n")}\n`;
  return `${text}#MD5=${md5Of(text)}\n`;
}

export function md5Of(content: string | Uint8Array): string {
  return createHash("md5").update(content).digest("hex");
}

function dataPointValues(
  seed: number,
  { model, link }: PlantNode,
  statistics: IntervalStatistics,
  span: DataFileSpan,
  isDirect: boolean,
): Map<string, string> {
  const { node, machine } = model;
  const values = new Map<string, string>();
  const set = (key: string, value: number, digits = 3) => values.set(key, digits === 0 ? String(Math.round(value)) : value.toFixed(digits));
  const setStatistic = (name: string, { average, minimum, maximum }: Statistic) => {
    set(`${name}Avg`, average);
    set(`${name}Min`, minimum);
    set(`${name}Max`, maximum);
  };
  const setPhases = (name: string, list: readonly Statistic[]) =>
    list.forEach((one, phase) => setStatistic(phase === 0 ? name : `${name}${phase}`, one));

  const poles = isDirect ? 0 : node.poles;
  const synchronousRpm = poles > 0 ? (poleFrequency * node.npFrequency) / poles : 0;
  set("npVoltage", node.npVoltage, 1);
  set("npCurrent", node.npCurrent, 1);
  set("npHp", node.hp, 0);
  values.set("npSf", "1.15");
  set("npRunningSpeed", synchronousRpm * 0.985, 0);
  set("npFrequency", node.npFrequency, 0);
  set("npPoles", poles, 0);
  values.set("npRotorBars", "0");
  values.set("npStatorSlots", "0");

  setPhases("voltage", statistics.voltage);
  setPhases("current", statistics.current);
  setPhases("powerKw", statistics.powerKw);
  setPhases("powerKva", statistics.powerKva);
  setPhases("powerKvaR", statistics.powerKvar);
  setPhases("powerFactor", statistics.powerFactor);
  setStatistic("lineFrequency", statistics.lineFrequency);
  if (node.role === "field") {
    setStatistic("fieldVoltage", statistics.fieldVoltage);
    setStatistic("fieldCurrent", statistics.fieldCurrent);
  }
  if (!isDirect) setThreePhase(set, seed, model, statistics, span);
  set("runningSeconds", statistics.runningSeconds, 0);
  set("startCount", statistics.starts, 0);
  set("stopCount", statistics.stops, 0);
  set("ampHours", statistics.ampHours);
  set("kwh", statistics.kilowattHours);
  set("kvarh", statistics.kilovarHours);
  const isRunning = statistics.runningSeconds > 0;
  const slip = machine.kind === "induction" && isRunning ? 0.015 * Math.min(1.5, statistics.current[0]!.average / node.npCurrent) : 0;
  set("slip", slip, 4);
  set("speedRpm", isRunning ? synchronousRpm * (1 - slip) : 0, 1);
  set("cycleCount", node.loadProfile === "workCycle" ? Math.floor(statistics.runningSeconds / 60) : 0, 0);
  set("samples", statistics.samples, 0);
  set("missing", statistics.missing, 0);
  values.set("fw", firmwareVersion);
  set("seqNo", Math.floor(span.timestamp / span.seconds) % 100_000, 0);
  values.set("timeSource", link.isClockUnlocked ? "RTC" : "GPS");
  set("clockOffsetMs", link.isClockUnlocked ? 0 : link.at(span.startedAt).clockOffsetMs, 0);
  return values;
}

function setThreePhase(
  set: (key: string, value: number, digits?: number) => void,
  seed: number,
  { node, machine }: PlantNode["model"],
  { voltage, current, runningSeconds }: IntervalStatistics,
  span: DataFileSpan,
): void {
  const averages = (list: readonly Statistic[]) => list.slice(1).map(({ average }) => average);
  set("voltageImbalance", imbalance(averages(voltage)));
  set("voltageU2", negativeSequence(averages(voltage)));
  if (runningSeconds > 0) {
    set("currentImbalance", imbalance(averages(current)));
    set("currentU2", negativeSequence(averages(current)));
  }
  const interval = Math.floor(span.timestamp / span.seconds);
  for (let phase = 1; phase <= 3; phase++) {
    const volts = voltageSpectrum(seed, node, machine, phase, interval, harmonicOrders);
    const amps = currentSpectrum(seed, node, machine, phase, interval, harmonicOrders);
    set(`voltageThd${phase}`, totalDistortion(volts));
    set(`currentThd${phase}`, totalDistortion(amps));
    const fundamental = current[phase]!.average / Math.sqrt(1 + (totalDistortion(amps) / 100) ** 2);
    for (let order = 1; order <= harmonicOrders; order++) {
      set(harmonicKey(`V${phase}`, order), volts.percent[order - 1]!);
      set(harmonicKey(`I${phase}`, order), (fundamental * amps.percent[order - 1]!) / 100);
    }
  }
}

/** NEMA MG-1: the largest deviation from the mean in percent of it. */
function imbalance(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return mean === 0 ? 0 : (100 * Math.max(...values.map((value) => Math.abs(value - mean)))) / mean;
}

/** IEC 61000-4-30, from three magnitudes. */
function negativeSequence(values: readonly number[]): number {
  const squares = values.reduce((sum, value) => sum + value ** 2, 0);
  if (squares === 0) return 0;
  const beta = values.reduce((sum, value) => sum + value ** 4, 0) / squares ** 2;
  const root = Math.sqrt(Math.max(0, 3 - 6 * beta));
  return 100 * Math.sqrt((1 - root) / (1 + root));
}

/** S: a row per second; a second without power is a row of empty cells. */
export function oneSecondText({ model, link }: PlantNode, span: DataFileSpan): string | undefined {
  const row = createScalarRow();
  const offset = span.timestamp - span.startedAt;
  const lines = [...header(model.node.serial, span, "S", ["#rate=1"]), "t,lf,i1,i2,i3,v1,v2,v3,p1,p2,p3,flag"];
  let measured = 0;
  for (let t = span.startedAt; t < span.startedAt + span.seconds; t++) {
    if (!link.at(t).isPowered) {
      lines.push(`${t + offset},,,,,,,,,,,`);
      continue;
    }
    measured++;
    model.scalarAt(t, row);
    let line = String(t + offset);
    for (let field = f.lf; field <= f.p3; field++) line += `,${row[field]!.toFixed(field === f.lf ? 4 : 3)}`;
    lines.push(`${line},${row[f.flag]!}`);
  }
  return measured === 0 ? undefined : `${lines.join("\n")}\n`;
}

/** H: magnitude and angle of each order on each channel: volts and amperes, degrees. */
export function harmonicsText(seed: number, plantNode: PlantNode, span: DataFileSpan): string | undefined {
  const { model } = plantNode;
  const { node, machine } = model;
  if (machineKindOf(node) === "direct") return undefined;
  const row = createScalarRow();
  if (!plantNode.link.at(span.startedAt).isPowered) return undefined;
  model.scalarAt(span.startedAt, row);
  const lines = [...header(node.serial, span, "H", []), "t,ch,h,mag,angleDeg"];
  const interval = Math.floor(span.timestamp / span.seconds);
  const add = (channel: string, fundamental: number, { percent, angle }: Spectrum) =>
    percent.forEach((share, index) =>
      lines.push(`${span.timestamp},${channel},${index + 1},${((fundamental * share) / 100).toFixed(4)},${angle[index]!.toFixed(1)}`),
    );
  for (let phase = 1; phase <= 3; phase++) {
    add(`V${phase}`, row[f.v1 + phase - 1]!, voltageSpectrum(seed, node, machine, phase, interval, harmonicFileOrders));
  }
  for (let phase = 1; phase <= 3; phase++) {
    const spectrum = currentSpectrum(seed, node, machine, phase, interval, harmonicFileOrders);
    add(`I${phase}`, row[f.i1 + phase - 1]! / Math.sqrt(1 + (totalDistortion(spectrum) / 100) ** 2), spectrum);
  }
  return `${lines.join("\n")}\n`;
}

function header(serial: number, span: DataFileSpan, kind: string, more: readonly string[]): string[] {
  return ["#VDF=2", `#serialNumber=${serial}`, `#timestamp=${span.timestamp}`, `#interval=${span.seconds}`, ...more, `#kind=${kind}`];
}
