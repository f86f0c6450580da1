import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Batch } from "@busbar/contract/telemetry/config-batches.ts";
import { openDatabase } from "@busbar/server/db/database.ts";
import { createPool, type Pool } from "@busbar/server/db/pool.ts";
import { silentLog } from "@busbar/server/lib/log.ts";
import { createUndoStack } from "@busbar/server/undo-stack.ts";
import { createBatchCaller } from "../bulk-config/batch-caller.ts";
import { seedFleet, serialOf } from "../lib/seed-fleet.ts";
import { startServerProcess } from "../lib/server-process.ts";
import { createStaffSessions } from "../lib/staff-sessions.ts";
import { startConfigNode, type ConfigNode } from "./config-node.ts";

const nodeCount = 40;
const slowestAnswerMs = 200;
const key = "v_noise";
const pace = { atOnce: 8, firstWave: 3 };

/** What is wrong with one batch, in nodes. */
interface Wrong {
  /** Sent its change more than once. */
  twice: number;
  /** Neither confirmed, refused nor unknown when the batch had ended. */
  forgotten: number;
  /** Said to have a value that it has not, or not to have one that it has. */
  untrue: number;
  /** Without an audit row, with several, or with another outcome than the node's. */
  audit: number;
}

/**
 * Kills the process that rolls batches out (SIGKILL) again and again, and compares what nodes were sent and have with what the batch and
 * the audit log say. At the end a change that was handed over is made to look as if it was not: that it is sent twice must be seen.
 */
export async function rollOut(kills: number): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "busbar-roll-out-"));
  const dataDir = join(folder, "data");
  const undo = createUndoStack();
  undo.add(() => rm(folder, { recursive: true, force: true }));
  try {
    let token = "";
    await seedFleet({
      dataDir,
      nodes: nodeCount,
      connected: nodeCount,
      also: async (seeded) => void ([token = ""] = await createStaffSessions(seeded, dataDir, 1)),
    });
    const database = await openDatabase({ databaseUrl: undefined, dataDir, log: silentLog });
    undo.add(() => database.stop());
    const pool = createPool(database.url, { max: 2 });
    undo.add(() => pool.end());
    const env = { DATABASE_URL: database.url, NODE_ANSWER_SECONDS: "2", LOGIN_TWO_FACTOR: "off" };
    const server = await startServerProcess({ dataDir, undo, env, roles: "api,ingest,broker" });
    const startServices = () => startServerProcess({ dataDir, undo, env, roles: "services" });
    const nodes = await Promise.all(
      Array.from({ length: nodeCount }, (_, index) => startConfigNode(server.urls.mqtt, serialOf(index), slowestAnswerMs)),
    );
    undo.add(async () => void (await Promise.all(nodes.map((node) => node.stop()))));
    while ((await countOf(pool, "node_birth")) < nodeCount) await pause(50);

    const caller = createBatchCaller({ base: server.urls.console, token, pool, dataDir });
    const wrong: Wrong = { twice: 0, forgotten: 0, untrue: 0, audit: 0 };
    const settled = { confirmed: 0, unknown: 0, refused: 0 };
    let services = await startServices();
    let killed = 0;
    let caught = 0;
    let batches = 0;
    const isEnough = () => killed >= kills && caught > 0;
    for (let value = 6; !isEnough(); value = value === 6 ? 5 : 6) {
      const made = await caller.create(
        nodes.map(({ serial }) => serial),
        key,
        String(value),
      );
      const ready = await caller.until(made.id, "ready");
      await caller.start(ready, pace);
      batches++;
      for (let state: Batch["state"] = "running"; state === "running" && !isEnough();) {
        // A random moment of the roll-out: the kill must hit claims, commands, answers and outcomes alike.
        while ((await countOf(pool, "config_batch_node where state = 'sending'")) === 0 && (await caller.find(made.id)).state === "running")
          await pause(20);
        await pause(Math.random() * slowestAnswerMs);
        await services.kill();
        killed++;
        if ((await countOf(pool, "config_batch_node where state = 'sending'")) > 0) caught++;
        services = await startServices();
        ({ state } = await caller.find(made.id));
      }
      const { counts } = await caller.until(made.id, "done");
      for (const outcome of ["confirmed", "unknown", "refused"] as const) settled[outcome] += counts[outcome];
      addTo(wrong, await compare(pool, made.id, nodes, value));
    }

    // Negative control.
    const last = await caller.create(
      nodes.map(({ serial }) => serial),
      key,
      "7",
    );
    await caller.start(await caller.until(last.id, "ready"), pace);
    await caller.until(last.id, "done");
    await services.kill();
    await pool.query(
      `with undone as (update config_batch_node set state = 'sending', audit_id = null, confirmed_count = 0, command_id = gen_random_uuid()
         where batch_id = $1 and serial_number = $2 returning 1)
       update config_batch set state = 'running' where id = $1`,
      [last.id, serialOf(0)],
    );
    services = await startServices();
    await caller.until(last.id, "done");
    const control = await compare(pool, last.id, nodes, 7);

    console.log(
      `roll-out: ${killed} kills of the services in ${batches} roll-outs to ${nodeCount} nodes, ${caught} with changes on their way`,
    );
    console.log(`  confirmed ${settled.confirmed}, unknown ${settled.unknown}, refused ${settled.refused}`);
    console.log(`  ${inWords(wrong)}`);
    console.log(`  negative control, a change made to look unsent: ${inWords(control)}`);
    const isProof = caught > 0 && settled.confirmed > 0 && control.twice === 1 && control.audit === 1;
    if (!isProof) console.error("  no kill met a change on its way, or a change that was sent twice was not seen: this proves nothing");
    return isProof && Object.values(wrong).every((count) => count === 0);
  } finally {
    await undo.run();
  }
}

const inWords = ({ twice, forgotten, untrue, audit }: Wrong): string =>
  `sent twice ${twice}, forgotten ${forgotten}, said wrongly ${untrue}, audit rows wrong ${audit}`;

function addTo(sum: Wrong, more: Wrong): void {
  for (const name of Object.keys(sum) as (keyof Wrong)[]) sum[name] += more[name];
}

async function countOf(pool: Pool, from: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(`select count(*)::int4 as count from ${from}`);
  return rows[0]?.count ?? 0;
}

const auditOfState: Record<string, readonly string[]> = {
  confirmed: ["confirmed", "unchanged"],
  unknown: ["unanswered"],
  refused: ["refused", "refusedByNode", "contradicted"],
};

async function compare(pool: Pool, id: number, nodes: readonly ConfigNode[], value: number): Promise<Wrong> {
  const { rows } = await pool.query<{ serial: number; state: string; results: string[] }>(
    `select n.serial_number as serial, n.state, array(select result from audit_log a where a.batch_id = n.batch_id and a.serial_number = n.serial_number) as results
     from config_batch_node n where n.batch_id = $1`,
    [id],
  );
  const bySerial = new Map(rows.map((row) => [row.serial, row]));
  const wrong: Wrong = { twice: 0, forgotten: 0, untrue: 0, audit: 0 };
  for (const node of nodes) {
    const { state = "none", results = [] } = bySerial.get(node.serial) ?? {};
    if (node.takeReceived().length > 1) wrong.twice++;
    // It had the value already, as a change of before whose outcome no one knew.
    if (state === "left") continue;
    const allowed = auditOfState[state];
    if (!allowed) wrong.forgotten++;
    if (state === "confirmed" ? node.value() !== value : state === "refused" && node.value() === value) wrong.untrue++;
    if (results.length !== 1 || !allowed?.includes(results[0]!)) wrong.audit++;
  }
  return wrong;
}
