import type { EquipmentType } from "@busbar/contract/values/option-lists.ts";
import type { LoadProfile, Shift } from "@busbar/simulator/node-model/sim-node.ts";

/** A machine as its nameplate and its use describe it. */
export interface Machine {
  equipmentType: EquipmentType;
  /** 0: not a motor. */
  hp: number;
  npVoltage: number;
  npCurrent: number;
  npRpm: number;
  poles: number;
  loadProfile: LoadProfile;
  shift: Shift;
  starter: string;
  loadApplication: string;
}

const motor = {
  equipmentType: "InductionMotor",
  npVoltage: 460,
  npRpm: 1770,
  poles: 4,
  starter: "FVNR",
  loadApplication: "Direct Coupled",
} as const;

export const machines = {
  feedPump: { ...motor, hp: 100, npCurrent: 112.8, npRpm: 1780, loadProfile: "pump", shift: "continuous", starter: "Soft Starter" },
  transferPump: { ...motor, hp: 25, npCurrent: 29.4, loadProfile: "pump", shift: "continuous" },
  fan: { ...motor, hp: 200, npCurrent: 224, npRpm: 1785, loadProfile: "fan", shift: "continuous", loadApplication: "Belt" },
  blower: {
    ...motor,
    hp: 75,
    npCurrent: 85.6,
    npRpm: 1775,
    loadProfile: "fan",
    shift: "twoShift",
    starter: "VFD",
    loadApplication: "Belt",
  },
  conveyor: { ...motor, hp: 40, npCurrent: 46.3, loadProfile: "conveyor", shift: "twoShift", loadApplication: "Belt - Reducer" },
  crusher: {
    ...motor,
    hp: 400,
    npCurrent: 88.4,
    npVoltage: 2300,
    npRpm: 1188,
    poles: 6,
    loadProfile: "crusher",
    shift: "twoShift",
    starter: "Reduced Voltage Starter",
  },
  chipper: {
    ...motor,
    hp: 500,
    npCurrent: 112.6,
    npVoltage: 2300,
    npRpm: 1190,
    poles: 6,
    loadProfile: "chipper",
    shift: "day",
    loadApplication: "Direct",
  },
  compressor: {
    ...motor,
    hp: 150,
    npCurrent: 168,
    npRpm: 1780,
    loadProfile: "compressor",
    shift: "continuous",
    starter: "Soft Start + DC Brake",
  },
  press: { ...motor, hp: 60, npCurrent: 68.7, loadProfile: "workCycle", shift: "day", starter: "FVR", loadApplication: "Reducer" },
  dcDrive: {
    equipmentType: "DCMotor",
    hp: 150,
    npVoltage: 500,
    npCurrent: 240,
    npRpm: 1750,
    poles: 4,
    loadProfile: "steady",
    shift: "twoShift",
    starter: "DC Armature",
    loadApplication: "Direct",
  },
  synchronous: {
    equipmentType: "SynchronousMotor",
    hp: 2000,
    npVoltage: 4160,
    npCurrent: 220,
    npRpm: 514,
    poles: 14,
    loadProfile: "steady",
    shift: "continuous",
    starter: "Synchronous",
    loadApplication: "Direct Coupled",
  },
  main: {
    equipmentType: "UtilityMain",
    hp: 0,
    npVoltage: 480,
    npCurrent: 1600,
    npRpm: 0,
    poles: 0,
    loadProfile: "feeder",
    shift: "continuous",
    starter: "",
    loadApplication: "",
  },
  rectifier: {
    equipmentType: "Rectifier",
    hp: 0,
    npVoltage: 480,
    npCurrent: 400,
    npRpm: 0,
    poles: 0,
    loadProfile: "steady",
    shift: "continuous",
    starter: "",
    loadApplication: "",
  },
} as const satisfies Record<string, Machine>;
export type MachineName = keyof typeof machines;
