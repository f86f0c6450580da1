import { parseDataFileName } from "@busbar/contract/files/data-file-name.ts";
import { inTransaction } from "@busbar/server/db/transaction.ts";
import { createDataFilesStore } from "@busbar/server/features/files/data-files/data-files.store.ts";
import type { FileStore } from "@busbar/server/lib/file-store.ts";
import { md5Of } from "@busbar/simulator/files/data-file-text.ts";
import { createPlant } from "@busbar/simulator/node-model/plant.ts";
import type { Pool, PoolClient } from "@busbar/server/db/pool.ts";
import type { SecretsKey } from "@busbar/server/db/secrets-key.ts";
import { seedAdministrators } from "./administrators.ts";
import { seedHistory } from "./history.ts";
import type { DemoWorld } from "./world/demo-world.ts";
import { insertAccounts } from "./world/accounts.store.ts";
import { insertFeeds } from "./world/feeds.store.ts";
import { insertRelayActivities } from "./world/relay-events.store.ts";
import { makeRelayFiles } from "./world/relay-events.ts";
import { insertUsers } from "./world/users.store.ts";
import { seedDemand } from "./world/demand.store.ts";
import { findNodeSerials, insertCustomers, insertFacilities, insertNodes, isSeeded } from "./world/seed-world.store.ts";
import { seedLocationNotes } from "./world/location-notes.store.ts";
import { seedTaskProgress } from "./world/task-progress.store.ts";
import { toSimNodes } from "./world/sim-nodes.ts";

export interface SeedOptions {
  fileStore: FileStore;
  secretsKey: SecretsKey;
  world: DemoWorld;
  seed: number;
  faultScale: number;
  historyHours: number;
  /** Epoch seconds. */
  now: number;
}

/** Fills an empty database, all or nothing; later only generated nodes that are not there yet are added. */
export async function seedWorld(
  pool: Pool,
  { fileStore, secretsKey, world, seed, faultScale, historyHours, now }: SeedOptions,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const isFirst = !(await isSeeded(client));
    if (isFirst) {
      await insertCustomers(client, world.customers);
      await insertFacilities(client, world.facilities);
      await seedAdministrators(client, secretsKey);
      await insertUsers(client, now);
    }
    const known = await findNodeSerials(client);
    // What someone deleted stays deleted; only a larger SIM_NODES adds to a world that is there.
    const nodes = isFirst ? world.nodes : world.nodes.filter(({ serial, isGenerated }) => isGenerated && !known.has(serial));
    if (nodes.length === 0) return;
    await insertNodes(client, nodes);
    if (isFirst) {
      await seedTaskProgress(client);
      await seedDemand(client);
      await seedLocationNotes(client, now);
      await insertAccounts(client, new Date(now * 1000).getUTCFullYear());
      await seedRelayFiles(pool, client, { fileStore, world, seed, now });
      await insertFeeds(client, now);
    }
    if (historyHours > 0) {
      const plant = createPlant({ seed, nodes: toSimNodes(nodes, new Map()), faultScale, script: [] });
      await seedHistory(client, nodes, plant, now - historyHours * 3_600, now);
    }
  });
}

/** What relays uploaded; the program's own service parses it as soon as it runs. */
async function seedRelayFiles(
  pool: Pool,
  client: PoolClient,
  { fileStore, world, seed, now }: Omit<SeedOptions, "secretsKey" | "historyHours" | "faultScale">,
): Promise<void> {
  const files = makeRelayFiles(world.nodes, seed, now);
  const hashes = await fileStore.putAll(files.map(({ bytes }) => bytes));
  const rows = files.map(({ name, bytes, receivedAt }, index) => ({
    parsed: parseDataFileName(name)!,
    hash: hashes[index]!,
    md5: md5Of(bytes),
    storedBytes: bytes.length,
    isGzip: true,
    receivedAtMs: receivedAt * 1000,
    source: "upload" as const,
  }));
  await insertRelayActivities(client, files);
  await createDataFilesStore(pool).store(client, rows);
}
