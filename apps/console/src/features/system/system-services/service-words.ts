import type { Service } from "@busbar/contract/system/system-services.ts";
import { serviceTime } from "#lib/service-time.ts";

const nextRunMarginSeconds = 3;

/** SYS-02: when a scheduled, enabled, idle service ran and will run; undefined for the others. */
export function runWords(
  { isScheduledService, isEnabled, isRunning, timestampLastFinished, timestampNextRun }: Service,
  now: number,
): string | undefined {
  if (!isScheduledService || !isEnabled || isRunning || timestampNextRun === null) return undefined;
  const next = serviceTime(timestampNextRun - now + nextRunMarginSeconds);
  if (timestampLastFinished === null) return `First run in approx ${next}`;
  return `Last ran ${serviceTime(now - timestampLastFinished)} ago next in approx ${next}`;
}

/** What it did last; undefined while that is not known. */
export function workWords(service: Service, now: number): string | undefined {
  const { isScheduledService, lastWork, timestampLastFinished, countProcessedLastRun, failingSince } = service;
  const idle = isScheduledService && timestampLastFinished !== null && countProcessedLastRun === 0 && failingSince === null;
  if (!lastWork) return idle ? "Nothing to do" : undefined;
  const { did, timestamp } = lastWork;
  if (timestampLastFinished !== null && timestamp >= timestampLastFinished) return did;
  return `${idle ? "Nothing to do. " : ""}${serviceTime(now - timestamp)} ago: ${did}`;
}

export const durationWords = (seconds: number): string => `${seconds.toFixed(2)} s`;

export type ServiceState = "Running" | "Idle" | "Disabled" | "Always on" | "Not running" | "Failing";

export function stateOf({ isScheduledService, isEnabled, isRunning, failingSince }: Service): ServiceState {
  const isFailing = failingSince !== null;
  if (!isScheduledService) return isRunning ? (isFailing ? "Failing" : "Always on") : "Not running";
  if (isRunning) return "Running";
  if (!isEnabled) return "Disabled";
  return isFailing ? "Failing" : "Idle";
}
