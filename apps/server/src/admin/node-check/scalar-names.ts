import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";

/** What each scalar has, and each birth of a node that measures. */
export const scalarNames: readonly string[] = [
  metricNames.lineFrequency,
  metricNames.current1,
  metricNames.current2,
  metricNames.current3,
  metricNames.voltage1,
  metricNames.voltage2,
  metricNames.voltage3,
  metricNames.scalarVersion,
  metricNames.scalarFlag,
];
