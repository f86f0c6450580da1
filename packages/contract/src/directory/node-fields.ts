import * as z from "zod/mini";
import {
  deploymentStatuses,
  deploymentTaskTypes,
  nodeHardwareVersions,
  nodeTypes,
  requestableDeploymentStatuses,
  viModuleHardwareVersions,
} from "../values/option-lists.ts";
import { numberError } from "../values/plain-number.ts";
import { SerialNumber } from "../values/serial-number.ts";

const control = /^\P{Cc}*$/u;
const severalLines = /^[\P{Cc}\n\r\t]*$/u;

const oneLine = (label: string, most: number) =>
  z
    .string(`${label} is a text`)
    .check(z.maxLength(most, `${label} has at most ${most} characters`), z.regex(control, `${label} is one line of text`));

const multiLine = (label: string, most: number) =>
  z
    .string(`${label} is a text`)
    .check(z.maxLength(most, `${label} has at most ${most} characters`), z.regex(severalLines, `${label} has no control characters`));

const flag = (label: string) => z.boolean(`${label} is true or false`);

const number = (label: string, least: number, most: number) =>
  z
    .number(numberError(label))
    .check(z.minimum(least, `${label} is from ${least} to ${most}`), z.maximum(most, `${label} is from ${least} to ${most}`));

const whole = (label: string, least: number, most: number) =>
  number(label, least, most).check(z.refine((value) => Number.isInteger(value), `${label} is a whole number`));

function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s]+$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}

/** A data file's name has four digits for the seconds that it covers. */
const longestFileSeconds = 9_999;
const largestThreshold = 100_000;
const longestPeriodMinutes = 1_440;

// NFM-06
export const nodeThresholdNames = {
  voltageImbalanceThreshold: "Voltage Imbalance Threshold",
  voltageThdThreshold: "Voltage THD Threshold",
  currentImbalanceThreshold: "Current Imbalance Threshold",
  currentThdThreshold: "Current THD Threshold",
  overVoltageThreshold: "Over-Voltage Threshold",
  shortTermOverCurrentThreshold: "Short-Term Over-Current Threshold",
  shortTermOverCurrentAveragingPeriod: "Short-Term Over-Current Averaging Period",
  longTermOverCurrentThreshold: "Long-Term Over-Current Threshold",
  longTermOverCurrentAveragingPeriod: "Long-Term Over-Current Averaging Period",
  underVoltageThreshold: "Under-Voltage Threshold",
  lossOfPhaseTransientThreshold: "Loss-Of-Phase Transient Threshold",
  stopEventOfInterestThreshold: "Stop Event of Interest Threshold",
  viMinimumVoltageThreshold: "VI Minimum Voltage Threshold",
} as const;
export type NodeThreshold = keyof typeof nodeThresholdNames;

export const nodeFlagNames = {
  poeEnabled: "PoE Enabled",
  nameplateValid: "Nameplate Valid",
  showRawPower: "Show Raw Power",
  activeVa: "Active Channel Va",
  activeVb: "Active Channel Vb",
  activeVc: "Active Channel Vc",
  activeIa: "Active Channel Ia",
  activeIb: "Active Channel Ib",
  activeIc: "Active Channel Ic",
  activePa: "Active Channel Pa",
  activePb: "Active Channel Pb",
  activePc: "Active Channel Pc",
  notifyOnConnect: "Notify On Connect",
  notifyOnCurrentAboveNoise: "Notify On Current Above Noise",
  disableMonitoring: "Disable Monitoring",
  monitorDataPointAlerts: "Monitor Data Point Alerts",
  monitorDailyProgress: "Monitor Daily Progress",
  monitorMissingData: "Monitor Missing Data",
  pauseNotifications: "Pause Notifications (Analytics)",
  pauseConnectivityNotifications: "Pause Connectivity Notifications",
  eventsReportScan: "Events Report Scan",
  trendingReportScan: "Trending Report Scan",
  voltageHatReportScan: "Voltage Hat Report Scan",
  currentHatReportScan: "Current Hat Report Scan",
  deploymentIssue: "Deployment Issue",
} as const;
export type NodeFlag = keyof typeof nodeFlagNames;

