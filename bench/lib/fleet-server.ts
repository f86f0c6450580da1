import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "@busbar/server/db/pool.ts";
import type { BenchContext } from "./bench-context.ts";
import { seedFleet } from "./seed-fleet.ts";
import { openServerDatabase, startServerProcess, type ServerProcess } from "./server-process.ts";
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

let shared: Promise<FleetServer> | undefined;
/** What any of them asks for at most when it is short. */
const sharedSize = { nodes: 1_000, connected: 210, staff: 50 };

/**
 * As `startFleetServer`; short runs share one server, since its start costs several times what they do with it. What others have put beside the
 * fleet is there too.
 */
export async function openFleetServer(context: BenchContext, options: FleetServerOptions): Promise<FleetServer> {
  if (!context.isShort) return startFleetServer(context, options);
  const fleet = await (shared ??= startShared(context));
  const pool = openServerDatabase(fleet.dataDir);
  context.undo.add(() => pool.end());
  await options.seed?.(pool);
  return { ...fleet, server: { ...fleet.server, stop: async () => {} } };
}

async function startShared(context: BenchContext): Promise<FleetServer> {
  const { atEnd } = context;
  const folder = await mkdtemp(join(tmpdir(), "busbar-bench-"));
  atEnd.add(() => rm(folder, { recursive: true, force: true }));
  return startFleetServer({ ...context, folder, undo: atEnd }, sharedSize);
}
