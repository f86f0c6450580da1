import { getMetering, getRawMetering, resetMetering } from "./metering.ts";
import { getNodeDashboard } from "./node-dashboard.ts";
import { getNodeTasks, patchNodeTask } from "./node-tasks.ts";
import { getScalarHistory } from "./scalar-history.ts";
import { createAdministratorSession, refreshSession, revokeSession } from "./session.ts";

/** Every endpoint, by the name that server handlers and the console's client share. */
export const api = {
  createAdministratorSession,
  refreshSession,
  revokeSession,
  getNodeDashboard,
  getScalarHistory,
  getNodeTasks,
  patchNodeTask,
  getMetering,
  getRawMetering,
  resetMetering,
};
export type Api = typeof api;
export type EndpointName = keyof Api;
