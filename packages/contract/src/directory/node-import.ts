import { importPlanEndpoint, importRunEndpoint } from "../values/import-plan.ts";
import { changedByPlace } from "./changed-by-place.ts";

/** Without the heading. */
export const mostNodeImportLines = 5_000;

/** What the columns of an import of nodes are called: as in the file that the list of nodes exports, which has no wiring reason. */
export const nodeImportColumns = {
  serialNumber: "Serial Number",
  newDeploymentStatus: "Status",
  wiringReason: "Wiring reason",
  customerCode: "Customer code",
  facilityName: "Facility",
  locationName: "Location",
  dataPointInterval: "Interval (s)",
  notifyOnConnect: "On Connect",
  notifyOnCurrentAboveNoise: "On Current",
  showRawPower: "Raw Power",
  nameplateValid: "Name Plate Valid",
  type: "Type",
  container: "Container",
  voltageImbalanceThreshold: "V Imbalance ≤",
  voltageThdThreshold: "V THD ≤",
  overVoltageThreshold: "V Level ≤",
  currentImbalanceThreshold: "I Imbalance ≤",
  currentThdThreshold: "I THD ≤",
  shortTermOverCurrentThreshold: "I Level ≤",
  activeVa: "Va",
  activeVb: "Vb",
  activeVc: "Vc",
  activeIa: "Ia",
  activeIb: "Ib",
  activeIc: "Ic",
  deploymentTaskType: "Deployment Task Version",
} as const;

export const planNodeImport = importPlanEndpoint("/node-import", "nodes");
export const runNodeImport = importRunEndpoint("/node-import", [...changedByPlace, "/node-containers", "/nodes/{serial}/tasks"]);
