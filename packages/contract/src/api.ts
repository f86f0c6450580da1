import { getChangePeople, getChanges } from "./system/changes.ts";
import { find } from "./system/find.ts";
import { getActivities, getLiveActivity, getNotifications, getRecentLogins } from "./system/feeds.ts";
import { getHomeNeeds } from "./system/home-needs.ts";
import {
  getDebugs,
  getErrors,
  getWarnings,
  muteSystemMessage,
  postDebug,
  postError,
  postWarning,
  reportConsoleError,
  sendDebug,
} from "./system/system-messages.ts";
import {
  disableAllServices,
  disableService,
  disableServiceByPatch,
  enableAllServices,
  enableService,
  enableServiceByPatch,
  getServices,
  getWaitingWork,
  runService,
} from "./system/system-services.ts";
import {
  createBillPdf,
  createRegisteredBillPdf,
  getBill,
  getBilledMonth,
  getBillingOrganizations,
  getRegisteredBills,
  voidBill,
} from "./office/billing.ts";
import { getCustomerSummary } from "./office/customer-summary.ts";
import { downloadAdmin } from "./files/download-admin.ts";
import { getSubscriptionReport } from "./office/subscription-report.ts";
import { getUserReport } from "./office/user-report.ts";
import { getMetering, getRawMetering, resetMetering } from "./telemetry/metering.ts";
import {
  archiveLocationNote,
  createLocationNote,
  getLocationNotes,
  getNodePlotNotes,
  unarchiveLocationNote,
  updateLocationNote,
} from "./directory/location-notes.ts";
import {
  createLocation,
  deleteLocation,
  getAvailableNodes,
  getLocation,
  getMoveTargets,
  moveLocation,
  updateLocation,
} from "./directory/locations.ts";
import { getCustomers } from "./directory/customer-tree.ts";
import { createCustomer, deleteCustomer, updateCustomer } from "./directory/customers.ts";
import { createDecommissionedNode, deleteDecommissionedNode } from "./directory/decommissioned-nodes.ts";
import { getFacilityOverview } from "./directory/facility-overview.ts";
import { createFacility, deleteFacility, moveFacility, setFacilityManagers, updateFacility } from "./directory/facilities.ts";
import { changeOwnPassword, endOtherSessions, endOwnSession, getAccount, getOwnSessions } from "./access/account.ts";
import { getCustomerLocations } from "./directory/customer-data.ts";
import { getCustomerNames } from "./directory/customer-names.ts";
import { deleteDownload, fetchDownload, getDownloads, requestFilesDownload, requestHarmonics } from "./files/downloads.ts";
import { getEventFile } from "./files/event-files.ts";
import { getNodeDashboard } from "./telemetry/node-dashboard.ts";
import { getNetworkConfigLog } from "./telemetry/network-config-log.ts";
import { getNodeConfig, getNodeConfigTypes, setNodeConfigValue } from "./telemetry/node-config.ts";
import { extractFileAgain, getFileContents, getNodeFiles, getNodeFilesSummary, getRawFile, uploadNodeFile } from "./files/node-files.ts";
import { getNodeOverview } from "./directory/node-overview.ts";
import { getNodeTasks, patchNodeTask } from "./directory/node-tasks.ts";
import { createNode, getNode, getNodeContainers, getNodes, updateNode } from "./directory/nodes.ts";
import { getNodeWeek } from "./telemetry/node-week.ts";
import { getNodeVerdict } from "./telemetry/node-verdicts.ts";
import { getScalarHistory } from "./telemetry/scalar-history.ts";
import { getSensorData } from "./telemetry/sensor-data.ts";
import { createAdministratorSession, refreshSession, revokeSession } from "./access/session.ts";
import { getSystemConfig, getSystemConfigEntry, reloadSystemConfig, updateSystemConfig } from "./system/system-config.ts";
import { beginTwoFactor, confirmTwoFactor, replaceRecoveryCodes } from "./access/two-factor.ts";
import { createAccessKey, createApiKey, getApiKeys, getUserKeys, revokeUserKey } from "./access/user-keys.ts";
import {
  createUser,
  deleteUser,
  getUserAnalyticsUrl,
  getUserSessions,
  getUsers,
  resetUserTwoFactor,
  sendWelcomeEmail,
  setUserPassword,
  updateUser,
} from "./access/users.ts";

/** Every endpoint, by the name that server handlers and the console's client share. */
export const api = {
  createAdministratorSession,
  refreshSession,
  revokeSession,
  getNodeDashboard,
  getScalarHistory,
  getNodeOverview,
  getFacilityOverview,
  getNodeWeek,
  getNodeVerdict,
  getNodeTasks,
  patchNodeTask,
  getLocation,
  getAvailableNodes,
  getMoveTargets,
  createLocation,
  updateLocation,
  deleteLocation,
  moveLocation,
  getLocationNotes,
  createLocationNote,
  updateLocationNote,
  archiveLocationNote,
  unarchiveLocationNote,
  getNodePlotNotes,
  getSystemConfigEntry,
  getCustomers,
  createCustomer,
  updateCustomer,
  deleteCustomer,
  createFacility,
  updateFacility,
  deleteFacility,
  setFacilityManagers,
  moveFacility,
  createDecommissionedNode,
  deleteDecommissionedNode,
  getNodeConfig,
  getNodeConfigTypes,
  setNodeConfigValue,
  getNetworkConfigLog,
  getBillingOrganizations,
  getBill,
  createBillPdf,
  getRegisteredBills,
  createRegisteredBillPdf,
  voidBill,
  getBilledMonth,
  downloadAdmin,
  getCustomerSummary,
  getSubscriptionReport,
  getUserReport,
  getMetering,
  getRawMetering,
  resetMetering,
  getNodes,
  getNode,
  getNodeContainers,
  createNode,
  updateNode,
  getUsers,
  createUser,
  updateUser,
  deleteUser,
  getUserSessions,
  setUserPassword,
  sendWelcomeEmail,
  getUserAnalyticsUrl,
  resetUserTwoFactor,
  getApiKeys,
  createApiKey,
  createAccessKey,
  getUserKeys,
  revokeUserKey,
  getCustomerNames,
  getCustomerLocations,
  getAccount,
  changeOwnPassword,
  getOwnSessions,
  endOwnSession,
  endOtherSessions,
  beginTwoFactor,
  confirmTwoFactor,
  replaceRecoveryCodes,
  getServices,
  getWaitingWork,
  enableService,
  disableService,
  enableServiceByPatch,
  disableServiceByPatch,
  enableAllServices,
  disableAllServices,
  runService,
  getErrors,
  getWarnings,
  getDebugs,
  postError,
  postWarning,
  postDebug,
  muteSystemMessage,
  reportConsoleError,
  sendDebug,
  getSystemConfig,
  updateSystemConfig,
  reloadSystemConfig,
  find,
  getActivities,
  getChangePeople,
  getChanges,
  getNotifications,
  getHomeNeeds,
  getRecentLogins,
  getLiveActivity,
  getNodeFiles,
  getNodeFilesSummary,
  getFileContents,
  getRawFile,
  uploadNodeFile,
  extractFileAgain,
  getSensorData,
  requestFilesDownload,
  requestHarmonics,
  getDownloads,
  fetchDownload,
  deleteDownload,
  getEventFile,
};
export type Api = typeof api;
export type EndpointName = keyof Api;
