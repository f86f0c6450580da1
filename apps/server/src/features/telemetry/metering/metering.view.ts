import type { Metering, MeterPhasor } from "@busbar/contract/telemetry/metering.ts";
import { equipmentTypeLabels } from "@busbar/contract/values/option-lists.ts";
import { runningDays } from "@busbar/metering/accumulate.ts";
import { imbalancePercent } from "@busbar/metering/imbalance.ts";
import { directCurrentEfficiency, horsePower, loadPercent, motorEfficiency } from "@busbar/metering/motor.ts";
import { meanOfPhases, sum, type PhaseValues } from "@busbar/metering/phases.ts";
import { lagOf, measuredPower, phaseSplitPercent, totalPower } from "@busbar/metering/power.ts";
import { lineToNeutral, lineToNeutralPhasors } from "@busbar/metering/voltage.ts";
import { formatLocalTime } from "@busbar/contract/values/format-local-time.ts";
import { wholeSeconds } from "#lib/whole-seconds.ts";
import { limitsOf } from "./meter-limits.ts";
import { isRunning, readScalarText, type PhaseReadings } from "./meter-values.ts";
import { lateAfterSeconds } from "#shared/late-after.ts";
import { meteringStatus, scalarAt } from "./meter-status.ts";
import type { MeterRow, MeteredLocation, MeteredNode } from "./metering.read-model.ts";

export interface DemandFigures {
  /** Epoch seconds. */
  at: number;
  todayAverageKw: number | null;
  todayPeakKw: number | null;
  dailyAverageKw: number | null;
  dailyPeakKw: number | null;
}

export interface MeteringInput {
  location: MeteredLocation;
  primary: MeterRow | undefined;
  secondary: MeterRow | undefined;
  demand: DemandFigures | undefined;
  /** Of a motor whose horse power no one entered. */
  usualEfficiency: number;
  nowSeconds: number;
  withString: boolean;
  lineToNeutral: boolean;
}

const noneOfThree = [null, null, null] as const;
type Three = readonly (number | null)[];

/** A location's meter as the API shows it. */
export function toMetering(input: MeteringInput): Metering {
  const { location, primary, secondary, demand, nowSeconds, withString } = input;
  const isDirect = location.equipmentType === "DCMotor";
  const node = location.primary;
  const at = primary ? scalarAt(primary) : null;
  const phases = primary && at !== null ? activePhases(readScalarText(primary.lastScalarData), node, isDirect) : undefined;
  const isLineToNeutral = input.lineToNeutral && !isDirect;
  const voltages = phases ? shownVoltages(phases.voltages, isLineToNeutral) : noneOfThree;
  const currents = phases?.currents ?? noneOfThree;
  const power = powersOf(phases, primary);
  const limits = limitsOf(location, { isDirect, isLineToNeutral, efficiency: efficiencyOf(location, input.usualEfficiency) });
  const hasLoad = phases?.currents.some((current) => current !== null && Math.abs(current) > limits.currentNoise) ?? false;
  // Of currents that are noise a share of power means nothing.
  const isAtRest = !hasLoad && currents.some((current) => current !== null);
  const split = phases && hasLoad ? splitOf(phases) : noneOfThree;
  const hp = power.kw === null ? null : horsePower(power.kw, efficiencyOf(location, input.usualEfficiency));
  const isPowerFactorShown = location.equipmentType === "UtilityMain" || location.equipmentType === "Rectifier" || location.npHp === 0;
  const hasPower = node !== null && node.activePowers.some(Boolean);
  const field = fieldOf(secondary, primary);
  const running = primary?.runningSeconds ?? null;

  const metering: Metering = {
    locationId: location.id,
    name: location.name,
    siteName: location.siteName,
    facilityName: location.facilityName,
    type: location.equipmentType,
    displayEquipmentType: equipmentTypeLabels[location.equipmentType] ?? location.equipmentType,
    timezone: location.timezone,
    serialNumber: node ? String(node.serial) : null,
    ...statusOf(primary, node, nowSeconds),
    meterString: null,
    fieldSerialNumber: location.secondary ? String(location.secondary.serial) : null,
    ...fieldStatusOf(secondary, location.secondary, nowSeconds),
    fieldMeterString: null,
    timestamp: wholeSeconds(at),
    displayTimestamp: at === null ? "" : formatLocalTime(at, location.timezone),
    totalsTimestamp: wholeSeconds(primary?.meteredAt),
    fieldTimestamp: wholeSeconds(field.at),
    averagesTimestamp: wholeSeconds(demand?.at),
    readingInterval: lateAfterSeconds(node?.scalarInterval ?? 0) / 3,
    isRunning: phases ? isRunning(phases) : null,
    isLineToNeutral,
    showLineFrequency: !isDirect,
    showPowerFactorInPlaceOfHp: isPowerFactorShown,
    showPowerModule: hasPower,
    showPhaseSplitModule: hasPower && !isDirect,
    showAveragePowerModule: hasPower,
    showFieldModule: location.secondary !== null,
    lineFrequency: isDirect ? null : (phases?.lineFrequency ?? null),
    runningTimeDays: running === null ? null : runningDays(running),
    current: meanOf(currents),
    ...numbered("current", currents),
    voltage: meanOf(voltages),
    ...numbered("voltage", voltages),
    fieldCurrent: field.current,
    fieldVoltage: field.voltage,
    powerKw: power.kw,
    ...numbered("powerKw", phases?.kw ?? noneOfThree),
    hp: isPowerFactorShown ? null : hp,
    powerKva: power.kva,
    powerKvaR: power.kvar,
    powerFactor: isAtRest ? null : power.powerFactor,
    ...numbered("powerFactor", phases && !isAtRest ? phases.powerFactors : noneOfThree),
    powerTodayAverageKw: demand?.todayAverageKw ?? null,
    powerTodayPeakKw: demand?.todayPeakKw ?? null,
    powerDailyAverageKw: demand?.dailyAverageKw ?? null,
    powerDailyPeakKw: demand?.dailyPeakKw ?? null,
    loadPercent: hp === null || !location.npHp ? null : loadPercent(hp, location.npHp),
    voltageImbalance: phases && !isDirect ? imbalanceOf(phases.voltages) : null,
    currentImbalance: phases && hasLoad && !isDirect ? imbalanceOf(phases.currents) : null,
    ...numbered("phaseSplit", isDirect ? noneOfThree : split),
    ampHours: primary?.ampHours ?? null,
    kilowattHours: primary?.kilowattHours ?? null,
    kilovarHours: primary?.kilovarHours ?? null,
    limits,
    phasors: phases && !isDirect ? phasorsOf(phases) : null,
  };
  if (!withString) return metering;
  return { ...metering, meterString: at === null ? null : meterLine(metering), fieldMeterString: fieldLine(metering) };
}

