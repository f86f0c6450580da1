/** What scalars (one every few seconds) can tell. */
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
] as const;
/** What only the 15-minute records tell. */
export const recordAlarmKinds = ["voltageThd", "currentThd"] as const;

export const alarmKinds = [...scalarAlarmKinds, ...recordAlarmKinds] as const;
export type AlarmKind = (typeof alarmKinds)[number];
