import type { TrendSeries } from "@busbar/contract/telemetry/trends.ts";
import { directCurrentEfficiency, kwPerHorsePower, motorEfficiency } from "@busbar/metering/motor.ts";
import { positive } from "./node-channels.ts";
import type { TrendNodeRow } from "./trends.read-model.ts";

type Limit = TrendSeries["limits"][number];

/** The nameplate and the thresholds that a quantity is held against, in its unit. */
export function limitsOf(quantity: string, node: TrendNodeRow): Limit[] {
  const { thresholds } = node;
  if (!thresholds) return [];
  const current = positive(node.npCurrent);
  const voltage = positive(node.npVoltage);
  const hp = positive(node.npHp);
  const part = (nameplate: number, percent: number) => (nameplate * (100 + percent)) / 100;
  if (/^current[123]?$/.test(quantity))
    return current === undefined
      ? []
      : [
          nameplate("Nameplate current", current),
          limit("Short-term over-current", part(current, thresholds.shortTermOverCurrent)),
          limit("Long-term over-current", part(current, thresholds.longTermOverCurrent)),
        ];
  if (/^voltage[123]?$/.test(quantity))
    return voltage === undefined
      ? []
      : [
          nameplate("Nameplate voltage", voltage),
          limit("Over-voltage", part(voltage, thresholds.overVoltage)),
          limit("Under-voltage", part(voltage, -thresholds.underVoltage)),
        ];
  if (quantity === "powerKw" && hp !== undefined)
    return [nameplate("Nameplate power", (hp * kwPerHorsePower) / (node.isDirect ? directCurrentEfficiency : motorEfficiency(hp)))];
  if (quantity === "voltageImbalance") return [limit("Voltage imbalance", thresholds.voltageImbalance)];
  if (quantity === "currentImbalance") return [limit("Current imbalance", thresholds.currentImbalance)];
  if (quantity.startsWith("voltageThd")) return [limit("Voltage THD", thresholds.voltageThd)];
  if (quantity.startsWith("currentThd")) return [limit("Current THD", thresholds.currentThd)];
  return [];
}

const nameplate = (line: string, value: number): Limit => ({ line, value, kind: "nameplate" });
const limit = (line: string, value: number): Limit => ({ line, value, kind: "limit" });
