import type { KeptFlag, NodeSwap, SwappedField } from "@busbar/contract/directory/node-swaps.ts";
import { nodeThresholdNames } from "@busbar/contract/directory/node-fields.ts";

const flagLabels: Record<Exclude<SwappedField, keyof typeof nodeThresholdNames> | KeptFlag, string> = {
  container: "Container",
  dataPointInterval: "Data Point Interval",
  notifyOnConnect: "Notify On Connect",
  notifyOnCurrentAboveNoise: "Notify On Current Above Noise",
  monitorDataPointAlerts: "Monitor Data Point Alerts",
  monitorDailyProgress: "Monitor Daily Progress",
  monitorMissingData: "Monitor Missing Data",
  showRawPower: "Show Raw Power",
  eventsReportScan: "Events Report Scan",
  trendingReportScan: "Trending Report Scan",
  voltageHatReportScan: "Voltage Hat Report Scan",
  currentHatReportScan: "Current Hat Report Scan",
  activeVa: "Channel Va",
  activeVb: "Channel Vb",
  activeVc: "Channel Vc",
  activeIa: "Channel Ia",
  activeIb: "Channel Ib",
  activeIc: "Channel Ic",
  activePa: "Channel Pa",
  activePb: "Channel Pb",
  activePc: "Channel Pc",
  nameplateValid: "Nameplate Valid",
  poeEnabled: "PoE Enabled",
  disableMonitoring: "Disable Monitoring",
  pauseNotifications: "Pause Notifications",
  pauseConnectivityNotifications: "Pause Connectivity Notifications",
  deploymentIssue: "Deployment Issue",
};

/** A field as the node's form calls it. */
export const labelOf = (field: SwappedField | KeptFlag): string => ({ ...nodeThresholdNames, ...flagLabels })[field];

/** A value as the node's form shows it. */
export const valueText = (value: string): string => ({ true: "on", false: "off", "": "(empty)" })[value] ?? value;

/** `Configuration: 12 of 18 confirmed; 2 refused: i_noise, np_hp; 1 not known: np_sf` */
export function configLine({ values }: NodeSwap): string {
  const keysOf = (...states: string[]) => values.filter(({ state }) => states.includes(state)).map(({ key }) => key);
  const part = (keys: readonly string[], words: string) => (keys.length > 0 ? `; ${keys.length} ${words}: ${keys.join(", ")}` : "");
  const confirmed = keysOf("confirmed").length;
  return `Configuration: ${confirmed} of ${values.length} confirmed${part(keysOf("refused"), "refused")}${part(keysOf("sent", "unknown"), "not known")}${part(keysOf("left"), "left as they are")}`;
}
