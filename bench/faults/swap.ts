import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isSwapCopied, type NodeSwap } from "@busbar/contract/directory/node-swaps.ts";
import { openDatabase } from "@busbar/server/db/database.ts";
import { createPool, type Pool } from "@busbar/server/db/pool.ts";
import { silentLog } from "@busbar/server/lib/log.ts";
import { createUndoStack } from "@busbar/server/undo-stack.ts";
import { freshCode } from "../lib/fresh-code.ts";
import { seedFleet, serialOf } from "../lib/seed-fleet.ts";
import { startServerProcess } from "../lib/server-process.ts";
import { createStaffSessions } from "../lib/staff-sessions.ts";
import { startConfigNode, type ConfigNode } from "./config-node.ts";

const placeCount = 6;
const slowestAnswerMs = 200;
/** A swap and the copy of its value take about as long. */
const latestKillMs = 400;
const mostLateness = 8;

/** What is wrong after a swap. */
interface Wrong {
  /** Places without a node or with another one than its swap says, and swaps without their activity. */
  half: number;
  /** Nodes that were sent the value of their place more than once. */
  twice: number;
  /** Nodes without the value of their place. */
  lost: number;
  /** Values of which the swap or the audit log say something else than the node. */
  untrue: number;
}

/**
 * Nodes take each other's places, and the process that swaps them is killed (SIGKILL) at some moment of each swap and of each copy of the
 * configuration that goes on after it; places, swaps, activities, audit rows and nodes are compared. At the end a node is taken from its
 * place and another one is sent its value once more: both must be seen.
 */
export async function swapUnderKills(kills: number): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "busbar-swap-"));
  const dataDir = join(folder, "data");
  const undo = createUndoStack();
  undo.add(() => rm(folder, { recursive: true, force: true }));
  try {
    let token = "";
    const nodeCount = placeCount + 1;
    await seedFleet({
      dataDir,
      nodes: nodeCount,
      connected: nodeCount,
      also: async (seeded) => {
        [token = ""] = await createStaffSessions(seeded, dataDir, 1);
        await seeded.query("delete from node_assignment where serial_number = $1", [serialOf(placeCount)]);
      },
    });
    const database = await openDatabase({ databaseUrl: undefined, dataDir, log: silentLog });
    undo.add(() => database.stop());
    const pool = createPool(database.url, { max: 2 });
    undo.add(() => pool.end());
    const env = { DATABASE_URL: database.url, NODE_ANSWER_SECONDS: "1", LOGIN_TWO_FACTOR: "off" };
    const broker = await startServerProcess({ dataDir, undo, env, roles: "ingest,broker,services" });
    const startApi = () => startServerProcess({ dataDir, undo, env, roles: "api" });
    let api = await startApi();
    let killed = 0;
    let caught = 0;

    // Each place has a value of its own, which its first node has.
    const nodes = await Promise.all(
      Array.from({ length: nodeCount }, (_, index) => startConfigNode(broker.urls.mqtt, serialOf(index), slowestAnswerMs, 5 + index)),
    );
    undo.add(async () => void (await Promise.all(nodes.map((node) => node.stop()))));
    while ((await rowsOf(pool, "select from node_birth")).length < nodeCount) await pause(50);

    const ask = async <Data>(method: string, path: string, body?: object): Promise<Data> => {
      const headers = { token, ...(body ? { "content-type": "application/json" } : {}) };
      const response = await fetch(`${api.urls.console}/api${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${text.slice(0, 300)}`);
      return (JSON.parse(text) as { data: Data }).data;
    };
    const swapOf = async (serial: number) => (await ask<{ swap: NodeSwap | null }>("GET", `/nodes/${serial}/swap`)).swap;
    const isAt = async (serial: number) =>
      (await rowsOf(pool, "select from node_assignment where serial_number = $1", [serial])).length > 0;

    const isEnough = () => killed >= kills && caught > 0;

    /** Starts something, which is cut off somewhere as long as there are kills left. */
    async function cutOff(path: string, body: object): Promise<void> {
      const code = await freshCode(pool, dataDir);
      const done = ask("POST", path, { ...body, code }).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (isEnough()) {
        const error = await done;
        if (error !== undefined) throw error;
        return;
      }
      // Later while it meets nothing, as a slow machine has not begun by then; and soon again, as it may have been too late.
      await pause(Math.random() * latestKillMs * (1 + ((killed - caught) % mostLateness)));
      await api.kill();
      killed++;
      await done;
      if ((await rowsOf(pool, "select from node_swap_value where state in ('waiting', 'sent')")).length > 0) caught++;
      api = await startApi();
    }

    /** Until the new node has everything, however often it is cut off. */
    async function swap(old: ConfigNode, next: ConfigNode): Promise<void> {
      // As the console does: both nodes are asked for their values.
      await ask("GET", `/nodes/${old.serial}/swapplan?newSerialNumber=${next.serial}`);
      while (!(await isAt(next.serial)))
        await cutOff(`/nodes/${old.serial}/swap`, {
          newSerialNumber: String(next.serial),
          isNew: false,
          oldNodeStatus: "Unassigned",
          reason: "Swapped under kills",
        });
      for (;;) {
        const now = await swapOf(next.serial);
        if (now?.isCopying) await pause(100);
        else if (now && isSwapCopied(now)) return;
        else await cutOff(`/nodes/${next.serial}/swap/config`, {});
      }
    }

    const wrong: Wrong = { half: 0, twice: 0, lost: 0, untrue: 0 };
    const atPlace = nodes.slice(0, placeCount);
    let spare = nodes[placeCount]!;
    let swaps = 0;
    for (; !isEnough() || swaps < 2; swaps++) {
      const place = swaps % placeCount;
      const [old, next] = [atPlace[place]!, spare];
      await swap(old, next);
      [atPlace[place], spare] = [next, old];
      add(wrong, await compare(pool, { old, next, value: 5 + place, swaps: swaps + 1 }));
    }

    // Negative control.
    const place = swaps % placeCount;
    const [old, next] = [atPlace[place]!, spare];
    await swap(old, next);
    const value = 5 + place;
    for (const [from, to] of [
      [value, value + 20],
      [value + 20, value],
    ])
      await ask("PATCH", `/nodes/${next.serial}/config/v_noise/${to}/2fa/${await freshCode(pool, dataDir)}/previous/${from}`);
    await pool.query("delete from node_assignment where serial_number = $1", [next.serial]);
    const control = await compare(pool, { old, next, value, swaps: swaps + 1 });

    console.log(`swap: ${killed} kills of the API in ${swaps} swaps, ${caught} with values on their way`);
    console.log(`  ${inWords(wrong)}`);
    console.log(`  negative control, a node without its place that was sent its value again: ${inWords(control)}`);
    const isProof = caught > 0 && control.half === 1 && control.twice === 1;
    if (!isProof) console.error("  no kill met a value on its way, or what was made wrong was not seen: this proves nothing");
    return isProof && Object.values(wrong).every((count) => count === 0);
  } finally {
    await undo.run();
  }
}

