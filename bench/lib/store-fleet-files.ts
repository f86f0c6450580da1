import { parseDataFileName } from "@busbar/contract/files/data-file-name.ts";
import type { Pool } from "@busbar/server/db/pool.ts";
import { inTransaction } from "@busbar/server/db/transaction.ts";
import { createDataFilesStore } from "@busbar/server/features/files/data-files/data-files.store.ts";
import type { FileStore } from "@busbar/server/lib/file-store.ts";
import { makeDataFile } from "@busbar/simulator/files/data-file.ts";
import { createPlant } from "@busbar/simulator/node-model/plant.ts";
import type { SimNode } from "@busbar/simulator/node-model/sim-node.ts";

const batchNodes = 250;

export interface FleetFiles {
  pool: Pool;
  fileStore: FileStore;
  seed: number;
  fleet: readonly SimNode[];
  /** Begin of the interval, epoch seconds. */
  timestamp: number;
}

/** Makes and stores the data points and one-second files of a whole fleet for one interval; returns the bytes that were stored. */
export async function storeFleetFiles({ pool, fileStore, seed, fleet, timestamp }: FleetFiles): Promise<number> {
  const store = createDataFilesStore(pool);
  const plant = createPlant({ seed, nodes: fleet, faultScale: 1, script: [] });
  let storedBytes = 0;
  for (let start = 0; start < fleet.length; start += batchNodes) {
    const files = fleet
      .slice(start, start + batchNodes)
      .flatMap(({ serial }) =>
        (["D", "S"] as const).flatMap(
          (kind) => makeDataFile({ seed, plantNode: plant.nodes.get(serial)!, kind, timestamp, faultScale: 1 }) ?? [],
        ),
      );
    const hashes = await fileStore.putAll(files.map(({ bytes }) => bytes));
    const rows = files.map(({ name, bytes, md5 }, index) => ({
      name,
      parsed: parseDataFileName(name)!,
      hash: hashes[index]!,
      md5,
      storedBytes: bytes.length,
      isGzip: true,
      receivedAtMs: Date.now(),
      source: "node" as const,
    }));
    await inTransaction(pool, (client) => store.store(client, rows));
    for (const { bytes } of files) storedBytes += bytes.length;
  }
  return storedBytes;
}
