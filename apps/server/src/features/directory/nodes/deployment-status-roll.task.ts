import { counted } from "@busbar/contract/values/counted.ts";
import type { Pool, PoolClient } from "pg";
import { inTransaction } from "#db/transaction.ts";
import type { Clock } from "#lib/clock.ts";
import type { Task } from "#services/service.ts";
import { startWalk } from "#services/walk.ts";
import { recordActivity, type NewActivity } from "#shared/activities.store.ts";
import { applyDueChange, dropDueChange, findDueChanges, lockDueChanges, type DueChange } from "./deployment-status-roll.store.ts";
import { leaveLocation } from "./nodes.store.ts";

export interface DeploymentStatusRollOptions {
  pool: Pool;
  clock: Clock;
}

const name = "DeploymentStatusRoll";
const batchSize = 100;

/**
 * NFM-07: makes requested statuses current once their time has come. The time was computed when the status was requested, so
 * neither a clock change nor a standstill moves or repeats it; row locks keep two runners apart.
 */
export function createDeploymentStatusRoll({ pool, clock }: DeploymentStatusRollOptions): Task {
  async function rollBatch(serials: readonly number[]): Promise<number> {
    return await inTransaction(pool, async (client) => {
      const due = await lockDueChanges(client, clock.now() / 1000, serials);
      for (const change of due) await recordActivity(client, await roll(client, change));
      return due.length;
    });
  }

  return {
    name,
    intervalSeconds: 60,
    did: (count) => `Changed the status of ${counted(count, "node")}`,
    async run(signal) {
      const walk = startWalk({ pool, clock, service: name, signal });
      const items = await findDueChanges(pool, clock.now() / 1000);
      return walk.end(await walk.over({ items, kind: "node", idOf: (serial) => serial, batchSize, work: rollBatch }));
    },
  };
}

async function roll(client: PoolClient, change: DueChange): Promise<NewActivity> {
  const { serialNumber, from, to, dueAt, revision, locationName } = change;
  const activity = { actorType: "System", actor: name, action: "NODE_STATUS_CHANGED", object: `node/${serialNumber}` } as const;
  // It was at a location when Deployed was requested, and was taken off meanwhile.
  if (to === "Deployed" && locationName === null) {
    const after = await dropDueChange(client, serialNumber);
    return {
      ...activity,
      description: `Node ${serialNumber} stays ${from}: it is at no location, so it cannot be ${to}`,
      before: { newDeploymentStatus: to, newDeploymentStatusUpdateTimestamp: dueAt, revision },
      after: { newDeploymentStatus: from, revision: after },
    };
  }
  const left = to === "Unassigned" ? await leaveLocation(client, serialNumber) : undefined;
  const applied = await applyDueChange(client, serialNumber);
  return {
    ...activity,
    description: `Node ${serialNumber} is ${to} (was ${from})${left ? ` and left ${left.unassignedLocation}` : ""}`,
    before: { currentDeploymentStatus: from, revision },
    after: { currentDeploymentStatus: to, currentDeploymentStatusUpdateTimestamp: dueAt, ...left, revision: applied },
  };
}
