import * as z from "zod/mini";
import { Passcode } from "../access/passcode.ts";
import { endpoint } from "../endpoint.ts";
import { EntityId } from "../values/entity-id.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { SerialNumber } from "../values/serial-number.ts";

export const mostBatchNodes = 2_000;
/** Enough for every parameter of a node's dialog. */
export const mostBatchValues = 60;
export const mostAtOnce = 100;
export const mostPerMinute = 6_000;
export const batchesPerPage = 50;

/** `retry`: what another batch did not change; `putBack`: what another one changed, to its values of before. */
export const batchKinds = ["change", "retry", "putBack"] as const;
export const BatchKind = z.enum(batchKinds, `kind is one of ${batchKinds.join(", ")}`);
export type BatchKind = z.infer<typeof BatchKind>;

/** `reading`: the dry run; `ready`: it waits for its passcode; `stopped`: too many nodes failed. */
export const batchStates = ["reading", "ready", "running", "paused", "stopped", "done", "cancelled"] as const;
export type BatchState = (typeof batchStates)[number];

/**
 * `left`: the dry run left it out; `waiting`: it is to be changed; `refused`: it was not changed; `unknown`: it may have been;
 * `dropped`: the batch was cancelled before its turn.
 */
export const batchNodeStates = ["unread", "left", "waiting", "sending", "confirmed", "refused", "unknown", "dropped"] as const;
export type BatchNodeState = (typeof batchNodeStates)[number];

const nodeCounts = z.object({
  unread: z.int(),
  left: z.int(),
  waiting: z.int(),
  sending: z.int(),
  confirmed: z.int(),
  refused: z.int(),
  unknown: z.int(),
  dropped: z.int(),
} satisfies Record<BatchNodeState, z.ZodMiniType>);

/** What is to become of a parameter. */
export const BatchValue = z.strictObject({
  key: z.string("key is a text").check(z.regex(/^[\w .:/-]{1,64}$/, "key has 1 to 64 letters, digits and _ . : / -")),
  value: z
    .string("value is a text")
    .check(z.maxLength(300, "value has at most 300 characters"), z.regex(/^\P{Cc}*$/u, "value holds control characters")),
});
export type BatchValue = z.infer<typeof BatchValue>;

/** How a batch is rolled out. */
const pace = {
  /** Nodes that are changed at the same moment. */
  atOnce: z
    .int("atOnce is a whole number")
    .check(z.minimum(1, "atOnce is at least 1"), z.maximum(mostAtOnce, `atOnce is at most ${mostAtOnce}`)),
  /** Nodes in a minute; null for as many as go. */
  perMinute: z.nullable(
    z
      .int("perMinute is a whole number or null")
      .check(z.minimum(1, "perMinute is at least 1"), z.maximum(mostPerMinute, `perMinute is at most ${mostPerMinute}`)),
  ),
  /** So many nodes come first; the others only when these went well. */
  firstWave: z
    .int("firstWave is a whole number")
    .check(z.minimum(1, "firstWave is at least 1"), z.maximum(mostBatchNodes, `firstWave is at most ${mostBatchNodes}`)),
  /** It stops by itself when a larger share of the nodes fails. */
  stopPercent: z
    .int("stopPercent is a whole number")
    .check(z.minimum(0, "stopPercent is at least 0"), z.maximum(100, "stopPercent is at most 100")),
};

/** Changes to many nodes that are rolled out together. */
export const Batch = z.object({
  id: z.int(),
  kind: BatchKind,
  /** The batch that it follows. */
  sourceId: z.nullable(z.int()),
  state: z.enum(batchStates),
  madeBy: z.string(),
  madeTimestamp: EpochSeconds,
  keys: z.array(z.string()),
  /** The same for all nodes; empty where each node gets its own. */
  values: z.array(BatchValue),
  nodeCount: z.int(),
  counts: nodeCounts,
  /** When the nodes had been read. */
  readTimestamp: z.nullable(EpochSeconds),
  /** Of exactly the nodes at their places with their old and new values; empty until they are read. */
  hash: z.string(),
  startedBy: z.string(),
  startedTimestamp: z.nullable(EpochSeconds),
  /** By the clocks of each node's place: before then it is not changed; empty for at once. */
  startLocal: z.string(),
  ...pace,
  /** Why it stopped by itself. */
  stopReason: z.string(),
  endedTimestamp: z.nullable(EpochSeconds),
});
export type Batch = z.infer<typeof Batch>;

