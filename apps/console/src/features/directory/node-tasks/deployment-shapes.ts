import type { DeploymentState } from "@busbar/contract/directory/deployments.ts";

/** The shape says the same as the colour: red asks for action. */
export const stateShapes: Readonly<Record<DeploymentState, { shape: string; className: string }>> = {
  blocked: { shape: "▲", className: "bad" },
  turn: { shape: "◆", className: "warn" },
  evidence: { shape: "○", className: "dim" },
  approval: { shape: "●", className: "good" },
};
