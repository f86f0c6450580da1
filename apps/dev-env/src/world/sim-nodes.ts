import type { SimNode } from "@busbar/simulator/node-model/sim-node.ts";
import type { DemoNode } from "./demo-world.ts";

/** The nodes as the simulator runs them; retired ones are gone. */
export function toSimNodes(nodes: readonly DemoNode[], secrets: ReadonlyMap<number, string>): SimNode[] {
  return nodes
    .filter((node) => node.currentStatus !== "Decommissioned")
    .map((node) => ({ ...toSimNode(node, secrets.get(node.serial) ?? ""), ...fieldOf(node, nodes) }));
}

/** A field winding goes with its machine, at a voltage and a current of its own. */
function fieldOf({ place, machine: { equipmentType, hp } }: DemoNode, nodes: readonly DemoNode[]): Partial<SimNode> {
  if (place?.slot !== 2) return {};
  const machine = nodes.find(
    (node) => node.place?.slot === 1 && node.place.location === place.location && node.place.facility === place.facility,
  );
  const winding = equipmentType === "DCMotor" ? { npVoltage: 240, npCurrent: hp * 0.08 } : { npVoltage: 125, npCurrent: hp * 0.1 };
  return machine ? { machineSerial: machine.serial, loadProfile: "steady", ...winding } : {};
}

function toSimNode(
  { serial, type, parentSerial, place, machine, timezone, scalarIntervalSeconds, quirks }: DemoNode,
  secret: string,
): SimNode {
  return {
    serial,
    type,
    ...(parentSerial === undefined ? {} : { parentSerial }),
    facilityKey: place?.facility.name ?? "bench",
    timezone,
    equipmentType: machine.equipmentType,
    role: place?.slot === 2 ? "field" : "primary",
    hp: machine.hp,
    npVoltage: machine.npVoltage,
    npCurrent: machine.npCurrent,
    npFrequency: frequencyOf(machine.equipmentType, timezone),
    poles: machine.poles,
    loadProfile: machine.loadProfile,
    shift: machine.shift,
    starter: machine.starter,
    scalarIntervalSeconds,
    secret,
    quirks,
  };
}

function frequencyOf(equipmentType: string, timezone: string): number {
  if (equipmentType === "DCMotor") return 0;
  return timezone === "Asia/Kolkata" ? 50 : 60;
}

/** Whether the node sends scalars: relays send files only, external types nothing. */
export function hasScalars(node: DemoNode): boolean {
  return (node.type === "Node" || node.type === "subNode") && node.quirks.neverConnects !== true;
}
