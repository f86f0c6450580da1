import type { DeploymentStatus } from "@busbar/contract/values/option-lists.ts";
import { invalid } from "#lib/errors.ts";
import { localDay } from "#lib/local-day.ts";

/** Timestamps in epoch seconds. */
export interface StatusState {
  current: DeploymentStatus;
  currentAt: number;
  requested: DeploymentStatus;
  /** When the requested status becomes current; with nothing awaited, the same as `currentAt`. */
  requestedAt: number;
}

export interface StatusRequest {
  status?: DeploymentStatus | undefined;
  /** Forced time; null asks for the next midnight, undefined leaves it. */
  timestamp?: number | null | undefined;
}

export interface StatusContext {
  now: number;
  /** Null for a node at no location: its midnight is UTC's. */
  timezone: string | null;
  isAssigned: boolean;
}

const farthestSeconds = 30 * 86_400;

/**
 * NFM-07: what a node's statuses are after a request, by the changes that are allowed. The state itself when the request
 * changes nothing.
 * @throws AppError 400 naming the field
 */
export function planStatus(state: StatusState, request: StatusRequest, { now, timezone, isAssigned }: StatusContext): StatusState {
  const status = request.status ?? state.requested;
  // A client that sends the whole node back sends the time that it read.
  const timestamp = request.timestamp === state.requestedAt ? undefined : request.timestamp;
  if (status === state.requested && timestamp === undefined) return state;
  if (status === state.current) {
    if (status !== state.requested) return { ...state, requested: status, requestedAt: state.currentAt };
    if (timestamp === null) return state;
    throw invalid("newDeploymentStatusUpdateTimestamp", "No change of status is awaited: choose another status first");
  }
  refuseForbidden(state.current, status, isAssigned);
  if (timestamp !== null && timestamp !== undefined) refuseTooFar(timestamp, now);
  const at = timestamp ?? localDay(timezone ?? "UTC", now).end;
  const isEffective = at <= now;
  return {
    current: isEffective ? status : state.current,
    currentAt: isEffective ? at : state.currentAt,
    requested: status,
    requestedAt: at,
  };
}

function refuseForbidden(from: DeploymentStatus, to: DeploymentStatus, isAssigned: boolean): void {
  const refuse = (why: string) => invalid("newDeploymentStatus", why);
  if (to === "Decommissioned") throw refuse("A node is decommissioned in the customer's list of decommissioned nodes");
  if (from === "Decommissioned")
    throw refuse("The node is decommissioned: take it out of the customer's list of decommissioned nodes first");
  if (to !== "Deployed") return;
  if (from === "Unassigned") throw refuse("Set Pre-Deployment first");
  if (!isAssigned) throw refuse("The node is at no location: make it the node of a location first");
}

function refuseTooFar(timestamp: number, now: number): void {
  if (timestamp > now + farthestSeconds)
    throw invalid("newDeploymentStatusUpdateTimestamp", "The time of the status change is at most 30 days ahead");
}

/** A new node has its status at once, or has had it since a forced time. */
export function firstStatus(status: DeploymentStatus, timestamp: number | null, now: number): StatusState {
  if (timestamp !== null && timestamp > now)
    throw invalid("newDeploymentStatusUpdateTimestamp", "A new node has its status at once: the time is not in the future");
  const at = timestamp ?? Math.floor(now);
  return { current: status, currentAt: at, requested: status, requestedAt: at };
}
