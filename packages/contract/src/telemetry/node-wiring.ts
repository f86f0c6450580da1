import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { SerialNumber } from "../values/serial-number.ts";
import { MeterPhasor } from "./metering.ts";

/** `right` and `wrong` are verdicts; `open`: the values cannot tell; `old` and `none`: there are no values to judge. */
export const WiringOutcome = z.enum(["right", "wrong", "open", "old", "none"]);
export type WiringOutcome = z.infer<typeof WiringOutcome>;

const three = z.array(z.number());

/** Of the inputs 1, 2, 3: voltages to neutral in V and currents in A, with angles in degrees against V1N. */
export const WiringPhasors = z.object({ voltages: z.array(MeterPhasor), currents: z.array(MeterPhasor) });
export type WiringPhasors = z.infer<typeof WiringPhasors>;

/** Whether a node's inputs are wired as they ought to be, from its last values. The sentences name no customer or person. */
export const NodeWiring = z.object({
  serialNumber: z.string(),
  outcome: WiringOutcome,
  sentence: z.string(),
  /** What to do, a sentence for each. */
  actions: z.array(z.string()),
  /** Explanations that fit about equally well, where several do. */
  candidates: z.array(z.string()),
  /** What these values cannot show, right or not. */
  notShown: z.array(z.string()),
  /** When the values were measured. */
  timestamp: z.nullable(EpochSeconds),
  timezone: z.string(),
  /** A current in A at or below it is noise. */
  currentNoise: z.number(),
  /** What was judged: V12, V23, V31 in V; A, kW and kVAr of each input. */
  values: z.nullable(z.object({ lineToLine: three, currents: three, kw: three, kvar: three })),
  /** As measured, and as the same machine would show when wired right; null where that is not known. */
  is: z.nullable(WiringPhasors),
  ought: z.nullable(WiringPhasors),
});
export type NodeWiring = z.infer<typeof NodeWiring>;

export const getNodeWiring = endpoint("GET /api/nodes/{serial}/wiring", {
  access: "staff",
  summary: "Whether a node's voltages and currents are wired right, from its last values: what is wrong, and what to do",
  params: z.object({ serial: SerialNumber }),
  data: NodeWiring,
});
