/** What scalars (one every few seconds) can show. */
export const scalarAlarmKinds = [
  "voltageImbalance",
  "currentImbalance",
  "overVoltage",
  "underVoltage",
  "shortTermOverCurrent",
  "longTermOverCurrent",
  "lossOfPhase",
  "underload",
  "stopOfInterest",
  "fieldLoss",
] as const;
/** What only the 15-minute records show. */
export const recordAlarmKinds = ["voltageThd", "currentThd", "frequentStarts", "harmonicSignature"] as const;
/** What only the values of every second show. */
export const secondAlarmKinds = ["voltageSag", "lossOfPhaseTransient", "longStart"] as const;

export const alarmKinds = [...scalarAlarmKinds, ...recordAlarmKinds, ...secondAlarmKinds] as const;
export type AlarmKind = (typeof alarmKinds)[number];
export type RecordAlarmKind = (typeof recordAlarmKinds)[number];
export type SecondAlarmKind = (typeof secondAlarmKinds)[number];

/** Alarms that end in the moment they begin. */
export const momentaryAlarmKinds: ReadonlySet<AlarmKind> = new Set(["stopOfInterest", ...secondAlarmKinds]);