/** Channels that are not wired have no value; a DC machine has one circuit, on channel 1. */
function activePhases(readings: PhaseReadings, node: MeteredNode | null, isDirect: boolean): PhaseReadings {
  const only = (values: Three, active: readonly boolean[] | undefined) =>
    values.map((value, phase) => ((isDirect && phase > 0) || active?.[phase] === false ? null : value));
  return {
    ...readings,
    currents: only(readings.currents, node?.activeCurrents),
    voltages: only(readings.voltages, node?.activeVoltages),
    kw: only(readings.kw, node?.activePowers),
    kvar: only(readings.kvar, node?.activePowers),
    powerFactors: only(readings.powerFactors, node?.activePowers),
  };
}

function shownVoltages(lineToLine: Three, isLineToNeutral: boolean): Three {
  if (!isLineToNeutral) return lineToLine;
  return isComplete(lineToLine) ? lineToNeutral(lineToLine) : noneOfThree;
}

const isComplete = (values: Three): values is PhaseValues => values.length === 3 && values.every((value) => value !== null);
const orZero = (value: number | null): number => value ?? 0;
const meanOf = (values: Three): number | null => meanOfPhases(values.map((value) => value ?? Number.NaN));
const imbalanceOf = (values: Three): number | null => (isComplete(values) ? imbalancePercent(values) : null);

/** A phase that is not measured has no share. */
function splitOf({ kw, currents }: PhaseReadings): Three {
  const shares = phaseSplitPercent(kw.map(orZero), currents.map(orZero));
  const shared = sum(kw.map(orZero)) > 0 ? kw : currents;
  return shares === null ? noneOfThree : shares.map((share, phase) => (shared[phase] === null ? null : share));
}

interface Powers {
  kw: number | null;
  kva: number | null;
  kvar: number | null;
  powerFactor: number | null;
}

/** Of the phases; of the node's own totals when it reports no phases. */
function powersOf(phases: PhaseReadings | undefined, meter: MeterRow | undefined): Powers {
  const known = phases?.kw.flatMap((kw, phase) => (kw === null ? [] : [measuredPower(kw, phases.kvar[phase] ?? 0)])) ?? [];
  if (known.length > 0) return totalPower(known);
  return { kw: meter?.kw ?? null, kva: meter?.kva ?? null, kvar: meter?.kvar ?? null, powerFactor: meter?.powerFactor ?? null };
}

