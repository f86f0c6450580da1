import type { AlarmKind } from "./alarm-kinds.ts";
import { createAlarmLife, isBeyond, isIdle, judge, type AlarmLife } from "./alarm-life.ts";
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
import { MinuteMeans, type MinuteMean } from "./minute-means.ts";
import { createMovingMean, type MovingMean } from "./moving-mean.ts";

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
  return new WatchedNode(settings, sampleSeconds);
}

/** Of nodes of which nothing is beyond its limit, which share it. */
const noLives = new Map<AlarmKind, AlarmLife>();

// A class: a fleet has one of each node, and closures would take more memory than all that it knows.
class WatchedNode implements NodeAlarms {
  private readonly settings: AlarmSettings;
  private readonly sampleSeconds: number;
  private lives = noLives;
  private readonly minutes: MinuteMeans;
  private readonly shortTerm: MovingMean;
  /** The same as the other where they are of the same period. */
  private readonly longTerm: MovingMean;
  private startedAt: number | undefined = undefined;
  private stoodAt = Number.NEGATIVE_INFINITY;
  private previousAt: number | undefined = undefined;
  private wasRunning = false;
  private previousCurrent = 0;

  constructor(settings: AlarmSettings, sampleSeconds: number) {
    const { shortTermOverCurrentAveragingPeriod: short, longTermOverCurrentAveragingPeriod: long } = settings;
    this.settings = settings;
    this.sampleSeconds = sampleSeconds;
    this.minutes = new MinuteMeans(sampleSeconds);
    this.shortTerm = createMovingMean(short * 60, sampleSeconds);
    this.longTerm = long === short ? this.shortTerm : createMovingMean(long * 60, sampleSeconds);
  }

  addScalar(scalar: Scalar, isMachineRunning?: boolean): AlarmChange[] {
    const { settings } = this;
    const { at } = scalar;
    const changes: AlarmChange[] = [];
    const mean = this.minutes.add(at, scalar);
    if (mean) this.judgeMinute(mean, changes);
    const current = meanOf(scalar.currents, settings.activeCurrents) ?? 0;
    const runs = isRunning(scalar, settings);
    if (!runs) this.stoodAt = at;
    else if (this.previousAt !== undefined && !this.wasRunning) this.startedAt = at;
    if (hasVoltage(scalar, settings)) this.judgeCurrent(at, current, changes);
    this.take(changes, "lossOfPhase", lostPhase(scalar, settings), 0, at, 0);
    if (settings.isField) this.judgeField(scalar, isMachineRunning, changes);
    else this.judgeStop(at, runs, changes);
    this.previousAt = at;
    this.wasRunning = runs;
    this.previousCurrent = current;
    return changes;
  }

  open(): Map<AlarmKind, number> {
    const open = new Map<AlarmKind, number>();
    for (const [kind, { raisedAt }] of this.lives) if (raisedAt !== undefined) open.set(kind, raisedAt);
    return open;
  }

  resume(open: ReadonlyMap<AlarmKind, number>): void {
    this.lives = noLives;
    for (const [kind, raisedAt] of open) this.keep(kind, { ...createAlarmLife(), raisedAt });
  }

  private keep(kind: AlarmKind, life: AlarmLife): void {
    if (this.lives === noLives) this.lives = new Map();
    this.lives.set(kind, life);
  }

  private take(
    changes: AlarmChange[],
    kind: AlarmKind,
    value: number | undefined,
    limit: number,
    at: number,
    holdSeconds = usualHoldSeconds,
  ): void {
    const known = this.lives.get(kind);
    if (known === undefined && !isBeyond(value, limit)) return;
    const life = known ?? createAlarmLife();
    const change = judge(life, { value, limit, at, holdSeconds });
    if (change) changes.push({ kind, change, at, value, limit });
    if (isIdle(life)) this.lives.delete(kind);
    else if (known === undefined) this.keep(kind, life);
  }

  private judgeMinute(mean: MinuteMean, changes: AlarmChange[]): void {
    const { settings, startedAt } = this;
    const { at } = mean;
    const isPresent = hasVoltage(mean, settings);
    // Voltage and current of a field are what its exciter makes them.
    const isSupply = isPresent && !settings.isField;
    const current = meanOf(mean.currents, settings.activeCurrents) ?? 0;
    const runs = isPresent && current > settings.currentNoise;
    const judgeMean = (kind: AlarmKind, isJudged: boolean, limit: number, measure: (of: Readings) => number | undefined) =>
      this.take(changes, kind, isJudged ? confirmed(measure, mean, limit) : undefined, limit, at);
    judgeMean("voltageImbalance", isPresent, settings.voltageImbalanceThreshold, ({ voltages }) =>
      imbalancePercent(voltages, settings.activeVoltages, settings.voltageNoise),
    );
    judgeMean("currentImbalance", runs && isLoaded(current, settings), settings.currentImbalanceThreshold, ({ currents }) =>
      imbalancePercent(currents, settings.activeCurrents, settings.currentNoise),
    );
    judgeMean("overVoltage", isSupply, settings.overVoltageThreshold, (of) => voltageDeviationPercent(of, settings, 1));
    judgeMean("underVoltage", isSupply, settings.underVoltageThreshold, (of) => voltageDeviationPercent(of, settings, -1));
    // An underload is a current too small, so that its measure is what is missing to the full load.
    const isSettled = runs && this.stoodAt < at - 60 && (startedAt === undefined || at - 60 - startedAt > settings.startSeconds);
    judgeMean("underload", isSettled && !settings.isField, 100 - settings.underloadPercent, (of) => missingLoadPercent(of, settings));
  }

  private judgeStop(at: number, runs: boolean, changes: AlarmChange[]): void {
    const { npCurrent, stopEventOfInterestThreshold: limit } = this.settings;
    if (this.previousAt === undefined || !this.wasRunning || runs || npCurrent === undefined) return;
    if (at - this.previousAt > 2 * this.sampleSeconds) return;
    const value = (100 * this.previousCurrent) / npCurrent;
    if (value > limit) changes.push({ kind: "stopOfInterest", change: "raised", at, value, limit });
  }

  private judgeField(scalar: Scalar, isMachineRunning: boolean | undefined, changes: AlarmChange[]): void {
    const value = isMachineRunning === true ? missingLoadPercent(scalar, this.settings) : undefined;
    this.take(changes, "fieldLoss", value, 100 - lostFieldPercent, scalar.at, fieldHoldSeconds);
  }

  private judgeCurrent(at: number, current: number, changes: AlarmChange[]): void {
    const { settings, startedAt, shortTerm, longTerm } = this;
    const isStarting = startedAt !== undefined && at - startedAt < settings.startSeconds;
    if (isStarting) return;
    shortTerm.add(at, current);
    if (longTerm !== shortTerm) longTerm.add(at, current);
    const over = (mean: number | undefined) =>
      mean === undefined || settings.npCurrent === undefined ? undefined : (100 * (mean - settings.npCurrent)) / settings.npCurrent;
    this.take(changes, "shortTermOverCurrent", over(shortTerm.value()), settings.shortTermOverCurrentThreshold, at);
    this.take(changes, "longTermOverCurrent", over(longTerm.value()), settings.longTermOverCurrentThreshold, at);
  }
}
