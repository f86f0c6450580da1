import { mostTrendSeries } from "@busbar/contract/telemetry/trends.ts";
import { seriesKey, type TrendShow } from "./trend-address.ts";
import type { TimeSpan } from "./zone-time.ts";
import { Days } from "./days-view.tsx";
import { Duration } from "./duration-view.tsx";
import { Profile } from "./profile-view.tsx";
import { Scatter } from "./scatter-view.tsx";
import type { NamedSeries } from "./view-parts.tsx";

export interface MachineViewsProps {
  show: Exclude<TrendShow, "time">;
  series: readonly NamedSeries[];
  span: TimeSpan;
  timezone: string;
}

/** Views that explain a machine: when it works, how hard, what one quantity does with another, and what its days cost. */
export function MachineViews({ show, series, span, timezone }: MachineViewsProps) {
  if (show === "scatter") return <Scatter series={series} span={span} timezone={timezone} />;
  if (show === "days") {
    const nodes = [...new Map(series.map((each) => [each.serialNumber, each])).values()];
    return nodes.map((each) => <Days key={each.serialNumber} node={each} span={span} />);
  }
  const View = show === "profile" ? Profile : Duration;
  return series.slice(0, mostTrendSeries).map((each) => <View key={seriesKey(each)} series={each} span={span} />);
}
