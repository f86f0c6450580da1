import type { Metering } from "@busbar/contract/telemetry/metering.ts";
import { kwPerHorsePower } from "@busbar/metering/motor.ts";
import { currentNoise } from "@busbar/metering/noise.ts";
import type { MeteredLocation } from "./metering.read-model.ts";

export interface LimitsForm {
  isDirect: boolean;
  isLineToNeutral: boolean;
  /** Shaft power over input power. */
  efficiency: number;
}

/** The nameplate and the thresholds of a location's primary node, as the meter shows its values. */
export function limitsOf({ primary, npHp }: MeteredLocation, { isDirect, isLineToNeutral, efficiency }: LimitsForm): Metering["limits"] {
  const current = positive(primary?.npCurrent);
  const nameplate = positive(primary?.npVoltage);
  const voltage = nameplate !== undefined && isLineToNeutral ? nameplate / Math.sqrt(3) : nameplate;
  const part = (nameplate: number | undefined, percent: number | undefined) =>
    nameplate === undefined || percent === undefined ? null : (nameplate * (100 + percent)) / 100;
  return {
    currentNoise: currentNoise(numberOf(primary?.iNoise), current),
    currentNameplate: current ?? null,
    currentOver: part(current, primary?.overCurrent),
    voltageNameplate: voltage ?? null,
    voltageUnder: part(voltage, primary ? -primary.underVoltage : undefined),
    voltageOver: part(voltage, primary?.overVoltage),
    powerNameplateKw: npHp !== null && npHp > 0 ? (npHp * kwPerHorsePower) / efficiency / (isDirect ? 1 : 3) : null,
  };
}

const positive = (value: number | null | undefined) => (value !== null && value !== undefined && value > 0 ? value : undefined);

function numberOf(text: string | null | undefined): number | undefined {
  const value = text === null || text === undefined || text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}
