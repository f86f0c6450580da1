import { ensureScalarPartitions } from "@busbar/server/db/scalar-partitions.ts";
import { localDay } from "@busbar/server/lib/local-day.ts";
import { backfill, type BackfillRow } from "@busbar/simulator/node-model/backfill.ts";
import { createScalarRow } from "@busbar/simulator/node-model/scalar-row.ts";
import type { Plant } from "@busbar/simulator/node-model/plant.ts";
import type { PoolClient } from "@busbar/server/db/pool.ts";
import type { DemoNode } from "./world/demo-world.ts";
import { hasScalars } from "./world/sim-nodes.ts";
import { createIngestPresenceStore } from "@busbar/server/shared/ingest-presence.store.ts";
import { markScalarTrends } from "@busbar/server/shared/trend-marks.store.ts";
import { awaitCoverage, copyScalars, updateLiveRows, type HistoryEnd } from "./history.store.ts";

const linesPerChunk = 2_000;
// A node whose clock went wrong had a right one before: its stored history ends there.
const wrongClockSeconds = 6 * 3_600;

/** Fills the past with what the simulated nodes would have sent, and lets the live rows end where the history ends. */
export async function seedHistory(
  client: PoolClient,
  nodes: readonly DemoNode[],
  plant: Plant,
  fromSeconds: number,
  toSeconds: number,
): Promise<void> {
  await ensureScalarPartitions(client, fromSeconds, toSeconds);
  const ends: HistoryEnd[] = [];
  await copyScalars(client, historyLines(nodes.filter(hasScalars), plant, fromSeconds, toSeconds, ends));
  await updateLiveRows(client, ends);
  await awaitCoverage(
    client,
    ends.map(({ serial }) => serial),
  );
  await markScalarTrends(client, hoursOf(ends, fromSeconds));
  // From here until the first start, nodes cannot be heard.
  await createIngestPresenceStore(client).begin(toSeconds * 1000);
}

/** A moment of every hour of the past of each node: its aggregates are made as those of scalars that come late. */
const hoursOf = (ends: readonly HistoryEnd[], fromSeconds: number) =>
  ends.flatMap(({ serial, lastScalarAt }) =>
    Array.from({ length: Math.floor((lastScalarAt - fromSeconds) / 3_600) + 1 }, (_, hour) => ({ serial, at: fromSeconds + 3_600 * hour })),
  );

function* historyLines(
  nodes: readonly DemoNode[],
  plant: Plant,
  fromSeconds: number,
  toSeconds: number,
  ends: HistoryEnd[],
): Generator<string> {
  for (const node of nodes) {
    const simulated = plant.nodes.get(node.serial);
    if (!simulated) continue;
    const until = node.quirks.clockOffsetSeconds ? toSeconds - wrongClockSeconds : toSeconds;
    const end = followEnd(node, until);
    let chunk: string[] = [];
    for (const row of backfill(simulated, fromSeconds, until)) {
      chunk.push(copyLine(node.serial, row));
      end.add(row);
      if (chunk.length === linesPerChunk) {
        yield chunk.join("");
        chunk = [];
      }
    }
    yield chunk.join("");
    const reached = end.result();
    if (reached) ends.push(reached);
  }
}

const round = (value: number): number => Math.round(value * 1_000) / 1_000;

function copyLine(serial: number, { epochSeconds, values: v }: BackfillRow): string {
  const readings = [v[0], v[1], v[2], v[3], v[4], v[5], v[6]].map((value) => round(value ?? 0)).join("\t");
  return `${serial}\t${new Date(epochSeconds * 1000).toISOString()}\t1\t${v[16] ?? 0}\t${readings}\n`;
}

// The text of the last scalar as ingest writes it: ver,flag,epochMs,lf,i1-3,v1-3,p1-3,q1-3,pf1-3.
function scalarData({ epochSeconds, values: v }: BackfillRow): string {
  return `1,${v[16] ?? 0},${epochSeconds * 1000},${Array.from(v.slice(0, 16), round).join(",")}`;
}

function followEnd({ serial, timezone, scalarIntervalSeconds }: DemoNode, until: number) {
  const today = localDay(timezone, until);
  const last: BackfillRow = { epochSeconds: 0, values: createScalarRow() };
  let previousAt = today.start;
  let missingCount = 0;
  return {
    add(row: BackfillRow): void {
      last.epochSeconds = row.epochSeconds;
      last.values.set(row.values);
      if (row.epochSeconds < today.start) return;
      missingCount += Math.max(0, Math.round((row.epochSeconds - previousAt) / scalarIntervalSeconds) - 1);
      previousAt = row.epochSeconds;
    },
    result: (): HistoryEnd | undefined =>
      last.epochSeconds === 0
        ? undefined
        : { serial, lastScalarAt: last.epochSeconds, lastScalarData: scalarData(last), day: today.date, missingCount },
  };
}
