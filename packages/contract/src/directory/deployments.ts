import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";

/** What the platform sees of a node by itself. */
export const evidenceKinds = [
  "registered",
  "place",
  "nameplate",
  "connected",
  "configuration",
  "metering",
  "clock",
  "files",
  "wiring",
  "nameplateValid",
  "deployed",
  "notes",
] as const;
export type EvidenceKind = (typeof evidenceKinds)[number];

export const TaskEvidence = z.object({
  kind: z.enum(evidenceKinds),
  isSeen: z.boolean(),
  sentence: z.string(),
  /** The moment that the sentence is about; null where there is none. */
  timestamp: z.nullable(EpochSeconds),
});
export type TaskEvidence = z.infer<typeof TaskEvidence>;

const phasors = z.array(z.object({ magnitude: z.number(), angle: z.number() }));
const WiringPhasors = z.nullable(z.object({ voltages: phasors, currents: phasors }));
const three = z.array(z.number());

/** The wiring as it was judged when task B2 was saved as completed, with what it was judged from; see `NodeWiring`. */
export const WiringEvidence = z.object({
  /** `right` and `wrong` are verdicts, the others are none. */
  outcome: z.enum(["right", "wrong", "open", "old", "none"]),
  sentence: z.string(),
  actions: z.array(z.string()),
  candidates: z.array(z.string()),
  notShown: z.array(z.string()),
  /** When the values were measured. */
  timestamp: z.nullable(EpochSeconds),
  timezone: z.string(),
  values: z.nullable(z.object({ lineToLine: three, currents: three, kw: three, kvar: three })),
  is: WiringPhasors,
  ought: WiringPhasors,
  takenTimestamp: EpochSeconds,
  takenBy: z.string(),
});
export type WiringEvidence = z.infer<typeof WiringEvidence>;

/**
 * `blocked`: something is in the way of the next task; `turn`: someone can do it now; `evidence`: it waits for what the platform
 * sees by itself; `approval`: only the status Deployed is missing.
 */
export const deploymentStates = ["blocked", "turn", "evidence", "approval"] as const;
export type DeploymentState = (typeof deploymentStates)[number];

/** Who does a task: in the office, in the workshop, or where the machine is. */
export const deploymentTurns = ["office", "workshop", "site"] as const;
export type DeploymentTurn = (typeof deploymentTurns)[number];

/** A node on its way to its last task: one in Pre-Deployment, or one that is Deployed and whose tasks are not all complete. */
export const Deployment = z.object({
  serialNumber: z.string(),
  customerName: z.string(),
  facilityId: z.nullable(z.int()),
  /** Where it is, else the words that were written on the node. */
  facilityName: z.string(),
  locationName: z.string(),
  /** Null for a node at no location. */
  timezone: z.nullable(z.string()),
  deploymentTaskType: z.nullable(z.string()),
  currentDeploymentStatus: z.string(),
  /** When a requested status takes effect; null where none is awaited. */
  plannedTimestamp: z.nullable(EpochSeconds),
  completed: z.int(),
  total: z.int(),
  /** The first task that is not complete; B9 where all are and the status is not Deployed yet. */
  taskTemplateId: z.int(),
  taskName: z.string(),
  state: z.enum(deploymentStates),
  /** Of the next task. */
  turn: z.enum(deploymentTurns),
  /** Why it is blocked or what it waits for; empty where nothing is in the way. */
  reason: z.string(),
  /** Since it has its status, or its first task was touched. */
  sinceTimestamp: EpochSeconds,
  /** When someone last updated a task of it, and who; null and empty before the first. */
  movedTimestamp: z.nullable(EpochSeconds),
  movedBy: z.string(),
});
export type Deployment = z.infer<typeof Deployment>;

/** Far more than are ever open at once; the oldest are listed. */
export const mostDeployments = 5_000;

export const getDeployments = endpoint("GET /api/deployments", {
  access: "staff",
  summary: `Open deployments by facility: how far each is, what is in its way and whose turn it is; at most ${mostDeployments}, the oldest`,
  data: z.object({ total: z.int(), deployments: z.array(Deployment) }),
});