export const BatchNode = z.object({
  serialNumber: z.string(),
  /** Where it was when it was read; empty for at no location. */
  locationName: z.string(),
  timezone: z.nullable(z.string()),
  state: z.enum(batchNodeStates),
  /** Why it is left out, and what it answered where it was not changed. */
  reason: z.string(),
  changes: z.array(
    z.object({
      key: z.string(),
      /** What the node reported; null until it is read, and where it has no such parameter. */
      oldValue: z.nullable(z.string()),
      newValue: z.string(),
    }),
  ),
  /** How many of its changes it confirmed. */
  confirmedCount: z.int(),
  settledTimestamp: z.nullable(EpochSeconds),
});
export type BatchNode = z.infer<typeof BatchNode>;

const batchHash = z.string("hash is a text").check(z.regex(/^[0-9a-f]{64}$/, "hash is that of the dry run"));
const passcode = z.string("code is a text").check(
  z.minLength(1, "Missing 2FA Passcode"),
  z.refine((code) => code === "" || Passcode.safeParse(code).success, "A 2FA code is letters and digits only"),
);
const ofBatch = z.object({ id: EntityId });
const changedByBatch = ["/batches", "/batches/{id}", "/batches/{id}/nodes"] as const;

export const getBatches = endpoint("GET /api/batches", {
  access: "staff",
  summary: `Changes to many nodes, newest first, ${batchesPerPage} at a time`,
  query: z.strictObject({
    /** Only those older than the one with this id. */
    before: z.optional(z.pipe(z.string().check(z.regex(/^[1-9]\d{0,8}$/, "before is the id of a batch")), z.transform(Number))),
  }),
  data: z.array(Batch),
});

export const getBatch = endpoint("GET /api/batches/{id}", {
  access: "staff",
  summary: "A batch: what it changes, how it is rolled out, and how far it came",
  params: ofBatch,
  data: Batch,
});

export const getBatchNodes = endpoint("GET /api/batches/{id}/nodes", {
  access: "staff",
  summary: "The nodes of a batch with their old and new values, and what each answered",
  params: ofBatch,
  data: z.array(BatchNode),
});

export const createBatch = endpoint("POST /api/batches", {
  access: "staff",
  summary: "Makes a batch and reads its nodes: the dry run. Nothing is changed before it is started",
  changes: changedByBatch,
  body: z.strictObject({
    serialNumbers: z
      .array(SerialNumber, "serialNumbers is a list of serial numbers")
      .check(z.minLength(1, "A batch has at least one node"), z.maxLength(mostBatchNodes, `A batch has at most ${mostBatchNodes} nodes`)),
    values: z
      .array(BatchValue, "values is a list of keys with their values")
      .check(
        z.minLength(1, "A batch changes at least one parameter"),
        z.maxLength(mostBatchValues, `A batch changes at most ${mostBatchValues} parameters`),
      ),
  }),
  data: Batch,
});

export const createNextBatch = endpoint("POST /api/batches/{id}/next", {
  access: "staff",
  summary:
    "Makes a batch of what another did not change, or one that puts back what it changed; it has a dry run and a passcode of its own",
  changes: changedByBatch,
  params: ofBatch,
  body: z.strictObject({ kind: z.enum(["retry", "putBack"], "kind is retry or putBack") }),
  data: Batch,
});

export const startBatch = endpoint("POST /api/batches/{id}/start", {
  access: "staff",
  summary: "Rolls a batch out. The passcode counts for exactly the nodes and values of the hash",
  changes: changedByBatch,
  params: ofBatch,
  body: z.strictObject({
    hash: batchHash,
    code: passcode,
    ...pace,
    startLocal: z
      .string("startLocal is a text")
      .check(z.regex(/^(20\d\d-\d\d-\d\d \d\d:\d\d)?$/, "startLocal is a time such as 2026-11-24 02:30, or empty")),
  }),
  data: Batch,
});

export const batchOrders = ["pause", "resume", "cancel", "readAgain"] as const;

export const steerBatch = endpoint("PATCH /api/batches/{id}", {
  access: "staff",
  summary:
    "Pauses, resumes or cancels a batch, or reads its nodes again before it is started. One that stopped by itself, or that another person started, is resumed with a passcode",
  changes: changedByBatch,
  params: ofBatch,
  body: z.strictObject({
    order: z.enum(batchOrders, `order is one of ${batchOrders.join(", ")}`),
    hash: z.optional(batchHash),
    code: z.optional(passcode),
  }),
  data: Batch,
});
