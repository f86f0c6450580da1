import type { Deployment, EvidenceKind } from "@busbar/contract/directory/deployments.ts";
import { taskTemplates } from "./task-order.ts";
import { templateId, type TaskTemplate } from "./task-template.ts";
import { evidenceFor, type EvidenceMoment, type EvidenceSignals } from "./task-evidence.ts";

export interface DeploymentSignals extends EvidenceSignals {
  locationId: number | null;
  deploymentIssue: boolean;
  deploymentIssueDetails: string;
}

/** A7, B2 and B9. */
const placingTaskId = 107;
export const wiringTaskId = 202;
const deployTaskId = 209;
export const deployTask = taskTemplates.find((template) => templateId(template) === deployTaskId);

/** What the node has to send. The rest is someone's to do; completing B2 takes the verdict. */
const awaited: readonly EvidenceKind[] = ["connected", "metering", "clock", "files"];

/** How a deployment is with its next task: what is in the way, or what it waits for. */
export function deploymentState(
  next: TaskTemplate,
  signals: DeploymentSignals,
  moment: EvidenceMoment,
): Pick<Deployment, "state" | "reason"> {
  const id = templateId(next);
  const { currentDeploymentStatus, newDeploymentStatus } = signals;
  if (signals.deploymentIssue) return { state: "blocked", reason: signals.deploymentIssueDetails.trim() || "It has a deployment issue." };
  if (id > placingTaskId && signals.locationId === null) return { state: "blocked", reason: "It is at no location." };
  if (id > wiringTaskId && signals.wiringOutcome === "wrong")
    return { state: "blocked", reason: `Wiring: ${signals.wiringSentence ?? ""}` };
  if (newDeploymentStatus !== currentDeploymentStatus) return { state: "evidence", reason: `${newDeploymentStatus} is awaited.` };
  const isApproval = id === deployTaskId && currentDeploymentStatus !== "Deployed";
  // Whoever approves relies on all of it, also on what was ticked unseen.
  const asked = isApproval ? { ...next, evidence: awaited } : next;
  const missing = evidenceFor(asked, signals, moment).find(({ kind, isSeen }) => awaited.includes(kind) && !isSeen);
  if (missing) return { state: "evidence", reason: missing.sentence };
  if (isApproval)
    return {
      state: "approval",
      reason: signals.hasPhases && signals.wiringOutcome !== "right" ? unjudgedReason(signals.wiringSentence) : "",
    };
  return { state: "turn", reason: "" };
}

const unjudgedReason = (sentence: string | null): string =>
  sentence === null ? "No wiring verdict: Deployed asks for a reason." : `Wiring: ${sentence} Deployed asks for a reason.`;
