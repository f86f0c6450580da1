import { judgeNode } from "@busbar/alarms/verdict/judge-node.ts";
import type { Verdict } from "@busbar/alarms/verdict/signals.ts";
import type { VerdictKind } from "@busbar/alarms/verdict/verdict-kinds.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import type { Pool } from "pg";
import { inTransaction } from "#db/transaction.ts";
import type { Clock } from "#lib/clock.ts";
import type { Task } from "#services/service.ts";
import { startWalk } from "#services/walk.ts";
import { createFleetSignals, type FleetSignals, type FollowedNode } from "./fleet-signals.ts";
import type { NodeSignalsStore } from "./node-signals.store.ts";
import {
  readLastingKinds,
  readRunCount,
  writeLasting,
  writeVerdicts,
  type JudgedNode,
  type LastingVerdict,
} from "./node-verdicts.store.ts";

/** Verdicts that do not last so long are shown, but neither remembered nor reported: a link may flap. */
const lastingSeconds = 120;
/** Someone else may have judged meanwhile: it is begun anew. */
const longestBreakSeconds = 60;
const batchSize = 1_000;
const name = "NodeVerdicts";

/** How a node was judged last. */
interface Standing {
  kind: VerdictKind | undefined;
  /** Since when it is of this kind without a break. */
  beganAt: number;
  /** The verdict as it is written down. */
  written: string;
  lastingKind: string | undefined;
  dueAt: number;
}

interface Fleet {
  signals: FleetSignals;
  standings: Map<number, Standing>;
  /** To be judged, and not yet written down. */
  waiting: Set<FollowedNode>;
}

/** Judges nodes of which something changed, or of which time alone may have changed the verdict (decision 0035). */
export function createNodeVerdicts({ pool, store, clock }: { pool: Pool; store: NodeSignalsStore; clock: Clock }): Task {
  let fleet: Fleet | undefined;
  let ranAt = -Infinity;
  let runCount = Infinity;

  async function begin(): Promise<Fleet> {
    const kinds = await readLastingKinds(pool);
    const standings = new Map([...kinds].map(([serial, lastingKind]): [number, Standing] => [serial, { ...newStanding(), lastingKind }]));
    return { signals: createFleetSignals(store), standings, waiting: new Set() };
  }

  async function judgeAll({ signals, standings }: Fleet, nodes: readonly FollowedNode[], now: number): Promise<number> {
    const judged: (JudgedNode & { text: string })[] = [];
    const lasting: LastingVerdict[] = [];
    for (const node of nodes) {
      const { serial } = node;
      const standing = standings.get(serial) ?? newStanding();
      standings.set(serial, standing);
      const { verdict, dueAt = Infinity } = judgeNode(signals.signalsOf(node), now);
      if (standing.kind !== verdict.kind) Object.assign(standing, { kind: verdict.kind, beganAt: now });
      standing.dueAt = dueAt;
      const text = textOf(verdict);
      if (text !== standing.written) judged.push({ serial, verdict, text });
      if (standing.lastingKind === verdict.kind) continue;
      const lastsAt = standing.lastingKind === undefined ? standing.beganAt : standing.beganAt + lastingSeconds;
      if (lastsAt <= now) lasting.push({ serial, verdict, beganAt: standing.beganAt, isReported: verdict.kind !== "unknown" });
      else standing.dueAt = Math.min(standing.dueAt, lastsAt);
    }
    if (judged.length + lasting.length === 0) return 0;
    await inTransaction(pool, async (client) => {
      await writeVerdicts(client, judged);
      await writeLasting(client, lasting);
    });
    for (const { serial, text } of judged) standings.get(serial)!.written = text;
    for (const { serial, verdict } of lasting) standings.get(serial)!.lastingKind = verdict.kind;
    return judged.length;
  }

  return {
    name,
    intervalSeconds: 5,
    did: (count) => `Changed ${counted(count, "verdict")}`,
    async run(signal) {
      const now = clock.now() / 1000;
      const runs = await readRunCount(pool, name);
      // More runs than one's own: another process judged meanwhile, and what this one wrote last holds no more.
      if (!fleet || Math.abs(now - ranAt) > longestBreakSeconds || runs > runCount + 1) fleet = await begin();
      runCount = runs;
      const { signals, standings, waiting } = fleet;
      for (const node of await signals.follow(now)) waiting.add(node);
      for (const node of signals.nodes.values()) if ((standings.get(node.serial)?.dueAt ?? 0) <= now) waiting.add(node);
      for (const node of waiting) if (signals.nodes.get(node.serial) !== node) waiting.delete(node);
      const judging = fleet;
      let judgedCount = 0;
      const walk = startWalk({ pool, clock, service: name, signal });
      const count = await walk.over({
        items: [...waiting],
        kind: "node",
        idOf: ({ serial }) => serial,
        batchSize,
        async work(nodes) {
          const changedCount = await judgeAll(judging, nodes, now);
          for (const node of nodes) waiting.delete(node);
          judgedCount += nodes.length;
          return changedCount;
        },
      });
      ranAt = now;
      return walk.end(count, count === 0 ? "" : `Judged ${counted(judgedCount, "node")}, changed ${counted(count, "verdict")}`);
    },
  };
}

const newStanding = (): Standing => ({ kind: undefined, beganAt: 0, written: "", lastingKind: undefined, dueAt: 0 });

/** Of nearly all nodes there is nothing to say. */
const textOf = (verdict: Verdict): string => (verdict.evidence.length === 0 ? verdict.kind : JSON.stringify(verdict));
