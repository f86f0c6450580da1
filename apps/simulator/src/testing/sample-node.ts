import type { SimNode } from "#node-model/sim-node.ts";

/** A healthy 50 hp pump motor that never stops; change what a test is about. */
export function sampleNode(change: Partial<SimNode> = {}): SimNode {
  return {
    serial: 10234,
    type: "Node",
    facilityKey: "mill",
    timezone: "America/Chicago",
    equipmentType: "InductionMotor",
    role: "primary",
    hp: 50,
    npVoltage: 460,
    npCurrent: 57.6,
    npFrequency: 60,
    poles: 4,
    loadProfile: "pump",
    shift: "unbroken",
    starter: "FVNR",
    scalarIntervalSeconds: 10,
    secret: "not-a-secret",
    quirks: {},
    ...change,
  };
}
