/** What becomes of one condition of one node over time. Times are epoch seconds. */
export interface AlarmLife {
  /** When the alarm was raised; undefined while there is none. */
  raisedAt: number | undefined;
  /** Since when the value is beyond the limit without a break. */
  aboveSince: number | undefined;
  /** Since when the value is low enough to clear. */
  quietSince: number | undefined;
}

export const createAlarmLife = (): AlarmLife => ({ raisedAt: undefined, aboveSince: undefined, quietSince: undefined });

/** An alarm clears when its value stays this part below the limit … */
export const hysteresis = 0.05;
/** … for so long. */
const clearSeconds = 5 * 60;
/** Differences of this size, in percent, come from arithmetic and not from the grid. */
export const roundingPercent = 1e-9;

export interface Judged {
  /** Percent; undefined when there is nothing to judge, such as a machine that stopped, which counts as quiet. */
  value: number | undefined;
  limit: number;
  at: number;
  /** How long the value must be beyond the limit. */
  holdSeconds: number;
}

/** Whether it is as before the first value: nothing has to be kept of it. */
export const isIdle = ({ raisedAt, aboveSince }: AlarmLife): boolean => raisedAt === undefined && aboveSince === undefined;

/** The rule is strict: a value equal to the limit raises nothing. */
export const isBeyond = (value: number | undefined, limit: number): boolean => value !== undefined && value > limit + roundingPercent;

/** Takes in one value; returns what changed. */
export function judge(life: AlarmLife, { value, limit, at, holdSeconds }: Judged): "raised" | "cleared" | undefined {
  if (life.raisedAt === undefined) {
    if (!isBeyond(value, limit)) {
      life.aboveSince = undefined;
      return undefined;
    }
    life.aboveSince ??= at;
    if (at - life.aboveSince < holdSeconds) return undefined;
    life.raisedAt = at;
    life.quietSince = undefined;
    return "raised";
  }
  if (value !== undefined && value > limit * (1 - hysteresis)) {
    life.quietSince = undefined;
    return undefined;
  }
  life.quietSince ??= at;
  if (at - life.quietSince < clearSeconds) return undefined;
  life.raisedAt = undefined;
  life.aboveSince = undefined;
  life.quietSince = undefined;
  return "cleared";
}
