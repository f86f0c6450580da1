import { inTransaction } from "@busbar/server/db/transaction.ts";
import { createPlant } from "@busbar/simulator/node-model/plant.ts";
import type { Pool } from "@busbar/server/db/pool.ts";
import { seedAdministrators } from "./administrators.ts";
import { seedHistory } from "./history.ts";
import type { DemoWorld } from "./world/demo-world.ts";
import { findNodeSerials, insertCustomers, insertFacilities, insertNodes, isSeeded } from "./world/seed-world.store.ts";
import { seedTaskProgress } from "./world/task-progress.store.ts";
import { toSimNodes } from "./world/sim-nodes.ts";

export interface SeedOptions {
  world: DemoWorld;
  seed: number;
  historyHours: number;
  /** Epoch seconds. */
  now: number;
}

/** Fills an empty database, all or nothing; later only generated nodes that are not there yet are added. */
export async function seedWorld(pool: Pool, { world, seed, historyHours, now }: SeedOptions): Promise<void> {
  await inTransaction(pool, async (client) => {
    const isFirst = !(await isSeeded(client));
    if (isFirst) {
      await insertCustomers(client, world.customers);
      await insertFacilities(client, world.facilities);
      await seedAdministrators(client);
    }
    const known = await findNodeSerials(client);
    // What somebody deleted stays deleted; only a larger SIM_NODES adds to a world that is there.
    const nodes = isFirst ? world.nodes : world.nodes.filter(({ serial, isGenerated }) => isGenerated && !known.has(serial));
    if (nodes.length === 0) return;
    await insertNodes(client, nodes);
    if (isFirst) await seedTaskProgress(client);
    if (historyHours > 0) {
      const plant = createPlant({ seed, nodes: toSimNodes(nodes, new Map()), faultScale: 1, script: [] });
      await seedHistory(client, nodes, plant, now - historyHours * 3_600, now);
    }
  });
}
