import { metricNames, scalarMeasurements } from "@busbar/contract/telemetry/sparkplug-namespace.ts";

/** What each scalar has, and each birth of a node that measures. */
export const scalarNames: readonly string[] = [...scalarMeasurements, metricNames.scalarVersion, metricNames.scalarFlag];
