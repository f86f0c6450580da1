import { judgeWiring } from "@busbar/metering/judge-wiring.ts";
import { symmetricalComponents, magnitudeOf, polar } from "@busbar/metering/complex.ts";
import { lineToNeutralPhasors } from "@busbar/metering/voltage.ts";
import type { WiredMachine, WiredMachineKind, WiringFault, WiringReadings, WiringVerdict } from "@busbar/metering/wiring.ts";
import { makeFleet } from "@busbar/simulator/make-fleet.ts";
import type { Fault } from "@busbar/simulator/node-model/fault.ts";
import { loadPoint, machineKindOf, type MachineKind } from "@busbar/simulator/node-model/machine.ts";
import { createPlant } from "@busbar/simulator/node-model/plant.ts";
import { between } from "@busbar/simulator/node-model/random.ts";
import { createScalarRow, scalarField as f, type ScalarRow } from "@busbar/simulator/node-model/scalar-row.ts";
import type { SimNode } from "@busbar/simulator/node-model/sim-node.ts";
import type { Wiring } from "@busbar/simulator/node-model/wiring.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatPercent } from "../lib/format-figure.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";
import { injections, type Injected } from "./injected-wiring.ts";

const seed = 11;
const startedAt = 1_770_000_000;
const targetShare = 0.98;
/** Per unit of rated load. */
const loads = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2];

type Answer = "named" | "open" | "wrong";

/** One machine at one load behind one wiring, and what was made of it. */
interface Case {
  injected: Injected;
  kind: WiredMachineKind;
  load: number;
  serial: number;
  /** Whether its values can show what was injected. */
  isDecidable: boolean;
  answer: Answer;
  words: string;
}

/** What is named of what is injected between simulated machines and their nodes: every fault, machines of every kind, loads from 20 % to 120 %. */
export async function benchCommissioning({ isShort }: BenchContext): Promise<Report> {
  const machines = isShort ? 24 : 200;
  const nodes = makeFleet({ seed, count: 2 * machines, firstSerial: 40_000, nodesPerFacility: 3 })
    .filter(({ equipmentType }) => equipmentType !== "DCMotor")
    .slice(0, machines)
    .map((node): SimNode => ({ ...node, shift: "continuous", loadProfile: "steady", quirks: {} }));
  const cases = nodes.flatMap((node, index) => casesOf(node, index, isShort));
  return reportOf(cases, nodes.length);
}

function casesOf(node: SimNode, index: number, isShort: boolean): Case[] {
  const row = createScalarRow();
  const kind = kinds[machineKindOf(node)];
  if (kind === undefined) return [];
  const machine = wiredMachine(node, kind);
  // Over the fleet every fault meets every load.
  const chosen = isShort ? loads.filter((_, place) => (place + index) % 4 === 0) : loads;
  return chosen.flatMap((load, place) => {
    const at = startedAt + 3_600 * (1 + index) + 61 * place;
    const distortion = measure(node, {}, load, at, row);
    if (distortion === undefined) return [];
    const negative = negativeShare(row);
    return injections.map((injected, which): Case => {
      measure(node, injected.wiring, load, at, row);
      const readings = readingsOf(row, node, at, index % 2 === 0 ? distortion : undefined, which);
      const verdict = judgeWiring(readings, machine);
      const isDecidable = canShow(injected, kind, load, negative);
      return { injected, kind, load, serial: node.serial, isDecidable, ...answerOf(verdict, injected) };
    });
  });
}

const kinds: Partial<Record<MachineKind, WiredMachineKind>> = {
  induction: "induction",
  synchronous: "synchronous",
  drive: "drive",
  rectifier: "rectifier",
  feeder: "main",
};

const wiredMachine = (node: SimNode, kind: WiredMachineKind): WiredMachine => ({
  kind,
  npVoltage: node.npVoltage,
  npCurrent: node.npCurrent,
  npHp: node.hp > 0 ? node.hp : undefined,
  poles: node.poles,
  voltageNoise: 5,
  currentNoise: node.npCurrent / 100,
});

