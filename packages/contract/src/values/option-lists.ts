// The texts' option lists, in their order.
export const timezones = [
  "Pacific/Honolulu",
  "America/Anchorage",
  "America/Los_Angeles",
  "America/Denver",
  "America/Phoenix",
  "America/Chicago",
  "America/New_York",
  "Asia/Kolkata",
] as const;
export type Timezone = (typeof timezones)[number];

export const equipmentTypes = ["InductionMotor", "SynchronousMotor", "UtilityMain", "DCMotor", "Rectifier"] as const;
export type EquipmentType = (typeof equipmentTypes)[number];
export const equipmentTypeLabels: Readonly<Record<string, string>> = {
  InductionMotor: "Induction Motor",
  SynchronousMotor: "Synchronous Motor",
  UtilityMain: "Utility Main",
  DCMotor: "DC Motor",
  Rectifier: "Rectifier",
};

/** Equipment that has a second node, which measures its field circuit (CUS-11). */
export const equipmentTypesWithSecondaryNode: readonly EquipmentType[] = ["DCMotor", "SynchronousMotor"];

export const starters = [
  "",
  "DC Armature",
  "DC Field",
  "FVNR + DC Brake",
  "FVNR",
  "FVR + DC Brake",
  "FVR",
  "Reduced Voltage Starter",
  "Rotor Field",
  "Soft Start + DC Brake",
  "Soft Starter",
  "Synchronous",
  "VFD",
] as const;
export const loadApplications = [
  "",
  "Belt",
  "Belt - Reducer",
  "Belt - Reducer - Belt",
  "Direct",
  "Direct Coupled",
  "Reducer",
  "Reducer - Belt",
  "Belt + load sharing",
  "Fluid Coupling",
] as const;
export const voltageTapLocations = ["", "Line side", "Load side"] as const;
export const ctLocations = ["", "Motor Load", "Motor Load + Auxiliary"] as const;

/** What a form offers; Decommissioned is reached only through a customer's decommissioned nodes. */
export const requestableDeploymentStatuses = ["Pre-Deployment", "Deployed", "Unassigned"] as const;
export const deploymentStatuses = [...requestableDeploymentStatuses, "Decommissioned"] as const;
export type DeploymentStatus = (typeof deploymentStatuses)[number];

export const nodeTypes = ["Node", "subNode", "SEL", "GERelay"] as const;
/** Those that measure phases and connect; the others are relays, whose files come another way. */
export const measuringNodeTypes: readonly string[] = ["Node", "subNode"];
export type NodeType = (typeof nodeTypes)[number];
export const nodeTypeLabels: Record<NodeType, string> = {
  Node: "Node",
  subNode: "SubNode",
  SEL: "SEL Relay",
  GERelay: "GE Relay",
};

/** Protective relays: their location must have its nameplate (CUS-12). */
export function isRelayNodeType(type: string): boolean {
  return type === "SEL" || type === "GERelay";
}

// DSH-12
export function isExternalNodeType(type: string): boolean {
  return !(nodeTypes as readonly string[]).includes(type);
}

export const customerTypes = ["Revenue", "Internal"] as const;
export const facilityTypes = ["Inherit from Customer", "Revenue", "Internal"] as const;
export const divisions = ["", "Corrugated", "CPG", "Gypsum", "Guardian", "Lumber", "OSB", "P&C", "Plywood"] as const;
export const groundingTypes = ["", "Solid Ground", "High Impedance Ground", "Ungrounded"] as const;

export const staffRoles = ["systemAdministrator", "accountsAdministrator"] as const;
export type StaffRole = (typeof staffRoles)[number];

export const deploymentTaskTypes = ["NL-NF", "NL-EF", "RMA"] as const;
export type DeploymentTaskType = (typeof deploymentTaskTypes)[number];
export const deploymentTaskTypeLabels: Record<DeploymentTaskType, string> = {
  "NL-NF": "new location, new facility",
  "NL-EF": "new location, existing facility",
  RMA: "existing location, replacement node",
};

export const nodeHardwareVersions = ["ND001.02.01", "ND002.02.01", "ND003.02.01"] as const;
export type NodeHardwareVersion = (typeof nodeHardwareVersions)[number];
export const nodeHardwareVersionLabels: Record<NodeHardwareVersion, string> = {
  "ND001.02.01": "Node 2.0 UPS",
  "ND002.02.01": "Node 2.0 PWS",
  "ND003.02.01": "Node 2.0 PoE",
};

export const viModuleHardwareVersions = ["AC001.03.01", "DC001.03.01", "AC002.03.01"] as const;
export type ViModuleHardwareVersion = (typeof viModuleHardwareVersions)[number];
export const viModuleHardwareVersionLabels: Record<ViModuleHardwareVersion, string> = {
  "AC001.03.01": "AC VI Module 3.0",
  "DC001.03.01": "DC VI Module 1.0",
  "AC002.03.01": "AC VI Module 4.0",
};

/** How often someone is notified of a facility. */
export const subscriptionFrequencies = ["Immediate", "Daily", "Weekly"] as const;
export type SubscriptionFrequency = (typeof subscriptionFrequencies)[number];
