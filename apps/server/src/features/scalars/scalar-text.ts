import { integerSlotCount } from "./scalar-slots.ts";
import type { ScalarReading } from "./telemetry.ts";

const decimals = 1_000;

const textOf = (value: number) => (Number.isNaN(value) ? "" : String(Math.round(value * decimals) / decimals));

/** `lastScalarData`: `ver,flag,epochMs,lf,i1,i2,i3,v1,v2,v3,p1,p2,p3,q1,q2,q3,pf1,pf2,pf3`, empty where there was no value. */
export function scalarText({ values, atMs }: ScalarReading): string {
  let text = `${textOf(values[0]!)},${textOf(values[1]!)},${atMs}`;
  for (let slot = integerSlotCount; slot < values.length; slot++) {
    text += `,${textOf(values[slot]!)}`;
  }
  return text;
}
