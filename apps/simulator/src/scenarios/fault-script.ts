import * as z from "zod/mini";
import { facilityFaultKinds, nodeFaultKinds, type Fault, type FaultKind } from "#node-model/fault.ts";

const number = (low: number, high: number) => z.number().check(z.minimum(low), z.maximum(high));

const ofInputs = <T extends z.ZodMiniType>(value: T) => z.optional(z.tuple([value, value, value]));
const Wiring = z.strictObject({
  taps: ofInputs(z.literal([0, 1, 2, 3])),
  cts: ofInputs(z.literal([-3, -2, -1, 0, 1, 2, 3])),
  ctRatios: ofInputs(number(0.001, 1000)),
  voltageRatio: z.optional(number(0.001, 1000)),
  tapKind: z.optional(z.enum(["lineForNeutral", "neutralForLine"])),
});

const Params = z.strictObject({
  voltage: z.optional(number(0, 2)),
  sagType: z.optional(z.enum(["A", "C", "D"])),
  phase: z.optional(z.literal([1, 2, 3])),
  load: z.optional(number(0, 3)),
  voltageLossPercent: z.optional(number(0, 50)),
  tripSeconds: z.optional(number(0, 3600)),
  repairSeconds: z.optional(number(0, 86_400)),
  share: z.optional(number(0, 1)),
  offsetSeconds: z.optional(number(-3e9, 3e9)),
  wiring: z.optional(Wiring),
});

/** One line of a fault script: `at` is an ISO time, or seconds after the start of the simulation. */
export const FaultScriptEntry = z.strictObject({
  at: z.union([number(0, 1e9), z.iso.datetime({ offset: true })]),
  serial: z.optional(number(10_000, 99_999)),
  facility: z.optional(z.string()),
  fault: z.enum([...facilityFaultKinds, ...nodeFaultKinds]),
  params: z.optional(Params),
  durationS: number(0.001, 400 * 86_400),
});
export type FaultScriptEntry = z.infer<typeof FaultScriptEntry>;

/** The script cannot be used; the message says which entry and why. */
export class FaultScriptError extends Error {
  override name = "FaultScriptError";
}

/** @throws FaultScriptError with a sentence that names the first bad entry */
export function readFaultScript(script: unknown, startEpochSeconds: number): Fault[] {
  if (!Array.isArray(script)) throw new FaultScriptError("A fault script is a JSON list of faults");
  return script.map((entry, index) => readEntry(entry, index, startEpochSeconds));
}

function readEntry(entry: unknown, index: number, startEpochSeconds: number): Fault {
  const refuse = (why: string): never => {
    throw new FaultScriptError(`Fault ${index + 1} of the script: ${why}`);
  };
  const read = FaultScriptEntry.safeParse(entry);
  if (!read.success) {
    const issue = read.error.issues[0]!;
    return refuse(`${issue.path.length > 0 ? issue.path.join(".") : "the entry"}: ${issue.message}`);
  }
  const { at, serial, facility, fault: kind, params = {}, durationS } = read.data;
  if ((serial === undefined) === (facility === undefined)) return refuse("give either serial or facility");
  if (isFacilityFault(kind) && facility === undefined) return refuse(`${kind} befalls a facility, not a node`);
  if (!isFacilityFault(kind) && serial === undefined) return refuse(`${kind} befalls a node, not a facility`);
  return {
    kind,
    start: typeof at === "number" ? startEpochSeconds + at : Date.parse(at) / 1000,
    durationSeconds: durationS,
    facilityKey: facility,
    serial,
    params,
    source: "script",
  };
}

function isFacilityFault(kind: FaultKind): boolean {
  return (facilityFaultKinds as readonly string[]).includes(kind);
}
