import type { AlarmSettings } from "./alarm-settings.ts";
import { findLongStarts } from "./long-starts.ts";
import type { AlarmChange } from "./node-alarms.ts";
import { findPhaseTransients } from "./phase-transients.ts";
import type { SecondSeries } from "./second-series.ts";
import { findVoltageSags } from "./voltage-sags.ts";

/** Everything that only the values of every second show, in order of time. */
export function judgeSeconds(series: SecondSeries, settings: AlarmSettings): AlarmChange[] {
  return [...findVoltageSags(series, settings), ...findPhaseTransients(series, settings), ...findLongStarts(series, settings)].toSorted(
    (a, b) => a.at - b.at,
  );
}
