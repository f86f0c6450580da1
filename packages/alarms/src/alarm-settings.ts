/** Three values, one per phase or per pair of phases. */
export type Triple = readonly [number, number, number];

/** Limits, nameplate and channels of one node. Percentages are of 100. */
export interface AlarmSettings {
  /** The node of a field winding: judged against the machine whose field it is. */
  isField: boolean;
  /** V line-to-line; undefined when the nameplate is unknown: then nothing is judged that needs it. */
  npVoltage: number | undefined;
  /** A at full load. */
  npCurrent: number | undefined;
  /** Below it a voltage counts as none, V. */
  voltageNoise: number;
  /** Below it a machine counts as stopped, A. */
  currentNoise: number;
  /** Seconds after a start whose current is not judged. */
  startSeconds: number;
  /** Lines 12, 23, 31. */
  activeVoltages: readonly [boolean, boolean, boolean];
  activeCurrents: readonly [boolean, boolean, boolean];
  voltageImbalanceThreshold: number;
  currentImbalanceThreshold: number;
  voltageThdThreshold: number;
  currentThdThreshold: number;
  overVoltageThreshold: number;
  underVoltageThreshold: number;
  shortTermOverCurrentThreshold: number;
  /** Minutes. */
  shortTermOverCurrentAveragingPeriod: number;
  longTermOverCurrentThreshold: number;
  longTermOverCurrentAveragingPeriod: number;
  stopEventOfInterestThreshold: number;
  /** Percent of the full-load current. */
  lossOfPhaseTransientThreshold: number;
  /** V; below it neither voltage nor current is judged. */
  viMinimumVoltageThreshold: number;
  /** Percent of the full-load current below which a running machine is underloaded. */
  underloadPercent: number;
  /** More starts than these in an hour are too many. */
  startsPerHour: number;
  /** Percent of the fundamental current above which each frequency of a signature must be. */
  signaturePercent: number;
}