function efficiencyOf({ equipmentType, npHp }: MeteredLocation, usual: number): number {
  if (equipmentType === "DCMotor") return directCurrentEfficiency;
  return npHp === null || npHp <= 0 ? usual : motorEfficiency(npHp);
}

function statusOf(
  meter: MeterRow | undefined,
  node: MeteredNode | null,
  now: number,
): Pick<Metering, "connectedStatus" | "meteringStatus"> {
  return {
    connectedStatus: meter?.isConnected ? "Connected" : "Not connected",
    meteringStatus: meter && node ? meteringStatus(meter, node.scalarInterval, now) : "Not metering",
  };
}

function fieldStatusOf(
  meter: MeterRow | undefined,
  node: MeteredNode | null,
  now: number,
): Pick<Metering, "fieldConnectedStatus" | "fieldMeteringStatus"> {
  if (!node) return { fieldConnectedStatus: null, fieldMeteringStatus: null };
  const { connectedStatus, meteringStatus: status } = statusOf(meter, node, now);
  return { fieldConnectedStatus: connectedStatus, fieldMeteringStatus: status };
}

interface FieldReading {
  at: number | null;
  voltage: number | null;
  current: number | null;
}

/** The field winding: what the secondary node reports as such, or what it measures; else what the primary node reports. */
function fieldOf(secondary: MeterRow | undefined, primary: MeterRow | undefined): FieldReading {
  const field = [secondary, primary].find((meter) => meter && (meter.fieldVoltage !== null || meter.fieldCurrent !== null));
  const at = secondary ? scalarAt(secondary) : null;
  if (secondary && at !== null && (field === undefined || field !== secondary || at >= (field.meteredAt ?? 0))) {
    const { voltages, currents } = readScalarText(secondary.lastScalarData);
    return { at, voltage: voltages[0] ?? null, current: currents[0] ?? null };
  }
  return { at: field?.meteredAt ?? null, voltage: field?.fieldVoltage ?? null, current: field?.fieldCurrent ?? null };
}

function phasorsOf({ voltages, currents, kw, kvar }: PhaseReadings): Metering["phasors"] {
  if (!isComplete(voltages) || Math.max(...voltages) <= 0) return null;
  const neutral = lineToNeutralPhasors(voltages);
  const turned = neutral.map(({ angle }, phase) => angle - lagOf({ kw: kw[phase] ?? 0, kvar: kvar[phase] ?? 0 }));
  return {
    voltages: neutral.map(({ magnitude, angle }) => ({ magnitude, angle: degreesOf(angle) })),
    currents: turned.map((angle, phase): MeterPhasor => ({ magnitude: currents[phase] ?? 0, angle: degreesOf(angle) })),
  };
}

/** From -180 to 180. */
const degreesOf = (radians: number): number => (((((radians * 180) / Math.PI + 180) % 360) + 360) % 360) - 180;

function numbered<Name extends "current" | "voltage" | "powerKw" | "powerFactor" | "phaseSplit">(name: Name, values: Three) {
  return { [`${name}1`]: values[0] ?? null, [`${name}2`]: values[1] ?? null, [`${name}3`]: values[2] ?? null } as Record<
    `${Name}${1 | 2 | 3}`,
    number | null
  >;
}

const decimals = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2, useGrouping: false, signDisplay: "negative" });
const text = (value: number | null): string => (value === null ? "-" : decimals.format(value));

function meterLine(m: Metering): string {
  if (m.type === "DCMotor") return `I ${text(m.current)} A | V ${text(m.voltage)} V | ${text(m.powerKw)} kW`;
  const parts = [
    m.showLineFrequency && `LF ${text(m.lineFrequency)} Hz`,
    `I ${text(m.current)} A (${text(m.current1)} ${text(m.current2)} ${text(m.current3)})`,
    `V ${m.isLineToNeutral ? "L-N" : "L-L"} ${text(m.voltage)} V (${text(m.voltage1)} ${text(m.voltage2)} ${text(m.voltage3)})`,
    m.showPowerModule && `${text(m.powerKw)} kW ${text(m.powerKva)} kVA ${text(m.powerKvaR)} kVAr PF ${text(m.powerFactor)}`,
  ];
  return parts.filter((part) => part !== false).join(" | ");
}

function fieldLine(m: Metering): string | null {
  if (m.fieldTimestamp === null || m.fieldSerialNumber === null) return null;
  return `Field ${text(m.fieldVoltage)} V ${text(m.fieldCurrent)} A`;
}
