import { scalarFlagBits } from "@busbar/contract/telemetry/sparkplug-namespace.ts";

/** One second of a node's phase values, as its scalar reported them; null where it had none. */
export interface PhaseReadings {
  flag: number | null;
  lineFrequency: number | null;
  currents: (number | null)[];
  voltages: (number | null)[];
  kw: (number | null)[];
  kvar: (number | null)[];
  powerFactors: (number | null)[];
}

/** Reads `lastScalarData`: `ver,flag,epochMs,lf,i1,i2,i3,v1,v2,v3,p1,p2,p3,q1,q2,q3,pf1,pf2,pf3`. */
export function readScalarText(text: string): PhaseReadings {
  const values = text.split(",").map((part) => (part === "" ? null : Number(part)));
  const three = (start: number) => [0, 1, 2].map((phase) => values[start + phase] ?? null);
  return {
    flag: values[1] ?? null,
    lineFrequency: values[3] ?? null,
    currents: three(4),
    voltages: three(7),
    kw: three(10),
    kvar: three(13),
    powerFactors: three(16),
  };
}

export const isRunning = ({ flag }: PhaseReadings): boolean | null => (flag === null ? null : (flag & scalarFlagBits.isRunning) !== 0);
