import { coveredSeconds } from "@busbar/metering/accumulate.ts";
import { addDemand, blockStartMs, demandOfSample, type DemandBlock } from "@busbar/metering/demand.ts";
import type { ActivePhases } from "@busbar/metering/phases.ts";
import { columnSlotCount } from "./scalar-slots.ts";
import type { ScalarReading } from "./telemetry.ts";

/** Power of a node that is summed up and not written yet. */
export interface PowerDemand {
  /** Time of the newest sample. */
  lastMs: number | undefined;
  blocks: readonly DemandBlock[];
}

export const noDemand: PowerDemand = { lastMs: undefined, blocks: [] };

// A row per node and minute instead of one per scalar; until then it is kept with the node's live row.
const writeAfterSeconds = 60;

/** Adds the power that came with a scalar. Stored scalars that come later are not live power. */
export function addPower(demand: PowerDemand, reading: ScalarReading, active: ActivePhases, intervalSeconds: number): PowerDemand {
  const { atMs, values, isHistorical } = reading;
  const { lastMs, blocks } = demand;
  if (isHistorical || (lastMs !== undefined && atMs <= lastMs)) return demand;
  const kw = totalKw(values, active);
  if (Number.isNaN(kw)) return demand;
  if (lastMs === undefined) return { lastMs: atMs, blocks };
  // Every scalar of every node comes here, and nearly all of them are in the block of the one before.
  const [block] = blocks;
  const seconds = coveredSeconds((atMs - lastMs) / 1000, intervalSeconds);
  if (blocks.length === 1 && block && block.startMs === blockStartMs(atMs - 1) && block.startMs <= atMs - 1000 * seconds) {
    const { startMs } = block;
    return {
      lastMs: atMs,
      blocks: [{ startMs, kwSeconds: block.kwSeconds + kw * seconds, coveredSeconds: block.coveredSeconds + seconds }],
    };
  }
  return { lastMs: atMs, blocks: demandOfSample(kw, atMs, lastMs, intervalSeconds).reduce<readonly DemandBlock[]>(addDemand, blocks) };
}

/** Sum over the active phases that have a value; NaN when none has. */
function totalKw(values: readonly number[], active: ActivePhases): number {
  let total = Number.NaN;
  for (let phase = 0; phase < 3; phase++) {
    const kw = values[columnSlotCount + phase]!;
    if (active[phase] !== true || Number.isNaN(kw)) continue;
    total = Number.isNaN(total) ? kw : total + kw;
  }
  return total;
}

/** What a node's live row keeps of it: at most one block is ever left open. */
export interface OpenDemand {
  demandAtMs: number | null;
  demandKwSeconds: number | null;
  demandCoveredSeconds: number | null;
}

export function openDemand({ lastMs, blocks: [block] }: PowerDemand): OpenDemand {
  return { demandAtMs: lastMs ?? null, demandKwSeconds: block?.kwSeconds ?? null, demandCoveredSeconds: block?.coveredSeconds ?? null };
}

export function readOpenDemand({ demandAtMs: lastMs, demandKwSeconds: kwSeconds, demandCoveredSeconds }: OpenDemand): PowerDemand {
  if (lastMs === null) return noDemand;
  if (kwSeconds === null || demandCoveredSeconds === null) return { lastMs, blocks: [] };
  return { lastMs, blocks: [{ startMs: blockStartMs(lastMs - 1), kwSeconds, coveredSeconds: demandCoveredSeconds }] };
}

/** Whether it is time to write: a minute is full, or a block is over. */
export function isDemandDue({ blocks }: PowerDemand): boolean {
  return blocks.length > 1 || (blocks[0]?.coveredSeconds ?? 0) >= writeAfterSeconds;
}
