import { newNodeDefaults } from "@busbar/contract/directory/node-fields.ts";
import type { Node } from "@busbar/contract/directory/nodes.ts";

/** At a location, in Pre-Deployment. */
export const sampleNode: Node = {
  ...newNodeDefaults,
  id: 7,
  serialNumber: "10101",
  container: "Rack 1",
  newDeploymentStatus: "Pre-Deployment",
  currentDeploymentStatus: "Pre-Deployment",
  newDeploymentStatusUpdateTimestamp: 1_790_000_000,
  currentDeploymentStatusUpdateTimestamp: 1_790_000_000,
  macAddress: null,
  ipAddress: null,
  connected: true,
  openTaskCount: 2,
  lacksWiringVerdict: true,
  wiringVerdict: "",
  isAssigned: true,
  customerId: 1,
  customerCode: "alder",
  customerName: "Alder Pumping",
  facilityId: 1,
  facilityName: "North Works",
  locationId: 1,
  locationName: "Feed Pump 1",
  slot: 1,
  timezone: "America/Chicago",
  revision: 3,
};
