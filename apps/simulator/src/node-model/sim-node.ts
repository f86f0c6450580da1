import type { Wiring } from "./wiring.ts";

export type LoadProfile = "pump" | "fan" | "conveyor" | "crusher" | "chipper" | "compressor" | "workCycle" | "feeder" | "steady";

/** Continuous: round the clock with a stop now and then; unbroken: without one. */
export type Shift = "unbroken" | "continuous" | "twoShift" | "day";

export const isRoundTheClock = (shift: Shift): boolean => shift === "continuous" || shift === "unbroken";

/** Ways in which one node misbehaves for its whole life; none set is a healthy node. */
export interface Quirks {
  neverConnects?: boolean;
  /** The link drops every minute or two. */
  flappingLink?: boolean;
  /** Seconds added to every timestamp of the node. */
  clockOffsetSeconds?: number;
  isClockUnlocked?: boolean;
  /** Part (0-1) of the messages that go out malformed. */
  badPayloads?: number;
  /** Part (0-1) of the scalars that are never acquired. */
  dropScalars?: number;
  /** Part (0-1) of its files that are truncated, have a wrong checksum, a column without numbers, come twice or late. */
  badFiles?: number;
  isSensorBroken?: boolean;
  /** It was wired wrong. */
  wiring?: Wiring;
  /** A capacitor bank, switched in for every other hour, resonates with the supply at the 5th harmonic. */
  hasResonance?: boolean;
  /** Takes configuration writes without ever answering. */
  neverAnswersCommands?: boolean;
  /** Real seconds after which it answers a command. */
  answersAfterSeconds?: number;
  answersTwice?: boolean;
  /** Says the opposite of what it did with a configuration write. */
  liesAboutConfig?: "says-done" | "says-conflict";
}

/** One simulated node: what is on its nameplate, where it hangs, how it talks. */
export interface SimNode {
  serial: number;
  /** `Node`, `subNode`, `SEL`, `GERelay`; any other type has no connection. */
  type: string;
  /** The edge node a `subNode` reports through. */
  parentSerial?: number;
  /** Nodes of one facility share its supply. */
  facilityKey: string;
  timezone: string;
  equipmentType: string;
  /** `field`: the secondary node on a field winding. */
  role: "primary" | "field";
  /** Of a field winding: its machine's node; both start and stop together. */
  machineSerial?: number;
  /** 0: not a motor. */
  hp: number;
  /** Line-to-line volts; armature volts of a DC machine. */
  npVoltage: number;
  npCurrent: number;
  /** Hz; 0 for DC. */
  npFrequency: number;
  poles: number;
  loadProfile: LoadProfile;
  shift: Shift;
  /** A starter of the option list, or empty. */
  starter: string;
  scalarIntervalSeconds: number;
  /** Seconds that a data file covers, 900 by default. */
  dataIntervalSeconds?: number;
  secret: string;
  quirks: Quirks;
}
