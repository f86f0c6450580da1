import { join } from "node:path";
import type { Pool } from "@busbar/server/db/pool.ts";
import type { BenchContext } from "./bench-context.ts";
import { seedFleet } from "./seed-fleet.ts";
import { startServerProcess, type ServerProcess } from "./server-process.ts";
import { createStaffSessions } from "./staff-sessions.ts";

export interface FleetServerOptions {
  nodes: number;
  /** Of the nodes: those that are connected. */
  connected?: number;
  /** How many members of staff are signed in. */
  staff?: number;
  /** Puts something beside the fleet. */
  seed?: (pool: Pool) => Promise<unknown>;
}

export interface FleetServer {
  server: ServerProcess;
  dataDir: string;
  /** Of the first member of staff. */
  token: string;
  tokens: string[];
}

/** A server of its own over a generated fleet. */
export async function startFleetServer(
  { folder, undo, profileDir }: BenchContext,
  { nodes, connected = 0, staff = 1, seed }: FleetServerOptions,
): Promise<FleetServer> {
  const dataDir = join(folder, "data");
  let tokens: string[] = [];
  await seedFleet({
    dataDir,
    nodes,
    connected,
    also: async (pool) => {
      tokens = await createStaffSessions(pool, dataDir, staff);
      await seed?.(pool);
    },
  });
  return { server: await startServerProcess({ dataDir, undo, profileDir }), dataDir, token: tokens[0] ?? "", tokens };
}
