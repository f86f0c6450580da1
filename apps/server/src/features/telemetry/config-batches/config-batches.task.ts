import { randomUUID } from "node:crypto";
import { counted } from "@busbar/contract/values/counted.ts";
import { errorCodes } from "@busbar/contract/errors.ts";
import type { Pool } from "pg";
import type { NodeCommands } from "#features/telemetry/node-commands/node-commands.service.ts";
import type { ConfigChange, ConfigVerdict } from "#features/telemetry/node-config/config-answer.ts";
import type { ConfigWriter, NodeValues } from "#features/telemetry/node-config/node-values.ts";
import type { Clock } from "#lib/clock.ts";
import { AppError, conflict } from "#lib/errors.ts";
import type { Log } from "#lib/log.ts";
import type { Task } from "#services/service.ts";
import { startWalk } from "#services/walk.ts";
import { batchHash, isSamePlace, placeWords, planNode, type LeftFor, type NodePlace, type NodePlan } from "./batch-plan.ts";
import type { BatchSeal } from "./batch-seal.ts";
import { TakenOver, type ActiveBatch, type BatchRunsStore, type NodeTurn, type SendingNode, type UnreadNode } from "./batch-runs.store.ts";
import { batchService as name } from "./config-batches.store.ts";

export interface ConfigBatchesTaskDependencies {
  pool: Pool;
  store: BatchRunsStore;
  seal: () => Promise<BatchSeal>;
  /** How nodes are spoken with, for as long as a run lasts. */
  openNodes: () => { values: NodeValues; commands: Pick<NodeCommands, "stop"> };
  clock: Clock;
  log: Log;
}

/** Nodes that are read at the same moment. */
const readAtOnce = 50;
/** A batch that was just made, paused or cancelled is seen so soon. */
const lookMs = 500;
/** Several nodes that answer at the same moment are one round. */
const gatherMs = 20;
/** A run ends after so long, for a service that was switched off meanwhile. */
const longestRunMs = 60_000;
/** What is due sooner is waited for. */
const soonSeconds = 5;
/** A node that is on its way back is tried again after that. */
const returnSeconds = 10;

/** It is elsewhere than it was when it was read. */
class Moved extends Error {
  readonly place: NodePlace;
  constructor(place: NodePlace) {
    super("The node has moved");
    this.place = place;
  }
}