/** A steady load, up to 1.5 % voltage lost in a joint of one phase, and the wiring. @returns the current's harmonic distortion, per unit; undefined while it rests */
function measure(node: SimNode, wiring: Wiring, load: number, at: number, row: ScalarRow): number | undefined {
  const lasting = (kind: Fault["kind"], params: Fault["params"]): Fault => ({
    kind,
    start: at - 200 * 86_400,
    durationSeconds: 400 * 86_400,
    facilityKey: undefined,
    serial: node.serial,
    params,
    source: "script",
  });
  const joint = { phase: 1 + (node.serial % 3), voltageLossPercent: between(0, 3, seed, node.serial, 1, 0) };
  const script = [lasting("overload", { load }), lasting("imbalance", joint), lasting("miswired", { wiring })];
  const { model } = createPlant({ seed, nodes: [node], faultScale: 0, script }).nodes.get(node.serial)!;
  model.scalarAt(at, row);
  if (row[f.running] !== 1) return undefined;
  return loadPoint(model.machine, load, node.npVoltage, { powerKw: 0, reactiveKvar: 0, current: 0, slip: 0, distortion: 0 }).distortion;
}

/** As instruments of the usual class give it: currents within 0.5 % and half a degree. */
function readingsOf(row: ScalarRow, node: SimNode, at: number, distortion: number | undefined, which: number): WiringReadings {
  const error = (channel: number) => between(-1, 1, seed, node.serial, 300 + channel, at * 64 + which);
  const gains = [0, 1, 2].map((phase) => 1 + 0.005 * error(phase));
  const turns = [0, 1, 2].map((phase) => (0.5 * error(3 + phase) * Math.PI) / 180);
  const three = (valueOf: (phase: number) => number) => [valueOf(0), valueOf(1), valueOf(2)] as const;
  return {
    lineToLine: three((phase) => row[f.v1 + phase]!),
    currents: three((phase) => row[f.i1 + phase]! * gains[phase]!),
    kw: three((phase) => gains[phase]! * (row[f.p1 + phase]! * Math.cos(turns[phase]!) - row[f.q1 + phase]! * Math.sin(turns[phase]!))),
    kvar: three((phase) => gains[phase]! * (row[f.q1 + phase]! * Math.cos(turns[phase]!) + row[f.p1 + phase]! * Math.sin(turns[phase]!))),
    currentThd: distortion !== undefined ? three(() => 100 * distortion) : undefined,
    isStarting: false,
  };
}

function negativeShare(row: ScalarRow): number {
  const angles = lineToNeutralPhasors([row[f.v1]!, row[f.v2]!, row[f.v3]!]).map(({ angle }) => angle);
  const current = (k: number) => polar(row[f.i1 + k]!, angles[k]! - Math.atan2(row[f.q1 + k]!, row[f.p1 + k]!));
  const { positive, negative } = symmetricalComponents([current(0), current(1), current(2)]);
  return magnitudeOf(negative) / magnitudeOf(positive);
}

/**
 * What cannot be seen, whoever looks: the rotation in currents that are even or in a main, whose neutral carries their sum; the CT ratio of what draws no
 * certain current, and of a motor above half load, where the power factor hardly changes; a machine that generates beside one whose CTs are all turned.
 */
function canShow({ faults }: Injected, kind: WiredMachineKind, load: number, negative: number): boolean {
  const mayGenerate = kind === "main" || kind === "synchronous";
  return faults.every((fault) => {
    if (fault.kind === "rotation") return kind !== "main" && negative > 0.04;
    if (fault.kind === "current-ratio" && fault.phase !== undefined) return kind !== "main";
    if (fault.kind === "current-ratio") return kind === "induction" && load <= 0.5;
    if (fault.kind === "reversed") return !mayGenerate || fault.phases.length === 1;
    return !(fault.kind === "displaced" && mayGenerate);
  });
}

