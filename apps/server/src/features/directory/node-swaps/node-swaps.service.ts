import { isSwapCopied, swappedFields, type NewNodeSwap, type NodeSwap, type SwapPlan } from "@busbar/contract/directory/node-swaps.ts";
import { NewNode } from "@busbar/contract/directory/nodes.ts";
import { errorCodes } from "@busbar/contract/errors.ts";
import type { Pool, PoolClient } from "pg";
import * as z from "zod/mini";
import { nodeExists } from "#db/node-exists.ts";
import type { Db } from "#db/statement.ts";
import { inTransaction } from "#db/transaction.ts";
import type { TwoFactor } from "#features/access/two-factor/two-factor.service.ts";
import type { retireNode } from "#features/directory/customers/decommissioned-nodes.store.ts";
import type { Nodes } from "#features/directory/nodes/nodes.service.ts";
import type { Caller } from "#http/endpoints.ts";
import { changedMeanwhile } from "#lib/changed-meanwhile.ts";
import { AppError, conflict, invalid, notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import { nodeObject, recordActivity } from "#shared/activities.store.ts";
import { findPlaceOf, freeNodes, lockNodes, placeNode, prepareNodes } from "#shared/node-placing.store.ts";
import { readChangesSince } from "#shared/recorded-changes.store.ts";
import {
  copyFields,
  copyTaskNotes,
  countLocationRevision,
  findSwap,
  findSwapNode,
  holdPlaceOf,
  insertSwap,
  leaveValues,
  prepareFreedNode,
  reopenTasks,
  type SwapNode,
  type SwapPlace,
} from "./node-swaps.store.ts";
import { configToCopy, planSwap, whyNotSwapped, type SwapPair } from "./swap-plan.ts";
import type { ConfigOfNodes, SwapCopier } from "./swap-copier.ts";

export interface NodeSwapsDependencies {
  pool: Pool;
  twoFactor: TwoFactor;
  copier: SwapCopier;
  nodeConfig: Pick<ConfigOfNodes, "read">;
  addNode: Nodes["add"];
  retire: typeof retireNode;
}

/** A node that takes another one's place (RMA). */
export function createNodeSwaps({ pool, twoFactor, copier, nodeConfig, addNode, retire }: NodeSwapsDependencies) {
  async function requireSwap(serial: string): Promise<NodeSwap> {
    const swap = await findSwap(pool, serial);
    if (!swap) throw notFound(say`A swap of node ${serial}`);
    return swap;
  }

  return {
    async plan(serial: string, newSerialNumber: string): Promise<SwapPlan> {
      const pair = await readPair(pool, serial, newSerialNumber);
      const place = await requirePlace(pool, pair.old);
      const learned = await Promise.all([learnConfig(pair.old), learnConfig(pair.next)]);
      if (!learned.includes(true)) return planSwap(pair, place);
      return planSwap(await readPair(pool, serial, newSerialNumber), place);
    },

    async find(serial: string): Promise<{ swap: NodeSwap | null }> {
      const swap = await findSwap(pool, serial);
      if (!swap && !(await nodeExists(pool, Number(serial)))) throw notFound(say`Node ${serial}`);
      return { swap: swap ?? null };
    },

    async swap(caller: Caller, serial: string, request: NewNodeSwap): Promise<NodeSwap> {
      const { newSerialNumber, isNew, code } = request;
      const seen = await readPair(pool, serial, newSerialNumber);
      await requirePlace(pool, seen.old);
      refuse(seen, isNew);
      const isCopied = code !== undefined && seen.next?.connected === true && Object.keys(configToCopy(seen.old)).length > 0;
      if (isCopied) await twoFactor.usePasscode(caller, code);
      await inTransaction(pool, async (client) => {
        const locationId = await holdPlaceOf(client, serial);
        if (isNew) await addUnassigned(client, caller, seen.old, newSerialNumber);
        await lockNodes(client, [serial, newSerialNumber]);
        const pair = await readPair(client, serial, newSerialNumber);
        const place = await requirePlace(client, pair.old);
        if (place.locationId !== locationId) throw conflict(`Node ${serial} has come to ${placeWords(place)} meanwhile`);
        refuse(pair, false);
        await refuseOutdated(client, pair, request);
        await swapPlaces(client, place, serial, newSerialNumber);
        await copyFields(client, serial, newSerialNumber);
        if (pair.next?.wasPlaced) await reopenTasks(client, newSerialNumber, caller.userId);
        await copyTaskNotes(client, serial, newSerialNumber, caller.userId);
        await settleOldNode(client, place, serial, request);
        await record(client, caller, place, { ...request, old: serial, config: configToCopy(pair.old) });
      });
      if (isCopied) await copier.start(caller, await requireSwap(newSerialNumber));
      return await requireSwap(newSerialNumber);
    },

    /** Copies what is not confirmed yet, with a passcode of its own. */
    async copyOn(caller: Caller, serial: string, code: string): Promise<NodeSwap> {
      const swap = await requireSwap(serial);
      const { newSerialNumber, locationName, isCurrent, isCopying, connected } = swap;
      if (!isCurrent) throw conflict(`Node ${newSerialNumber} is not at ${locationName} any more`);
      if (isCopying) throw beingCopied(newSerialNumber);
      if (isSwapCopied(swap)) throw nothingLeft(newSerialNumber);
      if (!connected) throw new AppError(503, errorCodes.nodeNotConnected, say`Node ${newSerialNumber} is not connected`);
      await twoFactor.usePasscode(caller, code);
      if (!(await copier.start(caller, swap))) throw beingCopied(newSerialNumber);
      return await requireSwap(serial);
    },

    /** What is not confirmed stays as the node has it. */
    async leave(caller: Caller, serial: string): Promise<NodeSwap> {
      const swap = await requireSwap(serial);
      if (isSwapCopied(swap)) throw nothingLeft(swap.newSerialNumber);
      if (!(await leaveValues(pool, swap.id, `Left as it is by ${caller.username}`))) throw beingCopied(swap.newSerialNumber);
      return await requireSwap(serial);
    },
  };

  /** Asks a node for its configuration that no one has asked yet: a birth tells none. */
  async function learnConfig(node: SwapNode | undefined): Promise<boolean> {
    if (!node?.connected || node.config) return false;
    return await nodeConfig.read(node.serialNumber).then(
      () => true,
      (error: unknown) => {
        if (error instanceof AppError) return false;
        throw error;
      },
    );
  }

  async function addUnassigned(client: PoolClient, caller: Caller, { type, fields }: SwapNode, serialNumber: string): Promise<void> {
    const node = { serialNumber, type, container: String(fields.container), newDeploymentStatus: "Unassigned" as const };
    await addNode(client, caller, z.parse(NewNode, node));
  }

  async function settleOldNode(client: PoolClient, place: SwapPlace, serial: string, { oldNodeStatus }: NewNodeSwap): Promise<void> {
    const { customerId, facilityName, siteName } = place;
    if (oldNodeStatus === "Decommissioned") await retire(client, customerId, { serialNumber: serial, facilityName, siteName });
    if (oldNodeStatus === "Pre-Deployment") await prepareFreedNode(client, serial);
  }
}
export type NodeSwaps = ReturnType<typeof createNodeSwaps>;

const placeWords = ({ customerName, facilityName, locationName }: SwapPlace) => [customerName, facilityName, locationName].join(" / ");
const nothingLeft = (serial: string) => conflict(`Node ${serial} has nothing left to copy`);
const beingCopied = (serial: string) => conflict(`The configuration of node ${serial} is being copied at this moment`);

async function readPair(db: Db, serial: string, newSerialNumber: string): Promise<SwapPair> {
  const old = await findSwapNode(db, serial);
  if (!old) throw notFound(say`Node ${serial}`);
  return { old, newSerialNumber, next: newSerialNumber === "" ? undefined : await findSwapNode(db, newSerialNumber) };
}

/** @throws AppError 409 that names who was faster */
async function requirePlace(db: Db, { serialNumber, place }: SwapNode): Promise<SwapPlace> {
  if (place) return place;
  const last = await findSwap(db, serialNumber);
  if (last?.oldSerialNumber !== serialNumber)
    throw conflict(`Node ${serialNumber} is at no location: there is no place that another node could take`);
  throw conflict(`${last.username} has swapped node ${serialNumber} for ${last.newSerialNumber} at ${last.locationName} already`);
}

function refuse(pair: SwapPair, isNew: boolean): void {
  const { newSerialNumber, next } = pair;
  const problem = whyNotSwapped(pair);
  if (problem) throw problem;
  if (isNew && next) throw conflict(`There is already a node with the serial number ${newSerialNumber}`, "newSerialNumber");
  if (!isNew && !next) throw invalid("newSerialNumber", `There is no node ${newSerialNumber}`);
}

/** What the swap writes was shown: whoever changed it since is named. */
async function refuseOutdated(client: PoolClient, { old, next }: SwapPair, { oldRevision, newRevision }: NewNodeSwap): Promise<void> {
  for (const [node, revision] of [
    [old, oldRevision],
    [next, newRevision],
  ] as const) {
    if (!node || revision === undefined || revision === node.revision) continue;
    const changes = await readChangesSince(client, nodeObject(node.serialNumber), revision);
    const refusal = changedMeanwhile(`node ${node.serialNumber}`, swappedFields, changes, revision);
    if (refusal) throw refusal;
  }
}

async function swapPlaces(client: PoolClient, { locationId, slot }: SwapPlace, old: string, next: string): Promise<void> {
  await freeNodes(client, locationId, [old]);
  if (!(await placeNode(client, next, locationId, slot)))
    throw conflict(`Node ${next} is already at ${(await findPlaceOf(client, next)) ?? "another location"}`, "newSerialNumber");
  await prepareNodes(client, [next]);
}

type Recorded = NewNodeSwap & { old: string; config: Record<string, string> };

async function record(client: PoolClient, caller: Caller, place: SwapPlace, swap: Recorded): Promise<void> {
  const { old, newSerialNumber, oldNodeStatus, reason, config } = swap;
  const { locationId, slot } = place;
  await insertSwap(client, { old, new: newSerialNumber, place, username: caller.username, reason, oldNodeStatus, config });
  const revision = await countLocationRevision(client, locationId);
  const field = slot === 1 ? "nodeSerialNumber" : "secondaryNodeSerialNumber";
  await recordActivity(client, {
    actorType: "User",
    actor: caller.username,
    action: "SWAP_NODE",
    object: `location/${locationId}`,
    description: `Node ${old} was swapped for ${newSerialNumber} at ${placeWords(place)} and is ${oldNodeStatus}: ${reason}`,
    before: { [field]: old, revision: revision - 1 },
    after: { [field]: newSerialNumber, oldNodeStatus, reason, revision },
  });
}