interface Swapped {
  old: ConfigNode;
  next: ConfigNode;
  /** Of the place. */
  value: number;
  /** That there were, with this one. */
  swaps: number;
}

/** What has become of one swap, in whole places, nodes and swaps. */
async function compare(pool: Pool, { old, next, value, swaps }: Swapped): Promise<Wrong> {
  const placed = await rowsOf<{ serial: number }>(pool, "select serial_number as serial from node_assignment");
  const done = await rowsOf<{ count: number }>(pool, "select count(*)::int4 as count from node_swap");
  const recorded = await rowsOf<{ count: number }>(pool, "select count(*)::int4 as count from activity where action = 'SWAP_NODE'");
  const [last] = await rowsOf<{ id: number; old: number; next: number; states: string[] }>(
    pool,
    `select id, old_serial_number as old, new_serial_number as next,
       array(select state from node_swap_value v where v.swap_id = s.id) as states from node_swap s order by id desc limit 1`,
  );
  const results = await rowsOf<{ result: string }>(
    pool,
    "select result from audit_log where serial_number = $1 and new_value = $2 and ts > (select max(swapped_at) from node_swap)",
    [next.serial, String(value)],
  );
  const isPlaced = (serial: number) => placed.some((row) => row.serial === serial);
  const isHalf =
    placed.length !== placeCount ||
    !isPlaced(next.serial) ||
    isPlaced(old.serial) ||
    last?.old !== old.serial ||
    last.next !== next.serial ||
    done[0]?.count !== swaps ||
    recorded[0]?.count !== swaps;
  const sent = next.takeReceived().filter((each) => each === value).length;
  const hasWritten = results.filter(({ result }) => result !== "refused").length;
  return {
    half: isHalf ? 1 : 0,
    twice: sent > 1 ? 1 : 0,
    lost: next.value() === value ? 0 : 1,
    untrue: last?.states.every((state) => state === "confirmed") && hasWritten >= sent ? 0 : 1,
  };
}

const inWords = ({ half, twice, lost, untrue }: Wrong): string =>
  `half done ${half}, sent twice ${twice}, without its value ${lost}, said wrongly ${untrue}`;

function add(sum: Wrong, more: Wrong): void {
  for (const name of Object.keys(sum) as (keyof Wrong)[]) sum[name] += more[name];
}

async function rowsOf<Row extends object>(pool: Pool, text: string, values: unknown[] = []): Promise<Row[]> {
  return (await pool.query<Row>(text, values)).rows;
}
