import { channels } from "./node-model/channels.ts";
import { motorRating, standardHorsepowers } from "./node-model/motor-table.ts";
import { hash32, uniform } from "./node-model/random.ts";
import type { LoadProfile, Quirks, Shift, SimNode } from "./node-model/sim-node.ts";

export interface FleetPlan {
  seed: number;
  count: number;
  firstSerial: number;
  nodesPerFacility?: number;
}

const timezones = ["America/New_York", "America/Chicago", "America/Denver", "America/Phoenix", "America/Los_Angeles", "America/Anchorage"];

const applications: readonly (readonly [LoadProfile, minHp: number])[] = [
  ["pump", 5],
  ["pump", 10],
  ["fan", 20],
  ["conveyor", 15],
  ["crusher", 100],
  ["chipper", 100],
  ["compressor", 50],
  ["workCycle", 25],
];

/** Plausible nodes for a seed; the same seed gives the same fleet, and a longer one begins with the shorter one. */
export function makeFleet({ seed, count, firstSerial, nodesPerFacility = 12 }: FleetPlan): SimNode[] {
  return Array.from({ length: count }, (_, i) => makeNode(seed, firstSerial + i, Math.floor(i / nodesPerFacility)));
}

function makeNode(seed: number, serial: number, facility: number): SimNode {
  const draw = (channel: number) => uniform(seed, serial, channel, 0);
  const pick = <T>(list: readonly T[], channel: number): T => list[Math.floor(draw(channel) * list.length)]!;
  // one facility in twenty is in India, on 400 V and 50 Hz
  const isIndian = hash32(seed, facility, channels.fleetFacility, 0) % 20 === 0;
  const timezone = isIndian ? "Asia/Kolkata" : timezones[hash32(seed, facility, channels.fleetFacility, 1) % timezones.length]!;
  const [loadProfile, minHp] = pick(applications, channels.fleetLoad);
  const hp = pick(
    standardHorsepowers.filter((power) => power >= minHp),
    channels.fleetPower,
  );
  const npVoltage = isIndian ? 400 : lineVoltage(draw(channels.fleetVoltage), hp);
  const base: SimNode = {
    serial,
    type: "Node",
    facilityKey: `facility-${facility}`,
    timezone,
    equipmentType: "InductionMotor",
    role: "primary",
    hp,
    npVoltage,
    npCurrent: Math.round(motorRating(hp, npVoltage).fullLoadAmps * 10) / 10,
    npFrequency: isIndian ? 50 : 60,
    poles: pick([2, 4, 4, 4, 6], channels.fleetPoles),
    loadProfile,
    shift: shiftOf(draw(channels.fleetShift)),
    starter: starterOf(draw(channels.fleetStarter)),
    scalarIntervalSeconds: 10,
    secret: secretOf(seed, serial),
    quirks: quirksOf(draw(channels.fleetQuirk)),
  };
  const type = draw(channels.fleetType);
  if (type < 0.03)
    return {
      ...base,
      equipmentType: "UtilityMain",
      hp: 0,
      npCurrent: 800,
      npVoltage: 480,
      loadProfile: "feeder",
      shift: "continuous",
      starter: "",
    };
  if (type < 0.06)
    return {
      ...base,
      equipmentType: "DCMotor",
      npVoltage: 500,
      npCurrent: Math.round((hp * 745.7) / 450),
      npFrequency: 0,
      starter: "DC Armature",
    };
  if (type < 0.08) return { ...base, equipmentType: "SynchronousMotor", starter: "Synchronous" };
  return base;
}

function lineVoltage(draw: number, hp: number): number {
  if (draw < 0.15 && hp >= 200) return draw < 0.08 ? 4160 : 2300;
  return draw > 0.95 ? 575 : 460;
}

function shiftOf(draw: number): Shift {
  if (draw < 0.5) return "continuous";
  return draw < 0.8 ? "twoShift" : "day";
}

function starterOf(draw: number): string {
  if (draw < 0.45) return "FVNR";
  if (draw < 0.7) return "VFD";
  return draw < 0.88 ? "Soft Starter" : "Reduced Voltage Starter";
}

// One node in a thousand sends bad data, another one has a bad cable
function quirksOf(draw: number): Quirks {
  if (draw < 0.001) return { badPayloads: 0.05 };
  return draw < 0.002 ? { flappingLink: true } : {};
}

// Enough for a test broker; real nodes have theirs in a credentials file
function secretOf(seed: number, serial: number): string {
  return [0, 1, 2, 3].map((index) => hash32(seed, serial, channels.fleetSecret, index).toString(16).padStart(8, "0")).join("");
}
