import { getActivities, getLiveActivity, getNotifications, getRecentLogins } from "./feeds.ts";
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
} from "./system-messages.ts";
import {
  disableAllServices,
  disableService,
  disableServiceByPatch,
  enableAllServices,
  enableService,
  enableServiceByPatch,
  getServices,
  runService,
} from "./system-services.ts";
import {
  createBillPdf,
  createRegisteredBillPdf,
  getBill,
  getBilledMonth,
  getBillingOrganizations,
  getRegisteredBills,
  voidBill,
} from "./billing.ts";
import { getCustomerSummary } from "./customer-summary.ts";
import { downloadAdmin } from "./download-admin.ts";
import { getSubscriptionReport } from "./subscription-report.ts";
import { getUserReport } from "./user-report.ts";
import { getMetering, getRawMetering, resetMetering } from "./metering.ts";
import {
  archiveLocationNote,
  createLocationNote,
  getLocationNotes,
  getNodePlotNotes,
  unarchiveLocationNote,
  updateLocationNote,
} from "./location-notes.ts";
import {
  createLocation,
  deleteLocation,
  getAvailableNodes,
  getLocation,
  getMoveTargets,
  moveLocation,
  updateLocation,
} from "./locations.ts";
import { getCustomers } from "./customer-tree.ts";
import { createCustomer, deleteCustomer, updateCustomer } from "./customers.ts";
import { createDecommissionedNode, deleteDecommissionedNode } from "./decommissioned-nodes.ts";
import { createFacility, deleteFacility, moveFacility, setFacilityManagers, updateFacility } from "./facilities.ts";
import { changeOwnPassword, endOtherSessions, endOwnSession, getAccount, getOwnSessions } from "./account.ts";
import { getCustomerLocations } from "./customer-data.ts";
import { getCustomerNames } from "./customer-names.ts";
import { deleteDownload, fetchDownload, getDownloads, requestFilesDownload, requestHarmonics } from "./downloads.ts";
import { getEventFile } from "./event-files.ts";
import { getNodeDashboard } from "./node-dashboard.ts";
import { getNetworkConfigLog } from "./network-config-log.ts";
import { getNodeConfig, getNodeConfigTypes, setNodeConfigValue } from "./node-config.ts";
import { extractFileAgain, getFileContents, getNodeFiles, getNodeFilesSummary, getRawFile, uploadNodeFile } from "./node-files.ts";
import { getNodeTasks, patchNodeTask } from "./node-tasks.ts";
import { createNode, getNode, getNodeContainers, getNodes, updateNode } from "./nodes.ts";
import { getScalarHistory } from "./scalar-history.ts";
import { getSensorData } from "./sensor-data.ts";
import { createAdministratorSession, refreshSession, revokeSession } from "./session.ts";
import { getSystemConfig, getSystemConfigEntry, reloadSystemConfig, updateSystemConfig } from "./system-config.ts";
import { beginTwoFactor, confirmTwoFactor, replaceRecoveryCodes } from "./two-factor.ts";
import { createAccessKey, createApiKey, getApiKeys, getUserKeys, revokeUserKey } from "./user-keys.ts";
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
} from "./users.ts";

/** Every endpoint, by the name that server handlers and the console's client share. */
export const api = {
  createAdministratorSession,
  refreshSession,
  revokeSession,
  getNodeDashboard,
  getScalarHistory,
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
  getActivities,
  getNotifications,
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
