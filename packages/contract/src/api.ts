import { deleteDownload, fetchDownload, getDownloads, requestFilesDownload, requestHarmonics } from "./downloads.ts";
import { getNodeDashboard } from "./node-dashboard.ts";
import { extractFileAgain, getFileContents, getNodeFiles, getNodeFilesSummary, getRawFile } from "./node-files.ts";
import { getScalarHistory } from "./scalar-history.ts";
import { getSensorData } from "./sensor-data.ts";
import { createAdministratorSession, refreshSession, revokeSession } from "./session.ts";

/** Every endpoint, by the name that server handlers and the console's client share. */
export const api = {
  createAdministratorSession,
  refreshSession,
  revokeSession,
  getNodeDashboard,
  getScalarHistory,
  getNodeFiles,
  getNodeFilesSummary,
  getFileContents,
  getRawFile,
  extractFileAgain,
  getSensorData,
  requestFilesDownload,
  requestHarmonics,
  getDownloads,
  fetchDownload,
  deleteDownload,
};
export type Api = typeof api;
export type EndpointName = keyof Api;
