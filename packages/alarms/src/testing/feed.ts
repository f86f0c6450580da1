import type { AlarmSettings, Triple } from "../alarm-settings.ts";
import type { AlarmChange, NodeAlarms, Scalar } from "../node-alarms.ts";

/** The console's defaults for a new node on a 460 V, 124 A motor. */
export const settings: AlarmSettings = {
  isField: false,
  npVoltage: 460,
  npCurrent: 100,
  voltageNoise: 5,
  currentNoise: 1,
  startSeconds: 10,
  activeVoltages: [true, true, true],
  activeCurrents: [true, true, true],
  voltageImbalanceThreshold: 10,
  currentImbalanceThreshold: 10,
  voltageThdThreshold: 10,
  currentThdThreshold: 10,
  overVoltageThreshold: 8,
  underVoltageThreshold: 10,
  shortTermOverCurrentThreshold: 15,
  shortTermOverCurrentAveragingPeriod: 5,
  longTermOverCurrentThreshold: 15,
  longTermOverCurrentAveragingPeriod: 60,
  stopEventOfInterestThreshold: 72,
  lossOfPhaseTransientThreshold: 500,
  viMinimumVoltageThreshold: 0,
  underloadPercent: 40,
  startsPerHour: 6,
  signaturePercent: 3,
};

export const healthy: { voltages: Triple; currents: Triple } = { voltages: [460, 460, 460], currents: [80, 80, 80] };

export interface Feed {
  /** A scalar every 10 s for so many seconds; returns what changed. */
  run(seconds: number, readings?: Partial<Pick<Scalar, "voltages" | "currents">>, isMachineRunning?: boolean): AlarmChange[];
  now(): number;
  skip(seconds: number): void;
}

/** Begins at a whole minute. */
export function createFeed(alarms: NodeAlarms, from = 1_800_000_000): Feed {
  let now = from;
  return {
    run(seconds, readings = {}, isMachineRunning) {
      const changes: AlarmChange[] = [];
      for (const end = now + seconds; now < end; now += 10)
        changes.push(...alarms.addScalar({ at: now, ...healthy, ...readings }, isMachineRunning));
      return changes;
    },
    now: () => now,
    skip(seconds) {
      now += seconds;
    },
  };
}

export const namesOf = (changes: readonly AlarmChange[]): string[] => changes.map(({ kind, change }) => `${kind} ${change}`);