/** Reads the nodes of batches, and changes them: each node as by hand, several at once, at the batch's pace (decision 0041). */
export function createConfigBatchesTask({ pool, store, seal: readSeal, openNodes, clock, log }: ConfigBatchesTaskDependencies): Task {
  const nowSeconds = () => clock.now() / 1000;

  return {
    name,
    intervalSeconds: 5,
    did: (count) => `Read or changed ${counted(count, "node")}`,
    async run(signal) {
      const walk = startWalk({ pool, clock, service: name, signal });
      const beganAt = performance.now();
      /** Nodes in hand, by batch. One whose work failed stays there until the run ends. */
      const inHand = new Map<number, Set<number>>();
      let underWay = 0;
      /** Counts nodes that were taken or let go. */
      let moves = 0;
      const checked = new Set<number>();
      let seal: BatchSeal;
      let nodes: ReturnType<typeof openNodes> | undefined;
      let doneCount = 0;
      /** When the turn of a node comes whose turn has not come. */
      let nextAt = Infinity;
      let wake = () => {};
      /** What is in hand is ended, the next run goes on. */
      const isClosing = () => performance.now() - beganAt > longestRunMs;
      const handOf = (id: number) => inHand.get(id) ?? new Set<number>();

      /** Works on a node while the run goes on; what fails is found again in the database. */
      const take = (id: number, serial: number, work: () => Promise<void>) => {
        inHand.set(id, handOf(id).add(serial));
        underWay++;
        moves++;
        void work()
          .then(
            () => {
              doneCount++;
              handOf(id).delete(serial);
            },
            (error: unknown) => {
              if (!(error instanceof TakenOver)) log.warn({ err: error, batch: id, node: serial }, "a node of a batch is tried again");
            },
          )
          .finally(() => {
            underWay--;
            moves++;
            wake();
          });
      };

      async function step(batch: ActiveBatch): Promise<void> {
        const { id, state } = batch;
        const hand = [...handOf(id)];
        if (state === "reading") {
          await store.freeReading(id, hand);
          for (const node of await store.takeUnread(id, readAtOnce - hand.length))
            take(id, node.serial, () => readNode(store, seal, values(), id, node));
          const plans = handOf(id).size === 0 ? await store.findPlans(id) : undefined;
          if (plans) await store.writeReady(id, hashOf(seal, id, plans), nowSeconds());
          return;
        }
        const change = (node: SendingNode, isLeftBehind: boolean) =>
          take(id, node.serial, () => changeNode({ store, seal, nodes: values(), nowSeconds }, batch, node, isLeftBehind));
        for (const node of await store.findLeftBehind(id, hand)) change(node, true);
        if (state !== "running" || !(await isApproved(batch))) return;
        const due = await store.takeDue(id, nowSeconds());
        for (const node of due.nodes) change(node, false);
        nextAt = Math.min(nextAt, due.nextAt ?? Infinity);
      }

      /** What is sent is what the passcode was given for. */
      async function isApproved({ id, hash }: ActiveBatch): Promise<boolean> {
        if (checked.has(id)) return true;
        const plans = (await store.findPlans(id)) ?? [];
        if (hashOf(seal, id, plans) === hash) return checked.add(id).has(id);
        await store.stop(id, "its values are not those that were approved");
        return false;
      }

      const values = () => (nodes ??= openNodes()).values;

      async function round(batches: readonly ActiveBatch[]): Promise<number> {
        nextAt = Infinity;
        await walk.over({
          items: batches,
          kind: "batch",
          idOf: ({ id }) => id,
          batchSize: 1,
          work: async (some) => {
            for (const batch of some) await step(batch);
            return 0;
          },
        });
        return nextAt;
      }

      try {
        for (let isMore = true; isMore && !signal.aborted;) {
          const batches = isClosing() ? [] : await store.findActive();
          if (batches.length > 0) seal = await readSeal();
          const woken = new Promise<void>((resolve) => (wake = resolve));
          const before = moves;
          nextAt = await round(batches);
          isMore = underWay > 0 || (!isClosing() && (moves > before || nextAt <= nowSeconds() + soonSeconds));
          if (isMore) await Promise.race([woken.then(() => pause(gatherMs, signal)), pause(lookMs, signal)]);
        }
      } finally {
        await nodes?.commands.stop();
      }
      const ended = await walk.end(doneCount);
      if (!isClosing()) return ended;
      return { ...(typeof ended === "number" ? { processedCount: ended, logEntry: "" } : ended), tryAgainAt: nowSeconds() };
    },
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
  });
}

const hashOf = (seal: BatchSeal, id: number, plans: readonly { serial: number; sealed: string }[]): string =>
  batchHash(plans.map(({ serial, sealed }) => ({ serial, ...seal.openPlan(id, serial, sealed) })));

/** The dry run of one node. */
async function readNode(store: BatchRunsStore, seal: BatchSeal, nodes: NodeValues, id: number, node: UnreadNode): Promise<void> {
  const { changes, cameFrom } = seal.openPlan(id, node.serial, node.sealed);
  const place = await store.findPlace(node.serial);
  const planned = await plan();
  const leftFor = "leftFor" in planned ? planned.leftFor : "";
  await store.writeRead(
    id,
    node.serial,
    leftFor,
    seal.sealPlan(id, node.serial, { changes: planned.changes, place, cameFrom, reason: "leftFor" in planned ? planned.reason : "" }),
  );

  async function plan(): Promise<Pick<NodePlan, "changes"> | (NodePlan & { leftFor: LeftFor })> {
    const left = (leftFor: LeftFor, reason: string) => ({ leftFor, reason, changes });
    const serial = String(node.serial);
    if (node.isDecommissioned) return left("decommissioned", "It is decommissioned");
    if (cameFrom && !isSamePlace(cameFrom, place))
      return left("moved", `It was at ${placeWords(cameFrom)} when it was changed, and is at ${placeWords(place)} now`);
    if (node.otherBatch !== null) return left("busy", `Batch ${node.otherBatch} is about to change it`);
    if (await nodes.isWriteUnderWay(serial)) return left("busy", "Another change is on its way to it");
    try {
      return planNode(changes, await nodes.read(serial));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.errorCode === errorCodes.nodeSilent) return left("silent", "It did not answer");
      if (error.errorCode === errorCodes.notFound) return left("missing", "There is no such node");
      return left("away", error.message);
    }
  }
}

