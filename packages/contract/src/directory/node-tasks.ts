import * as z from "zod/mini";
import { endpoint, preparedEndpoint } from "../endpoint.ts";
import { TaskEvidence, WiringEvidence } from "./deployments.ts";
import { EntityId } from "../values/entity-id.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { SerialNumber } from "../values/serial-number.ts";

export const taskStatuses = ["NOT_COMPLETED", "COMPLETED"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** Group 1 is before, group 2 after the deployment. */
export const taskGroupLetters: Readonly<Record<number, string>> = { 1: "A", 2: "B" };

/** Far more than anyone writes about one task, little enough for every list that carries it. */
export const maxTaskNotesLength = 10_000;

export const TaskLink = z.object({ url: z.string(), text: z.string() });
export type TaskLink = z.infer<typeof TaskLink>;

/** A plain sentence, a sentence with a link, or a list under its heading. */
export const TaskStep = z.union([
  z.string(),
  z.object({ text: z.string(), externalLink: TaskLink }),
  z.object({ heading: z.string(), items: z.array(z.string()) }),
]);
export type TaskStep = z.infer<typeof TaskStep>;

export const NodeTask = z.object({
  serialNumber: z.string(),
  taskTemplateId: z.number(),
  sequenceId: z.number(),
  groupId: z.number(),
  name: z.string(),
  description: z.array(TaskStep),
  /** By `common_pre`, `common_post` and `deploymentTaskType_{type}`. */
  subTasks: z.record(z.string(), z.array(TaskStep)),
  externalLink: z.nullable(TaskLink),
  notes: z.string(),
  /** Whether the status may be changed: every prerequisite is complete. */
  editable: z.boolean(),
  /** Template ids. */
  incompletePrerequisitesList: z.array(z.number()),
  status: z.enum(taskStatuses),
  lastUpdatedUserId: z.nullable(z.number()),
  /** Epoch seconds, -1 when never. */
  lastUpdatedTimestamp: EpochSeconds,
  lastUpdatedUsername: z.string(),
  lastUpdatedFullname: z.string(),
  /** Counts the changes of this task; 0 before the first. */
  revision: z.number(),
});
export type NodeTask = z.infer<typeof NodeTask>;

export const largestTaskPhotoBytes = 1_048_576;
/** Of one task of one node. */
export const maxTaskPhotos = 6;

export const TaskPhoto = z.object({
  id: z.number(),
  taskTemplateId: z.number(),
  addedTimestamp: EpochSeconds,
  /** Full name, or the username of who has none. */
  addedBy: z.string(),
  /** Bytes. */
  size: z.number(),
});
export type TaskPhoto = z.infer<typeof TaskPhoto>;

export const NodeTasks = z.object({
  tasks: z.array(NodeTask),
  /** Of all tasks, oldest first. */
  photos: z.array(TaskPhoto),
  /** What the platform sees by itself of what tasks ask for. */
  evidence: z.array(z.extend(TaskEvidence, { taskTemplateId: z.number() })),
  /** Of where the node is now; null where none was taken. */
  wiring: z.nullable(WiringEvidence),
  /** NL-NF, NL-EF or RMA; null when the node has none. */
  deploymentTaskType: z.nullable(z.string()),
  /** Where the node is; null for a node at no location. */
  location: z.nullable(
    z.object({ id: z.number(), name: z.string(), facilityName: z.string(), customerCode: z.string(), timezone: z.string() }),
  ),
});
export type NodeTasks = z.infer<typeof NodeTasks>;

export const getNodeTasks = endpoint("GET /api/v2/nodes/{serial}/tasks", {
  access: "staff",
  summary: "The deployment tasks of a node",
  params: z.object({ serial: SerialNumber }),
  data: NodeTasks,
});

export const NodeTaskPatch = z.strictObject({
  status: z.enum(taskStatuses, "is COMPLETED or NOT_COMPLETED"),
  notes: z.string("is a text").check(z.maxLength(maxTaskNotesLength, `has at most ${maxTaskNotesLength} characters`)),
  /** The revision that the change was made on; without it the last writer wins. */
  revision: z.optional(z.int("is a whole number").check(z.minimum(0, "is 0 or more"), z.maximum(2_147_483_647, "is too large"))),
  /** When it was made, where that was without network; kept with the activity. */
  madeTimestamp: z.optional(
    z.int("is a whole number").check(z.minimum(0, "is 0 or more"), z.maximum(99_999_999_999, "is a time in seconds")),
  ),
});
export type NodeTaskPatch = z.infer<typeof NodeTaskPatch>;

const TaskAddress = z.object({
  serial: SerialNumber,
  id: z.string().check(z.regex(/^[1-9]\d{0,5}$/, "A task is named by its number")),
});

export const patchNodeTask = endpoint("PATCH /api/v2/nodes/{serial}/tasks/tasktemplate/{id}", {
  access: "staff",
  summary: "Complete or reopen a deployment task, and its notes",
  changes: ["/nodes/{serial}/tasks", "/nodes/{serial}/details", "/nodes/{serial}/overview", "/deployments"],
  params: TaskAddress,
  body: NodeTaskPatch,
  data: NodeTask,
});

const PhotoAddress = z.extend(TaskAddress, { photoId: EntityId });

export const addTaskPhoto = endpoint("POST /api/v2/nodes/{serial}/tasks/tasktemplate/{id}/photos", {
  access: "staff",
  takesBytes: largestTaskPhotoBytes,
  summary:
    "Keep a photo with a deployment task: a JPEG of at most 1 MB and 16 million pixels, at most 6 for a task; its position and camera are not kept",
  changes: ["/nodes/{serial}/tasks"],
  params: TaskAddress,
  body: z.custom<Uint8Array>((value) => value instanceof Uint8Array, "Send the photo's bytes as image/jpeg"),
  data: TaskPhoto,
});

export const getTaskPhoto = preparedEndpoint("GET /api/v2/nodes/{serial}/tasks/tasktemplate/{id}/photos/{photoId}", {
  access: "staff",
  refusesDemoUsers: true,
  summary: "The picture itself, a JPEG; the node's tasks list their photos",
  params: PhotoAddress,
  answersBytes: true,
  data: z.unknown(),
});

export const deleteTaskPhoto = endpoint("DELETE /api/v2/nodes/{serial}/tasks/tasktemplate/{id}/photos/{photoId}", {
  access: "staff",
  summary: "Remove a photo of a deployment task",
  changes: ["/nodes/{serial}/tasks"],
  params: PhotoAddress,
  data: z.object({ id: z.number() }),
});
