import type { WiringFault } from "@busbar/metering/wiring.ts";
import type { Wiring } from "@busbar/simulator/node-model/wiring.ts";

/** A way to wire a node, and what there is to name. */
export interface Injected {
  /** Row of the table. */
  row: string;
  wiring: Wiring;
  faults: readonly WiringFault[];
}

const phases = [1, 2, 3] as const;
const pairs = [
  [1, 2],
  [2, 3],
  [1, 3],
] as const;
type Three = readonly [number, number, number];
const straight = [1, 2, 3] as const;

/** 1, 2, 3 with two exchanged. */
const exchanged = ([a, b]: readonly [number, number]) =>
  straight.map((phase) => (phase === a ? b : phase === b ? a : phase)) as unknown as Three;
const turnedAt = (of: Three, turned: readonly number[]) =>
  of.map((phase, input) => (turned.includes(input + 1) ? -phase : phase)) as unknown as Three;
const withoutAt = (of: Three, phase: number, value: number) =>
  of.map((each, input) => (input + 1 === phase ? value : each)) as unknown as Three;

export const injections: readonly Injected[] = [
  { row: "right", wiring: {}, faults: [] },
  ...phases.map((phase): Injected => ({
    row: "one CT turned",
    wiring: { cts: turnedAt(straight, [phase]) },
    faults: [{ kind: "reversed", phases: [phase] }],
  })),
  ...pairs.map((pair): Injected => ({
    row: "two CTs turned",
    wiring: { cts: turnedAt(straight, pair) },
    faults: [{ kind: "reversed", phases: pair }],
  })),
  { row: "all CTs turned", wiring: { cts: [-1, -2, -3] }, faults: [{ kind: "reversed", phases: [1, 2, 3] }] },
  ...pairs.map((pair): Injected => ({
    row: "two currents exchanged",
    wiring: { cts: exchanged(pair) },
    faults: [{ kind: "swapped-currents", phases: pair }],
  })),
  ...pairs.map((pair): Injected => ({
    row: "two voltages exchanged",
    wiring: { taps: exchanged(pair) },
    faults: [{ kind: "swapped-voltages", phases: pair }],
  })),
  { row: "currents of the next phase", wiring: { cts: [2, 3, 1] }, faults: [{ kind: "displaced", by: 1 }] },
  { row: "currents of the next phase", wiring: { cts: [3, 1, 2] }, faults: [{ kind: "displaced", by: 2 }] },
  { row: "voltages of the next phase", wiring: { taps: [2, 3, 1] }, faults: [{ kind: "displaced", by: 2 }] },
  ...pairs.map((pair): Injected => ({
    row: "rotation 1, 3, 2",
    wiring: { taps: exchanged(pair), cts: exchanged(pair) },
    faults: [{ kind: "rotation" }],
  })),
  { row: "line to line for neutral", wiring: { tapKind: "lineForNeutral" }, faults: [{ kind: "line-for-neutral" }] },
  { row: "neutral for line to line", wiring: { tapKind: "neutralForLine" }, faults: [{ kind: "neutral-for-line" }] },
  ...[1 / 4, 1 / 10, 4].map((factor): Injected => ({
    row: "PT ratio",
    wiring: { voltageRatio: factor },
    faults: [{ kind: "voltage-ratio", factor }],
  })),
  ...[2, 5, 10, 1 / 2, 1 / 5, 1 / 10].map((factor): Injected => ({
    row: ratioRow(factor),
    wiring: { ctRatios: [factor, factor, factor] },
    faults: [{ kind: "current-ratio", factor }],
  })),
  ...phases.flatMap((phase) =>
    [2, 5, 1 / 2, 1 / 5].map((factor): Injected => ({
      row: "ratio of one CT",
      wiring: { ctRatios: withoutAt([1, 1, 1], phase, factor) },
      faults: [{ kind: "current-ratio", factor, phase }],
    })),
  ),
  ...phases.map((phase): Injected => ({
    row: "one current missing",
    wiring: { cts: withoutAt(straight, phase, 0) },
    faults: [{ kind: "no-current", phases: [phase] }],
  })),
  ...phases.map((phase): Injected => ({
    row: "one voltage missing",
    wiring: { taps: withoutAt(straight, phase, 0) },
    faults: [{ kind: "no-voltage", phases: [phase] }],
  })),
  ...pairs.map((pair): Injected => ({
    row: "two taps on one conductor",
    wiring: { taps: withoutAt(straight, pair[1], pair[0]) },
    faults: [{ kind: "joined-voltages", phases: pair }],
  })),
  ...pairs.flatMap((pair) =>
    phases.map((phase): Injected => ({
      row: "exchanged currents and a turned CT",
      wiring: { cts: turnedAt(exchanged(pair), [phase]) },
      faults: [
        { kind: "swapped-currents", phases: pair },
        { kind: "reversed", phases: [phase] },
      ],
    })),
  ),
  ...phases.map((phase): Injected => ({
    row: "line for neutral and a turned CT",
    wiring: { tapKind: "lineForNeutral", cts: turnedAt(straight, [phase]) },
    faults: [{ kind: "line-for-neutral" }, { kind: "reversed", phases: [phase] }],
  })),
];

function ratioRow(factor: number): string {
  return factor > 1 ? `CT ratio ${factor} times` : `CT ratio 1/${Math.round(1 / factor)}`;
}