/** Of the texts that many nodes can have the same of. */
export const nodeTextNames = {
  pauseConnectivityNotificationsReason: "Pause Connectivity Notifications Reason",
  pauseConnectivityNotificationsUrl: "Pause Connectivity Notifications URL",
} as const;

const threshold = (name: NodeThreshold) => number(nodeThresholdNames[name], 0, largestThreshold);
const period = (name: NodeThreshold) => whole(nodeThresholdNames[name], 1, longestPeriodMinutes);

/** A choice of a list, or what the node already has: a node may report hardware that no list knows yet. */
const choice = (label: string, options: readonly string[], stored: string | null | undefined) =>
  z
    .string(`${label} is one of the list`)
    .check(z.refine((value) => options.includes(value) || value === stored, `${label} is one of the list`));

/** The fields whose choices come from a list, as the node has them. */
export interface StoredChoices {
  type?: string;
  nodeHardwareVersion?: string | null;
  viModuleHardwareVersion?: string | null;
  deploymentTaskType?: string | null;
  newDeploymentStatus?: string;
}

/** NFM-10: the fields with lists. A value that the node has stays allowed. */
export function nodeChoiceFields(stored: StoredChoices = {}) {
  const statuses = stored.newDeploymentStatus === "Decommissioned" ? deploymentStatuses : requestableDeploymentStatuses;
  return {
    type: choice("Type", nodeTypes, stored.type),
    nodeHardwareVersion: z.nullable(choice("Node hardware version", nodeHardwareVersions, stored.nodeHardwareVersion)),
    viModuleHardwareVersion: z.nullable(choice("VI module hardware version", viModuleHardwareVersions, stored.viModuleHardwareVersion)),
    deploymentTaskType: z.nullable(choice("Deployment task version", deploymentTaskTypes, stored.deploymentTaskType)),
    newDeploymentStatus: z.enum(statuses, "Deployment status is one of the list"),
  };
}

/** What staff may write of a node, in addition to `nodeChoiceFields`. */
export const nodePlainFields = {
  container: oneLine("Container", 120).check(z.refine((text) => text.trim() !== "", "Container is required")),
  dataPointInterval: whole("Data point interval", 1, longestFileSeconds), // NFM-04
  unassignedCustomer: oneLine("Customer", 120),
  unassignedFacility: oneLine("Facility", 120),
  unassignedLocation: oneLine("Location", 120),
  poeEnabled: flag("poeEnabled"),
  nameplateValid: flag("nameplateValid"),
  notifyOnConnect: flag("notifyOnConnect"),
  notifyOnCurrentAboveNoise: flag("notifyOnCurrentAboveNoise"),
  disableMonitoring: flag("disableMonitoring"),
  monitorDataPointAlerts: flag("monitorDataPointAlerts"),
  monitorDailyProgress: flag("monitorDailyProgress"),
  monitorMissingData: flag("monitorMissingData"),
  pauseNotifications: flag("pauseNotifications"),
  pauseConnectivityNotifications: flag("pauseConnectivityNotifications"),
  pauseConnectivityNotificationsReason: oneLine("Reason of the pause", 500),
  pauseConnectivityNotificationsUrl: oneLine("Ticket link", 2_000).check(
    z.refine(
      (text) => text === "" || isWebAddress(text),
      "Ticket link is empty or begins with http:// or https://, without a name and password in it",
    ),
  ),
  showRawPower: flag("showRawPower"),
  eventsReportScan: flag("eventsReportScan"),
  trendingReportScan: flag("trendingReportScan"),
  voltageHatReportScan: flag("voltageHatReportScan"),
  currentHatReportScan: flag("currentHatReportScan"),
  deploymentIssue: flag("deploymentIssue"),
  deploymentIssueDetails: multiLine("Details of the deployment issue", 2_000),
  activeVa: flag("activeVa"),
  activeVb: flag("activeVb"),
  activeVc: flag("activeVc"),
  activeIa: flag("activeIa"),
  activeIb: flag("activeIb"),
  activeIc: flag("activeIc"),
  activePa: flag("activePa"),
  activePb: flag("activePb"),
  activePc: flag("activePc"),
  voltageImbalanceThreshold: threshold("voltageImbalanceThreshold"),
  voltageThdThreshold: threshold("voltageThdThreshold"),
  currentImbalanceThreshold: threshold("currentImbalanceThreshold"),
  currentThdThreshold: threshold("currentThdThreshold"),
  overVoltageThreshold: threshold("overVoltageThreshold"),
  shortTermOverCurrentThreshold: threshold("shortTermOverCurrentThreshold"),
  shortTermOverCurrentAveragingPeriod: period("shortTermOverCurrentAveragingPeriod"),
  longTermOverCurrentThreshold: threshold("longTermOverCurrentThreshold"),
  longTermOverCurrentAveragingPeriod: period("longTermOverCurrentAveragingPeriod"),
  underVoltageThreshold: threshold("underVoltageThreshold"),
  lossOfPhaseTransientThreshold: threshold("lossOfPhaseTransientThreshold"),
  stopEventOfInterestThreshold: threshold("stopEventOfInterestThreshold"),
  viMinimumVoltageThreshold: threshold("viMinimumVoltageThreshold"),
};

