import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "@busbar/server/config.ts";
import type { Pool } from "@busbar/server/db/pool.ts";
import type { Log } from "@busbar/server/lib/log.ts";
import { createSecretsKey } from "@busbar/server/db/secrets-key.ts";
import { openFileStore } from "@busbar/server/lib/open-file-store.ts";
import { startServer } from "@busbar/server/server.ts";
import { startFleet, type Fleet } from "@busbar/simulator/fleet.ts";
import { readAdministrators, type DemoAdministrator } from "./administrators.ts";
import { ensureNodeSecrets } from "./node-secrets.ts";
import { fillFileHistory } from "./file-history.ts";
import { seedWorld } from "./seed.ts";
import { createDemoWorld, namedNodeCount, withoutStops, type DemoWorld } from "./world/demo-world.ts";
import { toSimNodes } from "./world/sim-nodes.ts";

export interface DevEnvOptions {
  /** Ports may be 0; `simNodes` nodes are simulated. */
  config: Config;
  log: Log;
  /** Hours of history in a new database. */
  historyHours?: number;
  /** Hours of files of the past; they are made while everything runs. */
  fileHistoryHours?: number;
  /** Everything invented follows from it. */
  seed?: number;
  /** Multiplies the rates at which supply, load and link fail by themselves; 0: only nodes whose nature it is fail. */
  faultScale?: number;
  /** Machines stop at night, on Sundays and now and then; without stops their values are those of running machines at any time. */
  hasStops?: boolean;
  /** Nodes connect spread over this time. */
  startDelayMaxSeconds?: number;
  consoleDir?: string;
  /** How long running calls and the database's last checkpoint may take at the end. */
  drainMs?: number;
}

export interface DevEnv {
  urls: { console: string; v2: string | undefined; mqtt: string | undefined };
  world: DemoWorld;
  administrators: DemoAdministrator[];
  pool: Pool;
  fleet: Fleet;
  /** Resolves when the files of the past are stored. */
  filesFilled: Promise<void>;
  stop(): Promise<void>;
}

const demoSeed = 268;

/** The whole platform in this process with the demo world: database, broker, server and simulated nodes. */
export async function startDevEnv(options: DevEnvOptions): Promise<DevEnv> {
  const { config, log, historyHours = 48, fileHistoryHours = 72, seed = demoSeed, faultScale = 1, drainMs = 2_500 } = options;
  const demoWorld = createDemoWorld(Math.max(config.simNodes, namedNodeCount));
  const world = options.hasStops === false ? withoutStops(demoWorld) : demoWorld;
  const secretsKey = createSecretsKey(config.secretsKeyFile);
  // Made again whenever they are lost.
  const fileStore = openFileStore(config, { isDurable: false }).store;
  const server = await startServer(config, {
    log,
    drainMs,
    ...(options.consoleDir === undefined ? {} : { consoleDir: options.consoleDir }),
    prepare: (pool) =>
      seedWorld(pool, { secretsKey, fileStore, world, seed, faultScale, historyHours, now: Math.floor(Date.now() / 1000) }),
  });
  try {
    mkdirSync(config.dataDir, { recursive: true });
    const serials = world.nodes.map(({ serial }) => serial);
    const secrets = await ensureNodeSecrets(server.pool, join(config.dataDir, "demo-node-secrets.json"), serials);
    const administrators = await readAdministrators(server.pool, secretsKey);
    const fleet = startFleet({
      nodes: toSimNodes(world.nodes.slice(0, config.simNodes), secrets),
      to: server.urls.mqtt ?? "",
      seed,
      startDelayMaxSeconds: options.startDelayMaxSeconds ?? 5,
      files: { backfillIntervals: 2 },
      faults: { scale: faultScale },
      log: (message) => log.info(message),
    });
    const stopping = new AbortController();
    const filesFilled = fillFileHistory({
      pool: server.pool,
      fileStore,
      nodes: world.nodes.slice(0, namedNodeCount),
      seed,
      faultScale,
      hours: fileHistoryHours,
      now: Math.floor(Date.now() / 1000),
      signal: stopping.signal,
    }).catch((error: unknown) => log.error({ err: error }, "the files of the past could not be made"));
    return {
      urls: { ...server.urls, console: server.urls.console ?? "" },
      world,
      administrators,
      pool: server.pool,
      fleet,
      filesFilled,
      async stop() {
        stopping.abort();
        await filesFilled;
        await fleet.stop();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
