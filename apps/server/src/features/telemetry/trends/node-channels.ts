import { currentNoise } from "@busbar/metering/noise.ts";
import type { NodeChannels } from "./scalar-quantities.ts";
import type { TrendNodeRow } from "./trends.read-model.ts";

/** V, of a node that reports none. */
const usualVoltageNoise = 5;

export function channelsOf(node: TrendNodeRow): NodeChannels {
  return {
    activeVoltages: node.activeVoltages,
    activeCurrents: node.activeCurrents,
    isDirect: node.isDirect,
    voltageNoise: reported(node.vNoise) ?? usualVoltageNoise,
    currentNoise: currentNoise(reported(node.iNoise), positive(node.npCurrent)),
  };
}

export const positive = (value: number | null): number | undefined => (value !== null && value > 0 ? value : undefined);

function reported(text: string | null): number | undefined {
  const value = text === null || text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}