/** NFM-06: what a new node has unless someone says otherwise. */
export const newNodeDefaults = {
  type: "Node",
  nodeHardwareVersion: null,
  viModuleHardwareVersion: null,
  deploymentTaskType: null,
  newDeploymentStatus: requestableDeploymentStatuses[0],
  dataPointInterval: 900,
  unassignedCustomer: "",
  unassignedFacility: "",
  unassignedLocation: "",
  poeEnabled: false,
  nameplateValid: false,
  notifyOnConnect: false,
  notifyOnCurrentAboveNoise: false,
  disableMonitoring: false,
  monitorDataPointAlerts: true,
  monitorDailyProgress: true,
  monitorMissingData: true,
  pauseNotifications: false,
  pauseConnectivityNotifications: false,
  pauseConnectivityNotificationsReason: "",
  pauseConnectivityNotificationsUrl: "",
  showRawPower: false,
  eventsReportScan: true,
  trendingReportScan: true,
  voltageHatReportScan: true,
  currentHatReportScan: true,
  deploymentIssue: false,
  deploymentIssueDetails: "",
  activeVa: true,
  activeVb: true,
  activeVc: true,
  activeIa: true,
  activeIb: true,
  activeIc: true,
  activePa: true,
  activePb: true,
  activePc: true,
  voltageImbalanceThreshold: 10,
  voltageThdThreshold: 10,
  currentImbalanceThreshold: 10,
  currentThdThreshold: 10,
  overVoltageThreshold: 8,
  shortTermOverCurrentThreshold: 15,
  shortTermOverCurrentAveragingPeriod: 5,
  longTermOverCurrentThreshold: 15,
  longTermOverCurrentAveragingPeriod: 5,
  underVoltageThreshold: 10,
  lossOfPhaseTransientThreshold: 500,
  stopEventOfInterestThreshold: 72,
  viMinimumVoltageThreshold: 0,
} as const;

// 2010 to 2059, as the form's date field takes it (COM-08).
const earliest = 1_262_304_000;
const latest = 2_840_227_200;

/** NFM-07: when a requested status shall become current; null is the next midnight. */
export const forcedTimestamp = z.nullable(
  z
    .int("The time of the status change is a whole number of epoch seconds")
    .check(
      z.minimum(earliest, "The time of the status change is in 2010 to 2059"),
      z.maximum(latest, "The time of the status change is in 2010 to 2059"),
    ),
);

/** Rules of the whole form: a subset of them checks a partial change. */
export function nodeFormSchema(stored?: StoredChoices) {
  return z.object({ serialNumber: SerialNumber, ...nodeChoiceFields(stored), ...nodePlainFields });
}
