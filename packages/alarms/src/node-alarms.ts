import type { AlarmKind } from "./alarm-kinds.ts";
import { createAlarmLife, judge, type AlarmLife } from "./alarm-life.ts";
import type { AlarmSettings } from "./alarm-settings.ts";
import {
  hasVoltage,
  imbalancePercent,
  isLoaded,
  isRunning,
  lostPhase,
  meanOf,
  missingLoadPercent,
  voltageDeviationPercent,
  type Readings,
} from "./measures.ts";
import { createMinuteMeans, type MinuteMean } from "./minute-means.ts";
import { createMovingMean } from "./moving-mean.ts";

export interface Scalar extends Readings {
  /** Epoch seconds; scalars must come in order of time. */
  at: number;
}

export interface AlarmChange {
  kind: AlarmKind;
  change: "raised" | "cleared";
  /** Epoch seconds. */
  at: number;
  /** What was measured: percent, but the number of a lost phase, starts in an hour, seconds of a start. */
  value: number | undefined;
  limit: number;
  /** Which one, where there are several. */
  name?: string;
}

export interface NodeAlarms {
  /** @param isMachineRunning of a field's node: whether its machine draws current at about that time; undefined when nothing is known */
  addScalar(scalar: Scalar, isMachineRunning?: boolean): AlarmChange[];
  /** Kinds that are raised, with the time they were. */
  open(): Map<AlarmKind, number>;
  /** Forgets what is raised and goes on with these; means of the past stay. */
  resume(open: ReadonlyMap<AlarmKind, number>): void;
}

/** How long a value must be beyond its limit, unless a rule says otherwise. */
const usualHoldSeconds = 60;

/**
 * A field below this part of its nameplate current holds no machine, and field weakening stays well above: field undercurrent of a DC or
 * synchronous machine (IEEE C37.2, devices 37 and 40), while the machine draws current. The measure is what is missing to the nameplate.
 * Worked example: field 12 A on its nameplate, 0.3 A read while the armature draws 80 A: 97.5 % missing, above 90 %.
 */
const lostFieldPercent = 10;
/** Two readings in a row: machine and field are not read in the same second. */
const fieldHoldSeconds = 10;

/** A minute counts as beyond a limit when so many of its readings are: one alone may have met a dip of a second. */
const confirmingReadings = 2;

/** The minute's value, held at the limit when too few of its readings are beyond it. */
function confirmed(measure: (of: Readings) => number | undefined, mean: MinuteMean, limit: number): number | undefined {
  const value = measure(mean);
  if (value === undefined || value <= limit) return value;
  const beyond = mean.readings.filter((reading) => (measure(reading) ?? 0) > limit).length;
  return beyond >= Math.min(confirmingReadings, mean.readings.length) ? value : limit;
}

/**
 * The alarms of one node: minute means against limits, moving means of the current, a lost phase at once, a stop under load;
 * of a field winding its loss.
 * @param sampleSeconds the usual time between two scalars
 */
