import { channels } from "./channels.ts";
import { zoneOffsetLookup } from "./local-time.ts";
import { between, idOfText, noise, uniform } from "./random.ts";

/** The supply of one facility: all its nodes see the same, so neighbours correlate. */
export interface Supply {
  seed: number;
  id: number;
  regionId: number;
  frequencyScale: number;
  zoneOffset: (epochSeconds: number) => number;
  /** Negative-sequence voltage, per unit, before its slow drift. */
  unbalance: number;
  unbalanceAngle: number;
  shortCircuitMva: number;
  dailyPhase: number;
  /** Short memory: neighbours request the same second. */
  last: SupplyState & { epochSeconds: number };
}

export interface SupplyState {
  /** Positive-sequence voltage, per unit of nameplate. */
  volts: number;
  /** Negative-sequence voltage as a share of the positive. */
  unbalance: number;
  /** Hz off nominal. */
  frequencyDeviation: number;
}

export function createSupply(seed: number, facilityKey: string, timezone: string): Supply {
  const id = idOfText(facilityKey);
  return {
    seed,
    id,
    regionId: idOfText(interconnectionOf(timezone)),
    frequencyScale: timezone === "Asia/Kolkata" ? 2 : 1,
    zoneOffset: zoneOffsetLookup(timezone),
    unbalance: between(0.003, 0.009, seed, id, channels.unbalance, 0),
    unbalanceAngle: between(0, 2 * Math.PI, seed, id, channels.unbalanceAngle, 0),
    shortCircuitMva: between(15, 40, seed, id, channels.shortCircuit, 0),
    dailyPhase: between(0, 2 * Math.PI, seed, id, channels.dailyPhase, 0),
    last: { epochSeconds: Number.NaN, volts: 0, unbalance: 0, frequencyDeviation: 0 },
  };
}

// Frequency is one for a whole interconnection.
function interconnectionOf(timezone: string): string {
  if (timezone === "America/Chicago" || timezone === "America/New_York") return "eastern";
  if (timezone === "America/Los_Angeles" || timezone === "America/Denver" || timezone === "America/Phoenix") return "western";
  return timezone;
}

/** The undisturbed supply in one second. The answer is overwritten by the next call. */
export function supplyAt(supply: Supply, epochSeconds: number): SupplyState {
  const { last, seed, id } = supply;
  if (last.epochSeconds === epochSeconds) return last;
  last.epochSeconds = epochSeconds;
  const local = epochSeconds + supply.zoneOffset(epochSeconds);
  last.volts =
    1.04 *
      (1 +
        0.01 * Math.sin((local * 2 * Math.PI) / 86_400 + supply.dailyPhase) +
        0.006 * noise(seed, id, channels.slowVoltage, epochSeconds, 300) +
        0.002 * noise(seed, id, channels.fastVoltage, epochSeconds, 11)) +
    tapStep(supply, epochSeconds);
  last.unbalance = supply.unbalance * (1 + 0.3 * noise(seed, id, channels.unbalanceDrift, epochSeconds, 7200));
  const region = supply.regionId;
  last.frequencyDeviation =
    supply.frequencyScale *
    (0.025 * noise(seed, region, channels.frequencySlow, epochSeconds, 600) +
      0.014 * noise(seed, region, channels.frequencyMedium, epochSeconds, 45) +
      0.006 * noise(seed, region, channels.frequencyFast, epochSeconds, 7));
  return last;
}

const tapPeriodSeconds = 43_200;

/** The transformer's tap changer: a step of 0.625 % at some time of each half day. */
function tapStep({ seed, id }: Supply, epochSeconds: number): number {
  const half = Math.floor(epochSeconds / tapPeriodSeconds);
  const changesAt = (half + uniform(seed, id, channels.tapTime, half)) * tapPeriodSeconds;
  const index = epochSeconds >= changesAt ? half : half - 1;
  return (Math.floor(3 * uniform(seed, id, channels.tap, index)) - 1) * 0.00625;
}
