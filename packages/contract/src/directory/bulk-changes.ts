import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { EntityId, EntityNumber } from "../values/entity-id.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { subscriptionFrequencies } from "../values/option-lists.ts";
import { SerialNumber } from "../values/serial-number.ts";
import { changedByPlace } from "./changed-by-place.ts";
import { LocationForm } from "./locations.ts";
import { nodeChoiceFields, nodeFlagNames, nodePlainFields, nodeTextNames, nodeThresholdNames } from "./node-fields.ts";
import { WiringReason } from "./nodes.ts";

/** Of one change. */
export const mostBulkObjects = 2_000;

const listOf = <Item extends z.ZodMiniType<number | string>>(name: string, item: Item) =>
  z.array(item, `${name} is a list`).check(
    z.minLength(1, `${name} names at least one`),
    z.maxLength(mostBulkObjects, `${name} has at most ${mostBulkObjects} entries`),
    z.refine((list) => new Set(list).size === list.length, `${name} has each entry once`),
  );
const notEmpty = z.refine<object>((values) => Object.values(values).some((value) => value !== undefined), "Change at least one field");

const { unassignedCustomer: _1, unassignedFacility: _2, unassignedLocation: _3, deploymentIssueDetails: _4, ...plain } = nodePlainFields;
const { deploymentTaskType, newDeploymentStatus } = nodeChoiceFields();

/** The fields of nodes that many can have the same of; a status begins at the next midnight of each node's place. */
export const bulkNodeFields = { ...plain, deploymentTaskType, newDeploymentStatus };
export type BulkNodeField = keyof typeof bulkNodeFields;

/** What a field of a change is called. */
export const bulkFieldLabels: Readonly<Record<BulkNodeField, string>> & Readonly<Record<string, string>> = {
  dataPointInterval: "Datapoint Interval",
  container: "Container",
  deploymentTaskType: "Deployment Task Version",
  newDeploymentStatus: "Deployment Status",
  wiringReason: "Reason without wiring verdict",
  newDeploymentStatusUpdateTimestamp: "Status From",
  currentDeploymentStatus: "Current Status",
  currentDeploymentStatusUpdateTimestamp: "Current Status From",
  ...nodeThresholdNames,
  ...nodeFlagNames,
  ...nodeTextNames,
  timezone: "Time Zone",
  notifyMissedData: "Notify Missed Data",
};

const onNodes = z.strictObject({
  serialNumbers: listOf("serialNumbers", SerialNumber),
  values: z.partial(z.strictObject(bulkNodeFields)).check(notEmpty),
  /** Of those that become Deployed without a wiring verdict; without it they are left out. */
  wiringReason: z.optional(WiringReason),
});

const { timezone, notifyMissedData, faultLibraryAlertFlags } = LocationForm.shape;
/** The fields of locations that many can have the same of; of the alerts those that are given. */
export const bulkLocationFields = { timezone, notifyMissedData, faultLibraryAlertFlags };

const onLocations = z.strictObject({
  locationIds: listOf("locationIds", EntityNumber),
  values: z.partial(z.strictObject(bulkLocationFields)).check(notEmpty),
});

/** In one change. */
export const mostBulkFacilities = 100;
const onSubscriptions = z.strictObject({
  userIds: listOf("userIds", EntityNumber),
  facilities: z
    .array(
      z.strictObject({
        facilityId: EntityNumber,
        frequency: z.nullable(
          z.enum(subscriptionFrequencies, `frequency is one of ${subscriptionFrequencies.join(", ")}, or null for none`),
        ),
      }),
      "facilities is a list",
    )
    .check(
      z.minLength(1, "facilities names at least one"),
      z.maxLength(mostBulkFacilities, `facilities has at most ${mostBulkFacilities} entries`),
      z.refine((list) => new Set(list.map(({ facilityId }) => facilityId)).size === list.length, "facilities has each facility once"),
    ),
});

/** What is to become of which objects: of one kind. */
const order = {
  nodes: z.optional(onNodes),
  locations: z.optional(onLocations),
  subscriptions: z.optional(onSubscriptions),
  undo: z.optional(EntityNumber),
};
const isOne = z.refine<object>(
  (body) => Object.keys(order).filter((part) => body[part as keyof typeof body] !== undefined).length === 1,
  "Say what is to change of nodes, locations or subscriptions, or which change to undo",
);

export const BulkOrder = z.strictObject(order).check(isOne);
export type BulkOrder = z.output<typeof BulkOrder>;

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export type BulkValue = z.infer<typeof value>;

/** What becomes of one object. */
const object = {
  /** As its activities have it, such as `node/10604`. */
  object: z.string(),
  name: z.string(),
  /** Where it is; empty for nowhere. */
  place: z.string(),
  timezone: z.nullable(z.string()),
  changes: z.array(z.object({ field: z.string(), label: z.string(), before: value, after: value })),
};
export const BulkObject = z.object(object);
export type BulkObject = z.infer<typeof BulkObject>;

export const BulkPlanRow = z.object({
  ...object,
  /** Why it is left out; empty where it changes. */
  reason: z.string(),
  /** Of its old and new values: the change does exactly this, or is refused. */
  digest: z.string(),
});
export type BulkPlanRow = z.infer<typeof BulkPlanRow>;

export const bulkKinds = ["nodes", "locations", "subscriptions"] as const;
export type BulkKind = (typeof bulkKinds)[number];

/** A change of many objects that was done. */
export const BulkChange = z.object({
  id: z.int(),
  kind: z.enum(bulkKinds),
  /** The change that it undoes. */
  undoes: z.nullable(z.int()),
  /** The one that undid it, the newest first. */
  undoneBy: z.array(z.int()),
  madeBy: z.string(),
  madeTimestamp: EpochSeconds,
  objects: z.array(BulkObject),
});
export type BulkChange = z.infer<typeof BulkChange>;

export const planBulkChange = endpoint("POST /api/bulk-changes/plan", {
  access: "staff",
  summary: "What a change of many objects would do to each, old and new values, and which are left out and why; nothing is written",
  body: BulkOrder,
  data: z.object({ kind: z.enum(bulkKinds), rows: z.array(BulkPlanRow) }),
});

export const runBulkChange = endpoint("POST /api/bulk-changes", {
  access: "staff",
  summary: "Does what its plan showed, all or nothing; refused with the names of the objects that are not as they were shown",
  changes: [
    ...changedByPlace,
    "/node-containers",
    "/nodes/{serial}/tasks",
    "/nodes/{serial}/notes",
    "/subscriptions/report",
    "/bulk-changes/{id}",
    "/changes",
  ],
  body: z
    .strictObject({
      ...order,
      /** The digests of the plan's rows, in their order. */
      digests: z
        .array(z.string("digests is a list of texts").check(z.regex(/^[\w-]{22}$/, "digests are those of the plan")), "digests is a list")
        .check(z.maxLength(mostBulkObjects, `digests has at most ${mostBulkObjects} entries`)),
    })
    .check(isOne),
  data: z.object({ id: z.int(), changed: z.int() }),
});

export const getBulkChange = endpoint("GET /api/bulk-changes/{id}", {
  access: "staff",
  summary: "A change of many objects: who made it, with each one's old and new values, and what undid it",
  params: z.object({ id: EntityId }),
  data: BulkChange,
});
