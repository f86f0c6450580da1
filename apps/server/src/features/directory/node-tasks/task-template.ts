import type { DeploymentTaskType } from "@busbar/contract/values/option-lists.ts";
import type { DeploymentTurn, EvidenceKind } from "@busbar/contract/directory/deployments.ts";
import type { TaskLink, TaskStep } from "@busbar/contract/directory/node-tasks.ts";

/** What a task is, the same for every node. */
export interface TaskTemplate {
  /** 1 before, 2 after the deployment. */
  group: 1 | 2;
  sequence: number;
  name: string;
  /** Who does it. */
  turn: DeploymentTurn;
  /** What the platform sees by itself and the task asks for. */
  evidence?: readonly EvidenceKind[];
  /** Whether it asks for something in its notes, always or in deployments of one kind. */
  asksForNotes?: true | DeploymentTaskType;
  /** Ids of the tasks that must be complete first. */
  prerequisites: readonly number[];
  description: readonly TaskStep[];
  commonPre?: readonly TaskStep[];
  byType?: Partial<Record<DeploymentTaskType, readonly TaskStep[]>>;
  commonPost?: readonly TaskStep[];
  externalLink?: TaskLink;
}

export const templateId = ({ group, sequence }: Pick<TaskTemplate, "group" | "sequence">): number => group * 100 + sequence;

/** Where the field guide lives. */
const guide = "https://docs.busbar.example/field-guide";

export const guideLink = (page: string, text: string): TaskLink => ({ url: `${guide}/${page}`, text });

/** B1: what came before it is of the bench. */
export const installTaskId = 201;
