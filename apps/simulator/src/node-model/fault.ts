import type { Wiring } from "./wiring.ts";

export const facilityFaultKinds = ["sag", "swell", "interruption", "siteOutage"] as const;
export const nodeFaultKinds = [
  "singlePhasing",
  "imbalance",
  "overload",
  "jam",
  "underload",
  "phaseBlink",
  "longStart",
  "frequentStarts",
  "fieldLoss",
  "miswired",
  "linkOutage",
  "reboot",
  "dropScalars",
  "clockOffset",
  "wrongSecret",
  "partialScalars",
  "meterSilence",
  "sensorFault",
  "heldFiles",
  "spoiledFiles",
  "configReset",
] as const;
export type FacilityFaultKind = (typeof facilityFaultKinds)[number];
export type NodeFaultKind = (typeof nodeFaultKinds)[number];
export type FaultKind = FacilityFaultKind | NodeFaultKind;

export type SagType = "A" | "C" | "D";

/** What shapes one fault; which of them count depends on the kind. */
export interface FaultParams {
  /** Retained voltage (sag, interruption) or raised voltage (swell), per unit. */
  voltage?: number;
  /** A: three-phase, C: phase-to-phase, D: single-phase behind a delta-wye transformer. */
  sagType?: SagType;
  /** 1 to 3. */
  phase?: number;
  /** Overload, underload: load per unit of rated. */
  load?: number;
  /** Imbalance: voltage lost on one phase at the end of the fault, percent. */
  voltageLossPercent?: number;
  /** Jam, single phasing: seconds until the protection trips. */
  tripSeconds?: number;
  /** Jam, single phasing: seconds from the trip to the next start. */
  repairSeconds?: number;
  /** Drops: part (0-1) of the scalars. */
  share?: number;
  offsetSeconds?: number;
  /** Miswired: how the lines reach the node. */
  wiring?: Wiring;
}

/** One fault that happens, to a facility or to one node. Times are epoch seconds, with fractions. */
export interface Fault {
  kind: FaultKind;
  start: number;
  durationSeconds: number;
  facilityKey: string | undefined;
  serial: number | undefined;
  params: FaultParams;
  source: "mix" | "script";
}
