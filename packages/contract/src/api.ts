import { addIncidentNote, getIncident, getIncidentPeople, getIncidents, updateIncident } from "./alarms/incidents.ts";
import { createMute, endMute, getMutes, getPauses } from "./alarms/mutes.ts";
import {
  getFacilitySubscriptions,
  getUserSubscriptions,
  updateFacilitySubscriptions,
  updateUserSubscriptions,
} from "./alarms/subscriptions.ts";
import { getChangePeople, getChanges } from "./system/changes.ts";
import { find } from "./system/find.ts";
import { getActivities, getLiveActivity, getNotifications, getRecentLogins } from "./system/feeds.ts";
import { getHomeNeeds } from "./system/home-needs.ts";
import {
  getDebugs,
  getErrors,
  getWarnings,
  getMutedMessages,
  markMessagesSeen,
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
import { askForFiles, getCoverage, getNodeCoverage } from "./telemetry/coverage.ts";
import { getMetering, getRawMetering, resetMetering } from "./telemetry/metering.ts";
import { getNodeWiring } from "./telemetry/node-wiring.ts";
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
import { getDeployments } from "./directory/deployments.ts";
import { getFacilityOverview } from "./directory/facility-overview.ts";
import { createFacility, deleteFacility, moveFacility, setFacilityManagers, updateFacility } from "./directory/facilities.ts";
import { changeOwnPassword, endOtherSessions, endOwnSession, getAccount, getOwnSessions } from "./access/account.ts";
import { getCustomerLocations } from "./directory/customer-data.ts";
import { getCustomerNames } from "./directory/customer-names.ts";
import { deleteDownload, fetchDownload, getDownloads, requestFilesDownload, requestHarmonics } from "./files/downloads.ts";
import { getEventFile } from "./files/event-files.ts";
import { getEvent, getEvents } from "./files/recorded-events.ts";
import { getNodeDashboard } from "./telemetry/node-dashboard.ts";
import { createBatch, createNextBatch, getBatch, getBatches, getBatchNodes, startBatch, steerBatch } from "./telemetry/config-batches.ts";
import { getNetworkConfigLog } from "./telemetry/network-config-log.ts";
import { getNodeConfig, getNodeConfigTypes, setNodeConfigValue } from "./telemetry/node-config.ts";
import { extractFileAgain, getFileContents, getNodeFiles, getNodeFilesSummary, getRawFile, uploadNodeFile } from "./files/node-files.ts";
import { createCredentialSheet, createNodeCredentials, getNodeCredentials, revokeNodeCredentials } from "./directory/node-credentials.ts";
import { getBulkChange, planBulkChange, runBulkChange } from "./directory/bulk-changes.ts";
import { planNodeImport, runNodeImport } from "./directory/node-import.ts";
import { planPlaceImport, runPlaceImport } from "./directory/place-import.ts";
import { planUserImport, runUserImport } from "./access/user-import.ts";
import { getNodeOverview } from "./directory/node-overview.ts";
import { addTaskPhoto, deleteTaskPhoto, getNodeTasks, getTaskPhoto, patchNodeTask } from "./directory/node-tasks.ts";
import { requestDeployed } from "./directory/deployment-requests.ts";
import { getFreePlaces, takeFreePlace } from "./directory/free-places.ts";
import { copySwapConfig, getNodeSwap, getSwapPlan, leaveSwapConfig, swapNode } from "./directory/node-swaps.ts";
import { createNode, getNode, getNodeContainers, getNodes, updateNode } from "./directory/nodes.ts";
import { getNodeWeek } from "./telemetry/node-week.ts";
import { getNodeVerdict } from "./telemetry/node-verdicts.ts";
import { getScalarHistory } from "./telemetry/scalar-history.ts";
import { getSensorData } from "./telemetry/sensor-data.ts";
import { getTrendDays, getTrendDuration, getTrendMarks, getTrendProfile, getTrends, getTrendScatter } from "./telemetry/trends.ts";
import { createAdministratorSession, refreshSession, revokeSession } from "./access/session.ts";
import { createView, deleteView, getViews, updateView } from "./system/saved-views.ts";
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
  getTrends,
  getTrendMarks,
  getTrendProfile,
  getTrendDuration,
  getTrendScatter,
  getTrendDays,
  getNodeOverview,
  getFacilityOverview,
  getDeployments,
  getNodeWeek,
  getNodeVerdict,
  getCoverage,
  getNodeCoverage,
  askForFiles,
  getNodeTasks,
  patchNodeTask,
  addTaskPhoto,
  getTaskPhoto,
  deleteTaskPhoto,
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
  getBulkChange,
  planBulkChange,
  runBulkChange,
  planPlaceImport,
  runPlaceImport,
  planNodeImport,
  runNodeImport,
  planUserImport,
  runUserImport,
  getNodeCredentials,
  createNodeCredentials,
  revokeNodeCredentials,
  createCredentialSheet,
  getFreePlaces,
  takeFreePlace,
  requestDeployed,
  getSwapPlan,
  getNodeSwap,
  swapNode,
  copySwapConfig,
  leaveSwapConfig,
  getNodeConfig,
  getNodeConfigTypes,
  setNodeConfigValue,
  getBatches,
  getBatch,
  getBatchNodes,
  createBatch,
  createNextBatch,
  startBatch,
  steerBatch,
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
  getNodeWiring,
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
  getMutedMessages,
  markMessagesSeen,
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
  getIncidents,
  getIncidentPeople,
  getIncident,
  updateIncident,
  addIncidentNote,
  getUserSubscriptions,
  updateUserSubscriptions,
  getFacilitySubscriptions,
  updateFacilitySubscriptions,
  getMutes,
  getPauses,
  createMute,
  endMute,
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
  getEvent,
  getEvents,
  getViews,
  createView,
  updateView,
  deleteView,
};
export type Api = typeof api;
export type EndpointName = keyof Api;
