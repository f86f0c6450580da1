import type { Customer, Facility } from "@busbar/contract/directory/customer-tree.ts";
import type { Location, LocationNode } from "@busbar/contract/directory/locations.ts";

// Whole objects for tests, of which a test names only what it is about.

export const nodeOf = (serialNumber: string, fields: Partial<LocationNode> = {}): LocationNode => ({
  serialNumber,
  type: "Node",
  container: "",
  currentDeploymentStatus: "Deployed",
  newDeploymentStatus: "Deployed",
  deploymentTaskType: null,
  monitorDailyProgress: true,
  monitorMissingData: true,
  monitorDataPointAlerts: true,
  ...fields,
});

export const locationOf = (id: number, name: string, nodes: LocationNode[] = []): Location => ({
  id,
  name,
  assetLocationNumber: "",
  customerXRefId: "",
  equipmentType: "InductionMotor",
  nodeSerialNumber: nodes[0]?.serialNumber ?? null,
  secondaryNodeSerialNumber: nodes[1]?.serialNumber ?? null,
  nodes,
  timezone: "America/Chicago",
  equipmentStartTimestamp: 1_700_000_000,
  billingStartDate: null,
  billingEndDate: null,
  paidThruDate: null,
  notifyMissedData: true,
  starter: "",
  loadApplication: "",
  voltageTapLocation: "",
  ctLocation: "",
  channels: null,
  npVoltage: null,
  npCurrent: null,
  npHp: null,
  npRpm: null,
  npPoles: null,
  npRotorBars: null,
  npServiceFactor: null,
  faultLibraryAlertFlags: {},
  harmonicSignatures: [],
  revision: 1,
});

export const facilityOf = (id: number, name: string, locations: Location[] = [], fields: Partial<Facility> = {}): Facility => ({
  id,
  customerId: 1,
  name,
  siteName: name,
  customerXRefId: "",
  division: "",
  groundingType: "",
  type: "Inherit from Customer",
  facilityLocation: "",
  managers: [],
  revision: 1,
  locations,
  ...fields,
});

export const customerOf = (
  id: number,
  code: string,
  name: string,
  facilities: Facility[] = [],
  fields: Partial<Customer> = {},
): Customer => ({
  id,
  code,
  name,
  type: "Revenue",
  enableDataTransfer: false,
  requireDivisionFacilityLocation: false,
  emailDomains: [],
  revision: 1,
  facilities,
  decommissionedNodes: [],
  ...fields,
});