function answerOf(verdict: WiringVerdict, { faults }: Injected): { answer: Answer; words: string } {
  const due = keyOf(faults);
  if (verdict.outcome === "open") {
    const candidates = verdict.candidates.map((each) => `${keyOf(each.faults)}${each.isGenerating ? " generating" : ""}`);
    const isAmong = verdict.candidates.length === 0 || verdict.candidates.some((each) => keyOf(each.faults) === due);
    return { answer: isAmong ? "open" : "wrong", words: `${verdict.reason}${candidates.length > 0 ? `: ${candidates.join(" | ")}` : ""}` };
  }
  const found = keyOf(verdict.faults);
  if (found === due) return { answer: "named", words: found };
  const missing = faults.filter((fault) => !verdict.faults.some((other) => keyOf([other]) === keyOf([fault])));
  const isSaid = missing.length > 0 && missing.every(({ kind }) => verdict.notShown.some((name) => name === kind));
  return isSaid && verdict.outcome === "right"
    ? { answer: "open", words: `not shown: ${verdict.notShown.join(", ")}` }
    : { answer: "wrong", words: found };
}

const keyOf = (faults: readonly WiringFault[]): string => (faults.length === 0 ? "right" : faults.map(nameOf).toSorted().join(" and "));

function nameOf(fault: WiringFault): string {
  if (fault.kind === "voltage-ratio") return `${fault.kind} ${Math.round(Math.log2(fault.factor / 1.02))} octaves`;
  if ("factor" in fault)
    return `${fault.kind}${"phase" in fault && fault.phase ? ` ${fault.phase}` : ""} ×${fault.factor > 1 ? fault.factor.toFixed(0) : `1/${(1 / fault.factor).toFixed(0)}`}`;
  if ("phases" in fault) return `${fault.kind} ${[...fault.phases].toSorted((a, b) => a - b).join("+")}`;
  return "by" in fault ? `${fault.kind} ${fault.by}` : fault.kind;
}

function reportOf(cases: readonly Case[], machines: number): Report {
  const report = createReport("commissioning", `wiring faults of ${formatCount(machines)} simulated machines, injected against named`);
  const rows = [...Map.groupBy(cases, ({ injected, kind }) => `${injected.row}, ${kind}`)].map(([row, all]) => {
    const decidable = all.filter(({ isDecidable }) => isDecidable);
    const count = (of: Answer) => all.filter(({ answer }) => answer === of).length;
    const share = decidable.filter(({ answer }) => answer === "named").length / decidable.length;
    const amiss = all.filter(({ answer, isDecidable }) => answer === "wrong" || (isDecidable && answer === "open"));
    const [most] = [...Map.groupBy(amiss, ({ words }) => words)].toSorted(([, a], [, b]) => b.length - a.length);
    return { row, cases: all.length, decidable: decidable.length, share, wrong: count("wrong"), open: count("open"), most };
  });
  const badness = (each: (typeof rows)[number]) => Math.min(Number.isNaN(each.share) ? 1 : each.share, 1 - each.wrong / each.cases);
  rows.sort((a, b) => badness(a) - badness(b) || b.cases - a.cases);
  report.tables.push({
    columns: ["injected, machine", "cases", "can be seen", "named right", "cannot tell", "wrong", "most often instead"],
    rows: rows.map(({ row, cases: count, decidable, share, open, wrong, most }) => [
      row,
      count,
      decidable,
      Number.isNaN(share) ? "-" : formatPercent(share),
      open,
      wrong,
      most ? `${most[0]}, ${most[1].length} times, such as ${most[1][0]!.serial} at ${most[1][0]!.load}` : "",
    ]),
  });
  const all = cases.filter(({ isDecidable }) => isDecidable);
  const named = all.filter(({ answer }) => answer === "named").length / all.length;
  const wrong = cases.filter(({ answer }) => answer === "wrong").length;
  const falseFaults = cases.filter(({ injected, answer }) => injected.faults.length === 0 && answer === "wrong").length;
  report.notes.push(
    `Each fault at loads from 20 % to 120 %, with u2 up to 1.7 %, CTs within 0.8 % and half a degree, and the current's distortion known of half of the machines.`,
    `${formatCount(cases.length)} cases; of ${formatCount(all.length)} that the values can show ${formatPercent(named)} are named right. "Cannot tell" is said of the others or beside the verdict; wrong are ${wrong}.`,
  );
  Object.assign(report.facts, { named, wrong, falseFaults });
  expectNone(report, "faults named of machines that are wired right", falseFaults);
  if (named < targetShare) report.failures.push(`named right ${formatPercent(named)}, target ${formatPercent(targetShare)}`);
  return report;
}