export function createNodeAlarms(settings: AlarmSettings, sampleSeconds: number): NodeAlarms {
  const lives = new Map<AlarmKind, AlarmLife>();
  const minutes = createMinuteMeans(sampleSeconds);
  const shortTerm = createMovingMean(settings.shortTermOverCurrentAveragingPeriod * 60, sampleSeconds);
  const longTerm = createMovingMean(settings.longTermOverCurrentAveragingPeriod * 60, sampleSeconds);
  let startedAt: number | undefined;
  let stoodAt = Number.NEGATIVE_INFINITY;
  let previous: { at: number; isRunning: boolean; current: number } | undefined;

  const lifeOf = (kind: AlarmKind): AlarmLife => {
    let life = lives.get(kind);
    if (!life) lives.set(kind, (life = createAlarmLife()));
    return life;
  };
  const take = (
    changes: AlarmChange[],
    kind: AlarmKind,
    value: number | undefined,
    limit: number,
    at: number,
    holdSeconds = usualHoldSeconds,
  ): void => {
    const change = judge(lifeOf(kind), { value, limit, at, holdSeconds });
    if (change) changes.push({ kind, change, at, value, limit });
  };

  function judgeMinute(mean: MinuteMean, changes: AlarmChange[]): void {
    const { at } = mean;
    const isPresent = hasVoltage(mean, settings);
    // Voltage and current of a field are what its exciter makes them.
    const isSupply = isPresent && !settings.isField;
    const current = meanOf(mean.currents, settings.activeCurrents) ?? 0;
    const runs = isPresent && current > settings.currentNoise;
    const judgeMean = (kind: AlarmKind, isJudged: boolean, limit: number, measure: (of: Readings) => number | undefined) =>
      take(changes, kind, isJudged ? confirmed(measure, mean, limit) : undefined, limit, at);
    judgeMean("voltageImbalance", isPresent, settings.voltageImbalanceThreshold, ({ voltages }) =>
      imbalancePercent(voltages, settings.activeVoltages, settings.voltageNoise),
    );
    judgeMean("currentImbalance", runs && isLoaded(current, settings), settings.currentImbalanceThreshold, ({ currents }) =>
      imbalancePercent(currents, settings.activeCurrents, settings.currentNoise),
    );
    judgeMean("overVoltage", isSupply, settings.overVoltageThreshold, (of) => voltageDeviationPercent(of, settings, 1));
    judgeMean("underVoltage", isSupply, settings.underVoltageThreshold, (of) => voltageDeviationPercent(of, settings, -1));
    // An underload is a current too small, so that its measure is what is missing to the full load.
    const isSettled = runs && stoodAt < at - 60 && (startedAt === undefined || at - 60 - startedAt > settings.startSeconds);
    judgeMean("underload", isSettled && !settings.isField, 100 - settings.underloadPercent, (of) => missingLoadPercent(of, settings));
  }

  function judgeStop(scalar: Scalar, runs: boolean, changes: AlarmChange[]): void {
    const { npCurrent, stopEventOfInterestThreshold: limit } = settings;
    if (!previous?.isRunning || runs || npCurrent === undefined) return;
    if (scalar.at - previous.at > 2 * sampleSeconds) return;
    const value = (100 * previous.current) / npCurrent;
    if (value > limit) changes.push({ kind: "stopOfInterest", change: "raised", at: scalar.at, value, limit });
  }

  function judgeField(scalar: Scalar, isMachineRunning: boolean | undefined, changes: AlarmChange[]): void {
    const value = isMachineRunning === true ? missingLoadPercent(scalar, settings) : undefined;
    take(changes, "fieldLoss", value, 100 - lostFieldPercent, scalar.at, fieldHoldSeconds);
  }

  function judgeCurrent(scalar: Scalar, current: number, changes: AlarmChange[]): void {
    const isStarting = startedAt !== undefined && scalar.at - startedAt < settings.startSeconds;
    if (isStarting) return;
    shortTerm.add(scalar.at, current);
    longTerm.add(scalar.at, current);
    const over = (mean: number | undefined) =>
      mean === undefined || settings.npCurrent === undefined ? undefined : (100 * (mean - settings.npCurrent)) / settings.npCurrent;
    take(changes, "shortTermOverCurrent", over(shortTerm.value()), settings.shortTermOverCurrentThreshold, scalar.at);
    take(changes, "longTermOverCurrent", over(longTerm.value()), settings.longTermOverCurrentThreshold, scalar.at);
  }

  return {
    addScalar(scalar, isMachineRunning) {
      const changes: AlarmChange[] = [];
      const mean = minutes.add(scalar.at, scalar);
      if (mean) judgeMinute(mean, changes);
      const current = meanOf(scalar.currents, settings.activeCurrents) ?? 0;
      const runs = isRunning(scalar, settings);
      if (!runs) stoodAt = scalar.at;
      else if (previous && !previous.isRunning) startedAt = scalar.at;
      if (hasVoltage(scalar, settings)) judgeCurrent(scalar, current, changes);
      take(changes, "lossOfPhase", lostPhase(scalar, settings), 0, scalar.at, 0);
      if (settings.isField) judgeField(scalar, isMachineRunning, changes);
      else judgeStop(scalar, runs, changes);
      previous = { at: scalar.at, isRunning: runs, current };
      return changes;
    },
    open: () => new Map(Array.from(lives).flatMap(([kind, { raisedAt }]) => (raisedAt === undefined ? [] : [[kind, raisedAt] as const]))),
    resume(open) {
      lives.clear();
      for (const [kind, raisedAt] of open) lives.set(kind, { ...createAlarmLife(), raisedAt });
    },
  };
}
