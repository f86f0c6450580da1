import type {
  Batch,
  BatchNode,
  BatchState,
  BatchValue,
  createBatch,
  createNextBatch,
  startBatch,
  steerBatch,
} from "@busbar/contract/telemetry/config-batches.ts";
import type { HandlerInput } from "@busbar/contract/endpoint.ts";
import { canonicalConfigValue, configRule } from "@busbar/contract/telemetry/node-config.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import { readLocalDateTime } from "@busbar/contract/values/local-time.ts";
import type { Pool, PoolClient } from "pg";
import { inTransaction } from "#db/transaction.ts";
import type { TwoFactor } from "#features/access/two-factor/two-factor.service.ts";
import type { Caller } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import { conflict, invalid, notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import { batchObject, recordActivity } from "#shared/activities.store.ts";
import { changesToPutBack, changesToRetry, type NodePlan } from "./batch-plan.ts";
import type { BatchSeal } from "./batch-seal.ts";
import { createConfigBatchesReadModel } from "./config-batches.read-model.ts";
import {
  cancelBatch,
  findBatchPlans,
  findBatchZones,
  insertBatch,
  insertBatchNodes,
  lockBatch,
  pauseBatch,
  readBatchAgain,
  resumeBatch,
  setBatchStart,
  startBatch as writeStart,
  wakeBatchService,
  type NewBatch,
} from "./config-batches.store.ts";

export interface ConfigBatchesDependencies {
  pool: Pool;
  seal: () => Promise<BatchSeal>;
  twoFactor: TwoFactor;
  clock: Clock;
}

type Start = HandlerInput<typeof startBatch>["body"];
type Steering = HandlerInput<typeof steerBatch>["body"];
type BatchOrder = Steering["order"];
type Targets = ({ serial: number } & Pick<NodePlan, "changes" | "cameFrom">)[];

/** A start further away than that is a mistake: who knows what the nodes are like by then. */
const longestWaitSeconds = 14 * 86_400;
/** Which states an order may meet. */
const mayMeet: Record<BatchOrder, readonly BatchState[]> = {
  pause: ["running"],
  resume: ["paused", "stopped"],
  cancel: ["reading", "ready", "running", "paused", "stopped"],
  readAgain: ["ready"],
};
const stateWords: Record<BatchState, string> = {
  reading: "is still reading its nodes",
  ready: "was not started yet",
  running: "is under way",
  paused: "is paused",
  stopped: "has stopped",
  done: "has ended",
  cancelled: "was cancelled",
};

/** Changes to many nodes as one: made and read, started with a passcode, steered. The service ConfigBatches does the work (decision 0041). */
export function createConfigBatches({ pool, seal, twoFactor, clock }: ConfigBatchesDependencies) {
  const readModel = createConfigBatchesReadModel(pool, seal);
  const nowSeconds = () => clock.now() / 1000;

  async function find(id: number): Promise<Batch> {
    const batch = await readModel.find(id);
    if (!batch) throw notFound(say`Batch ${id}`);
    return batch;
  }

  async function insert(
    client: PoolClient,
    caller: Caller,
    batch: Omit<NewBatch, "madeBy" | "sealedValues" | "keys">,
    values: readonly BatchValue[],
    targets: Targets,
  ) {
    const { sealPlan, sealValues } = await seal();
    const keys = [...new Set(targets.flatMap(({ changes }) => changes.map(({ key }) => key)))];
    const id = await insertBatch(client, { ...batch, madeBy: caller.username, keys, sealedValues: sealValues(values) }, nowSeconds());
    await insertBatchNodes(
      client,
      id,
      targets.map(({ serial, ...plan }) => ({ serial, sealed: sealPlan(id, serial, { ...plan, reason: "" }) })),
    );
    await wakeBatchService(client, nowSeconds());
    return id;
  }

  return {
    list: (before: number | undefined): Promise<Batch[]> => readModel.list(before),
    find,

    async nodes(id: number): Promise<BatchNode[]> {
      await find(id);
      return await readModel.nodes(id);
    },

    async create(caller: Caller, { serialNumbers, values }: HandlerInput<typeof createBatch>["body"]): Promise<Batch> {
      const wanted = values.map(readValue);
      if (new Set(wanted.map(({ key }) => key)).size < wanted.length) throw invalid("values", "a parameter is named twice");
      const changes = wanted.map(({ key, value }) => ({ key, newValue: value }));
      const targets = [...new Set(serialNumbers)].map((serial) => ({ serial: Number(serial), changes }));
      return await find(await inTransaction(pool, (client) => insert(client, caller, { kind: "change", sourceId: null }, wanted, targets)));
    },

    async createNext(caller: Caller, sourceId: number, { kind }: HandlerInput<typeof createNextBatch>["body"]): Promise<Batch> {
      const { openPlan } = await seal();
      const source = await find(sourceId);
      const id = await inTransaction(pool, async (client) => {
        const state = (await lockBatch(client, sourceId))?.state;
        if (state !== "done" && state !== "cancelled")
          throw conflict(say`Batch ${sourceId} ${stateWords[state ?? "done"]}: let it end or cancel it first`);
        const targets = (await findBatchPlans(client, sourceId)).flatMap(({ serial, sealed, ...node }) => {
          const { changes, place, cameFrom } = openPlan(sourceId, serial, sealed);
          const next = kind === "retry" ? changesToRetry(node, changes) : changesToPutBack(node, changes);
          return next.length === 0 ? [] : [{ serial, changes: next, cameFrom: kind === "retry" ? cameFrom : place }];
        });
        if (targets.length === 0)
          throw conflict(
            kind === "retry"
              ? say`Batch ${sourceId} left no node to try again`
              : say`Batch ${sourceId} changed no node: there is nothing to put back`,
          );
        return await insert(client, caller, { kind, sourceId }, kind === "retry" ? source.values : [], targets);
      });
      return await find(id);
    },

    /** SEC-03: one code, for exactly what its hash says. */
    async start(caller: Caller, id: number, { hash, code, startLocal, ...pace }: Start): Promise<Batch> {
      const batch = await find(id);
      const check = ({ state, hash: actual }: { state: BatchState; hash: string }) => {
        if (state !== "ready") throw conflict(say`Batch ${id} ${stateWords[state]}`);
        if (actual !== hash)
          throw conflict(say`The nodes of batch ${id} were read again meanwhile. Look at their values before you start it`);
      };
      check(batch);
      if (batch.counts.waiting === 0) throw conflict(say`Batch ${id} has no node to change`);
      const starts =
        startLocal === "" ? [] : startsOf(startLocal, await inTransaction(pool, (client) => findBatchZones(client, id)), nowSeconds());
      await twoFactor.usePasscode(caller, code);
      await inTransaction(pool, async (client) => {
        const locked = await lockBatch(client, id);
        if (!locked) throw notFound(say`Batch ${id}`);
        check(locked);
        await writeStart(client, id, caller.username, { ...pace, startLocal }, nowSeconds());
        await setBatchStart(client, id, starts);
        await record(
          client,
          caller,
          "START_BATCH",
          id,
          `Batch ${id} was started: ${batch.keys.join(", ")} of ${counted(batch.counts.waiting, "node")}`,
        );
        await wakeBatchService(client, nowSeconds());
      });
      return await find(id);
    },

    async steer(caller: Caller, id: number, { order, hash, code }: Steering): Promise<Batch> {
      const check = ({ state }: { state: BatchState }) => {
        if (!mayMeet[order].includes(state)) throw conflict(say`Batch ${id} ${stateWords[state]}`);
      };
      // SEC-03: whoever goes on after failures, or with what another person started, answers for it.
      const mustProve = ({ state, startedBy }: Pick<Batch, "state" | "startedBy">) =>
        order === "resume" && (state === "stopped" || startedBy !== caller.username);
      const found = await find(id);
      check(found);
      const isProven = mustProve(found);
      if (isProven) {
        if (code === undefined) throw invalid("code", "Missing 2FA Passcode");
        if (hash !== found.hash) throw conflict(say`Batch ${id} is another one than the passcode was given for`);
        await twoFactor.usePasscode(caller, code);
      }
      await inTransaction(pool, async (client) => {
        const batch = await lockBatch(client, id);
        if (!batch) throw notFound(say`Batch ${id}`);
        check(batch);
        if (mustProve(batch) && !isProven) throw conflict(say`Batch ${id} ${stateWords[batch.state]}`);
        if (order === "readAgain") await readBatchAgain(client, id);
        if (order === "pause") await pauseBatch(client, id);
        if (order === "resume") await resumeBatch(client, id);
        if (order === "cancel") await cancelBatch(client, id, nowSeconds());
        if (order === "pause") await record(client, caller, "PAUSE_BATCH", id, `Batch ${id} was paused`);
        if (order === "resume") await record(client, caller, "RESUME_BATCH", id, `Batch ${id} was resumed`);
        if (order === "cancel" && batch.state !== "reading" && batch.state !== "ready")
          await record(client, caller, "CANCEL_BATCH", id, `Batch ${id} was cancelled`);
        await wakeBatchService(client, nowSeconds());
      });
      return await find(id);
    },
  };
}
export type ConfigBatches = ReturnType<typeof createConfigBatches>;

/** @throws AppError 400 for a value that no node may have */
function readValue({ key, value }: BatchValue): BatchValue {
  const rule = configRule(key);
  // Of a key that is in no catalogue each node has a rule of its own.
  if (!rule) return { key, value };
  const canonical = canonicalConfigValue(key, value);
  if (canonical === undefined) throw invalid("values", `${key} must be ${rule.allowed}`);
  return { key, value: canonical };
}

/** When it is that time by the clocks of each zone. */
function startsOf(startLocal: string, zones: readonly string[], now: number): { timezone: string; at: number }[] {
  return zones.map((timezone) => {
    const read = readLocalDateTime(`${startLocal}:00`, timezone);
    if ("problem" in read) throw invalid("startLocal", read.problem);
    if (read.timestamp < now) throw invalid("startLocal", `this time is past at ${timezone}`);
    if (read.timestamp > now + longestWaitSeconds) throw invalid("startLocal", "is more than 14 days away");
    return { timezone, at: read.timestamp };
  });
}

type BatchAction = "START_BATCH" | "PAUSE_BATCH" | "RESUME_BATCH" | "CANCEL_BATCH";
const record = (client: PoolClient, caller: Caller, action: BatchAction, id: number, description: string) =>
  recordActivity(client, { actorType: "User", actor: caller.username, action, object: batchObject(id), description });
