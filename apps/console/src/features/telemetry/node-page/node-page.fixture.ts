import type { NodeOverview } from "@busbar/contract/directory/node-overview.ts";
import type { NodeWeek } from "@busbar/contract/telemetry/node-week.ts";

/** A node of which little is known, with what a test says of it. */
export const overview = (changes: Partial<NodeOverview> = {}): NodeOverview => ({
  serialNumber: "10001",
  type: "Node",
  container: "",
  currentDeploymentStatus: "Deployed",
  newDeploymentStatus: "Deployed",
  newDeploymentStatusUpdateTimestamp: 0,
  deploymentIssue: false,
  deploymentIssueDetails: "",
  dataInterval: 900,
  scalarInterval: 10,
  customerId: null,
  customerName: "",
  facilityId: null,
  facilityName: "",
  locationId: null,
  locationName: "",
  isSecondary: false,
  timezone: null,
  nodesBeside: [],
  connected: false,
  connectionChangedTimestamp: null,
  lastScalarTimestamp: null,
  lastDatafileTimestamp: null,
  openAlarms: [],
  events: [],
  places: [],
  configTimestamp: null,
  configValueCount: null,
  configChanges: [],
  tasks: { completed: 0, total: 22, taskTemplateId: 101, name: "Check the box" },
  notes: [],
  changes: [],
  requests: [],
  othersAtFacility: { total: 0, connected: 0 },
  previousSerialNumber: null,
  nextSerialNumber: null,
  ...changes,
});

const nothing = { knownFromTimestamp: null, gaps: [] };

export const week = (changes: Partial<NodeWeek> = {}): NodeWeek => ({
  fromTimestamp: 0,
  toTimestamp: 604_800,
  connected: nothing,
  scalars: nothing,
  scalarGapSeconds: 600,
  dataFiles: nothing,
  oneSecondFiles: nothing,
  platformAway: [],
  ...changes,
});
