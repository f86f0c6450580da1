import type { DeploymentStatus } from "@busbar/contract/values/option-lists.ts";
import type { Quirks } from "@busbar/simulator/node-model/sim-node.ts";

export interface Oddity {
  type?: string;
  /** The location whose node a sub node reports through. */
  parentLocation?: string;
  currentStatus?: DeploymentStatus;
  newStatus?: DeploymentStatus;
  notifyOnConnect?: boolean;
  scalarIntervalSeconds?: number;
  quirks?: Quirks;
}

/** What is out of the ordinary at a location's node, so that every state of the screens can be seen in the demo. */
export const oddities: ReadonlyMap<string, Oddity> = new Map<string, Oddity>([
  ["Corrugator Main", { type: "SEL" }],
  ["Utility Main", { type: "GERelay" }],
  ["Bench 3", { type: "Recorder" }],
  ["Baler", { type: "Recorder" }],
  ["Flotation Blower 2", { type: "subNode", parentLocation: "Flotation Blower 1" }],
  ["Aeration Blower 2", { type: "subNode", parentLocation: "Aeration Blower 1" }],
  ["Folder Gluer Drive", { currentStatus: "Pre-Deployment", newStatus: "Deployed" }],
  ["Sludge Press", { newStatus: "Unassigned" }],
  ["Die Press 2", { currentStatus: "Pre-Deployment", newStatus: "Pre-Deployment" }],
  ["Bench 2", { currentStatus: "Pre-Deployment", newStatus: "Pre-Deployment", quirks: { wiring: { cts: [1, -2, 3] } } }],
  [
    "Backwash Pump",
    { currentStatus: "Pre-Deployment", newStatus: "Pre-Deployment", notifyOnConnect: true, quirks: { neverConnects: true } },
  ],
  ["Tailings Pump 1", { notifyOnConnect: true, quirks: { flappingLink: true } }],
  ["Acid Transfer Pump", { quirks: { clockOffsetSeconds: 5_400, isClockUnlocked: true } }],
  ["Bench 1", { quirks: { badPayloads: 0.3 } }],
  ["Overland Conveyor", { quirks: { dropScalars: 0.05 } }],
  ["Stock Pump 7", { quirks: { isSensorBroken: true } }],
  ["Cooling Tower Fan 2", { quirks: { neverAnswersCommands: true } }],
  ["Intake Pump 2", { scalarIntervalSeconds: 60, quirks: { badFiles: 0.25 } }],
]);