interface Means {
  store: BatchRunsStore;
  seal: BatchSeal;
  nodes: NodeValues;
  nowSeconds: () => number;
}

/** Changes a node from where it is on, one value after the other, until one of them is not confirmed. */
async function changeNode(
  { store, seal, nodes, nowSeconds }: Means,
  { id, startedBy }: ActiveBatch,
  node: SendingNode,
  isLeftBehind: boolean,
): Promise<void> {
  const plan = seal.openPlan(id, node.serial, node.sealed);
  const { changes } = plan;
  const serial = String(node.serial);
  let { commandId, auditId } = node;
  if (isLeftBehind && auditId === null) commandId = await store.takeOver({ batchId: id, serial: node.serial, commandId });
  for (let place = node.confirmedCount; place < changes.length; place++) {
    const { key, newValue, oldValue = "", datatype } = changes[place]!;
    const change: ConfigChange = { serial, key, newValue, oldValue, datatype };
    const turn: NodeTurn = { batchId: id, serial: node.serial, commandId };
    const nextCommandId = randomUUID();
    const isLast = place === changes.length - 1;
    const writer: ConfigWriter = {
      username: startedBy,
      batchId: id,
      commandId,
      async handOver(client, entry) {
        const place = await store.holdPlace(client, node.serial);
        if (!isSamePlace(plan.place, place)) throw new Moved(place);
        await store.handOver(client, turn, entry);
      },
      settle: async (client, verdict) => {
        const state = stateOf(verdict);
        if (state === "confirmed" && !isLast) return store.goOn(client, turn, nextCommandId);
        const reason = "refusal" in verdict ? `${changes.length > 1 ? `${key}: ` : ""}${verdict.refusal.message}` : "";
        await store.settle(client, turn, { state, sealed: seal.sealPlan(id, node.serial, { ...plan, reason }), now: nowSeconds() });
      },
    };
    const verdict = await turnOf(writer, change, turn);
    if (!verdict) return await store.putOff(turn, nowSeconds() + returnSeconds);
    if (stateOf(verdict) !== "confirmed") return;
    commandId = nextCommandId;
    auditId = null;
  }

  /** Undefined for one that is on its way back: nothing was sent. */
  async function turnOf(writer: ConfigWriter, change: ConfigChange, turn: NodeTurn): Promise<ConfigVerdict | undefined> {
    const found = await nodes.find(serial);
    const isReturning = found?.isConnected === false && (await store.isReturning(node.serial));
    if (auditId !== null) {
      // It may have to be read: the next run looks again.
      if (isReturning) throw new Error(`Node ${serial} has not come back yet`);
      return await nodes.resume(writer, change, turn.commandId, auditId);
    }
    if (isReturning && !node.isDecommissioned) return undefined;
    const why = !found
      ? "was not found"
      : node.isDecommissioned
        ? "was decommissioned meanwhile"
        : !found.isConnected
          ? "is not connected"
          : "";
    if (!found || why !== "") return await nodes.refuse(writer, change, found, conflict(`Node ${serial} ${why}`));
    try {
      return await nodes.write(writer, change, found);
    } catch (error) {
      if (!(error instanceof Moved)) throw error;
      const [then, now] = [plan.place ? placeWords(plan.place) : "another place", placeWords(error.place)];
      return await nodes.refuse(writer, change, found, conflict(`Node ${serial} was at ${then} when it was read, and is at ${now} now`));
    }
  }
}

const stateOf = ({ result }: ConfigVerdict): "confirmed" | "refused" | "unknown" =>
  result === "confirmed" || result === "unchanged" ? "confirmed" : result === "unanswered" ? "unknown" : "refused";
